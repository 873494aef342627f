//go:build linux

package cpu_test

import (
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/runtime"
)

// shortRows draws a program over arrays with short innermost axes: elementwise operations with
// what is the same along the rows or for all rows, reductions of the rows and of other axes, and
// elements that are taken out of the rows or put into others.
func (o *operation) shortRows(b *jaxpr.Builder, x, y, row, same jaxpr.Atom) (outs []jaxpr.Atom) {
	r := o.r
	shape, dt := x.Aval().Shape, x.Aval().DType
	last := shape.Len() - 1
	one := func(p core.Primitive, in ...jaxpr.Atom) jaxpr.Atom { return b.Eqn(p, in...)[0] }
	wide := func(a jaxpr.Atom, dims core.Dims) jaxpr.Atom {
		return one(prim.BroadcastInDimP{Shape: shape, Dims: dims}, a)
	}
	ordered, inexact := !dt.IsComplex(), dt.IsInexact()
	full := []jaxpr.Atom{x, y, wide(same, core.MakeDims(last))}
	rows := []jaxpr.Atom{row}
	pick := func(l []jaxpr.Atom) jaxpr.Atom { return l[max(r.IntN(len(l)), r.IntN(len(l)))] }
	binary := []core.Primitive{prim.AddP{}, prim.SubP{}, prim.MulP{}}
	unary := []core.Primitive{prim.NegP{}, prim.SquareP{}}
	folds := []core.Primitive{prim.ReduceSumP{Axes: core.MakeDims(last)}, prim.ReduceSumP{Axes: core.MakeDims(last)}, prim.ReduceProdP{Axes: core.MakeDims(last)}}
	if ordered {
		binary = append(binary, prim.MaxP{}, prim.MinP{})
		folds = append(folds, prim.ReduceMaxP{Axes: core.MakeDims(last)}, prim.ReduceMinP{Axes: core.MakeDims(last)})
	}
	if inexact {
		unary = append(unary, prim.ExpP{}, prim.TanhP{}, prim.SqrtP{})
		if ordered {
			binary = append(binary, prim.RemP{}, prim.DivP{})
		}
	}
	kept := core.Range(0, last)
	for range 3 + r.IntN(8) {
		switch k := r.IntN(10); {
		case k < 3:
			full = append(full, one(binary[r.IntN(len(binary))], pick(full), pick(full)))
		case k < 4:
			full = append(full, one(unary[r.IntN(len(unary))], pick(full)))
		case k < 5:
			full = append(full, one(binary[r.IntN(len(binary))], pick(full), wide(pick(rows), kept)))
		case k < 6:
			rows = append(rows, one(folds[r.IntN(len(folds))], pick(full)))
		case k < 7 && ordered:
			rows = append(rows, one(prim.ConvertElementTypeP{NewDType: dt}, one(prim.ArgmaxP{Axes: core.MakeDims(last), Index: core.Int32}, pick(full))))
			outs = append(outs, one(prim.LtP{}, pick(full), pick(full)))
		case k < 8: // a column
			at := r.IntN(shape.At(last))
			from, to := shape.Ints(), shape.Ints()
			for i := range from {
				from[i] = 0
			}
			from[last], to[last] = at, at+1
			c := one(prim.SliceP{Start: core.MakeDims(from...), Limit: core.MakeDims(to...)}, pick(full))
			rows = append(rows, one(prim.SqueezeP{Dims: core.MakeDims(last)}, c))
		case k < 9:
			full = append(full, one(prim.RevP{Dims: core.MakeDims(r.IntN(last + 1))}, pick(full)))
		default:
			outs = append(outs, one(prim.ReduceSumP{Axes: core.MakeDims(r.IntN(last + 1))}, pick(full)))
		}
	}
	outs = append(outs, full[len(full)-1], rows[len(rows)-1])
	if r.IntN(2) == 0 {
		outs = append(outs, pick(full), pick(rows))
	}
	return outs
}

// Programs over short innermost axes have the reference's bits: the lanes of vectors are rows,
// whose elements lie apart, in whole vectors and in what is left of them.
func TestShortRowsFuzz(t *testing.T) {
	o := newOperation(t, 15, 4)
	r := o.r
	types := []core.DType{core.Float32, core.Float32, core.Float32, core.Float64, core.BFloat16, core.Float16, core.Complex64, core.Complex128,
		core.Int8, core.Int32, core.Int64, core.Uint16, core.Uint32}
	native, n := 0, rounds(400)
	for range n {
		dt := types[r.IntN(len(types))]
		shape := []int{1 + r.IntN([]int{4, 20, 90, 700}[r.IntN(4)])}
		if r.IntN(3) == 0 {
			shape = append(shape, 1+r.IntN(12))
		}
		shape = append(shape, 1+r.IntN([]int{4, 4, 8, 16}[r.IntN(4)]))
		last := len(shape) - 1
		avals := []core.ShapedArray{core.Aval(dt, shape...), core.Aval(dt, shape...), core.Aval(dt, shape[:last]...), core.Aval(dt, shape[last])}
		b := jaxpr.NewBuilder()
		var in []jaxpr.Atom
		var args []*runtime.Array
		special := r.IntN(4) == 0
		for i, a := range avals {
			in = append(in, b.Input(a))
			args = append(args, o.mem[i].array(a, r.IntN(2) == 0))
			fill(r, args[i], special)
		}
		native += o.same(b.Build(o.shortRows(b, in[0], in[1], in[2], in[3])...), args)
	}
	if hasNative() && native < n*9/10 {
		t.Errorf("%d programs of %d ran as native code", native, n)
	}
}

// Differences of all pairs of points, as of particles in a box, have the reference's bits.
func TestPairsOfPoints(t *testing.T) {
	o := newOperation(t, 16, 2)
	r := o.r
	for range rounds(60) {
		dt := []core.DType{core.Float32, core.Float64, core.Complex64}[r.IntN(3)]
		n, m, d := 1+r.IntN(70), 1+r.IntN(70), 2+r.IntN(7)
		all := core.MakeDims(n, m, d)
		b := jaxpr.NewBuilder()
		avals := []core.ShapedArray{core.Aval(dt, n, d), core.Aval(dt, m, d)}
		var in []jaxpr.Atom
		var args []*runtime.Array
		for i, a := range avals {
			in = append(in, b.Input(a))
			args = append(args, o.mem[i].array(a, r.IntN(2) == 0))
			fill(r, args[i], r.IntN(4) == 0)
		}
		one := func(p core.Primitive, in ...jaxpr.Atom) jaxpr.Atom { return b.Eqn(p, in...)[0] }
		x := one(prim.SubP{}, one(prim.BroadcastInDimP{Shape: all, Dims: core.MakeDims(0, 2)}, in[0]), one(prim.BroadcastInDimP{Shape: all, Dims: core.MakeDims(1, 2)}, in[1]))
		if !dt.IsComplex() {
			x = one(prim.RemP{}, x, one(prim.BroadcastInDimP{Shape: all, Dims: core.MakeDims(1, 2)}, in[1]))
		}
		sum := one(prim.ReduceSumP{Axes: core.MakeDims(2)}, one(prim.SquareP{}, x))
		force := one(prim.MulP{}, x, one(prim.BroadcastInDimP{Shape: all, Dims: core.MakeDims(0, 1)}, one(prim.SqrtP{}, sum)))
		o.same(b.Build(sum, one(prim.ReduceSumP{Axes: core.MakeDims(0)}, force), one(prim.ReduceSumP{Axes: core.MakeDims(1)}, force), x), args)
	}
}
