package random

import (
	"math"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/lax"
)

// Bits returns random bits as u32, or as the unsigned type that [As] chose.
func Bits(k Key, dims ...int) weft.Array {
	dt := k.typeOr(weft.Uint32)
	if !dt.IsUnsigned() || dt.Bits() < 8 {
		core.FailOp(core.ErrDType, "Bits", nil, "draws u8, u16, u32 or u64, not %v; convert the result with AsType", dt)
	}
	shapeOf("Bits", dims)
	return lax.RandomBits(k.single("Bits"), dt.Bits(), dims...)
}

// Uniform returns numbers from 0 up to, not including, 1.
func Uniform(k Key, dims ...int) weft.Array {
	dt := k.typeOr(defaultFloat())
	formatOf("Uniform", dt)
	shapeOf("Uniform", dims)
	return unit(k.single("Uniform"), dt, dims)
}

// UniformIn returns numbers from lo up to, not including, hi. Rounding may give hi.
func UniformIn[A, B weft.Operand](k Key, lo A, hi B, dims ...int) weft.Array {
	dt := k.floatOf("UniformIn", lo, hi)
	formatOf("UniformIn", dt)
	a, b := param("UniformIn", dt, lo), param("UniformIn", dt, hi)
	shape := shapeOf("UniformIn", dims, a.Shape(), b.Shape())
	return between(k.single("UniformIn"), dt, a, b, shape)
}

// unit returns numbers in [0, 1): random mantissa bits give a number in [1, 2), from which 1 is
// subtracted.
func unit(key weft.Array, dt weft.DType, shape []int) weft.Array {
	f := formats[dt]
	width := f.bits
	if f.mantissa < 8 {
		width = 8
	}
	bits := lax.RandomBits(key, width, shape...)
	if width != f.bits {
		bits = lax.ConvertElementType(bits, f.unsigned)
	}
	bits = lax.ShiftRightLogical(bits, lax.ConvertElementType(width-f.mantissa, f.unsigned))
	bits = lax.BitwiseOr(bits, lax.ConvertElementType(one(dt), f.unsigned))
	return lax.Sub(lax.BitcastConvertType(bits, dt), num(dt, 1))
}

// one returns the bits of 1 in a floating type.
func one(dt weft.DType) uint64 {
	switch dt {
	case weft.Float64:
		return math.Float64bits(1)
	case weft.Float32:
		return uint64(math.Float32bits(1))
	case weft.Float16:
		return 0x3c00
	}
	return 0x3f80 // bf16
}

// between returns max(lo, u·(hi−lo) + lo) for u in [0, 1).
func between(key weft.Array, dt weft.DType, lo, hi weft.Array, shape []int) weft.Array {
	lo, hi = spread(lo, shape), spread(hi, shape)
	span := lax.Sub(hi, lo)
	return lax.Max(lo, lax.Add(lax.Mul(unit(key, dt, shape), span), lo))
}

// inside is between for bounds that are Go numbers, which the type represents exactly.
func inside(key weft.Array, dt weft.DType, lo, hi float64, shape []int) weft.Array {
	l := num(dt, lo)
	return lax.Max(l, lax.Add(lax.Mul(unit(key, dt, shape), num(dt, hi-lo)), l))
}
