package primtest

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/core/prim/windows"
	"github.com/weft-go/weft/jaxpr"
)

// reductions returns the samples of operations that combine elements: reductions,
// cumulative and windowed ones, products, factorizations, collectives, callbacks.
func reductions() []Sample {
	var s []Sample
	for _, part := range [][]Sample{reducing(), choosing(), accumulating(), windowed(), programs(), dots(), ragged(), convolutions(), solving(), axes(), callbacks()} {
		s = append(s, part...)
	}
	return s
}

// withDom returns the samples with one domain for all their operands.
func withDom(s []Sample, dom Domain) []Sample {
	for i := range s {
		for _, a := range s[i].In {
			s[i].Dom = append(s[i].Dom, fit(a.DType, dom))
		}
	}
	return s
}

const ties = "elements that are equal or chosen have no difference quotient"

// apart draws values that are all different where the type has enough of them.
var apart = Domain{Values: []float64{-3, -2.5, -2, -1.5, -1, -0.5, 0.5, 1, 1.5, 2, 2.5, 3}, Unique: true}

func reducing() []Sample {
	var s []Sample
	for _, order := range []prim.Order{prim.OrderImplied, prim.OrderLanes, prim.OrderChunks} {
		s = append(s, withDom(typed(prim.ReduceSumP{Axes: dims(0), Order: order}, numbers, dims(3, 2)), usual)...)
		s = append(s, withDom(typed(prim.ReduceProdP{Axes: dims(0), Order: order}, numbers, dims(3, 2)), usual)...)
	}
	for _, axes := range []core.Dims{{}, dims(1), dims(2, 0), dims(0, 1, 2)} {
		for _, shape := range []core.Dims{dims(2, 3, 2), dims(1, 4, 1), dims(2, 0, 3)} {
			s = append(s, withDom([]Sample{
				real(prim.ReduceSumP{Axes: axes}, shape),
				real(prim.ReduceProdP{Axes: axes}, shape),
			}, usual)...)
		}
	}
	// Longer than a block and than a chunk of the order of addition.
	s = append(s, withDom([]Sample{
		real(prim.ReduceSumP{Axes: dims(0)}, dims(5000)),
		real(prim.ReduceSumP{Axes: dims(0)}, dims(600, 2)),
		real(prim.ReduceSumP{Axes: dims(0, 2)}, dims(2, 3, 70)),
	}, usual)...)
	for _, dt := range logical {
		if dt.Bits() < 8 {
			continue
		}
		for _, axes := range []core.Dims{dims(), dims(1), dims(1, 0)} {
			s = append(s, typed(prim.ReduceAndP{Axes: axes}, []core.DType{dt}, dims(2, 3))...)
			s = append(s, typed(prim.ReduceOrP{Axes: axes}, []core.DType{dt}, dims(2, 3))...)
			s = append(s, typed(prim.ReduceXorP{Axes: axes}, []core.DType{dt}, dims(2, 3))...)
		}
	}
	empty := core.Aval(core.Bool, 0, 2)
	return append(s,
		real(prim.ReduceSumP{}, dims()), real(prim.ReduceProdP{}, dims()),
		Sample{Prim: prim.ReduceAndP{Axes: dims(0)}, In: []core.ShapedArray{empty}},
		Sample{Prim: prim.ReduceOrP{Axes: dims(0)}, In: []core.ShapedArray{empty}},
		Sample{Prim: prim.ReduceXorP{Axes: dims(0)}, In: []core.ShapedArray{empty}},
	)
}

func choosing() []Sample {
	var s []Sample
	add := func(p func(axes core.Dims) core.Primitive) {
		for _, dt := range everyone {
			x := typed(p(dims(1)), []core.DType{dt}, dims(2, 3))
			dom := apart
			if !dt.IsInexact() {
				dom = Domain{}
			}
			if dt.IsComplex() {
				x[0].NoFD = ties
			}
			s = append(s, withDom(x, dom)...)
		}
	}
	add(func(axes core.Dims) core.Primitive { return prim.ReduceMaxP{Axes: axes} })
	add(func(axes core.Dims) core.Primitive { return prim.ReduceMinP{Axes: axes} })
	for _, index := range []core.DType{core.Int32, core.Uint8} {
		add(func(axes core.Dims) core.Primitive { return prim.ArgmaxP{Axes: axes, Index: index} })
		add(func(axes core.Dims) core.Primitive { return prim.ArgminP{Axes: axes, Index: index} })
	}
	for _, axes := range []core.Dims{{}, dims(0), dims(2, 1), dims(0, 1, 2)} {
		s = append(s, withDom([]Sample{
			real(prim.ReduceMaxP{Axes: axes}, dims(2, 2, 3)),
			real(prim.ReduceMinP{Axes: axes}, dims(2, 1, 3)),
			real(prim.ReduceMaxP{Axes: axes}, dims(2, 3, 0)),
			real(prim.ReduceMinP{Axes: axes}, dims(2, 3, 0)),
		}, apart)...)
	}
	equal := real(prim.ReduceMaxP{Axes: dims(0)}, dims(5))
	equal.Dom, equal.NoFD = []Domain{values(1, 2)}, ties
	return append(s, equal)
}

