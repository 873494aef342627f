package onnx

import (
	"math"
	"slices"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/lax"
	"github.com/weft-go/weft/nn"
)

var unaries = map[string]operator{
	"Abs": unary(weft.Abs), "Acos": unary(weft.Acos), "Acosh": unary(weft.Acosh), "Asin": unary(weft.Asin), "Asinh": unary(weft.Asinh), "Atan": unary(weft.Atan), "Atanh": unary(weft.Atanh),
	"BitwiseNot": unary(weft.Array.Not), "Ceil": unary(weft.Ceil), "Cos": unary(weft.Cos), "Cosh": unary(weft.Cosh), "Erf": unary(lax.Erf), "Exp": unary(weft.Exp), "Floor": unary(weft.Floor),
	"Identity": unary(func(x weft.Array) weft.Array { return x }), "IsNaN": unary(weft.IsNaN), "Log": unary(weft.Log), "Neg": unary(weft.Array.Neg), "Not": unary(weft.LogicalNot),
	"Reciprocal": unary(weft.Reciprocal), "Relu": unary(relu), "Round": unary(func(x weft.Array) weft.Array { return weft.Round(x) }), "Sigmoid": unary(nn.Sigmoid), "Sign": unary(weft.Sign),
	"Sin": unary(weft.Sin), "Sinh": unary(weft.Sinh), "Softplus": unary(nn.Softplus), "Softsign": unary(nn.Softsign), "Sqrt": unary(weft.Sqrt), "Tan": unary(weft.Tan), "Tanh": unary(weft.Tanh),
	"Mish":      unary(func(x weft.Array) weft.Array { return x.Mul(weft.Tanh(nn.Softplus(x))) }),
	"HardSwish": unary(func(x weft.Array) weft.Array { return x.Mul(weft.Clip(x.Div(6.0).Add(0.5), 0.0, 1.0)) }),
	"IsInf": func(n *node) []weft.Array {
		x := n.x(0)
		inf := weft.IsInf(x)
		if n.int("detect_negative", 1) == 0 {
			inf = inf.And(weft.Gt(x, 0.0))
		}
		if n.int("detect_positive", 1) == 0 {
			inf = inf.And(weft.Lt(x, 0.0))
		}
		return one(inf)
	},
	"Celu": func(n *node) []weft.Array { return one(nn.Celu(n.x(0), n.float("alpha", 1))) },
	"Elu":  func(n *node) []weft.Array { return one(elu(n.x(0), n.float("alpha", 1), 1)) },
	"Selu": func(n *node) []weft.Array {
		return one(elu(n.x(0), n.float("alpha", 1.67326319217681884765625), n.float("gamma", 1.05070102214813232421875)))
	},
	"LeakyRelu": func(n *node) []weft.Array { return one(leaky(n.x(0), n.float("alpha", 0.01))) },
	"HardSigmoid": func(n *node) []weft.Array {
		return one(weft.Clip(n.x(0).Mul(n.float("alpha", 0.2)).Add(n.float("beta", 0.5)), 0.0, 1.0))
	},
	"ThresholdedRelu": func(n *node) []weft.Array {
		x := n.x(0)
		return one(weft.Where(x.Gt(n.float("alpha", 1)), x, weft.ZerosLike(x)))
	},
	"Shrink": func(n *node) []weft.Array {
		x, bias, lambda := n.x(0), number(n.float("bias", 0), n.x(0).DType()), number(n.float("lambd", 0.5), n.x(0).DType())
		zero := weft.ZerosLike(x)
		return one(weft.Where(weft.Lt(x, lambda.Neg()), x.Add(bias), weft.Where(weft.Gt(x, lambda), x.Sub(bias), zero)).AsType(x.DType()))
	},
	"Gelu": func(n *node) []weft.Array {
		if n.text("approximate", "none") == "tanh" {
			return one(nn.GeluTanh(n.x(0)))
		}
		return one(gelu(n.x(0)))
	},
	"Swish": func(n *node) []weft.Array {
		x := n.x(0)
		return one(x.Mul(nn.Sigmoid(x.Mul(n.float("alpha", 1)))))
	},
	"Cast":     cast,
	"CastLike": castLike,
	"BitCast":  func(n *node) []weft.Array { return one(n.x(0).View(n.dtype("to", weft.Float32))) },
	"Clip":     clip,
	"Dropout":  dropout,
}

