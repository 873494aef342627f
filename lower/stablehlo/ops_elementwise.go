package stablehlo

import (
	"strconv"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
)

func appendInt(b []byte, n int) []byte { return strconv.AppendInt(b, int64(n), 10) }

// elementwiseOp is an operation without attributes on arrays of one shape. Some operands of select and clamp may be scalars.
type elementwiseOp struct {
	operands int
	make     func(*frame, []core.Value) core.Value
}

func unary(g func(core.Value) core.Value) elementwiseOp {
	return elementwiseOp{1, func(_ *frame, in []core.Value) core.Value { return g(in[0]) }}
}

func binary(g func(x, y core.Value) core.Value) elementwiseOp {
	return elementwiseOp{2, func(f *frame, in []core.Value) core.Value {
		f.sameShapes(in)
		return g(in[0], in[1])
	}}
}

// sameShapes refuses operands of several shapes, which weft's operations would spread.
func (f *frame) sameShapes(in []core.Value) {
	for i, v := range in {
		if a, b := in[0].Aval(), v.Aval(); a.Shape != b.Shape {
			f.fail(core.ErrShape, "operands 0 and %d have different shapes: %s and %s; broadcast one of them with stablehlo.broadcast_in_dim", i, typeText(a), typeText(b))
		}
	}
}

func isBool(v core.Value) bool { return v.Aval().DType.IsBool() }

var elementwise map[string]elementwiseOp

func elementwiseTable() {
	elementwise = map[string]elementwiseOp{
		// The sum of booleans is their or, the product their and.
		"stablehlo.add":                    binary(add),
		"stablehlo.multiply":               binary(multiply),
		"stablehlo.subtract":               binary(prim.Sub),
		"stablehlo.divide":                 binary(prim.Div),
		"stablehlo.remainder":              binary(prim.Rem),
		"stablehlo.maximum":                binary(prim.Max),
		"stablehlo.minimum":                binary(prim.Min),
		"stablehlo.power":                  binary(power),
		"stablehlo.atan2":                  binary(prim.Atan2),
		"stablehlo.and":                    binary(prim.And),
		"stablehlo.or":                     binary(prim.Or),
		"stablehlo.xor":                    binary(prim.Xor),
		"stablehlo.shift_left":             binary(prim.ShiftLeft),
		"stablehlo.shift_right_arithmetic": binary(prim.ShiftRightArithmetic),
		"stablehlo.shift_right_logical":    binary(prim.ShiftRightLogical),
		"stablehlo.complex":                binary(prim.Complex),

		"stablehlo.abs":                   unary(abs),
		"stablehlo.negate":                unary(prim.Neg),
		"stablehlo.sign":                  unary(prim.Sign),
		"stablehlo.exponential":           unary(prim.Exp),
		"stablehlo.exponential_minus_one": unary(prim.Expm1),
		"stablehlo.log":                   unary(prim.Log),
		"stablehlo.log_plus_one":          unary(prim.Log1p),
		"stablehlo.logistic":              unary(prim.Logistic),
		"stablehlo.sqrt":                  unary(prim.Sqrt),
		"stablehlo.rsqrt":                 unary(prim.Rsqrt),
		"stablehlo.cbrt":                  unary(cbrt),
		"stablehlo.sine":                  unary(prim.Sin),
		"stablehlo.cosine":                unary(prim.Cos),
		"stablehlo.tan":                   unary(prim.Tan),
		"stablehlo.tanh":                  unary(prim.Tanh),
		"stablehlo.floor":                 unary(prim.Floor),
		"stablehlo.ceil":                  unary(prim.Ceil),
		"stablehlo.round_nearest_afz":     unary(func(x core.Value) core.Value { return prim.Round(x, prim.AwayFromZero) }),
		"stablehlo.round_nearest_even":    unary(func(x core.Value) core.Value { return prim.Round(x, prim.ToNearestEven) }),
		"stablehlo.is_finite":             unary(prim.IsFinite),
		"stablehlo.not":                   unary(prim.Not),
		"stablehlo.popcnt":                unary(prim.PopulationCount),
		"stablehlo.count_leading_zeros":   unary(prim.Clz),
		"stablehlo.real":                  unary(realPart),
		"stablehlo.imag":                  unary(imagPart),

		"stablehlo.select": {3, selectOp},
		"stablehlo.clamp":  {3, clamp},
	}
}

