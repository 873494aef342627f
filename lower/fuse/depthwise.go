package fuse

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/irpass"
	"github.com/weft-go/weft/lower/scalar"
)

// maxTaps bounds the positions of the window of a depthwise convolution, since a kernel has code
// for each. With more, a convolution is a product for each feature.
const maxTaps = 256

// isDepthwise reports whether a convolution convolves each feature alone and has a kernel of its
// own.
func isDepthwise(e *jaxpr.Eqn) bool {
	q, _ := convOf(e.Prim)
	x, w := e.Ins[0].Aval().Shape, e.Ins[1].Aval().Shape
	return w.At(q.RhsSpec.At(1)) == 1 && q.FeatureGroups > 1 && q.FeatureGroups == x.At(q.LhsSpec.At(1)) &&
		w.Size() <= maxTaps*w.At(q.RhsSpec.At(0)) && w.Size() > 0
}

// spreadFeatures makes a step of a depthwise convolution with several outputs for each feature,
// by repeating each feature of the operand as often. A sum has the same terms in the same order.
func (p *planner) spreadFeatures(e *jaxpr.Eqn, q prim.ConvP) {
	x, outputs := e.Ins[0].Aval().Shape, e.Ins[1].Aval().Shape.At(q.RhsSpec.At(0))
	axis := q.LhsSpec.At(1)
	before, after := x.Slice(0, axis+1), x.Slice(axis+1, x.Len())
	apart := before.Append(outputs / q.FeatureGroups).Append(after.Ints()...)
	y := p.apply(e, prim.BroadcastInDimP{Shape: apart, Dims: core.Range(0, apart.Len()).Remove(axis + 1)}, e.Ins[0])
	y = p.apply(e, prim.ReshapeP{Shape: x.Slice(0, axis).Append(outputs).Append(after.Ints()...)}, y)
	q.FeatureGroups = outputs
	p.conv(&jaxpr.Eqn{Outs: e.Outs, Prim: q, Ins: []jaxpr.Atom{y, e.Ins[1]}, Site: e.Site})
}

