//go:build ((linux && (amd64 || arm64)) || js) && !purego

package native_test

import (
	"fmt"
	"testing"

	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/scalar"
)

// A rotation whose shifts are in the first of two phases, and whose result is in the second, has the
// evaluator's bits: few registers are in use between them.
func TestRotationAcrossPhases(t *testing.T) {
	const n, results = 200, 5
	b := ir.NewBuilder("phases")
	in := b.Buffer("x", ir.In, scalar.U32, ir.Const(n))
	var outs [results]int
	for i := range outs {
		outs[i] = b.Buffer(fmt.Sprint("y", i), ir.Out, scalar.U32, ir.Const(n))
	}
	b.Vector(ir.Const(n), nil, func(i ir.Axis) {
		at := func(buffer int) ir.Access {
			return ir.Access{Buffer: buffer, Coords: []ir.Coord{{Stride: ir.Const(1), Bound: ir.Const(n), Terms: []ir.Term{{Axis: i, Coeff: ir.Const(1)}}, Value: ir.NoRef}}}
		}
		op := func(o scalar.Op, p, q ir.Ref) ir.Ref {
			return b.Op(scalar.Inst{Op: o, Type: scalar.U32, Args: [3]ir.Ref{p, q, ir.NoRef}})
		}
		num := func(n uint64) ir.Ref { return b.Const(scalar.U32, n) }
		x := b.Load(at(in))
		y, z := op(scalar.OpAdd, x, num(1)), op(scalar.OpAdd, x, num(2))
		for range 30 {
			x, y = op(scalar.OpXor, x, y), op(scalar.OpMul, y, num(2654435761))
		}
		up, down := op(scalar.OpShl, x, num(13)), op(scalar.OpShr, x, num(19))
		e := op(scalar.OpAdd, y, z)
		all := [results]ir.Ref{e, op(scalar.OpAdd, e, num(1)), op(scalar.OpAdd, e, num(2)), op(scalar.OpAdd, e, num(3)), op(scalar.OpOr, up, down)}
		for range 6 {
			for k := range all {
				all[k] = op(scalar.OpXor, op(scalar.OpMul, all[k], num(5)), num(77))
			}
		}
		for k, y := range outs {
			b.Store(at(y), all[k])
		}
	})
	buffers := make([][]byte, 1+results)
	for i := range buffers {
		buffers[i] = make([]byte, 4*n)
		for k := range buffers[i] {
			buffers[i][k] = byte(k * (k + 7))
		}
	}
	compile(t, b.Finish()).check(t, nil, buffers)
}
