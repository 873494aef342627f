package nn

import (
	"math"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/internal/nd"
)

func unaryFloat(op string, x weft.Array, f func(core.Value) core.Value) weft.Array {
	return weft.FromValue(f(nd.Floating(op, nd.ValueOf(op, x))))
}

// unaryReal applies f to x as floats, weak ones if x has integers or truth values: in JAX a
// constant turns them into floats. It refuses complex numbers.
func unaryReal(op string, x weft.Array, f func(core.Value) core.Value) weft.Array {
	v := weakFloating(op, nd.ValueOf(op, x))
	nd.RequireReal(op, v)
	return weft.FromValue(f(v))
}

// weakFloating converts integers and truth values to weak floats. Other numbers are unchanged.
func weakFloating(op string, v core.Value) core.Value {
	f := nd.Floating(op, v)
	if v.Aval().DType.IsInexact() {
		return f
	}
	return nd.Convert(op, f, f.Aval().DType, true)
}

// viaFloat applies f to x as floats: integers would wrap in f.
func viaFloat(op string, x weft.Array, f func(x weft.Array) weft.Array) weft.Array {
	x = weft.FromValue(nd.Floating(op, nd.ValueOf(op, x)))
	return nd.WithJAXPromotion(func() weft.Array { return f(x) })
}

// viaWeakFloat applies f to x as floats, which are weak if x has integers or truth values.
func viaWeakFloat(op string, x weft.Array, f func(x weft.Array) weft.Array) weft.Array {
	return viaFloat(op, weft.FromValue(weakFloating(op, nd.ValueOf(op, x))), f)
}

// viaBoolFloat applies f to x as floats, which are weak if x has truth values.
func viaBoolFloat(op string, x weft.Array, f func(x weft.Array) weft.Array) weft.Array {
	if nd.IsBool(nd.ValueOf(op, x)) {
		return viaWeakFloat(op, x, f)
	}
	return viaFloat(op, x, f)
}

// floatPair returns x and y as floats: differences and products of integers would wrap.
func floatPair(op string, x, y weft.Array) (weft.Array, weft.Array) {
	v, w := nd.Floating(op, nd.ValueOf(op, x)), nd.Floating(op, nd.ValueOf(op, y))
	nd.BroadcastShapes(op, v.Aval(), w.Aval()) // fails with op's name if the shapes do not broadcast
	return weft.FromValue(v), weft.FromValue(w)
}

// withFlagOf returns y, marked weak if x is weak and the promotion is promote.Anvil.
func withFlagOf(op string, x, y weft.Array) weft.Array {
	return weft.FromValue(nd.WithFlag(op, y.Value(), x.Value().Aval()))
}

func lastAxis(op string, x weft.Array, axis []int) int {
	return nd.OneAxis(op, nd.ValueOf(op, x), axis)
}

// saturating applies f, the product of v and a factor that rises from 0 to 1 and has reached 0 or
// 1 where |v| is at least limit. There the result is v or −0 itself, with its derivative: the
// product of −∞ and 0 would be NaN. A complex v has no limit: the result is f(v).
func saturating(v core.Value, limit float64, f func(core.Value) core.Value) core.Value {
	if v.Aval().DType.IsComplex() {
		return f(v)
	}
	size := prim.Abs(v)
	far := prim.Ge(size, nd.Num(size, limit))
	zero := nd.Num(v, 0)
	end := nd.Choose(prim.Gt(v, zero), v, nd.FillLike(nd.Num(v, math.Copysign(0, -1)), v))
	return nd.Choose(far, end, f(nd.Choose(far, nd.FillLike(zero, v), v)))
}
