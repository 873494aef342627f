package legalize

import (
	"math"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower"
)

// Complex numbers are totally ordered, so the greatest of many does not depend on the sequence of
// operations.

// infinite returns the complex number whose parts are both infinite, with the given sign.
func infinite(sign int, dt core.DType) core.Value {
	return core.Lit(core.ComplexNumber(complex(math.Inf(sign), math.Inf(sign))), dt)
}

func pairwise(p core.Primitive, dt core.DType) *jaxpr.Jaxpr {
	b := jaxpr.NewBuilder()
	return b.Build(b.Eqn(p, b.Input(core.Aval(dt)), b.Input(core.Aval(dt)))[0])
}

func complexExtreme(axes core.Dims, p core.Primitive, sign int) lower.Expansion {
	return func(in []core.Value) []core.Value {
		dt := in[0].Aval().DType
		q := prim.ReduceP{Axes: axes, Program: pairwise(p, dt)}
		return q.Expand([]core.Value{in[0], infinite(sign, dt)})
	}
}

// complexArg returns the position of the greatest or least of complex numbers along an axis: of
// equal ones the first; if there are NaNs, the first NaN.
func complexArg(axes core.Dims, index core.DType, x core.ShapedArray, greatest bool) lower.Expansion {
	return func(in []core.Value) []core.Value {
		axis := axes.At(0)
		n := x.Shape.At(axis)
		dt := positionType(n + 1)
		sign := 1
		if greatest {
			sign = -1
		}
		q := prim.ReduceP{Axes: axes, Program: better(x.DType, dt, greatest)}
		out := q.Expand([]core.Value{in[0], prim.Iota(dt, x.Shape, axis), infinite(sign, x.DType), number(n, dt)})
		return []core.Value{prim.Convert(out[1], index, false)}
	}
}

// better returns the program that keeps the greater of two complex numbers with its position, or the lesser if greatest
// is false: a NaN rather than a number, of equal ones the first.
func better(dt, index core.DType, greatest bool) *jaxpr.Jaxpr {
	b := jaxpr.NewBuilder()
	x, i := b.Input(core.Aval(dt)), b.Input(core.Aval(index))
	y, j := b.Input(core.Aval(dt)), b.Input(core.Aval(index))
	op := func(p core.Primitive, in ...jaxpr.Atom) jaxpr.Atom { return b.Eqn(p, in...)[0] }
	and := func(u, v jaxpr.Atom) jaxpr.Atom { return op(prim.AndP{}, u, v) }
	or := func(u, v jaxpr.Atom) jaxpr.Atom { return op(prim.OrP{}, u, v) }
	parts := func(v jaxpr.Atom) (re, im, nan jaxpr.Atom) {
		re, im = op(prim.RealP{}, v), op(prim.ImagP{}, v)
		return re, im, or(op(prim.NeP{}, re, re), op(prim.NeP{}, im, im))
	}
	xr, xi, xn := parts(x)
	yr, yi, yn := parts(y)
	var beyond core.Primitive = prim.LtP{}
	if greatest {
		beyond = prim.GtP{}
	}
	equal := op(prim.EqP{}, xr, yr)
	wins := or(op(beyond, xr, yr), and(equal, op(beyond, xi, yi)))
	same := and(equal, op(prim.EqP{}, xi, yi))
	earlier := op(prim.LtP{}, i, j)
	notNaN := op(prim.NotP{}, or(xn, yn))
	wins = and(notNaN, or(wins, and(same, earlier)))
	wins = or(wins, and(xn, or(op(prim.NotP{}, yn), earlier)))
	return b.Build(op(prim.SelectNP{}, wins, y, x), op(prim.SelectNP{}, wins, j, i))
}

// shifted returns x moved by n elements along an axis, towards its end or, reversed, its start.
// The n elements that this leaves free are fill.
func shifted(x, fill core.Value, axis, n int, reverse bool) core.Value {
	var config []int
	for i := range x.Aval().Rank() {
		lo := 0
		if i == axis {
			if lo = n; reverse {
				lo = -n
			}
		}
		config = append(config, lo, -lo, 0)
	}
	return prim.Pad(x, fill, core.MakeDims(config...))
}

// complexRunning returns the running maximum or minimum of complex numbers along an axis, by doubling.
func complexRunning(axis int, reverse bool, p core.Primitive, sign int) lower.Expansion {
	return func(in []core.Value) []core.Value {
		a := in[0].Aval()
		neutral := infinite(sign, a.DType)
		y := core.Apply2(p, filled(neutral, a.Shape), in[0])
		for n := 1; n < a.Shape.At(axis); n *= 2 {
			y = core.Apply2(p, y, shifted(y, neutral, axis, n, reverse))
		}
		return []core.Value{y}
	}
}

// productChunk is the number of elements that a cumulative product takes in order.
const productChunk = 32

// complexProducts returns the cumulative product of complex numbers, in the order of all
// cumulative products: chunks in order from 1, then offset · local, where the offsets are the
// cumulative product of the chunks' totals.
func complexProducts(axis int, reverse bool) lower.Expansion {
	return func(in []core.Value) []core.Value {
		x := in[0]
		a := x.Aval()
		if reverse {
			x = prim.Rev(x, core.MakeDims(axis))
		}
		n, outer, inner := a.Shape.At(axis), 1, 1
		for i, k := range a.Shape.All() {
			switch {
			case i < axis:
				outer *= k
			case i > axis:
				inner *= k
			}
		}
		y := prim.Reshape(products(prim.Reshape(x, core.MakeDims(outer, n, inner))), a.Shape)
		if reverse {
			y = prim.Rev(y, core.MakeDims(axis))
		}
		return []core.Value{y}
	}
}

// products returns the cumulative product along axis 1 of three.
func products(x core.Value) core.Value {
	a := x.Aval()
	outer, n, inner := a.Shape.At(0), a.Shape.At(1), a.Shape.At(2)
	chunk := min(n, productChunk)
	m := (n + chunk - 1) / chunk
	one := number(1, a.DType)
	x = prim.Pad(x, one, core.MakeDims(0, 0, 0, 0, m*chunk-n, 0, 0, 0, 0))
	x = prim.Transpose(prim.Reshape(x, core.MakeDims(outer, m, chunk, inner)), core.MakeDims(2, 0, 1, 3))
	start := filled(one, core.MakeDims(outer, m, inner))
	body := staged("products", nil, []core.Value{start, start}, func(in []core.Value) []core.Value {
		y := prim.Mul(in[0], in[1])
		return []core.Value{y, y}
	})
	out := core.Bind(&jaxpr.Scan{Jaxpr: body, Length: chunk, NumCarry: 1, Unroll: 1}, start, x)
	y := prim.Transpose(out[1], core.MakeDims(1, 2, 0, 3))
	if m > 1 {
		offset := shifted(products(out[0]), one, 1, 1, false)
		offset = prim.BroadcastInDim(offset, y.Aval().Shape, core.MakeDims(0, 1, 3))
		first := prim.Eq(prim.Iota(core.Int32, y.Aval().Shape, 1), filled(number(0, core.Int32), y.Aval().Shape))
		y = prim.Where(first, y, prim.Mul(offset, y))
	}
	y = prim.Reshape(y, core.MakeDims(outer, m*chunk, inner))
	return prim.Slice(y, core.MakeDims(0, 0, 0), core.MakeDims(outer, n, inner), core.Dims{})
}