func accumulating() []Sample {
	var s []Sample
	for _, c := range []prim.Cumulation{{Axis: 0}, {Axis: 1, Reverse: true}} {
		s = append(s, withDom(typed(prim.CumsumP{Cumulation: c}, numbers, dims(3, 4)), usual)...)
		s = append(s, withDom(typed(prim.CumprodP{Cumulation: c}, numbers, dims(3, 4)), usual)...)
		s = append(s, withDom(typed(prim.CummaxP{Cumulation: c}, join(integers, realFloats), dims(3, 4)), apart)...)
		s = append(s, withDom(typed(prim.CumminP{Cumulation: c}, join(integers, realFloats), dims(3, 4)), apart)...)
		s = append(s, withDom(typed(prim.CumlogsumexpP{Cumulation: c}, realFloats, dims(3, 4)), usual)...)
	}
	for _, n := range []int{0, 1, 2, 5, 7} {
		for _, c := range []prim.Cumulation{{Axis: 0}, {Axis: 0, Reverse: true}} {
			s = append(s, withDom([]Sample{
				real(prim.CumsumP{Cumulation: c}, dims(n)),
				real(prim.CumprodP{Cumulation: c}, dims(n)),
				real(prim.CummaxP{Cumulation: c}, dims(n)),
				real(prim.CumminP{Cumulation: c}, dims(n)),
				real(prim.CumlogsumexpP{Cumulation: c}, dims(n)),
			}, apart)...)
		}
	}
	return append(s, withDom([]Sample{
		real(prim.CumsumP{}, dims(600)),
		real(prim.CumsumP{Cumulation: prim.Cumulation{Axis: 0, Reverse: true}}, dims(300, 2)),
	}, usual)...)
}

// windowsOver are windows that differ in every parameter, and the shapes to move
// them over.
var windowsOver = []struct {
	windows.Window
	over core.Dims
}{
	{windows.SimpleWindow(dims(2), dims(1), dims(0, 0)), dims(5)},
	{windows.SimpleWindow(dims(2, 3), dims(2, 1), dims(1, 0, 0, 2)), dims(3, 4)},
	{windows.SimpleWindow(dims(1, 2, 2), dims(1, 2, 2), dims(0, 0, 1, 1, 0, 1)), dims(2, 4, 3)},
	{windows.SimpleWindow(dims(2), dims(1), dims(-1, -1)), dims(6)},
	{windows.SimpleWindow(dims(4), dims(1), dims(0, 0)), dims(3)},
	{windows.SimpleWindow(core.Dims{}, core.Dims{}, core.Dims{}), dims()},
	{windows.Window{Dims: dims(2, 2), Strides: dims(1, 2), Padding: dims(1, 0, 0, 1), BaseDilation: dims(2, 1), WindowDilation: dims(1, 2)}, dims(3, 4)},
	{windows.Window{Dims: dims(2, 2), Strides: dims(2, 1), Padding: dims(1, 0, 0, 1), BaseDilation: dims(1, 3), WindowDilation: dims(1, 1)}, dims(3, 4)},
}

func windowed() []Sample {
	var s []Sample
	w := windowsOver[1]
	s = append(s, withDom(typed(windows.ReduceWindowSumP{Window: w.Window}, numbers, w.over), usual)...)
	s = append(s, withDom(typed(windows.ReduceWindowMaxP{Window: w.Window}, join(integers, realFloats), w.over), apart)...)
	s = append(s, withDom(typed(windows.ReduceWindowMinP{Window: w.Window}, join(integers, realFloats), w.over), apart)...)
	for _, w := range windowsOver {
		s = append(s, withDom([]Sample{real(windows.ReduceWindowSumP{Window: w.Window}, w.over)}, usual)...)
		s = append(s, withDom([]Sample{real(windows.ReduceWindowMaxP{Window: w.Window}, w.over), real(windows.ReduceWindowMinP{Window: w.Window}, w.over)}, spaced)...)
		for _, sel := range []windows.Select{windows.SelectGe, windows.SelectLe} {
			gather := real(windows.SelectAndGatherAddP{Select: sel, Window: w.Window}, w.over, w.over)
			gather.Dom = []Domain{usual, spaced}
			s = append(s, gather)
			if w.BaseDilation != windows.SimpleWindow(w.Dims, w.Strides, w.Padding).BaseDilation {
				continue
			}
			p := windows.SelectAndScatterAddP{Select: sel, Dims: w.Dims, Strides: w.Strides, Padding: w.Padding}
			places := core.AbstractOf(windows.ReduceWindowSumP{Window: w.Window}, []core.ShapedArray{core.Aval(core.Float32, w.over.Ints()...)})[0].Shape
			scatter := real(p, places, w.over)
			scatter.Dom = []Domain{usual, spaced}
			s = append(s, scatter)
		}
	}
	return s
}

