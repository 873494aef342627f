package reference

import (
	"math"
	"math/big"
	"math/bits"

	"github.com/weft-go/weft/lower/scalar"
)

// evalOne runs a program on one element by definition: every value as bits, with
// math/big where a platform might differ. It shares nothing with the loops.
func evalOne(p *scalar.Prog, in []uint64) []uint64 {
	v := make([]uint64, len(p.Code))
	for i, x := range p.Code {
		var a [3]uint64
		var t scalar.Type
		for k, r := range x.Args {
			if r != scalar.NoRef {
				a[k] = v[r]
				if k == 0 {
					t = p.Code[r].Type
				}
			}
		}
		switch x.Op {
		case scalar.OpParam:
			v[i] = in[x.Imm>>8]
		case scalar.OpConst:
			v[i] = x.Imm
		case scalar.OpSelect, scalar.OpRare:
			v[i] = a[2]
			if a[0] != 0 {
				v[i] = a[1]
			}
		case scalar.OpEq, scalar.OpNe, scalar.OpLt, scalar.OpLe:
			v[i] = compareOne(x.Op, t, a[0], a[1])
		case scalar.OpConvert:
			v[i] = convertOne(x.Type, t, a[0])
		case scalar.OpBitcast:
			v[i] = a[0]
		case scalar.OpLookup:
			bits := p.Tables[x.Imm].Bits
			v[i] = bits[a[0]%uint64(len(bits))]
		default:
			if x.Type.IsFloat() {
				v[i] = floatOne(x.Op, x.Type, a)
			} else {
				v[i] = intOne(x.Op, x.Type, a[0], a[1])
			}
		}
	}
	var out []uint64
	for _, r := range p.Results {
		out = append(out, v[r])
	}
	return out
}

func floatOf(t scalar.Type, b uint64) float64 {
	if t == scalar.F32 {
		return float64(math.Float32frombits(uint32(b)))
	}
	return math.Float64frombits(b)
}

func bitsOfFloat(t scalar.Type, f float64) uint64 {
	switch {
	case f != f:
		return map[scalar.Type]uint64{scalar.F32: scalar.NaNBits32, scalar.F64: scalar.NaNBits64}[t]
	case t == scalar.F32:
		return uint64(math.Float32bits(float32(f)))
	}
	return math.Float64bits(f)
}

// roundBig rounds b to t; zero has the sign of zero.
func roundBig(t scalar.Type, b *big.Float, zero float64) uint64 {
	if b.Sign() == 0 {
		return bitsOfFloat(t, zero)
	}
	if t == scalar.F32 {
		f, _ := b.Float32()
		return uint64(math.Float32bits(f))
	}
	f, _ := b.Float64()
	return math.Float64bits(f)
}

func floatOne(op scalar.Op, t scalar.Type, a [3]uint64) uint64 {
	x, y, z := floatOf(t, a[0]), floatOf(t, a[1]), floatOf(t, a[2])
	sign := uint64(1) << (t.Bits() - 1)
	finite := func(v ...float64) bool {
		for _, f := range v {
			if f-f != 0 {
				return false
			}
		}
		return true
	}
	exact := func(f func(r, x, y *big.Float) *big.Float) uint64 {
		return roundBig(t, f(new(big.Float).SetPrec(4400), big.NewFloat(x), big.NewFloat(y)), 0)
	}
	switch op {
	case scalar.OpNeg:
		return a[0] ^ sign
	case scalar.OpAbs:
		return a[0] &^ sign
	case scalar.OpAdd, scalar.OpSub:
		if op == scalar.OpSub {
			y = -y
		}
		if !finite(x, y) || x+y == 0 {
			return bitsOfFloat(t, x+y)
		}
		return exact((*big.Float).Add)
	case scalar.OpMul:
		if !finite(x, y) || x == 0 || y == 0 {
			return bitsOfFloat(t, x*y)
		}
		return exact((*big.Float).Mul)
	case scalar.OpDiv:
		if !finite(x, y) || x == 0 || y == 0 {
			return bitsOfFloat(t, x/y)
		}
		return exact((*big.Float).Quo)
	case scalar.OpFMA:
		if finite(x, y) && !finite(z) {
			return bitsOfFloat(t, z)
		}
		if !finite(x, y, z) || x == 0 || y == 0 {
			return bitsOfFloat(t, float64(x*y)+z)
		}
		p := new(big.Float).SetPrec(9000).Mul(big.NewFloat(x), big.NewFloat(y))
		s := p.Sign()
		p.Add(p, big.NewFloat(z))
		zero := 0.0
		if z == 0 && s < 0 && math.Signbit(z) {
			zero = math.Copysign(0, -1)
		}
		return roundBig(t, p, zero)
	case scalar.OpScale:
		if !finite(x) || x == 0 || y != y {
			if y != y {
				x = y
			}
			return bitsOfFloat(t, x)
		}
		p := new(big.Float).SetMantExp(big.NewFloat(x), int(min(max(y, -5000), 5000)))
		return roundBig(t, p, math.Copysign(0, x))
	case scalar.OpSqrt:
		if !finite(x) || x <= 0 {
			return bitsOfFloat(t, math.Sqrt(x))
		}
		return roundBig(t, new(big.Float).SetPrec(300).Sqrt(big.NewFloat(x)), 0)
	case scalar.OpFloor:
		return bitsOfFloat(t, math.Floor(x))
	case scalar.OpCeil:
		return bitsOfFloat(t, math.Ceil(x))
	case scalar.OpTrunc:
		return bitsOfFloat(t, math.Trunc(x))
	case scalar.OpRint:
		return bitsOfFloat(t, math.RoundToEven(x))
	case scalar.OpCanon:
		return bitsOfFloat(t, x)
	case scalar.OpMax, scalar.OpMin:
		f := math.Max
		if op == scalar.OpMin {
			f = math.Min
		}
		if x != x || y != y { // Go's lets infinities win
			return bitsOfFloat(t, math.NaN())
		}
		return bitsOfFloat(t, f(x, y))
	}
	panic(op.String())
}

