package nn

import (
	"math"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/internal/nd"
)

// Sigmoid returns 1 / (1 + e^−x).
func Sigmoid(x weft.Array) weft.Array { return unaryFloat("Sigmoid", x, prim.Logistic) }

// Relu returns the larger of x and 0, NaN at NaN; its derivative at 0 is 0.
func Relu(x weft.Array) weft.Array {
	v := nd.ValueOf("Relu", x)
	nd.RequireReal("Relu", v)
	if nd.IsBool(v) {
		v = nd.Convert("Relu", v, nd.DefaultInt(), true)
	}
	zero := nd.Num(v, 0)
	return weft.FromValue(nd.Choose(prim.Le(v, zero), nd.FillLike(zero, v), v))
}

// Softplus returns log(1 + e^x).
func Softplus(x weft.Array) weft.Array {
	return nd.WithJAXPromotion(func() weft.Array { return weft.LogAddExp(x, 0) })
}

// Silu returns x · Sigmoid(x).
func Silu(x weft.Array) weft.Array {
	return unaryFloat("Silu", x, func(v core.Value) core.Value {
		return saturating(v, 1024, func(v core.Value) core.Value { return prim.Mul(v, prim.Logistic(v)) })
	})
}

// Gelu returns x times the probability that a standard normal number is below x.
func Gelu(x weft.Array) weft.Array {
	return unaryFloat("Gelu", x, func(v core.Value) core.Value {
		nd.RequireReal("Gelu", v)
		v = nd.Strong("Gelu", v)
		return saturating(v, 1024, func(v core.Value) core.Value {
			half := prim.Mul(v, nd.Num(v, 0.5))
			return prim.Mul(half, prim.Erfc(prim.Mul(prim.Neg(v), nd.Num(v, math.Sqrt(0.5)))))
		})
	})
}

// GeluTanh returns the usual approximation of Gelu by a hyperbolic tangent,
// ½x·(1 + tanh u) with u = √(2/π)·(x + 0.044715x³). It is computed as x·logistic(2u), which
// loses no digits where x is negative.
func GeluTanh(x weft.Array) weft.Array {
	return unaryFloat("GeluTanh", x, func(v core.Value) core.Value {
		v = nd.Strong("GeluTanh", v)
		return saturating(v, 32, func(v core.Value) core.Value {
			const slope, bend = 1.5957691216057308, 0.07135481627260025 // 2√(2/π), and 0.044715 times that
			twice := prim.Mul(v, prim.Add(nd.Num(v, slope), prim.Mul(nd.Num(v, bend), prim.Square(v))))
			return prim.Mul(v, prim.Logistic(twice))
		})
	})
}

// Elu returns x where it is positive, else e^x − 1.
func Elu(x weft.Array) weft.Array {
	return unaryReal("Elu", x, func(v core.Value) core.Value {
		zero := nd.Num(v, 0)
		pos := prim.Gt(v, zero)
		safe := nd.Choose(pos, nd.FillLike(zero, v), v)
		return nd.Choose(pos, v, prim.Expm1(safe))
	})
}

// LeakyRelu returns x where it is at least 0, else a hundredth of x.
func LeakyRelu(x weft.Array) weft.Array {
	return unaryReal("LeakyRelu", x, func(v core.Value) core.Value {
		return nd.Choose(prim.Ge(v, nd.Num(v, 0)), v, prim.Mul(v, nd.Num(v, 0.01)))
	})
}

// Softmax returns e^x divided by its sum along an axis, the last one unless another is
// given.
func Softmax(x weft.Array, axis ...int) weft.Array {
	x = weft.FromValue(nd.Floating("Softmax", nd.ValueOf("Softmax", x)))
	ax := lastAxis("Softmax", x, axis)
	return withFlagOf("Softmax", x, nd.WithJAXPromotion(func() weft.Array {
		e := weft.Exp(shifted("Softmax", x, ax))
		return e.Div(e.Sum(ax, weft.Keep))
	}))
}

// LogSoftmax returns the logarithm of [Softmax], accurate also where Softmax is close to 0.
func LogSoftmax(x weft.Array, axis ...int) weft.Array {
	x = weft.FromValue(nd.Floating("LogSoftmax", nd.ValueOf("LogSoftmax", x)))
	ax := lastAxis("LogSoftmax", x, axis)
	return withFlagOf("LogSoftmax", x, nd.WithJAXPromotion(func() weft.Array {
		s := shifted("LogSoftmax", x, ax)
		return s.Sub(weft.Log(weft.Exp(s).Sum(ax, weft.Keep)))
	}))
}

// shifted returns x less its largest element along an axis.
func shifted(op string, x weft.Array, axis int) weft.Array {
	if x.Dim(axis) == 0 {
		return weft.FromValue(nd.Strong(op, x.Value()))
	}
	return x.Sub(weft.StopGradient(x.Max(axis, weft.Keep)))
}
