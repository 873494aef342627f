//go:build linux

package cpu_test

import (
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/runtime"
)

// rows draws a program over one matrix: elementwise operations, reductions of its rows,
// and what both are combined to. Many are like a softmax or a normalization.
func (o *operation) rows(b *jaxpr.Builder, x jaxpr.Atom, dt core.DType, n, cols int) []jaxpr.Atom {
	r := o.r
	d := core.MakeDims
	full, row := []jaxpr.Atom{x}, []jaxpr.Atom{}
	one := func(p core.Primitive, in ...jaxpr.Atom) jaxpr.Atom { return b.Eqn(p, in...)[0] }
	pick := func(l []jaxpr.Atom) jaxpr.Atom { return l[max(r.IntN(len(l)), r.IntN(len(l)))] }
	spread := func(a jaxpr.Atom) jaxpr.Atom {
		return one(prim.BroadcastInDimP{Shape: d(n, cols), Dims: d(0)}, a)
	}
	unary := []core.Primitive{prim.ExpP{}, prim.ExpP{}, prim.TanhP{}, prim.LogisticP{}, prim.SinP{}, prim.NegP{}, prim.SquareP{}, prim.AbsP{}}
	binary := []core.Primitive{prim.AddP{}, prim.SubP{}, prim.MulP{}, prim.DivP{}, prim.MaxP{}}
	for range 3 + r.IntN(9) {
		switch k := r.IntN(8); {
		case k < 2:
			full = append(full, one(unary[r.IntN(len(unary))], pick(full)))
		case k < 4:
			y := pick(full)
			if len(row) > 0 && r.IntN(3) > 0 {
				y = spread(pick(row))
			}
			full = append(full, one(binary[r.IntN(len(binary))], pick(full), y))
		case k < 6:
			folds := []core.Primitive{prim.ReduceSumP{Axes: d(1)}, prim.ReduceSumP{Axes: d(1)}, prim.ReduceMaxP{Axes: d(1)}, prim.ReduceMinP{Axes: d(1)}, prim.ReduceProdP{Axes: d(1)}}
			row = append(row, one(folds[r.IntN(len(folds))], pick(full)))
		case k < 7:
			i := one(prim.ArgmaxP{Axes: d(1), Index: core.Int32}, pick(full))
			row = append(row, one(prim.ConvertElementTypeP{NewDType: dt}, i))
		case len(row) > 0:
			row = append(row, one(unary[r.IntN(len(unary))], pick(row)))
		}
	}
	outs := []jaxpr.Atom{full[len(full)-1]}
	if len(row) > 0 && r.IntN(2) == 0 {
		outs = append(outs, row[len(row)-1])
	}
	if r.IntN(2) == 0 {
		outs = append(outs, pick(full))
	}
	r.Shuffle(len(outs), func(i, j int) { outs[i], outs[j] = outs[j], outs[i] })
	return outs
}

// Programs over rows have the reference's bits: rows that fit the caches and rows that are
// divided among calls and threads, elements that are kept between the loops of a row.
func TestRowsFuzz(t *testing.T) {
	o := newOperation(t, 8, 1)
	native, n := 0, rounds(150)
	for i := range n {
		dt := []core.DType{core.Float32, core.Float32, core.Float64, core.BFloat16, core.Float16}[o.r.IntN(5)]
		rows, cols := 1+o.r.IntN(40), 2+o.r.IntN(700)
		if i%12 == 0 {
			rows, cols = 1, 1<<17+o.r.IntN(3<<17)
		}
		b := jaxpr.NewBuilder()
		x := core.Aval(dt, rows, cols)
		in := b.Input(x)
		a := o.mem[0].array(x, o.r.IntN(2) == 0)
		fill(o.r, a, o.r.IntN(4) == 0)
		native += o.same(b.Build(o.rows(b, in, dt, rows, cols)...), []*runtime.Array{a})
	}
	if hasNative() && native < n*9/10 {
		t.Errorf("%d programs of %d ran as native code", native, n)
	}
}

// Products of long vectors, and of up to a few rows of them, have the reference's bits:
// chunks are lanes, and what is left behind the last group of chunks is a row.
func TestLongVectors(t *testing.T) {
	o := newOperation(t, 12, 2)
	r := o.r
	d := core.MakeDims
	for range rounds(150) {
		dt := []core.DType{core.Float32, core.Float32, core.Float64, core.BFloat16}[r.IntN(4)]
		k := []int{1024, 2048, 4096, 6144}[r.IntN(4)] + []int{0, 0, 1, 127, 128, 129, r.IntN(2000)}[r.IntN(7)]
		if r.IntN(20) == 0 {
			k = 400_000 + r.IntN(3000)
		}
		rows := 1 + r.IntN(5)
		if k > 400_000 {
			rows = 1
		}
		q := prim.DotGeneralP{Preferred: dt}
		switch r.IntN(3) {
		case 0:
			q.LhsContract, q.RhsContract = d(0), d(0)
			o.check(q, core.Aval(dt, k), core.Aval(dt, k))
		case 1:
			q.LhsContract, q.RhsContract = d(1), d(0)
			o.check(q, core.Aval(dt, rows, k), core.Aval(dt, k))
		default:
			q.LhsContract, q.RhsContract, q.LhsBatch, q.RhsBatch = d(1), d(1), d(0), d(0)
			o.check(q, core.Aval(dt, rows, k), core.Aval(dt, rows, k))
		}
	}
}
