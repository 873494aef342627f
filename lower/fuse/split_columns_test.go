package fuse_test

import (
	"math/rand/v2"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower/fuse"
	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/reference"
	"github.com/weft-go/weft/runtime"
)

// columnPrograms returns reductions of the columns of an array: one, two that share a loop, and
// one whose result an operation uses.
func columnPrograms(in core.ShapedArray, axes ...int) []*jaxpr.Jaxpr {
	var js []*jaxpr.Jaxpr
	add := func(f func(b *jaxpr.Builder, x jaxpr.Atom) []jaxpr.Atom) {
		b := jaxpr.NewBuilder()
		js = append(js, b.Build(f(b, b.Input(in))...))
	}
	sum := prim.ReduceSumP{Axes: core.MakeDims(axes...)}
	add(func(b *jaxpr.Builder, x jaxpr.Atom) []jaxpr.Atom { return []jaxpr.Atom{b.Eqn(sum, x)[0]} })
	add(func(b *jaxpr.Builder, x jaxpr.Atom) []jaxpr.Atom {
		y := b.Eqn(prim.ReduceMaxP{Axes: core.MakeDims(axes...)}, b.Eqn(prim.NegP{}, x)[0])[0]
		s := b.Eqn(sum, x)[0]
		return []jaxpr.Atom{b.Eqn(prim.MulP{}, s, y)[0], s}
	})
	if len(axes) == 1 {
		add(func(b *jaxpr.Builder, x jaxpr.Atom) []jaxpr.Atom {
			return []jaxpr.Atom{b.Eqn(prim.ArgmaxP{Axes: core.MakeDims(axes...), Index: core.Int32}, x)[0]}
		})
	}
	return js
}

// Reductions of long columns have the reference's bits, and no point of a kernel's grid takes much longer
// than 150 µs to read its elements.
func TestDividedColumns(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 2))
	for _, c := range []struct {
		in   core.ShapedArray
		axes []int
	}{
		{core.Aval(core.Float32, 300_000, 2), []int{0}},
		{core.Aval(core.Float32, 1<<17, 3), []int{0}},
		{core.Aval(core.Float64, 1<<17+77, 5), []int{0}},
		{core.Aval(core.Float32, 2, 140_001, 3), []int{1}},
		{core.Aval(core.Float32, 40_000, 64), []int{0}},
		{core.Aval(core.Float32, 40_000, 130), []int{0}},
		{core.Aval(core.BFloat16, 140_000, 7), []int{0}},
		{core.Aval(core.Int8, 140_000, 7), []int{0}},
		{core.Aval(core.Float32, 20_000, 3, 20), []int{0, 2}},
	} {
		for _, j := range columnPrograms(c.in, c.axes...) {
			plan := compare(t, "columns", j, []*reference.Tensor{draw(r, c.in, finite)})
			for _, s := range plan.Steps {
				l, ok := s.(*fuse.Launch)
				if !ok {
					t.Errorf("%v: got a step %T, want kernels", c.in.Full(), s)
					continue
				}
				for _, s := range l.Kernel.Body {
					if n := work(s); n > 1<<20 {
						t.Errorf("%v: a point of the grid combines %d elements, want at most 2²⁰:\n%v", c.in.Full(), n, l.Kernel)
					}
				}
			}
		}
	}
}

// work returns the number of elements that the loops of a statement take.
func work(s ir.Stmt) int64 {
	var n int64 = 1
	switch s := s.(type) {
	case *ir.Loop:
		n = s.Extent.Value
	case *ir.Reduce:
		n = s.Extent.Value
	}
	var most int64 = 1
	first, second := ir.Inner(s)
	for _, b := range []*ir.Block{first, second} {
		if b != nil {
			for _, s := range *b {
				most = max(most, work(s))
			}
		}
	}
	return n * most
}

// Sums of the columns of large matrices read whole rows and have the reference's bits.
func TestColumnsByRows(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 3))
	for _, c := range []struct {
		in     core.ShapedArray
		axis   int
		byRows bool
	}{
		{core.Aval(core.Float32, 1024, 1030), 0, true},
		{core.Aval(core.Float32, 212, 5001), 0, true}, // the last chunk has 4 rows, the second strip 905 columns
		{core.Aval(core.Float64, 1000, 777), 0, true},
		{core.Aval(core.BFloat16, 1100, 2049), 0, true},
		{core.Aval(core.Float32, 2, 520, 2048), 1, true},
		{core.Aval(core.Float32, 213, 5001), 0, false},  // rows that are no groups
		{core.Aval(core.Float32, 5000, 513), 0, false},  // short rows
		{core.Aval(core.Float32, 128, 2048), 0, false},  // small
		{core.Aval(core.Int32, 1024, 1030), 0, false},   // any order
		{core.Aval(core.Complex64, 516, 1030), 0, true}, // two sums
	} {
		for i, j := range columnPrograms(c.in, c.axis)[:2] {
			args := []*reference.Tensor{draw(r, c.in, finite)}
			if i == 1 && c.in.DType.IsComplex() {
				continue // has no order
			}
			want := unboxed(jaxpr.Eval(j, nil, []core.Value{runtime.FromTensor(args[0])}))
			plan := fuse.Translate(j, fuse.Native())
			same(t, "columns", j, plan, args, want)
			byRows := false
			for _, k := range plan.Kernels() {
				k.Body.Walk(func(s ir.Stmt) {
					l, ok := s.(*ir.Loop)
					byRows = byRows || ok && l.Kind == ir.Sequential
				})
			}
			if want := c.byRows && i == 0; byRows != want && (i == 0 || !c.byRows) {
				t.Errorf("%v: got rows that are read one after the other: %t, want %t\n%v", c.in.Full(), byRows, want, plan)
			}
		}
	}
}
