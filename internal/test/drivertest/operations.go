package drivertest

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/elem"
	"github.com/weft-go/weft/core/prim/indexed"
	"github.com/weft-go/weft/core/prim/windows"
	"github.com/weft-go/weft/internal/test/primtest"
	"github.com/weft-go/weft/internal/test/race"
	"github.com/weft-go/weft/internal/test/samples"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/runtime"
)

// An operation is a primitive with operands.
type operation struct {
	p  core.Primitive
	in []core.ShapedArray
}

// drawings draw operations with geometries too varied for samples.
var drawings = map[string]func(r *rand.Rand) operation{
	"convolution": drawConv,
	"sort":        drawSort,
	"top_k":       drawTopK,
	"scatter":     drawScatter,
}

// Operations runs random operations of each kind on an executor and requires the reference's
// bits. Operands contain numbers that are not finite, and equal ones. Operations for which the
// executor falls back to the reference are errors. Each share that WEFT_SAMPLES names, as for
// [Samples], draws different operations in its part of the rounds.
func Operations(t *testing.T, e runtime.Executor, rounds int, names ...string) {
	share, of := samples.Share(t, 1)
	rounds = race.Few((rounds + of - 1) / of)
	for name, draw := range drawings {
		if len(names) > 0 && !slices.Contains(names, name) {
			continue
		}
		t.Run(name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(11+uint64(share), uint64(len(name))))
			for done := 0; done < rounds; {
				o := draw(r)
				if core.Catch(func() { o.p.Abstract(o.in) }) != nil {
					continue
				}
				done++
				b := jaxpr.NewBuilder()
				var atoms []jaxpr.Atom
				var args []*runtime.Array
				for _, a := range o.in {
					atoms = append(atoms, b.Input(a))
					x := Draw(r, a, primtest.Domain{})
					if r.IntN(3) == 0 {
						Spoil(r, x)
					}
					args = append(args, x)
				}
				var outs []jaxpr.Atom
				var names []string
				for _, v := range b.Eqn(o.p, atoms...) {
					outs = append(outs, v)
					names = append(names, o.p.Name())
				}
				j := b.Build(outs...)
				if a := Compare(t, e, j, args, names); len(a.Fallbacks) > 0 {
					t.Errorf("the reference runs %v of\n%v", a.Fallbacks, j)
				}
				if t.Failed() {
					t.Fatalf("in\n%v", j)
				}
			}
		})
	}
}

// Spoil overwrites elements with special numbers, and with equal ones.
func Spoil(r *rand.Rand, x *runtime.Array) {
	a := x.Aval()
	size := a.DType.Size()
	for i := range a.Size() {
		at := x.Tensor().Data[i*size:]
		switch {
		case r.IntN(4) != 0:
		case a.DType.IsFloat():
			elem.Put(at, core.FloatNumber(odd(r)), a.DType)
		case a.DType.IsComplex():
			elem.Put(at, core.ComplexNumber(complex(odd(r), odd(r))), a.DType)
		case a.DType.IsInteger():
			elem.Put(at, core.IntNumber(int64(r.IntN(2))), a.DType)
		}
	}
}

func odd(r *rand.Rand) float64 {
	return []float64{math.NaN(), math.Inf(1), math.Inf(-1), 0, math.Copysign(0, -1), 1}[r.IntN(6)]
}

func some(r *rand.Rand, dts ...core.DType) core.DType { return dts[r.IntN(len(dts))] }