// spaced draws different values for up to 24 elements, a quarter apart.
var spaced = func() Domain {
	d := Domain{Unique: true}
	for i := range 24 {
		d.Values = append(d.Values, float64(i-12)/4+0.125)
	}
	return d
}()

// reducer returns the program of an elementwise operation on two scalars of dt.
func reducer(dt core.DType, build func(a, b core.Value) (core.Primitive, []core.Value)) *jaxpr.Jaxpr {
	a, b, y := jaxpr.NewVar(core.Aval(dt)), jaxpr.NewVar(core.Aval(dt)), jaxpr.NewVar(core.Aval(dt))
	p, in := build(a, b)
	return &jaxpr.Jaxpr{Ins: []*jaxpr.Var{a, b}, Outs: []jaxpr.Atom{y}, Eqns: []*jaxpr.Eqn{{Outs: []*jaxpr.Var{y}, Prim: p, Ins: in}}}
}

func both(p core.Primitive) func(a, b core.Value) (core.Primitive, []core.Value) {
	return func(a, b core.Value) (core.Primitive, []core.Value) { return p, []core.Value{a, b} }
}

func programs() []Sample {
	var s []Sample
	for _, dt := range []core.DType{core.Float32, core.Float64, core.Int32, core.Float16} {
		sum, product := reducer(dt, both(prim.AddP{})), reducer(dt, both(prim.MulP{}))
		zero, unit := values(0), values(1)
		for _, c := range []struct {
			j    *jaxpr.Jaxpr
			init Domain
			fn   string
		}{{sum, zero, "add"}, {product, unit, "mul"}} {
			one := core.Aval(dt)
			add := func(p core.Primitive, shape core.Dims) {
				s = append(s, Sample{Prim: p, In: []core.ShapedArray{one.WithShape(shape), one}, Dom: []Domain{fit(dt, usual), c.init},
					NoFD: "the initial value has no derivative"})
			}
			add(prim.ReduceP{Axes: dims(0), Program: c.j, Fn: c.fn}, dims(3, 2))
			add(prim.ReduceP{Axes: dims(2, 0), Program: c.j, Fn: c.fn}, dims(2, 3, 2))
			add(prim.ReduceP{Axes: dims(0), Program: c.j, Fn: c.fn, Order: prim.OrderChunks}, dims(5))
			for _, w := range windowsOver[:2] {
				add(windows.ReduceWindowP{Window: w.Window, Program: c.j}, w.over)
			}
		}
	}
	// The pairs (a, b) · (c, d) = (a·c, b·c + d) of a linear recurrence.
	f := core.Aval(core.Float32)
	v := func() *jaxpr.Var { return jaxpr.NewVar(f) }
	a, b, c, d, x, y, z := v(), v(), v(), v(), v(), v(), v()
	pairs := &jaxpr.Jaxpr{
		Ins:  []*jaxpr.Var{a, b, c, d},
		Outs: []jaxpr.Atom{x, z},
		Eqns: []*jaxpr.Eqn{
			{Outs: []*jaxpr.Var{x}, Prim: prim.MulP{}, Ins: []jaxpr.Atom{a, c}},
			{Outs: []*jaxpr.Var{y}, Prim: prim.MulP{}, Ins: []jaxpr.Atom{b, c}},
			{Outs: []*jaxpr.Var{z}, Prim: prim.AddP{}, Ins: []jaxpr.Atom{y, d}},
		},
	}
	in := core.Aval(core.Float32, 4, 2)
	return append(s, Sample{Prim: prim.ReduceP{Axes: dims(0), Program: pairs, Fn: "recur"},
		In: []core.ShapedArray{in, in, f, f}, Dom: []Domain{usual, usual, values(1), values(0)}, NoFD: "the initial value has no derivative"})
}
