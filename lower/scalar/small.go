package scalar

import (
	"math"
	"sync"

	"github.com/weft-go/weft/core"
)

// A SmallFormat describes the coding of a float of fewer than 32 bits: sign, exponent, mantissa,
// from the top.
type SmallFormat struct {
	EBits, MBits int
	Bias         int
	Max          uint32 // code of the greatest finite number
	Over         uint32 // the code of numbers that are too large
	NaN          uint32 // the code of the canonical NaN, or the code that NaN is converted to
	Infs         bool   // code Max+1 is infinity
	NaNs         bool   // there are NaNs: the codes above infinity, the codes above Max, or only the code NaN
	SignedZero   bool   // the sign bit alone is the code of −0; otherwise that of NaN, except in float8_e8m0fnu, which has no sign
}

var smallFormats = [core.NumDTypes]SmallFormat{
	core.BFloat16:          {8, 7, 127, 0x7f7f, 0x7f80, 0x7fc0, true, true, true},
	core.Float16:           {5, 10, 15, 0x7bff, 0x7c00, 0x7e00, true, true, true},
	core.Float8E5M2:        {5, 2, 15, 0x7b, 0x7c, 0x7e, true, true, true},
	core.Float8E4M3:        {4, 3, 7, 0x77, 0x78, 0x7c, true, true, true},
	core.Float8E3M4:        {3, 4, 3, 0x6f, 0x70, 0x78, true, true, true},
	core.Float8E4M3FN:      {4, 3, 7, 0x7e, 0x7f, 0x7f, false, true, true},
	core.Float8E4M3FNUZ:    {4, 3, 8, 0x7f, 0x80, 0x80, false, true, false},
	core.Float8E4M3B11FNUZ: {4, 3, 11, 0x7f, 0x80, 0x80, false, true, false},
	core.Float8E5M2FNUZ:    {5, 2, 16, 0x7f, 0x80, 0x80, false, true, false},
	core.Float6E2M3FN:      {2, 3, 1, 0x1f, 0x1f, 0x20, false, false, true},
	core.Float6E3M2FN:      {3, 2, 3, 0x1f, 0x1f, 0x20, false, false, true},
	core.Float4E2M1FN:      {2, 1, 1, 0x07, 0x07, 0x08, false, false, true},
	core.Float8E8M0FNU:     {8, 0, 127, 0xfe, 0xff, 0xff, false, true, false},
}

// FormatOf returns the coding of dt, a float of fewer than 32 bits.
func FormatOf(dt core.DType) *SmallFormat { return &smallFormats[dt] }

// WidenSmall returns the value of a code.
func WidenSmall(dt core.DType, code uint32) float32 {
	switch dt {
	case core.BFloat16:
		return math.Float32frombits(code << 16)
	case core.Float8E8M0FNU:
		if code == 0xff {
			return NaN32
		}
		return float32(math.Ldexp(1, int(code)-127))
	}
	f := FormatOf(dt)
	n := f.EBits + f.MBits
	sign := code >> n & 1
	a := code & (1<<n - 1)
	switch {
	case !f.SignedZero && code == f.NaN, f.NaNs && f.Infs && a > f.Max+1, f.NaNs && !f.Infs && f.SignedZero && a > f.Max:
		if dt == core.Float16 { // the payload survives
			return math.Float32frombits(sign<<31 | 0x7fc00000 | a<<13)
		}
		return math.Float32frombits(sign<<31 | NaNBits32)
	case f.Infs && a == f.Max+1:
		return math.Float32frombits(sign<<31 | 0x7f800000)
	}
	e, m := int(a>>f.MBits), int(a&(1<<f.MBits-1))
	v := math.Ldexp(float64(m), 1-f.Bias-f.MBits)
	if e > 0 {
		v = math.Ldexp(float64(m+1<<f.MBits), e-f.Bias-f.MBits)
	}
	if sign != 0 {
		v = -v
	}
	return float32(v)
}

// WidenTable returns the values of all codes of a format of eight bits or fewer.
func WidenTable(dt core.DType) *[256]float32 { return widenTables()[dt] }

