package ireval

import (
	"math"
	"math/bits"

	"github.com/weft-go/weft/lower/scalar"
)

// Apply returns the result of an instruction other than OpParam and OpLookup whose
// first operand has type t and whose operands have the given bits. Values narrower
// than 64 bits stand in the low bits, zero above. It defines the operations one
// element at a time; the block evaluator and every code generator agree with it.
func Apply(in scalar.Inst, t scalar.Type, a, b, c uint64) uint64 {
	switch in.Op {
	case scalar.OpConst:
		return in.Imm
	case scalar.OpSelect, scalar.OpRare:
		if a != 0 {
			return b
		}
		return c
	case scalar.OpEq, scalar.OpNe, scalar.OpLt, scalar.OpLe:
		return compareBits(in.Op, t, a, b)
	case scalar.OpConvert:
		return convertBits(in.Type, t, a)
	case scalar.OpBitcast:
		return a
	case scalar.OpWiden:
		return uint64(math.Float32bits(scalar.WidenSmall(in.DType, uint32(a))))
	case scalar.OpNarrow:
		return uint64(scalar.NarrowSmall(in.DType, math.Float32frombits(uint32(a))))
	}
	switch in.Type {
	case scalar.F32:
		return applyF32(in.Op, uint32(a), uint32(b), uint32(c))
	case scalar.F64:
		return applyF64(in.Op, a, b, c)
	case scalar.Bool:
		return applyInt(in.Op, scalar.U8, a, b) & 1
	}
	return applyInt(in.Op, in.Type, a, b)
}

func applyF32(op scalar.Op, a, b, c uint32) uint64 {
	x, y, z := math.Float32frombits(a), math.Float32frombits(b), math.Float32frombits(c)
	var r float32
	switch op {
	case scalar.OpNeg:
		return uint64(a ^ 1<<31)
	case scalar.OpAbs:
		return uint64(a &^ (1 << 31))
	case scalar.OpCanon:
		if x != x {
			return scalar.NaNBits32
		}
		return uint64(a)
	case scalar.OpAdd:
		r = x + y
	case scalar.OpSub:
		r = x - y
	case scalar.OpMul:
		r = x * y
	case scalar.OpDiv:
		r = x / y
	case scalar.OpFMA:
		r = scalar.FMA32(x, y, z)
	case scalar.OpScale:
		r = scalar.Scale32(x, y)
	case scalar.OpMin:
		r = scalar.Min32(x, y)
	case scalar.OpMax:
		r = scalar.Max32(x, y)
	case scalar.OpSqrt:
		r = float32(math.Sqrt(float64(x)))
	case scalar.OpFloor:
		r = float32(math.Floor(float64(x)))
	case scalar.OpCeil:
		r = float32(math.Ceil(float64(x)))
	case scalar.OpTrunc:
		r = float32(math.Trunc(float64(x)))
	case scalar.OpRint:
		r = float32(math.RoundToEven(float64(x)))
	default:
		panic("BUG: " + op.String() + " of f32")
	}
	return uint64(math.Float32bits(r))
}

func applyF64(op scalar.Op, a, b, c uint64) uint64 {
	x, y, z := math.Float64frombits(a), math.Float64frombits(b), math.Float64frombits(c)
	var r float64
	switch op {
	case scalar.OpNeg:
		return a ^ 1<<63
	case scalar.OpAbs:
		return a &^ (1 << 63)
	case scalar.OpCanon:
		if x != x {
			return scalar.NaNBits64
		}
		return a
	case scalar.OpAdd:
		r = x + y
	case scalar.OpSub:
		r = x - y
	case scalar.OpMul:
		r = x * y
	case scalar.OpDiv:
		r = x / y
	case scalar.OpFMA:
		r = math.FMA(x, y, z)
	case scalar.OpScale:
		r = scalar.Scale64(x, y)
	case scalar.OpMin:
		r = scalar.Min64(x, y)
	case scalar.OpMax:
		r = scalar.Max64(x, y)
	case scalar.OpSqrt:
		r = math.Sqrt(x)
	case scalar.OpFloor:
		r = math.Floor(x)
	case scalar.OpCeil:
		r = math.Ceil(x)
	case scalar.OpTrunc:
		r = math.Trunc(x)
	case scalar.OpRint:
		r = math.RoundToEven(x)
	default:
		panic("BUG: " + op.String() + " of f64")
	}
	return math.Float64bits(r)
}

// extend returns the value of an integer of type t as 64 bits.
func extend(t scalar.Type, a uint64) int64 {
	n := 64 - t.Bits()
	if t.IsSigned() {
		return int64(a<<n) >> n
	}
	return int64(a)
}

