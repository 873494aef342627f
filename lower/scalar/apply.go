package scalar

import (
	"math"
	"math/bits"
)

// Apply returns the result of an instruction other than OpParam and OpLookup whose
// first operand has type t and whose operands have the given bits. Values narrower
// than 64 bits stand in the low bits, zero above. It defines the operations one
// element at a time; the block evaluator and every code generator agree with it.
func Apply(in Inst, t Type, a, b, c uint64) uint64 {
	switch in.Op {
	case OpConst:
		return in.Imm
	case OpSelect, OpRare:
		if a != 0 {
			return b
		}
		return c
	case OpEq, OpNe, OpLt, OpLe:
		return compareBits(in.Op, t, a, b)
	case OpConvert:
		return convertBits(in.Type, t, a)
	case OpBitcast:
		return a
	case OpWiden:
		return uint64(math.Float32bits(WidenSmall(in.DType, uint32(a))))
	case OpNarrow:
		return uint64(NarrowSmall(in.DType, math.Float32frombits(uint32(a))))
	}
	switch in.Type {
	case F32:
		return applyF32(in.Op, uint32(a), uint32(b), uint32(c))
	case F64:
		return applyF64(in.Op, a, b, c)
	case Bool:
		return applyInt(in.Op, U8, a, b) & 1
	}
	return applyInt(in.Op, in.Type, a, b)
}

func applyF32(op Op, a, b, c uint32) uint64 {
	x, y, z := math.Float32frombits(a), math.Float32frombits(b), math.Float32frombits(c)
	var r float32
	switch op {
	case OpNeg:
		return uint64(a ^ 1<<31)
	case OpAbs:
		return uint64(a &^ (1 << 31))
	case OpCanon:
		if x != x {
			return NaNBits32
		}
		return uint64(a)
	case OpAdd:
		r = x + y
	case OpSub:
		r = x - y
	case OpMul:
		r = x * y
	case OpDiv:
		r = x / y
	case OpFMA:
		r = FMA32(x, y, z)
	case OpScale:
		r = Scale32(x, y)
	case OpMin:
		r = Min32(x, y)
	case OpMax:
		r = Max32(x, y)
	case OpSqrt:
		r = float32(math.Sqrt(float64(x)))
	case OpFloor:
		r = float32(math.Floor(float64(x)))
	case OpCeil:
		r = float32(math.Ceil(float64(x)))
	case OpTrunc:
		r = float32(math.Trunc(float64(x)))
	case OpRint:
		r = float32(math.RoundToEven(float64(x)))
	default:
		panic("BUG: " + op.String() + " of f32")
	}
	return uint64(math.Float32bits(r))
}

func applyF64(op Op, a, b, c uint64) uint64 {
	x, y, z := math.Float64frombits(a), math.Float64frombits(b), math.Float64frombits(c)
	var r float64
	switch op {
	case OpNeg:
		return a ^ 1<<63
	case OpAbs:
		return a &^ (1 << 63)
	case OpCanon:
		if x != x {
			return NaNBits64
		}
		return a
	case OpAdd:
		r = x + y
	case OpSub:
		r = x - y
	case OpMul:
		r = x * y
	case OpDiv:
		r = x / y
	case OpFMA:
		r = math.FMA(x, y, z)
	case OpScale:
		r = Scale64(x, y)
	case OpMin:
		r = Min64(x, y)
	case OpMax:
		r = Max64(x, y)
	case OpSqrt:
		r = math.Sqrt(x)
	case OpFloor:
		r = math.Floor(x)
	case OpCeil:
		r = math.Ceil(x)
	case OpTrunc:
		r = math.Trunc(x)
	case OpRint:
		r = math.RoundToEven(x)
	default:
		panic("BUG: " + op.String() + " of f64")
	}
	return math.Float64bits(r)
}

// extend returns the value of an integer of type t as 64 bits.
func extend(t Type, a uint64) int64 {
	n := 64 - t.Bits()
	if t.IsSigned() {
		return int64(a<<n) >> n
	}
	return int64(a)
}