// depthwise writes the kernel of a convolution of each feature alone: features lie side by side
// in vectors. Taps that read no element are skipped. The operands and the result z have their
// features last.
func (p *planner) depthwise(x, w jaxpr.Atom, q prim.ConvP, z *jaxpr.Var, base core.DType, chunk int) *Launch {
	e := &emitter{p: p, b: ir.NewBuilder("k" + itoa(len(p.items)) + "_depthwise"), bufOf: map[int]int{}}
	b := e.b
	in, out, window := x.Aval().Shape, z.Type.Shape, w.Aval().Shape // the window has its taps first, then 1, then features
	rank := out.Len()
	features := int64(out.At(rank - 1))
	var grid []ir.Axis
	for i := range rank - 1 {
		grid = append(grid, b.Grid(ir.Const(int64(out.At(i)))))
	}
	xs, ws, zs := rowMajor(in), rowMajor(window), rowMajor(out)
	n := p.of(z)
	xb, wb, zb := e.buffer(p.memory(x), ir.In), e.buffer(p.memory(w), ir.In), e.buffer(n.value, ir.Out)
	one := func(axis ir.Axis, coeff int64) []ir.Term { return []ir.Term{{Axis: axis, Coeff: ir.Const(coeff)}} }
	spatial := rank - 2
	// tap is where a position of the window reads the input along an axis.
	type tap struct {
		base   int64
		inside ir.Ref // NoRef: everywhere
		value  ir.Ref // the element of a dilated axis, else NoRef
	}
	taps := make([][]tap, spatial)
	for d := range spatial {
		for t := range window.At(d) {
			k := tap{int64(t*q.RhsDilation.At(d) - q.Padding.At(2*d)), ir.NoRef, ir.NoRef}
			last := k.base + int64((out.At(1+d)-1)*q.Strides.At(d))
			gap := int64(q.LhsDilation.At(d))
			if extent := int64(in.At(1+d)-1)*gap + 1; k.base < 0 || last >= extent || gap > 1 {
				at := b.Index(scalar.I64, ir.Const(k.base), one(grid[1+d], int64(q.Strides.At(d)))...)
				k.inside = e.within(at, 0, extent)
				if gap > 1 {
					step := b.Const(scalar.I64, uint64(gap))
					k.value = e.op(scalar.OpDiv, scalar.I64, at, step)
					k.inside = e.and(k.inside, e.op(scalar.OpEq, scalar.Bool, e.op(scalar.OpMul, scalar.I64, k.value, step), at))
				}
			}
			taps[d] = append(taps[d], k)
		}
	}
	t := scalar.Stored(base)
	zero := b.Const(t, 0)
	// The conditions of a position stand before the loop over features.
	inside := make([]ir.Ref, window.Size()/int(features))
	place := make([]int, spatial)
	for k := range inside {
		rest := k
		for d := spatial - 1; d >= 0; d-- {
			place[d] = rest % window.At(d)
			rest /= window.At(d)
		}
		inside[k] = ir.NoRef
		for d := range spatial {
			if c := taps[d][place[d]].inside; c != ir.NoRef {
				inside[k] = e.and(inside[k], c)
			}
		}
	}
	b.Vector(ir.Const(features), nil, func(c ir.Axis) {
		sum, acc := zero, zero
		for k := range inside {
			if k > 0 && k%chunk == 0 && base.IsFloat() {
				sum, acc = e.op(scalar.OpAdd, t, sum, acc), zero
			}
			rest := k
			for d := spatial - 1; d >= 0; d-- {
				place[d] = rest % window.At(d)
				rest /= window.At(d)
			}
			at := ir.Access{Buffer: xb, Coords: []ir.Coord{
				{Stride: ir.Const(int64(xs[0])), Bound: ir.Const(int64(in.At(0))), Terms: one(grid[0], 1), Value: ir.NoRef},
				{Stride: ir.Const(1), Bound: ir.Const(features), Terms: one(c, 1), Value: ir.NoRef}}}
			for d := range spatial {
				m := ir.Coord{Stride: ir.Const(int64(xs[1+d])), Bound: ir.Const(int64(in.At(1 + d))), Base: ir.Const(taps[d][place[d]].base),
					Terms: one(grid[1+d], int64(q.Strides.At(d))), Value: ir.NoRef}
				if taps[d][place[d]].inside != ir.NoRef {
					m.Mode = ir.Clamp
				}
				if v := taps[d][place[d]].value; v != ir.NoRef {
					m.Base, m.Terms, m.Value = ir.Const(0), nil, v
				}
				at.Coords = append(at.Coords, m)
			}
			offset := 0
			for d := range spatial {
				offset += place[d] * ws[d]
			}
			xv := b.Load(at, ir.NoRef)
			wv := b.Load(ir.Access{Buffer: wb, Offset: ir.Const(int64(offset)), Coords: []ir.Coord{{Stride: ir.Const(1), Bound: ir.Const(features), Terms: one(c, 1), Value: ir.NoRef}}}, ir.NoRef)
			var next ir.Ref
			if base.IsFloat() {
				next = e.op(scalar.OpFMA, t, xv, wv, acc)
			} else {
				next = e.op(scalar.OpAdd, t, acc, e.op(scalar.OpMul, t, xv, wv))
			}
			if inside[k] != ir.NoRef {
				next = e.op(scalar.OpSelect, t, inside[k], next, acc)
			}
			acc = next
		}
		if base.IsFloat() {
			acc = e.op(scalar.OpCanon, t, e.op(scalar.OpAdd, t, acc, sum))
		}
		to := ir.Access{Buffer: zb, Coords: []ir.Coord{{Stride: ir.Const(1), Bound: ir.Const(features), Terms: one(c, 1), Value: ir.NoRef}}}
		for i, a := range grid {
			to.Coords = append(to.Coords, ir.Coord{Stride: ir.Const(int64(zs[i])), Bound: ir.Const(int64(out.At(i))), Terms: one(a, 1), Value: ir.NoRef})
		}
		b.Store(to, acc)
	})
	return &Launch{Kernel: irpass.Hoist(b.Finish()), Buffers: e.buffers}
}
