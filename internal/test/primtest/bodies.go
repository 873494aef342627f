package primtest

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/core/prim/indexed"
	"github.com/weft-go/weft/core/prim/windows"
	"github.com/weft-go/weft/jaxpr"
)

// withBodies returns the samples of the operations, apart from reductions, whose elements a
// program compares or combines.
func withBodies() []Sample {
	var s []Sample
	for _, part := range [][]Sample{comparators(), scattersWith(), selectedScatters()} {
		s = append(s, part...)
	}
	return s
}

// pairing returns the program of pairs of scalars of the given types, in turn, that compares
// the last pair by an operation.
func pairing(op core.Primitive, dts ...core.DType) *jaxpr.Jaxpr {
	b := jaxpr.NewBuilder()
	var last [2]jaxpr.Atom
	for _, dt := range dts {
		last = [2]jaxpr.Atom{b.Input(core.Aval(dt)), b.Input(core.Aval(dt))}
	}
	return b.Build(b.Eqn(op, last[0], last[1])[0])
}

func comparators() []Sample {
	var s []Sample
	apart := Domain{Lo: -30, Hi: 30, Unique: true}
	for _, dt := range join(booleans, integers, realFloats) {
		s = append(s, Sample{Prim: indexed.SortByP{Dimension: 1, Before: pairing(prim.GtP{}, dt)}, In: []core.ShapedArray{core.Aval(dt, 2, 5)}, NoFD: "ties"})
	}
	add := func(p indexed.SortByP, shape core.Dims, dts ...core.DType) {
		one := Sample{Prim: p}
		for _, dt := range dts {
			one.In, one.Dom = append(one.In, core.ShapedArray{Shape: shape, DType: dt}), append(one.Dom, fit(dt, apart))
		}
		s = append(s, one)
	}
	f, i := core.Float32, core.Int32
	add(indexed.SortByP{Dimension: 0, Before: pairing(prim.LtP{}, f)}, dims(7), f)
	add(indexed.SortByP{Dimension: 0, Before: pairing(prim.GtP{}, f, f)}, dims(5, 2), f, f)
	add(indexed.SortByP{Dimension: 1, Before: pairing(prim.LeP{}, f, i, f)}, dims(2, 4, 2), f, i, f)
	add(indexed.SortByP{Dimension: 1, Before: pairing(prim.LtP{}, f)}, dims(2, 0), f)
	add(indexed.SortByP{Dimension: 0, Before: pairing(prim.LtP{}, f)}, dims(1), f)
	return s
}

// updatePair returns the program (x, y, u, v) → (x + u·y, max(y, v)).
func updatePair(dt core.DType) *jaxpr.Jaxpr {
	b := jaxpr.NewBuilder()
	a := core.Aval(dt)
	x, y, u, v := b.Input(a), b.Input(a), b.Input(a), b.Input(a)
	product := b.Eqn(prim.MulP{}, u, y)[0]
	return b.Build(b.Eqn(prim.AddP{}, x, product)[0], b.Eqn(prim.MaxP{}, y, v)[0])
}

func scattersWith() []Sample {
	var s []Sample
	for i, c := range placed {
		for _, dt := range pick(i, []core.DType{core.Float32, core.Float64, core.Int32, core.BFloat16}) {
			x, u := core.ShapedArray{Shape: c.x, DType: dt}, core.ShapedArray{Shape: c.u, DType: dt}
			s = append(s, Sample{Prim: indexed.ScatterWithP{Scattering: c.s, Program: updatePair(dt)},
				In:  []core.ShapedArray{x, x, {Shape: c.idx, DType: core.Int32}, u, u},
				Dom: []Domain{{}, {}, c.at, {}, {}}})
		}
	}
	return s
}

func selectedScatters() []Sample {
	var s []Sample
	for i, w := range windowsOver {
		if !allOnes(w.BaseDilation) || !allOnes(w.WindowDilation) {
			continue
		}
		for _, dt := range pick(i, []core.DType{core.Float32, core.Float64, core.Int16, core.BFloat16}) {
			x := core.ShapedArray{Shape: w.over, DType: dt}
			source := core.AbstractOf(windows.ReduceWindowMaxP{Window: w.Window}, []core.ShapedArray{x})[0]
			p := windows.SelectAndScatterP{Dims: w.Dims, Strides: w.Strides, Padding: w.Padding,
				Select: pairing(prim.GtP{}, dt), Scatter: pairing(prim.SubP{}, dt)}
			s = append(s, Sample{Prim: p, In: []core.ShapedArray{x, source, core.Aval(dt)}})
		}
	}
	return s
}

func allOnes(d core.Dims) bool {
	for _, k := range d.All() {
		if k != 1 {
			return false
		}
	}
	return true
}