// number returns an attribute's value as a dtype: integer dtypes drop its fraction.
func number(v float64, dt weft.DType) weft.Array {
	if dt.IsInteger() {
		return weft.Scalar(int64(v)).AsType(dt)
	}
	return scalar(v, dt)
}

func relu(x weft.Array) weft.Array { return weft.Maximum(x, weft.ZerosLike(x)) }

// elu returns γ·x where x > 0, and γ·α·(eˣ − 1) below.
func elu(x weft.Array, alpha, gamma float64) weft.Array {
	below := weft.Expm1(weft.Minimum(x, weft.ZerosLike(x))).Mul(alpha)
	return weft.Where(x.Gt(0.0), x, below).Mul(gamma)
}

func leaky(x weft.Array, alpha float64) weft.Array {
	return weft.Where(x.Ge(0.0), x, x.Mul(alpha))
}

// cast converts as the operator does: a NaN is true, and numbers saturate where they become narrow
// floats, unless the node forbids it.
func cast(n *node) []weft.Array {
	if n.Attrs["to"] == nil {
		n.fail(core.ErrTree, "attribute to is missing; add it to the node")
	}
	return one(n.cast(n.x(0), n.dtype("to", weft.Float32)))
}

func castLike(n *node) []weft.Array {
	return one(n.cast(n.x(0), n.x(1).DType()))
}

func (n *node) cast(x weft.Array, dt weft.DType) weft.Array {
	if dt == weft.Float8E8M0FNU && x.DType() != dt {
		return powers(x.AsType(weft.Float32), n.text("round_mode", "up"), n.int("saturate", 1) != 0)
	}
	return castTo(x, dt, n.int("saturate", 1) != 0)
}

// powers rounds the magnitudes of numbers to powers of two, the only finite values of f8e8m0: up, down,
// or to the nearest one.
func powers(x weft.Array, mode string, saturate bool) weft.Array {
	word := x.View(weft.Uint32)
	exponent, mantissa := word.Shr(23).And(255).AsType(weft.Int32), word.And(1<<23-1)
	// Numbers below 2⁻¹²⁶ have no implicit leading bit: 2⁻¹²⁷ has the mantissa 2²².
	leading := weft.Where(exponent.Eq(0), mantissa.Gt(1<<22), mantissa.Gt(0))
	half := weft.Where(exponent.Eq(0), mantissa.Gt(1<<22+1<<21), mantissa.Ge(1<<22))
	switch mode {
	case "up":
		exponent = exponent.Add(leading.AsType(weft.Int32))
	case "nearest":
		exponent = exponent.Add(half.AsType(weft.Int32))
	}
	if saturate {
		exponent = weft.Clip(exponent, 0, 254)
	}
	exponent = weft.Where(weft.IsNaN(x), 255, exponent)
	return exponent.AsType(weft.Uint8).View(weft.Float8E8M0FNU)
}

func castTo(x weft.Array, dt weft.DType, saturate bool) weft.Array {
	switch {
	case x.DType() == dt:
		return x
	case dt == weft.Bool:
		return x.Ne(weft.ZerosLike(x))
	case saturate && narrow(dt) && x.DType() != weft.Bool:
		if x.DType().Bits() < 16 || x.DType().IsInteger() { // the type may not have the bound
			x = x.AsType(weft.Float32)
		}
		most := scalar(largest(dt), x.DType())
		return weft.Where(weft.IsNaN(x), x, weft.Clip(x, most.Neg(), most)).AsType(dt)
	case dt.IsInteger() && dt.Bits() < 32 && !x.DType().IsInteger(): // numbers out of range that fit i32 wrap, as in ONNX Runtime
		return x.AsType(weft.Int32).AsType(dt)
	}
	return x.AsType(dt)
}

// narrow reports whether Cast to a float type saturates, unless the node forbids it.
func narrow(dt weft.DType) bool {
	switch dt {
	case weft.Float8E4M3FN, weft.Float8E4M3FNUZ, weft.Float8E5M2, weft.Float8E5M2FNUZ, weft.Float4E2M1FN:
		return true
	}
	return false
}

// largest returns the greatest finite number of a narrow type, ∞ for other types.
func largest(dt weft.DType) float64 {
	switch dt {
	case weft.Float8E4M3FN:
		return 448
	case weft.Float8E4M3FNUZ:
		return 240
	case weft.Float8E5M2, weft.Float8E5M2FNUZ:
		return 57344
	case weft.Float4E2M1FN:
		return 6
	}
	return math.Inf(1)
}

