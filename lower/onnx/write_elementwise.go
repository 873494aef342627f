package onnx

import (
	"math"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
)

var direct = map[string]string{
	"abs": "Abs", "acos": "Acos", "acosh": "Acosh", "add": "Add", "add_any": "Add", "asin": "Asin", "asinh": "Asinh", "atan": "Atan", "atanh": "Atanh", "ceil": "Ceil",
	"cos": "Cos", "cosh": "Cosh", "eq": "Equal", "erf": "Erf", "exp": "Exp", "floor": "Floor", "ge": "GreaterOrEqual", "gt": "Greater", "le": "LessOrEqual", "log": "Log",
	"logistic": "Sigmoid", "lt": "Less", "max": "Max", "min": "Min", "mul": "Mul", "sign": "Sign", "sin": "Sin", "sinh": "Sinh", "sqrt": "Sqrt", "sub": "Sub", "tan": "Tan", "tanh": "Tanh",
}

var bitwise = map[string][2]string{"and": {"And", "BitwiseAnd"}, "or": {"Or", "BitwiseOr"}, "xor": {"Xor", "BitwiseXor"}, "not": {"Not", "BitwiseNot"}}

// elementwise writes functions of elements. It returns nil if p is another operation.
func (b *block) elementwise(p core.Primitive, in []value, out []core.ShapedArray) []value {
	one := func(x value) []value { return []value{x} }
	if len(in) == 0 || len(out) != 1 {
		return nil
	}
	if _, ok := p.(prim.MulToP); ok { // its operands' types differ
		return nil
	}
	dt, a := in[0].DType, out[0]
	if s, ok := direct[p.Name()]; ok {
		if (s == "Max" || s == "Min") && dt.IsBool() {
			s = map[string]string{"Max": "Or", "Min": "And"}[s]
		}
		return one(b.op(s, a, nil, b.aligned(in, a)...))
	}
	if s, ok := bitwise[p.Name()]; ok {
		if dt.IsBool() {
			return one(b.op(s[0], a, nil, b.aligned(in, a)...))
		}
		return one(b.op(s[1], a, nil, b.aligned(in, a)...))
	}
	in = b.aligned(in, a)
	x := in[0]
	num := func(v float64) value { return b.number(v, dt) }
	switch p := p.(type) {
	case prim.NegP:
		if dt.IsUnsigned() {
			return one(b.op("Sub", a, nil, num(0), x))
		}
		return one(b.op("Neg", a, nil, x))
	case prim.NeP:
		return one(b.not(b.op("Equal", a, nil, in...)))
	case prim.IsFiniteP:
		if dt.IsMinorFloat() {
			x = b.cast(x, core.Float32)
		}
		return one(b.not(b.op("Or", a, nil, b.op("IsInf", a, nil, x), b.op("IsNaN", a, nil, x))))
	case prim.SquareP:
		return one(b.op("Mul", a, nil, x, x))
	case prim.RsqrtP:
		return b.inFloats(a, in, func(in []value, a core.ShapedArray) value {
			return b.op("Div", a, nil, b.number(1, a.DType), b.op("Sqrt", a, nil, in[0]))
		})
	case prim.Exp2P:
		return one(b.op("Pow", a, nil, num(2), x))
	case prim.PowP:
		if !dt.IsFloat() || dt.IsMinorFloat() {
			return nil
		}
		return one(b.op("Pow", a, nil, x, b.cast(in[1], dt)))
	case prim.IntegerPowP:
		if !dt.IsFloat() {
			return one(b.integerPower(x, p.Y))
		}
		return b.inFloats(a, in, func(in []value, a core.ShapedArray) value { return b.integerPower(in[0], p.Y) })
	case prim.ErfcP:
		return b.inFloats(a, in, func(in []value, a core.ShapedArray) value {
			return b.op("Sub", a, nil, b.number(1, a.DType), b.op("Erf", a, nil, in[0]))
		})
	case prim.Expm1P:
		return b.inFloats(a, in, func(in []value, a core.ShapedArray) value { return b.expm1(in[0]) })
	case prim.Log1pP:
		return b.inFloats(a, in, func(in []value, a core.ShapedArray) value { return b.log1p(in[0]) })
	case prim.CbrtP:
		return b.inFloats(a, in, func(in []value, a core.ShapedArray) value { return b.cbrt(in[0]) })
	case prim.Atan2P:
		return b.inFloats(a, in, func(in []value, a core.ShapedArray) value { return b.atan2(in[0], in[1], a) })
	case prim.RoundP:
		if p.Method == prim.ToNearestEven {
			return one(b.op("Round", a, nil, x))
		}
		size := b.op("Abs", a, nil, x)
		whole := b.op("Floor", a, nil, size)
		rest := b.op("Sub", a, nil, size, whole)
		up := b.where(b.compare("GreaterOrEqual", rest, num(0.5)), b.op("Add", a, nil, whole, num(1)), whole)
		up = b.where(b.compare("Less", x, num(0)), b.op("Neg", a, nil, up), up)
		return one(b.where(b.compare("Equal", size, whole), x, up))
	case prim.SelectNP:
		return one(b.choose(in))
	case prim.ClampP:
		if dt.IsBool() {
			return one(b.op("And", a, nil, b.op("Or", a, nil, in[1], x), in[2]))
		}
		return one(b.op("Min", a, nil, b.op("Max", a, nil, in[1], x), in[2]))
	}
	return nil
}

