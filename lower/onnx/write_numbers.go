package onnx

import (
	"math"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/elem"
	"github.com/weft-go/weft/core/prim"
)

// numbersRule writes divisions, shifts and conversions, with nodes that choose the results which the operators leave
// undefined: of division by zero, of conversions of numbers that do not fit, and of shifts by all bits or more. It returns
// nil if p is another operation.
func (b *block) numbersRule(p core.Primitive, in []value, out []core.ShapedArray) []value {
	one := func(x value) []value { return []value{x} }
	if len(in) == 0 || len(out) != 1 {
		return nil
	}
	dt, a := in[0].DType, out[0]
	switch p := p.(type) {
	case prim.DivP, prim.RemP:
		in = b.aligned(in, a)
		if !dt.IsInteger() {
			if _, ok := p.(prim.DivP); ok {
				return one(b.op("Div", a, nil, in...))
			}
			return one(b.op("Mod", a, []*Attr{attrInt("fmod", 1)}, in...))
		}
		return one(b.divide(p, in[0], in[1], a))
	case prim.ShiftLeftP, prim.ShiftRightLogicalP, prim.ShiftRightArithmeticP:
		in = b.aligned(in, a)
		return one(b.shift(p, in[0], in[1], a))
	case prim.ConvertElementTypeP:
		return one(b.convert(in[0], p.NewDType))
	case prim.BitcastConvertTypeP:
		if dt == p.NewDType || dt.IsInteger() && p.NewDType.IsInteger() && dt.Bits() == p.NewDType.Bits() && dt.Bits() >= 8 {
			return one(b.cast(in[0], p.NewDType))
		}
	case prim.ReducePrecisionP:
		if dt != core.Float32 {
			return nil
		}
		switch [2]int{p.ExponentBits, p.MantissaBits} {
		case [2]int{8, 23}:
			return one(in[0])
		case [2]int{8, 7}:
			return one(b.cast(b.cast(in[0], core.BFloat16), dt))
		}
	}
	return nil
}

// divide writes a quotient or remainder of integers. Division by 0 has a quotient with all bits set, −1 if it is signed, and the
// dividend as the remainder.
func (b *block) divide(p core.Primitive, x, y value, a core.ShapedArray) value {
	dt := x.DType
	zero, one := b.integer(0, dt), b.integer(1, dt)
	_, quotient := p.(prim.DivP)
	divisor, known := b.known(y)
	safe := y
	if !known || divisor == 0 || divisor == -1 {
		odd := b.compare("Equal", y, zero)
		if dt.IsSigned() { // the smallest number divided by −1 does not fit
			odd = b.op("Or", odd.ShapedArray, nil, odd, b.compare("Equal", y, b.integer(-1, dt)))
		}
		safe = b.where(odd, one, y)
	}
	var z value
	if quotient {
		z = b.op("Div", a, nil, x, safe)
	} else {
		z = b.op("Mod", a, []*Attr{attrInt("fmod", 1)}, x, safe)
	}
	if safe.name == y.name {
		return z
	}
	none := core.UintNumber(math.MaxUint64 >> (64 - dt.Bits()))
	if dt.IsSigned() {
		none = core.IntNumber(-1)
		minus := zero
		if quotient {
			minus = b.op("Sub", x.ShapedArray, nil, zero, x)
		}
		z = b.full(b.where(b.compare("Equal", y, b.integer(-1, dt)), minus, z), a)
	}
	if quotient {
		return b.full(b.where(b.compare("Equal", y, zero), b.literal(none, dt), z), a)
	}
	return b.full(b.where(b.compare("Equal", y, zero), x, z), a)
}

// full states the shape of a value that operators have broadcast.
func (b *block) full(x value, a core.ShapedArray) value {
	x.Shape = a.Shape
	return x
}

func (b *block) known(x value) (v int64, ok bool) {
	if x.Rank() != 0 {
		return 0, false
	}
	for _, t := range b.main.Initializers {
		if t.Name == x.name {
			n, _ := elem.Get(t.Data, x.DType)
			return n.Int64(), true
		}
	}
	return 0, false
}

// shift writes a shift with shifts of unsigned numbers, since ONNX has no others. A shift by as many bits as the type has,
// or more, leaves 0, or the sign.
func (b *block) shift(p core.Primitive, x, by value, a core.ShapedArray) value {
	dt := x.DType
	if dt.Bits() < 8 {
		core.Failf(core.ErrDType, "ONNX %d has no shifts of %v; convert to another type", writtenOpset, dt)
	}
	word := map[int]core.DType{8: core.Uint8, 16: core.Uint16, 32: core.Uint32, 64: core.Uint64}[dt.Bits()]
	direction := "RIGHT"
	if _, ok := p.(prim.ShiftLeftP); ok {
		direction = "LEFT"
	}
	u, n := b.cast(x, word), b.cast(by, word)
	inside := b.compare("Less", n, b.integer(dt.Bits(), word))
	safe := b.where(inside, n, b.integer(0, word))
	shifted := func(u value) value {
		y := b.op("BitShift", a.WithDType(word), []*Attr{attrText("direction", direction)}, u, safe)
		return b.full(b.where(inside, y, b.integer(0, word)), a)
	}
	_, arithmetic := p.(prim.ShiftRightArithmeticP)
	if !arithmetic {
		return b.cast(shifted(u), dt)
	}
	// The highest bit, which is repeated, is set.
	negative := b.compare("Greater", u, b.literal(core.IntNumber(1<<(dt.Bits()-1)-1), word))
	flipped := func(v value) value { return b.op("BitwiseNot", v.ShapedArray, nil, v) }
	y := shifted(b.full(b.where(negative, flipped(u), u), x.ShapedArray))
	return b.cast(b.full(b.where(negative, flipped(y), y), a), dt)
}

// convert converts elements. Floats out of an integer's range become the nearest integer, and NaN becomes 0.
func (b *block) convert(x value, dt core.DType) value {
	from := x.DType
	switch {
	case from == dt:
		return x
	case dt.IsBool() && !from.IsBool():
		if from.IsMinorFloat() {
			x = b.cast(x, core.Float32)
		}
		return b.not(b.compare("Equal", x, b.number(0, x.DType)))
	case !from.IsFloat() || !dt.IsInteger():
		return b.cast(x, dt)
	}
	if from.Bits() < 32 {
		x = b.cast(x, core.Float32)
	}
	f := x.DType
	lo, hi := core.IntNumber(math.MinInt64>>(64-dt.Bits())), core.IntNumber(math.MaxInt64>>(64-dt.Bits()))
	if dt.IsUnsigned() {
		lo, hi = core.UintNumber(0), core.UintNumber(math.MaxUint64>>(64-dt.Bits()))
	}
	over := b.compare("GreaterOrEqual", x, b.literal(core.FloatNumber(hi.Float()+1), f)) // a power of two: the largest integer plus 1
	under := b.compare("Less", x, b.literal(core.FloatNumber(lo.Float()), f))
	t := x.WithDType(core.Bool)
	outside := b.op("Or", t, nil, b.op("Or", t, nil, over, under), b.op("IsNaN", t, nil, x))
	y := b.cast(b.where(outside, b.number(0, f), x), dt)
	y = b.where(over, b.literal(hi, dt), y)
	return b.where(under, b.literal(lo, dt), y)
}