func applyInt(op scalar.Op, t scalar.Type, a, b uint64) uint64 {
	w := t.Bits()
	mask := ^uint64(0) >> (64 - w)
	var r uint64
	switch op {
	case scalar.OpAdd:
		r = a + b
	case scalar.OpSub:
		r = a - b
	case scalar.OpMul:
		r = a * b
	case scalar.OpDiv, scalar.OpRem:
		r = divideInt(op, t, a, b)
	case scalar.OpMulHi:
		r = mulHigh(t, a, b)
	case scalar.OpNeg:
		r = -a
	case scalar.OpAbs:
		r = a
		if t.IsSigned() && extend(t, a) < 0 {
			r = -a
		}
	case scalar.OpMin, scalar.OpMax:
		less := a < b
		if t.IsSigned() {
			less = extend(t, a) < extend(t, b)
		}
		r = b
		if less == (op == scalar.OpMin) {
			r = a
		}
	case scalar.OpAnd:
		r = a & b
	case scalar.OpOr:
		r = a | b
	case scalar.OpXor:
		r = a ^ b
	case scalar.OpNot:
		r = ^a
	case scalar.OpShl:
		if b < uint64(w) {
			r = a << b
		}
	case scalar.OpShr:
		if t.IsSigned() {
			r = uint64(extend(t, a) >> min(b, 63))
		} else if b < uint64(w) {
			r = a >> b
		}
	case scalar.OpClz:
		r = uint64(bits.LeadingZeros64(a) - (64 - w))
	case scalar.OpPopCount:
		r = uint64(bits.OnesCount64(a))
	default:
		panic("BUG: " + op.String() + " of " + t.String())
	}
	return r & mask
}

// divideInt returns the quotient, all ones if b is 0, or the remainder, the dividend if b is 0.
func divideInt(op scalar.Op, t scalar.Type, a, b uint64) uint64 {
	x, y := extend(t, a), extend(t, b)
	switch {
	case b == 0 && op == scalar.OpDiv:
		return ^uint64(0)
	case b == 0:
		return a
	case !t.IsSigned() && op == scalar.OpDiv:
		return a / b
	case !t.IsSigned():
		return a % b
	case op == scalar.OpDiv:
		return uint64(x / y) // MIN/−1 wraps to MIN
	}
	return uint64(x % y)
}

// mulHigh returns the high half of a product.
func mulHigh(t scalar.Type, a, b uint64) uint64 {
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

func compareBits(op scalar.Op, t scalar.Type, a, b uint64) uint64 {
	var less, equal bool
	switch {
	case t == scalar.F32:
		x, y := math.Float32frombits(uint32(a)), math.Float32frombits(uint32(b))
		less, equal = x < y, x == y
	case t == scalar.F64:
		x, y := math.Float64frombits(a), math.Float64frombits(b)
		less, equal = x < y, x == y
	case t.IsSigned():
		less, equal = extend(t, a) < extend(t, b), a == b
	default:
		less, equal = a < b, a == b
	}
	r := equal
	switch op {
	case scalar.OpNe:
		r = !equal
	case scalar.OpLt:
		r = less
	case scalar.OpLe:
		r = less || equal
	}
	if r {
		return 1
	}
	return 0
}

func convertBits(to, from scalar.Type, a uint64) uint64 {
	if from.IsFloat() {
		var x float64
		if from == scalar.F32 {
			x = float64(math.Float32frombits(uint32(a)))
		} else {
			x = math.Float64frombits(a)
		}
		switch to {
		case scalar.F32:
			return uint64(math.Float32bits(float32(x)))
		case scalar.F64:
			return math.Float64bits(x)
		case scalar.U64:
			return scalar.ToUint64(x)
		}
		return saturate(to, x)
	}
	x := extend(from, a)
	switch {
	case to == scalar.F32 && from.IsSigned():
		return uint64(math.Float32bits(scalar.IntToFloat32(x)))
	case to == scalar.F32:
		return uint64(math.Float32bits(scalar.UintToFloat32(a)))
	case to == scalar.F64 && from.IsSigned():
		return math.Float64bits(scalar.IntToFloat64(x))
	case to == scalar.F64:
		return math.Float64bits(scalar.UintToFloat64(a))
	}
	return uint64(x) & (^uint64(0) >> (64 - to.Bits()))
}

// saturate truncates a float to an integer type other than U64; NaN becomes 0.
func saturate(to scalar.Type, x float64) uint64 {
	i := scalar.ToInt64(x)
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