// drawConv draws a convolution: any layout, strides, padding, dilations and groups.
func drawConv(r *rand.Rand) operation {
	n := r.IntN(4)
	p := windows.ConvP{FeatureGroups: 1, BatchGroups: 1}
	*[]*int{&p.FeatureGroups, &p.BatchGroups}[r.IntN(2)] = 1 + r.IntN(3)
	channels := 2 + r.IntN(4)
	if n < 2 {
		channels = 2 + r.IntN(150)
	}
	xs := []int{p.BatchGroups * (1 + r.IntN(3)), channels * p.FeatureGroups}
	ws := []int{p.FeatureGroups * p.BatchGroups * (1 + r.IntN(9)), channels}
	var strides, padding, gaps, dilations []int
	for range n {
		xs, ws = append(xs, 1+r.IntN(7)), append(ws, 1+r.IntN(3))
		strides, padding = append(strides, 1+r.IntN(3)), append(padding, r.IntN(5)-1, r.IntN(5)-1)
		gaps, dilations = append(gaps, max(1, r.IntN(4)-1)), append(dilations, max(1, r.IntN(4)-1))
	}
	p.Strides, p.Padding, p.LhsDilation, p.RhsDilation = core.MakeDims(strides...), core.MakeDims(padding...), core.MakeDims(gaps...), core.MakeDims(dilations...)
	laid := func(sizes []int) (spec, shape core.Dims) {
		perm := r.Perm(n + 2)
		s := make([]int, n+2)
		for i, a := range perm {
			s[a] = sizes[i]
		}
		return core.MakeDims(perm...), core.MakeDims(s...)
	}
	dt := some(r, core.Float32, core.Float32, core.Float64, core.BFloat16, core.Int32, core.Int8)
	x, w := core.Aval(dt), core.Aval(dt)
	p.LhsSpec, x.Shape = laid(xs)
	p.RhsSpec, w.Shape = laid(ws)
	p.OutSpec, _ = laid(make([]int, n+2))
	return operation{p, []core.ShapedArray{x, w}}
}

// drawSort draws a sort of several arrays by some of them, rows of any length.
func drawSort(r *rand.Rand) operation {
	shape := core.MakeDims([]int{1 + r.IntN(3), 1 + r.IntN(40), 1 + r.IntN(3)}...)
	switch r.IntN(6) {
	case 0:
		shape = core.MakeDims(1000 + r.IntN(2000))
	case 1:
		shape = core.MakeDims(2, 1000+r.IntN(100))
	}
	var in []core.ShapedArray
	for range 1 + r.IntN(3) {
		in = append(in, core.Aval(some(r, core.Float32, core.Float32, core.Float64, core.Int32, core.Int8, core.Bool, core.Uint64, core.BFloat16, core.Float8E4M3FN, core.Complex64)).WithShape(shape))
	}
	return operation{indexed.SortP{Dimension: r.IntN(shape.Len()), NumKeys: 1 + r.IntN(len(in)), Stable: true}, in}
}

// drawTopK draws a top_k.
func drawTopK(r *rand.Rand) operation {
	x := core.Aval(some(r, core.Float32, core.Float64, core.Int32, core.Uint8, core.Float16), 1+r.IntN(4), 1+r.IntN(1500))
	axis := r.IntN(2)
	if r.IntN(6) == 0 { // long enough to be selected
		x.Shape, axis = core.MakeDims(4096+r.IntN(200)), 0
		return operation{indexed.TopKP{K: 1 + r.IntN(1000)}, []core.ShapedArray{x}}
	}
	return operation{indexed.TopKP{Axis: axis, K: 1 + r.IntN(x.Shape.At(axis))}, []core.ShapedArray{x}}
}

// drawScatter draws a scatter whose windows have any of an array's axes, many of them in one place.
func drawScatter(r *rand.Rand) operation {
	rank := 1 + r.IntN(3)
	var xs, window, windowDims, inserted, mapped []int
	for i := range rank {
		n := 1 + r.IntN(6)
		xs = append(xs, n)
		if r.IntN(2) == 0 {
			inserted = append(inserted, i)
		} else {
			window = append(window, 1+r.IntN(n))
		}
		if r.IntN(3) > 0 || i == rank-1 && len(mapped) == 0 {
			mapped = append(mapped, i)
		}
	}
	places := []int{1 + r.IntN(3), 1 + r.IntN(60)}[r.IntN(2):]
	us := append([]int(nil), places...)
	for i := range window {
		windowDims = append(windowDims, len(us))
		us = append(us, window[i])
	}
	dt := some(r, core.Float32, core.Float32, core.Float64, core.Int32, core.Float16, core.Complex64)
	w := indexed.Scattering{UpdateWindowDims: core.MakeDims(windowDims...), InsertedWindowDims: core.MakeDims(inserted...), ScatterDimsToOperandDims: core.MakeDims(mapped...)}
	w.Mode = []indexed.IndexMode{indexed.Clip, indexed.FillOrDrop}[r.IntN(2)]
	p := w.By(indexed.Combiner(r.IntN(6)), dt)
	idx := core.Aval(some(r, core.Int32, core.Int64, core.Uint8), append(places, len(mapped))...)
	return operation{p, []core.ShapedArray{core.Aval(dt, xs...), idx, core.Aval(dt, us...)}}
}