// aligned returns operands with axes as operators align them. An operand of smaller rank has the result's
// first axes, while operators align last axes: it gets axes of size 1 at the end.
func (b *block) aligned(in []value, out core.ShapedArray) []value {
	xs := make([]value, len(in))
	for i, x := range in {
		xs[i] = x
		if n := x.Rank(); n > 0 && n < out.Rank() {
			shape := x.Shape.Ints()
			for range out.Rank() - n {
				shape = append(shape, 1)
			}
			xs[i] = b.reshape(x, core.MakeDims(shape...))
		}
	}
	return xs
}

// compare writes a comparison. One of the operands may be a scalar.
func (b *block) compare(op string, x, y value) value {
	s := x.Shape
	if x.Rank() == 0 {
		s = y.Shape
	}
	return b.op(op, core.ShapedArray{Shape: s, DType: core.Bool}, nil, x, y)
}

func (b *block) not(x value) value { return b.op("Not", x.ShapedArray, nil, x) }

// where chooses between values. Any of the three may be a scalar.
func (b *block) where(c, yes, no value) value {
	a := yes.ShapedArray
	for _, x := range []value{no, c} {
		if a.Rank() == 0 {
			a = a.WithShape(x.Shape)
		}
	}
	if yes.DType.IsBool() { // the format's Where takes booleans, but not in all runtimes
		return b.op("Or", a, nil, b.op("And", a, nil, c, yes), b.op("And", a, nil, b.not(c), no))
	}
	return b.op("Where", a, nil, c, yes, no)
}

// choose writes a choice among in[1:] by in[0]: a boolean, or a number that is clamped to the cases.
func (b *block) choose(in []value) value {
	which, cases := in[0], in[1:]
	if which.DType.IsBool() && len(cases) == 2 {
		return b.where(which, cases[1], cases[0])
	}
	x := cases[len(cases)-1]
	for k := len(cases) - 2; k >= 0; k-- {
		if !core.IntNumber(int64(k + 1)).Fits(which.DType) {
			x = cases[k] // the index cannot be k+1 or more
			continue
		}
		x = b.where(b.compare("Less", which, b.integer(k+1, which.DType)), cases[k], x)
	}
	return x
}

// integerPower returns xʸ by repeated squaring.
func (b *block) integerPower(x value, y int) value {
	a := x.ShapedArray
	n := uint(max(y, -y))
	var acc value
	for square := x; n > 0; n >>= 1 {
		if n&1 == 1 {
			if acc.name == "" {
				acc = square
			} else {
				acc = b.op("Mul", a, nil, acc, square)
			}
		}
		if n > 1 {
			square = b.op("Mul", a, nil, square, square)
		}
	}
	if acc.name == "" {
		return b.expand(b.number(1, x.DType), x.Shape)
	}
	if y < 0 {
		acc = b.op("Div", a, nil, b.number(1, x.DType), acc)
	}
	return acc
}