func applyInt(op Op, t Type, a, b uint64) uint64 {
	w := t.Bits()
	mask := ^uint64(0) >> (64 - w)
	x, y := extend(t, a), extend(t, b)
	less := a < b
	if t.IsSigned() {
		less = x < y
	}
	var r uint64
	switch op {
	case OpAdd:
		r = a + b
	case OpSub:
		r = a - b
	case OpMul:
		r = a * b
	case OpDiv, OpRem:
		r = divideInt(op, t, a, b)
	case OpMulHi:
		r = mulHigh(t, a, b)
	case OpNeg:
		r = -a
	case OpAbs:
		r = a
		if t.IsSigned() && x < 0 {
			r = -a
		}
	case OpMin, OpMax:
		r = b
		if less == (op == OpMin) {
			r = a
		}
	case OpAnd:
		r = a & b
	case OpOr:
		r = a | b
	case OpXor:
		r = a ^ b
	case OpNot:
		r = ^a
	case OpShl:
		if b < uint64(w) {
			r = a << b
		}
	case OpShr:
		if t.IsSigned() {
			r = uint64(x >> min(b, 63))
		} else if b < uint64(w) {
			r = a >> b
		}
	case OpClz:
		r = uint64(bits.LeadingZeros64(a) - (64 - w))
	case OpPopCount:
		r = uint64(bits.OnesCount64(a))
	default:
		panic("BUG: " + op.String() + " of " + t.String())
	}
	return r & mask
}

// divideInt returns the quotient, all ones by 0, or the remainder, the dividend by 0.
func divideInt(op Op, t Type, a, b uint64) uint64 {
	x, y := extend(t, a), extend(t, b)
	switch {
	case b == 0 && op == OpDiv:
		return ^uint64(0)
	case b == 0:
		return a
	case !t.IsSigned() && op == OpDiv:
		return a / b
	case !t.IsSigned():
		return a % b
	case op == OpDiv:
		return uint64(x / y) // MIN/−1 wraps to MIN
	}
	return uint64(x % y)
}

// mulHigh returns the high half of a product.
func mulHigh(t Type, a, b uint64) uint64 {
	x, y := extend(t, a), extend(t, b)
	if t.Bits() < 64 {
		if t.IsSigned() {
			return uint64(x * y >> t.Bits())
		}
		return a * b >> t.Bits()
	}
	hi, _ := bits.Mul64(a, b)
	if t.IsSigned() {
		if x < 0 {
			hi -= b
		}
		if y < 0 {
			hi -= a
		}
	}
	return hi
}

func compareBits(op Op, t Type, a, b uint64) uint64 {
	var less, equal bool
	switch {
	case t == F32:
		x, y := math.Float32frombits(uint32(a)), math.Float32frombits(uint32(b))
		less, equal = x < y, x == y
	case t == F64:
		x, y := math.Float64frombits(a), math.Float64frombits(b)
		less, equal = x < y, x == y
	case t.IsSigned():
		less, equal = extend(t, a) < extend(t, b), a == b
	default:
		less, equal = a < b, a == b
	}
	r := equal
	switch op {
	case OpNe:
		r = !equal
	case OpLt:
		r = less
	case OpLe:
		r = less || equal
	}
	if r {
		return 1
	}
	return 0
}

func convertBits(to, from Type, a uint64) uint64 {
	if from.IsFloat() {
		var x float64
		if from == F32 {
			x = float64(math.Float32frombits(uint32(a)))
		} else {
			x = math.Float64frombits(a)
		}
		switch to {
		case F32:
			return uint64(math.Float32bits(float32(x)))
		case F64:
			return math.Float64bits(x)
		case U64:
			return ToUint64(x)
		}
		return saturate(to, x)
	}
	x := extend(from, a)
	switch {
	case to == F32 && from.IsSigned():
		return uint64(math.Float32bits(IntToFloat32(x)))
	case to == F32:
		return uint64(math.Float32bits(UintToFloat32(a)))
	case to == F64 && from.IsSigned():
		return math.Float64bits(IntToFloat64(x))
	case to == F64:
		return math.Float64bits(UintToFloat64(a))
	}
	return uint64(x) & (^uint64(0) >> (64 - to.Bits()))
}

// saturate truncates a float to an integer type other than U64; NaN becomes 0.
func saturate(to Type, x float64) uint64 {
	i := ToInt64(x)
	n := to.Bits()
	if to.IsSigned() {
		if n < 64 {
			i = min(max(i, -1<<(n-1)), 1<<(n-1)-1)
		}
	} else {
		i = min(max(i, 0), 1<<n-1)
	}
	return uint64(i) & (^uint64(0) >> (64 - n))
}