// clip clamps elements. If the bounds cross, the upper one wins.
func clip(n *node) []weft.Array {
	x := n.x(0)
	lo, hi := lowest(x.DType()), highest(x.DType())
	if n.version < 11 {
		bound := func(name string, sign int, none weft.Array) weft.Array {
			limit := math.Inf(sign)
			if n.version >= 6 && x.DType().IsFloat() {
				limit = math.Copysign(math.MaxFloat32, limit)
			}
			if limit = n.float(name, limit); math.IsInf(limit, sign) {
				return none
			}
			return number(limit, x.DType())
		}
		lo, hi = bound("min", -1, lo), bound("max", 1, hi)
	}
	if n.has(1) {
		lo = n.x(1)
	}
	if n.has(2) {
		hi = n.x(2)
	}
	return one(weft.Minimum(weft.Maximum(x, lo), hi))
}

// dropout is the identity, except in training mode, which drops elements at random.
func dropout(n *node) []weft.Array {
	x := n.x(0)
	if n.has(2) && n.version >= 12 {
		ratio := scalar(0.5, x.DType())
		if n.has(1) {
			ratio = n.x(1).AsType(x.DType()).Reshape()
		}
		training := n.x(2).Reshape()
		keep := uniform(n, x.Shape(), weft.Float32).Ge(ratio.AsType(weft.Float32)).Or(training.Not())
		kept := weft.Where(training, x.Div(ratio.Neg().Add(1.0)), x)
		return []weft.Array{weft.Where(keep, kept, weft.ZerosLike(x)), keep}
	}
	mask := weft.OnesOf(weft.Bool, x.Shape()...)
	if n.version < 10 {
		mask = weft.OnesLike(x)
	}
	return []weft.Array{x, mask}
}

var binaries = map[string]operator{
	"Add": pair(weft.Add[weft.Array, weft.Array]), "Sub": pair(weft.Sub[weft.Array, weft.Array]), "Mul": pair(weft.Mul[weft.Array, weft.Array]), "Div": pair(divide), "Pow": power,
	"Mod": func(n *node) []weft.Array {
		if n.int("fmod", 0) != 0 {
			return one(weft.Rem(n.x(0), n.x(1)))
		}
		return one(weft.Mod(n.x(0), n.x(1)))
	},
	"And": pair(weft.LogicalAnd[weft.Array, weft.Array]), "Or": pair(weft.LogicalOr[weft.Array, weft.Array]), "Xor": pair(weft.LogicalXor[weft.Array, weft.Array]),
	"BitwiseAnd": pair(func(x, y weft.Array) weft.Array { return x.And(y) }), "BitwiseOr": pair(func(x, y weft.Array) weft.Array { return x.Or(y) }), "BitwiseXor": pair(func(x, y weft.Array) weft.Array { return x.Xor(y) }),
	"Equal": pair(weft.Eq[weft.Array, weft.Array]), "Less": pair(weft.Lt[weft.Array, weft.Array]), "LessOrEqual": pair(weft.Le[weft.Array, weft.Array]),
	"Greater": pair(weft.Gt[weft.Array, weft.Array]), "GreaterOrEqual": pair(weft.Ge[weft.Array, weft.Array]),
	"BitShift": func(n *node) []weft.Array {
		x, y := broadcast(n.x(0), n.x(1))
		switch d := n.text("direction", ""); d {
		case "LEFT":
			return one(lax.ShiftLeft(x, y))
		case "RIGHT":
			if x.DType().IsSigned() {
				return one(lax.ShiftRightArithmetic(x, y))
			}
			return one(lax.ShiftRightLogical(x, y))
		default:
			n.fail(core.ErrParse, "direction is %q, want LEFT or RIGHT; set the attribute", d)
			return nil
		}
	},
	"PRelu": func(n *node) []weft.Array {
		x, slope := n.x(0), n.x(1)
		if n.version < 7 && slope.Rank() == 1 && x.Rank() > 1 { // one slope for each feature
			slope = slope.Reshape(slices.Concat([]int{-1}, repeated(1, x.Rank()-2))...)
		}
		return one(weft.Where(x.Lt(weft.ZerosLike(x)), slope.Mul(x), x))
	},
	"Where": func(n *node) []weft.Array { return one(weft.Where(n.x(0), n.x(1), n.x(2))) },
	"Max":   fold(weft.Maximum[weft.Array, weft.Array]), "Min": fold(weft.Minimum[weft.Array, weft.Array]),
	"Sum":    func(n *node) []weft.Array { return one(sum(n).AsType(n.x(0).DType())) },
	"Mean":   func(n *node) []weft.Array { return one(sum(n).Div(float64(len(n.in))).AsType(n.x(0).DType())) },
	"SwiGLU": func(n *node) []weft.Array { return one(swiglu(n)) },
}

