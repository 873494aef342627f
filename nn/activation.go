package nn

import (
	"math"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/internal/nd"
)

// Relu6 returns x limited to [0, 6]; its derivative at 0 and 6 is 0.
func Relu6(x weft.Array) weft.Array {
	return nd.WithJAXPromotion(func() weft.Array {
		y := weft.Minimum(weft.Maximum(x, 0), 6.)
		if !y.DType().IsInexact() {
			return y
		}
		// Inside the interval the result is x itself; outside, and for NaN, it is a constant for derivatives.
		return weft.Where(x.Gt(0).And(x.Lt(6)), x, weft.StopGradient(y))
	})
}

// HardTanh returns x limited to [−1, 1].
func HardTanh(x weft.Array) weft.Array {
	if nd.ValueOf("HardTanh", x).Aval().DType.IsUnsigned() {
		return weft.Minimum(x, 1)
	}
	return nd.WithJAXPromotion(func() weft.Array { return weft.Where(x.Gt(1), 1, weft.Where(x.Lt(-1), -1, x)) })
}

// HardSigmoid returns Relu6(x + 3) / 6.
func HardSigmoid(x weft.Array) weft.Array {
	return viaWeakFloat("HardSigmoid", x, func(x weft.Array) weft.Array { return Relu6(x.Add(3)).Div(6.) })
}

// HardSilu returns x · HardSigmoid(x).
func HardSilu(x weft.Array) weft.Array {
	return viaWeakFloat("HardSilu", x, func(x weft.Array) weft.Array {
		return weft.FromValue(saturating(x.Value(), 1024, func(v core.Value) core.Value {
			x := weft.FromValue(v)
			return x.Mul(HardSigmoid(x)).Value()
		}))
	})
}

// LogSigmoid returns the logarithm of [Sigmoid], accurate also where Sigmoid is close to 0.
func LogSigmoid(x weft.Array) weft.Array {
	return viaFloat("LogSigmoid", x, func(x weft.Array) weft.Array { return Softplus(x.Neg()).Neg() })
}

// Softsign returns x / (1 + |x|).
func Softsign(x weft.Array) weft.Array {
	return viaBoolFloat("Softsign", x, func(x weft.Array) weft.Array {
		size := weft.Abs(x)
		far := size.Eq(math.Inf(1))
		safe := weft.Where(far, 0, x)
		return weft.Where(far, weft.Sign(x), safe.Div(weft.Abs(safe).Add(1)))
	})
}

// Mish returns x · Tanh(Softplus(x)).
func Mish(x weft.Array) weft.Array {
	return viaBoolFloat("Mish", x, func(x weft.Array) weft.Array {
		return weft.FromValue(saturating(x.Value(), 1024, func(v core.Value) core.Value {
			x := weft.FromValue(v)
			return x.Mul(weft.Tanh(Softplus(x))).Value()
		}))
	})
}

// SquarePlus returns (x + √(x² + 4)) / 2, a smooth Relu without exponentials.
func SquarePlus(x weft.Array) weft.Array {
	return unaryFloat("SquarePlus", x, func(v core.Value) core.Value {
		if v.Aval().DType.IsComplex() {
			root := prim.Sqrt(prim.Add(prim.Square(v), nd.Num(v, 4)))
			return prim.Div(prim.Add(v, root), nd.Num(v, 2))
		}
		up := prim.Ge(v, nd.Num(v, 0))
		size := nd.Choose(up, v, prim.Neg(v)) // not Abs, whose derivative at 0 is another
		// Far out the 4 is lost to rounding and the square may overflow: there the root is the
		// size.
		_, largest, _ := v.Aval().DType.Limits()
		_, bits := math.Frexp(largest.Float())
		far := prim.Ge(size, nd.Num(v, math.Ldexp(1, bits/2-1)))
		near := nd.Choose(far, nd.FillLike(nd.Num(v, 0), v), size)
		root := nd.Choose(far, size, prim.Sqrt(prim.Add(prim.Square(near), nd.Num(v, 4))))
		half := nd.Num(v, 0.5)
		y := prim.Add(prim.Mul(size, half), prim.Mul(root, half))
		return nd.Choose(up, y, prim.Div(nd.Num(v, 1), y)) // f(x)·f(−x) is 1
	})
}

// Celu returns x where it is positive, else α · (e^(x/α) − 1).
func Celu(x weft.Array, alpha float64) weft.Array {
	return unaryReal("Celu", x, func(v core.Value) core.Value {
		return aboveZeroOr(v, func(safe core.Value) core.Value {
			return prim.Mul(nd.Num(v, alpha), prim.Expm1(prim.Div(safe, nd.Num(v, alpha))))
		})
	})
}

// Selu returns λ·x where x is positive, else λ·α·(e^x − 1), with constants α and λ that keep mean 0 and variance 1 from
// layer to layer.
func Selu(x weft.Array) weft.Array {
	const alpha, scale = 1.6732632423543772848170429916717, 1.0507009873554804934193349852946
	return unaryReal("Selu", x, func(v core.Value) core.Value {
		return prim.Mul(nd.Num(v, scale), aboveZeroOr(v, func(safe core.Value) core.Value {
			return prim.Mul(nd.Num(v, alpha), prim.Expm1(safe))
		}))
	})
}

// aboveZeroOr returns v where it is positive, else f of v. Where v is positive, f receives 0.
func aboveZeroOr(v core.Value, f func(safe core.Value) core.Value) core.Value {
	zero := nd.Num(v, 0)
	pos := prim.Gt(v, zero)
	return nd.Choose(pos, v, f(nd.Choose(pos, nd.FillLike(zero, v), v)))
}

// Glu returns the first half of x along an axis, the last one unless another is given, times the
// Sigmoid of the second half.
func Glu(x weft.Array, axis ...int) weft.Array {
	ax := lastAxis("Glu", x, axis)
	if n := x.Dim(ax); n%2 != 0 {
		core.FailOp(core.ErrShape, "Glu", []core.ShapedArray{x.Value().Aval()}, "axis %d of %v has %s, which has no half; give it an even number", ax, x.Value().Aval().Full(), core.Count(n, "element"))
	}
	h := weft.SplitEvenly(x, ax, 2)
	return nd.WithJAXPromotion(func() weft.Array { return h[0].Mul(Sigmoid(h[1])) })
}

// Standardize returns x less its mean, divided by √(variance + 1e-5), along an axis, the last one
// unless another is given.
func Standardize(x weft.Array, axis ...int) weft.Array {
	return standardized("Standardize", x, []int{lastAxis("Standardize", x, axis)}, 1e-5)
}

// standardized divides x minus its mean by √(variance + more). The variance is computed from the
// differences from the mean: the mean of the squares minus the square of the mean would cancel, and
// squares in f16 soon overflow.
func standardized(op string, x weft.Array, axes []int, more float64) weft.Array {
	return normalized(op, x, func(x weft.Array) weft.Array { return centered(x, axes, more) })
}