var widenTables = sync.OnceValue(func() *[core.NumDTypes]*[256]float32 {
	t := new([core.NumDTypes]*[256]float32)
	for dt := core.DType(0); int(dt) < core.NumDTypes; dt++ {
		if !dt.IsMinorFloat() {
			continue
		}
		t[dt] = new([256]float32)
		for c := range t[dt] {
			code := uint32(c) & (1<<dt.Bits() - 1)
			t[dt][c] = WidenSmall(dt, code)
		}
	}
	return t
})

// NarrowSmall returns the code nearest to x, ties to even; for float8_e8m0fnu ties go up. Where the format has no infinity,
// what is too large becomes NaN, or the greatest number if there is no NaN either.
func NarrowSmall(dt core.DType, x float32) uint32 {
	f := FormatOf(dt)
	b := math.Float32bits(x)
	n := f.EBits + f.MBits
	sign := b >> 31 << n
	b &= 1<<31 - 1
	if dt == core.Float8E8M0FNU {
		return narrowE8M0(sign, b)
	}
	if b > 0x7f800000 {
		return f.NaN
	}
	if b == 0x7f800000 {
		if !f.SignedZero {
			return f.NaN
		}
		return sign | f.Over
	}
	e := int(b >> 23)
	m := uint64(b & (1<<23 - 1))
	if e > 0 {
		m |= 1 << 23
	} else {
		e = 1
	}
	e -= 127 // x = m · 2^(e−23)
	emin := 1 - f.Bias
	shift := 23 - f.MBits
	base := uint32(0)
	if e < emin {
		shift = min(shift+emin-e, 40)
	} else {
		base = uint32(e-emin) << f.MBits
	}
	q := m >> shift
	rest := m & (1<<shift - 1)
	half := uint64(1) << (shift - 1)
	if rest > half || rest == half && q&1 == 1 {
		q++
	}
	a := base + uint32(q)
	if a > f.Max {
		if !f.SignedZero {
			return f.NaN
		}
		return sign | f.Over
	}
	if a == 0 && !f.SignedZero {
		return 0
	}
	return sign | a
}

// narrowE8M0 rounds to a power of two, ties up. Numbers that are not positive or too large, and NaN, become NaN.
func narrowE8M0(sign, b uint32) uint32 {
	if sign != 0 || b == 0 || b >= 0x7f800000 {
		return 0xff
	}
	code := b >> 23
	half, rest := uint32(1<<22), b&(1<<23-1)
	if code == 0 { // subnormal: the least power is 2^−127, half the least normal
		if rest >= half+half/2 {
			return 1
		}
		return 0
	}
	if rest >= half {
		code++
	}
	return code
}

// ToBF16 rounds to the nearest bfloat16, ties to even.
func ToBF16(x float32) uint16 {
	b := math.Float32bits(x)
	if b&^(1<<31) > 0x7f800000 {
		return 0x7fc0
	}
	return uint16((b + 0x7fff + b>>16&1) >> 16)
}

// ToF16 rounds to the nearest half, ties to even.
func ToF16(x float32) uint16 {
	b := math.Float32bits(x)
	sign := uint16(b >> 16 & 0x8000)
	b &^= 1 << 31
	switch {
	case b >= 0x477ff000: // 65520 and above, inf, NaN
		if b > 0x7f800000 {
			return 0x7e00
		}
		return sign | 0x7c00
	case b < 0x38800000: // below the least normal: the adder aligns and rounds
		f := math.Float32frombits(b) + 0.5
		return sign | uint16(math.Float32bits(f)-0x3f000000)
	}
	b += 0xfff + b>>13&1 - 112<<23
	return sign | uint16(b>>13)
}

// FromF16 returns the value of a half.
func FromF16(h uint16) float32 {
	sign := uint32(h&0x8000) << 16
	a := uint32(h & 0x7fff)
	switch {
	case a >= 0x7c00:
		b := a<<13 | 0x7f800000
		if a > 0x7c00 {
			b |= 1 << 22
		}
		return math.Float32frombits(sign | b)
	case a >= 0x0400:
		return math.Float32frombits(sign | (a<<13 + 112<<23))
	}
	f := math.Float32frombits(a<<13|0x38800000) - math.Float32frombits(0x38800000)
	if a == 0 {
		return math.Float32frombits(sign)
	}
	return math.Float32frombits(sign | math.Float32bits(f))
}

// FromBF16 returns the value of a bfloat16.
func FromBF16(h uint16) float32 { return math.Float32frombits(uint32(h) << 16) }