// pair makes an operator from a function of two arrays. Before version 7 the second is broadcast
// along axes that the node names.
func pair(f func(x, y weft.Array) weft.Array) operator {
	return func(n *node) []weft.Array {
		x, y := n.x(0), n.x(1)
		if n.version < 7 && n.Domain == "" && y.Rank() > 0 && y.Rank() < x.Rank() && n.Attrs["axis"] != nil {
			at := n.axis(n.int("axis", 0), x.Rank())
			if at+y.Rank() > x.Rank() {
				n.fail(core.ErrShape, "axis %d leaves no room for %v in %v; lower the axis", at, y.Shape(), x.Shape())
			}
			y = y.Reshape(slices.Concat([]int(y.Shape()), repeated(1, x.Rank()-at-y.Rank()))...)
		}
		return one(f(x, y))
	}
}

func fold(f func(x, y weft.Array) weft.Array) operator {
	return func(n *node) []weft.Array {
		x := n.x(0)
		for i := range n.in[1:] {
			x = f(x, n.x(i+1))
		}
		return one(x)
	}
}

// sum returns the sum of the inputs, of small floats in f32.
func sum(n *node) weft.Array {
	t := wide(n.x(0).DType())
	y := n.x(0).AsType(t)
	for i := range n.in[1:] {
		y = y.Add(n.x(i + 1).AsType(t))
	}
	return y
}

func broadcast(x, y weft.Array) (weft.Array, weft.Array) {
	both := weft.BroadcastArrays(x, y)
	return both[0], both[1]
}

// divide returns x/y, truncated for integers.
func divide(x, y weft.Array) weft.Array {
	if x.DType().IsInteger() {
		return lax.Div(broadcast(x, y))
	}
	return x.Div(y)
}

// power returns results of the base's type, whatever the exponent's.
func power(n *node) []weft.Array {
	x, y := n.x(0), n.x(1)
	if x.DType().IsFloat() && y.Size() == 1 && y.Rank() <= x.Rank() && constant(y) {
		switch weft.Now(func() float64 { return y.AsType(weft.Float64).Reshape().Float() }) {
		case 1:
			return one(x)
		case 2:
			return one(x.Mul(x))
		case 3:
			return one(x.Mul(x).Mul(x))
		}
	}
	if x.DType().IsInteger() && !y.DType().IsInteger() {
		return one(weft.Pow(x.AsType(weft.Float64), y.AsType(weft.Float64)).AsType(x.DType()))
	}
	if x.DType().IsInteger() { // negative powers are truncated
		p := weft.Pow(x, weft.Maximum(y, weft.ZerosLike(y)))
		inverse := weft.Where(x.Eq(1), weft.OnesLike(x), weft.Where(x.Eq(-1), weft.Where(y.Mod(2).Eq(0), weft.OnesLike(x), weft.OnesLike(x).Neg()), weft.ZerosLike(x)))
		return one(weft.Where(y.Lt(0), inverse, p).AsType(x.DType()))
	}
	return one(weft.Pow(x, y.AsType(x.DType())))
}

// swiglu multiplies input 1 by a gate that is computed from input 0. If input 1 is left off, it takes
// the halves of input 0.
func swiglu(n *node) weft.Array {
	x := n.x(0)
	if n.has(1) {
		return x.Mul(nn.Sigmoid(x.Mul(n.float("alpha", 1)))).Mul(n.x(1))
	}
	axis := n.axis(n.int("axis", -1), x.Rank())
	half := weft.SplitEvenly(x, axis, 2)
	return half[0].Mul(nn.Sigmoid(half[0].Mul(n.float("alpha", 1)))).Mul(half[1])
}

// gelu returns ½x·(1 + erf(x/√2)), the format's definition. For f32 and f64 it takes less work than nn.Gelu, which is
// accurate also where the result is small. The result is 0 below the bound, as at −∞.
func gelu(x weft.Array) weft.Array {
	if x.DType() != weft.Float32 && x.DType() != weft.Float64 {
		return nn.Gelu(x)
	}
	const bound = -1024
	x = weft.Maximum(x, bound)
	return x.Mul(0.5).Mul(lax.Erf(x.Mul(math.Sqrt(0.5))).Add(1))
}