func signExtend(t scalar.Type, b uint64) int64 {
	n := 64 - t.Bits()
	return int64(b<<n) >> n
}

func intOne(op scalar.Op, t scalar.Type, a, b uint64) uint64 {
	w := t.Bits()
	mask := uint64(1)<<w - 1
	x, y := big.NewInt(signExtend(t, a)), big.NewInt(signExtend(t, b))
	if !t.IsSigned() {
		x, y = new(big.Int).SetUint64(a), new(big.Int).SetUint64(b)
	}
	r := new(big.Int)
	switch op {
	case scalar.OpAdd:
		r.Add(x, y)
	case scalar.OpSub:
		r.Sub(x, y)
	case scalar.OpMul:
		r.Mul(x, y)
	case scalar.OpMulHi:
		r.Rsh(r.Mul(x, y), uint(w))
	case scalar.OpDiv:
		if r.SetInt64(-1); y.Sign() != 0 {
			r.Quo(x, y)
		}
	case scalar.OpRem:
		if r.Set(x); y.Sign() != 0 {
			r.Rem(x, y)
		}
	case scalar.OpNeg:
		r.Neg(x)
	case scalar.OpAbs:
		r.Abs(x)
	case scalar.OpMin, scalar.OpMax:
		r = x
		if (x.Cmp(y) > 0) == (op == scalar.OpMin) {
			r = y
		}
	case scalar.OpAnd:
		return a & b
	case scalar.OpOr:
		return a | b
	case scalar.OpXor:
		return a ^ b
	case scalar.OpNot:
		if t == scalar.Bool {
			return a ^ 1
		}
		return ^a & mask
	case scalar.OpShl:
		if b < uint64(w) {
			r.Lsh(x, uint(b))
		}
	case scalar.OpShr:
		r.Rsh(x, uint(min(b, 64)))
	case scalar.OpClz:
		return uint64(bits.LeadingZeros64(a) - (64 - w))
	case scalar.OpPopCount:
		return uint64(bits.OnesCount64(a))
	default:
		panic(op.String())
	}
	r.And(r, new(big.Int).SetUint64(mask))
	return r.Uint64()
}

func compareOne(op scalar.Op, t scalar.Type, a, b uint64) uint64 {
	var less, equal bool
	switch {
	case t.IsFloat():
		x, y := floatOf(t, a), floatOf(t, b)
		less, equal = x < y, x == y
	case t.IsSigned():
		less, equal = signExtend(t, a) < signExtend(t, b), a == b
	default:
		less, equal = a < b, a == b
	}
	r := map[scalar.Op]bool{scalar.OpEq: equal, scalar.OpNe: !equal, scalar.OpLt: less, scalar.OpLe: less || equal}[op]
	if r {
		return 1
	}
	return 0
}

func convertOne(to, from scalar.Type, a uint64) uint64 {
	if from.IsFloat() {
		x := floatOf(from, a)
		if to.IsFloat() {
			return bitsOfFloat(to, x)
		}
		if x != x {
			return 0
		}
		lo, hi := new(big.Int), new(big.Int).Lsh(big.NewInt(1), uint(to.Bits()))
		if to.IsSigned() {
			hi.Rsh(hi, 1)
			lo.Neg(hi)
		}
		hi.Sub(hi, big.NewInt(1))
		i := lo
		switch {
		case math.IsInf(x, 1):
			i = hi
		case !math.IsInf(x, -1):
			if i, _ = big.NewFloat(x).Int(nil); i.Cmp(hi) > 0 {
				i = hi
			} else if i.Cmp(lo) < 0 {
				i = lo
			}
		}
		return new(big.Int).And(i, new(big.Int).SetUint64(1<<to.Bits()-1)).Uint64()
	}
	i := new(big.Int).SetUint64(a)
	if from.IsSigned() {
		i.SetInt64(signExtend(from, a))
	}
	if to.IsFloat() {
		return roundBig(to, new(big.Float).SetInt(i), 0)
	}
	return new(big.Int).And(i, new(big.Int).SetUint64(1<<to.Bits()-1)).Uint64()
}