func add(x, y core.Value) core.Value {
	if isBool(x) && isBool(y) {
		return prim.Or(x, y)
	}
	return prim.Add(x, y)
}

func multiply(x, y core.Value) core.Value {
	if isBool(x) && isBool(y) {
		return prim.And(x, y)
	}
	return prim.Mul(x, y)
}

func abs(x core.Value) core.Value {
	if x.Aval().DType.IsUnsigned() {
		return x
	}
	return prim.Abs(x)
}

// cbrt of a complex number is the principal root.
func cbrt(x core.Value) core.Value {
	a := x.Aval()
	if a.DType.IsComplex() {
		return prim.Pow(x, core.Lit(core.FloatNumber(1.0/3), a.DType))
	}
	return prim.Cbrt(x)
}

func realPart(x core.Value) core.Value {
	if x.Aval().DType.IsComplex() {
		return prim.Real(x)
	}
	return x
}

func imagPart(x core.Value) core.Value {
	if x.Aval().DType.IsComplex() {
		return prim.Imag(x)
	}
	return prim.Zeros(x.Aval().Strong())
}

// power of integers is repeated multiplication, modulo 2ⁿ: a loop over the bits of the
// exponent. A negative exponent has the result 1 for a base of 1, ±1 for −1, and else 0.
func power(x, y core.Value) core.Value {
	a := x.Aval()
	if !a.DType.IsInteger() {
		return prim.Pow(x, y)
	}
	num := func(n float64) core.Value { return prim.Num(a, n) }
	result, base, exp := prim.Full(a, 1), x, y
	bits := a.DType.Bits()
	if a.DType.IsSigned() {
		bits--
	}
	body := func(c []core.Value) []core.Value {
		odd := prim.Ne(prim.And(c[2], num(1)), num(0))
		return []core.Value{
			prim.Where(odd, prim.Mul(c[0], c[1]), c[0]),
			prim.Mul(c[1], c[1]),
			prim.ShiftRightLogical(c[2], num(1)),
		}
	}
	out := repeated(bits, body, []core.Value{result, base, exp})[0]
	if a.DType.IsUnsigned() {
		return out
	}
	odd := prim.Ne(prim.And(y, num(1)), num(0))
	flip := prim.Where(odd, prim.Full(a, -1), prim.Full(a, 1))
	negative := prim.Where(prim.Eq(x, num(1)), prim.Full(a, 1), prim.Where(prim.Eq(x, num(-1)), flip, prim.Zeros(a)))
	return prim.Where(prim.Lt(y, num(0)), negative, out)
}

func selectOp(f *frame, in []core.Value) core.Value {
	p, a, b := in[0].Aval(), in[1].Aval(), in[2].Aval()
	if !p.DType.IsBool() || p.Rank() != 0 && p.Shape != a.Shape || a.Shape != b.Shape {
		f.invalid(core.ErrShape, "takes booleans of the shape of the cases or one alone, got %s, %s, %s", typeText(p), typeText(a), typeText(b))
	}
	return prim.Where(in[0], in[1], in[2])
}

func clamp(f *frame, in []core.Value) core.Value {
	for _, i := range []int{0, 2} {
		if a := in[i].Aval(); a.Rank() != 0 && a.Shape != in[1].Aval().Shape {
			f.invalid(core.ErrShape, "a bound must be a scalar or have the shape %v, got %s", in[1].Aval().Shape, typeText(a))
		}
	}
	lo, hi := in[0], in[2]
	if s := in[1].Aval().Shape; lo.Aval().Rank() != hi.Aval().Rank() {
		lo, hi = prim.BroadcastInDim(lo, s, spreadAxes(lo)), prim.BroadcastInDim(hi, s, spreadAxes(hi))
	}
	return prim.Clamp(lo, in[1], hi)
}

func spreadAxes(v core.Value) core.Dims { return core.Range(0, v.Aval().Rank()) }
