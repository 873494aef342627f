package fuse

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim/matrices"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/irpass"
)

// Bounds of the operations that are written for a factorization: compiling them takes time, which pays off
// for many matrices.
const (
	factorOps     = 256
	factorOpsEach = 32 // more for each matrix
)

// matricesBlock is the number of matrices that a point of the grid factors.
const matricesBlock = 64

// batchedFactor writes a kernel of a factorization of many small matrices, or of triangular solves:
// the matrices side by side, each in registers. It reports whether it did.
func (p *planner) batchedFactor(e *jaxpr.Eqn) bool {
	switch e.Prim.(type) {
	case matrices.CholeskyP, matrices.TriangularSolveP, matrices.LUP:
	default:
		return false
	}
	if _, refused := p.refused[e]; refused || !p.target.Tiny {
		return false
	}
	one := &jaxpr.Eqn{Prim: e.Prim, Site: e.Site} // on a single matrix
	batch := e.Ins[0].Aval().Shape.Len() - 2
	each := func(t core.ShapedArray) *jaxpr.Var {
		t.Shape = core.MakeDims(t.Shape.Ints()[batch:]...)
		return jaxpr.NewVar(t)
	}
	for _, a := range e.Ins {
		if unfit(a.Aval()) != "" {
			return false
		}
		one.Ins = append(one.Ins, each(a.Aval()))
	}
	for _, v := range e.Outs {
		if unfit(v.Type) != "" {
			return false
		}
		one.Outs = append(one.Outs, each(v.Type))
	}
	n := e.Ins[0].Aval().Size() / one.Ins[0].Aval().Size()
	var size smallCount
	if n < 2 || !smallEqn(one, &size) || size.ops > factorOps+factorOpsEach*n {
		return false
	}
	b := ir.NewBuilder("k" + itoa(len(p.items)) + "_" + e.Prim.Name())
	s := &registerWriter{p: p, u: newUnroller(b)}
	block := b.Grid(ir.Const(int64((n + matricesBlock - 1) / matricesBlock)))
	in, out := s.operands(e.Ins), []memory{}
	outs := p.outputs(e)
	for _, id := range outs {
		out = append(out, memory{buffer: s.buffer(id, ir.Out)})
	}
	// element returns the access to element k of the matrix.
	element := func(m memory, t core.ShapedArray, a ir.Axis, k int) ir.Access {
		return ir.Access{Buffer: m.buffer, Offset: ir.Const(int64(k)), Coords: []ir.Coord{{Stride: ir.Const(int64(t.Size())), Bound: ir.Const(int64(n)),
			Terms: []ir.Term{{Axis: block, Coeff: ir.Const(matricesBlock)}, {Axis: a, Coeff: ir.Const(1)}}, Value: ir.NoRef}}}
	}
	b.Vector(ir.Const(int64(min(n, matricesBlock))), tailOf(block, n), func(a ir.Axis) {
		args := make([]operand, len(in))
		for i, m := range in {
			t := one.Ins[i].Aval()
			for k := range t.Size() {
				args[i].small = append(args[i].small, []ir.Ref{b.Load(element(m, t, a, k))})
			}
		}
		for i, x := range s.u.eqn(one, args) {
			for k, r := range x {
				b.Store(element(out[i], one.Outs[i].Type, a, k), r[0])
			}
		}
	})
	p.made(e, p.add(&Launch{Kernel: irpass.DropCanon(b.Finish()), Buffers: s.buffers, Eqn: e, Eqns: []*jaxpr.Eqn{e}}))
	return true
}

// tailOf returns the tail of a loop over n elements in blocks, nil if one block has all.
func tailOf(block ir.Axis, n int) *ir.Tail {
	if n <= matricesBlock {
		return nil
	}
	return &ir.Tail{Outer: block, Total: ir.Const(int64(n))}
}