// inFloats calls f, with operands and result in f32 if the result has fewer than 32 bits.
func (b *block) inFloats(a core.ShapedArray, in []value, f func(in []value, a core.ShapedArray) value) []value {
	if a.DType.Bits() >= 32 {
		return []value{f(in, a)}
	}
	xs := make([]value, len(in))
	for i, x := range in {
		xs[i] = b.cast(x, core.Float32)
	}
	return []value{b.cast(f(xs, a.WithDType(core.Float32)), a.DType)}
}

// expm1 computes (u − 1)·x / log u for u = eˣ: the errors of u cancel.
func (b *block) expm1(x value) value {
	a := x.ShapedArray
	one := b.number(1, x.DType)
	u := b.op("Exp", a, nil, x)
	less := b.op("Sub", a, nil, u, one)
	y := b.op("Div", a, nil, b.op("Mul", a, nil, less, x), b.op("Log", a, nil, u))
	far := b.op("Greater", a.WithDType(core.Bool), nil, b.op("Abs", a, nil, x), b.number(1, x.DType))
	y = b.where(far, less, y) // where nothing cancels, and u may be 0 or ∞
	return b.where(b.compare("Equal", u, one), x, y)
}

// log1p computes log u·x / (u − 1) for u = 1 + x.
func (b *block) log1p(x value) value {
	a := x.ShapedArray
	one := b.number(1, x.DType)
	u := b.op("Add", a, nil, x, one)
	log := b.op("Log", a, nil, u)
	y := b.op("Div", a, nil, b.op("Mul", a, nil, log, x), b.op("Sub", a, nil, u, one))
	far := b.compare("Greater", b.op("Abs", a, nil, x), one)
	y = b.where(far, log, y)
	return b.where(b.compare("Equal", u, one), x, y)
}

// cbrt computes a power of the magnitude, and one step of Newton's method.
func (b *block) cbrt(x value) value {
	a := x.ShapedArray
	size := b.op("Abs", a, nil, x)
	r := b.op("Pow", a, nil, size, b.number(1./3, x.DType))
	step := b.op("Div", a, nil, b.op("Sub", a, nil, r, b.op("Div", a, nil, size, b.op("Mul", a, nil, r, r))), b.number(3, x.DType))
	r = b.op("Sub", a, nil, r, step)
	r = b.where(b.compare("Less", x, b.number(0, x.DType)), b.op("Neg", a, nil, r), r)
	stays := b.op("Or", a.WithDType(core.Bool), nil, b.op("IsInf", a.WithDType(core.Bool), nil, x), b.compare("Equal", x, b.number(0, x.DType)))
	return b.where(stays, x, r)
}

// negative reports where the sign is set, also for −0.
func (b *block) negative(x value) value {
	zero := b.number(0, x.DType)
	inverse := b.op("Div", x.ShapedArray, nil, b.number(1, x.DType), x)
	return b.op("Or", x.WithDType(core.Bool), nil, b.compare("Less", x, zero), b.compare("Less", inverse, zero))
}

// atan2 computes the arctangent of the quotient, in the quadrant of (x, y).
func (b *block) atan2(y, x value, a core.ShapedArray) value {
	dt := a.DType
	t := a.WithDType(core.Bool)
	num := func(v float64) value { return b.number(v, dt) }
	y, x = b.expand(y, a.Shape), b.expand(x, a.Shape)
	back, below := b.negative(x), b.negative(y)
	both := b.op("And", t, nil, b.op("IsInf", t, nil, x), b.op("IsInf", t, nil, y))
	nothing := b.op("And", t, nil, b.compare("Equal", x, num(0)), b.compare("Equal", y, num(0)))
	odd := func(v value, other float64) value { // 0/0 becomes ±0/±1, and ∞/∞ becomes ±1/±1
		sign := b.where(b.negative(v), num(-1), num(1))
		v = b.where(both, sign, v)
		if other != 0 {
			v = b.where(nothing, sign, v)
		}
		return v
	}
	angle := b.op("Atan", a, nil, b.op("Div", a, nil, odd(y, 0), odd(x, 1)))
	turn := b.where(below, num(-math.Pi), num(math.Pi))
	return b.where(back, b.op("Add", a, nil, angle, turn), angle)
}
