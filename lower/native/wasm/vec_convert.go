package wasm

import (
	"math"

	"github.com/weft-go/weft/lower/native"
	"github.com/weft-go/weft/lower/scalar"
)

func (g *simd) upper(x native.VReg) native.VReg { return g.shuffled(x, x, upperHalf) }

func (g *simd) joined(a, b native.VReg) native.VReg { return g.shuffled(a, b, joinedHalves) }

// widenWith converts to elements of twice the size: low converts the lower half of a register, high the upper one.
func (g *simd) widenWith(t scalar.Type, x native.Value, low, high func(native.VReg) native.VReg) native.Value {
	full := g.BytesOf(x.T.Size()) == vectorBytes
	v := g.NewValue(t)
	for _, r := range x.R {
		v.R = append(v.R, low(r))
		if full {
			v.R = append(v.R, high(r))
		}
	}
	return v
}

// widenLow is widenWith with an instruction that reads the lower half of a register.
func (g *simd) widenLow(op Op, t scalar.Type, x native.Value) native.Value {
	low := func(r native.VReg) native.VReg { return g.Op1(op, 0, r) }
	return g.widenWith(t, x, low, func(r native.VReg) native.VReg { return low(g.upper(r)) })
}

// narrowWith converts to elements of half the size with an instruction that writes the lower half of a
// register.
func (g *simd) narrowWith(op Op, t scalar.Type, x native.Value) native.Value {
	parts, _ := g.Layout(x.T.Size())
	v := g.NewValue(t)
	for i := 0; i < len(x.R); i++ {
		d := g.Op1(op, 0, x.R[i])
		if parts > 1 {
			i++
			d = g.joined(d, g.Op1(op, 0, x.R[i]))
		}
		v.R = append(v.R, d)
	}
	return v
}

// resized returns the integer type of size bytes that is signed if t is.
func resized(t scalar.Type, size int) scalar.Type {
	if t.IsSigned() {
		return sized[size]
	}
	return sized[size].Unsigned()
}

// intToInt wraps or extends integers by the sign of their type.
func (g *simd) intToInt(t scalar.Type, x native.Value) native.Value {
	for size := x.T.Size(); size < t.Size(); size *= 2 {
		low := ofSize(bySign(x.T, i16x8ExtendLowI8x16S, i16x8ExtendLowI8x16U), size)
		high := ofSize(bySign(x.T, i16x8ExtendHighI8x16S, i16x8ExtendHighI8x16U), size)
		x = g.widenWith(resized(x.T, 2*size), x, func(r native.VReg) native.VReg { return g.Op1(low, 0, r) },
			func(r native.VReg) native.VReg { return g.Op1(high, 0, r) })
	}
	for size := x.T.Size() / 2; size >= t.Size(); size /= 2 {
		x = g.halve(x)
	}
	return x.As(t)
}

// inPairs calls f for the registers of a value, two at a time where elements of half the size fill one
// register.
func (g *simd) inPairs(t scalar.Type, x native.Value, f func(a, b native.VReg) native.VReg) native.Value {
	parts, _ := g.Layout(x.T.Size())
	v := g.NewValue(t)
	for i := 0; i < len(x.R); i++ {
		a := x.R[i]
		if parts > 1 {
			i++
		}
		v.R = append(v.R, f(a, x.R[i]))
	}
	return v
}

// halve keeps the low halves of integers.
func (g *simd) halve(x native.Value) native.Value {
	size := x.T.Size() / 2
	return g.inPairs(sized[size], x, func(a, b native.VReg) native.VReg { return g.everyOther(size, a, b, 0) })
}

func (g *simd) Convert(t scalar.Type, x native.Value) native.Value {
	switch {
	case x.T == scalar.Bool && t.IsFloat():
		one := uint64(math.Float32bits(1))
		if t == scalar.F64 {
			one = math.Float64bits(1)
		}
		return g.Bin(v128And, g.Splat(t, one), g.width(x, t.Size()).As(t))
	case x.T == scalar.Bool:
		return g.BoolToInt(t, x)
	case x.T == t:
		return x
	case x.T == scalar.F32 && t == scalar.F64:
		return g.widenLow(f64x2PromoteLowF32x4, t, x)
	case x.T == scalar.F64 && t == scalar.F32:
		return g.narrowWith(f32x4DemoteF64x2Zero, t, x)
	case t.IsFloat():
		return g.intToFloat(t, x)
	case x.T.IsFloat():
		return g.floatToInt(t, x)
	}
	return g.intToInt(t, x)
}

// intToFloat rounds integers to the nearest float.
func (g *simd) intToFloat(f scalar.Type, x native.Value) native.Value {
	t := x.T
	switch {
	case t.Size() == 8 && f == scalar.F64:
		return g.int64ToF64(x)
	case t.Size() == 8:
		return g.int64ToF32(x)
	case t.Size() < 4:
		x = g.intToInt(resized(t, 4), x)
	}
	if f == scalar.F64 {
		return g.widenLow(bySign(t, f64x2ConvertLowI32x4S, f64x2ConvertLowI32x4U), f, x)
	}
	return g.Un(bySign(t, f32x4ConvertI32x4S, f32x4ConvertI32x4U), f, x)
}

// int64ToF64 adds the two halves of an integer as floats: only the sum is rounded.
func (g *simd) int64ToF64(x native.Value) native.Value {
	t := x.T
	words := g.Splat(scalar.F64, math.Float64bits(1<<32))
	return g.Map1(scalar.F64, x, func(length uint8, a native.VReg) native.VReg {
		high := g.Op1(bySign(t, f64x2ConvertLowI32x4S, f64x2ConvertLowI32x4U), length, g.everyOther(4, a, a, 1))
		low := g.Op1(f64x2ConvertLowI32x4U, length, g.everyOther(4, a, a, 0))
		return g.Op2(f64x2Add, length, g.Op2(f64x2Mul, length, high, words.R[0]), low)
	})
}

// int64ToF32 keeps what f64 cannot hold as one bit, so that the second rounding is the only one that
// counts.
func (g *simd) int64ToF32(x native.Value) native.Value {
	t := x.T
	const low = 1<<11 - 1
	fits := g.Compare(scalar.OpLt, g.IntOp(scalar.OpAbs, x, native.Value{}).As(scalar.U64), g.Splat(scalar.U64, 1<<53))
	rest := g.Bin(v128And, x, g.Num(t, low))
	none := lanes(g.Compare(scalar.OpEq, rest, g.Num(t, 0)))
	sticky := g.Bin(v128Andnot, g.Num(t, low+1), none)
	odd := g.Bin(v128Or, g.Bin(v128Andnot, x, g.Num(t, low)), sticky)
	return g.Convert(scalar.F32, g.int64ToF64(g.Choose(fits, x, odd)))
}

// floatToInt truncates and saturates; NaN becomes 0.
func (g *simd) floatToInt(t scalar.Type, x native.Value) native.Value {
	switch t.Size() {
	case 8:
		if x.T == scalar.F32 {
			x = g.Convert(scalar.F64, x)
		}
		op := opTruncU
		if t.IsSigned() {
			op = opTruncS
		}
		return g.Un(op, t, x)
	case 4:
		return g.truncate32(t, x)
	}
	// The instructions that saturate read signed integers.
	x = g.truncate32(scalar.I32, x)
	if t.Size() == 2 {
		return g.saturate(bySign(t, i16x8NarrowI32x4S, i16x8NarrowI32x4U), t, x)
	}
	x = g.saturate(i16x8NarrowI32x4S, scalar.I16, x)
	return g.saturate(bySign(t, i8x16NarrowI16x8S, i8x16NarrowI16x8U), t, x)
}

// saturate halves the size of integers with an instruction that reads two registers.
func (g *simd) saturate(op Op, t scalar.Type, x native.Value) native.Value {
	return g.inPairs(t, x, func(a, b native.VReg) native.VReg { return g.Op2(op, 0, a, b) })
}

func (g *simd) truncate32(t scalar.Type, x native.Value) native.Value {
	if x.T == scalar.F64 {
		return g.narrowWith(bySign(t, i32x4TruncSatF64x2SZero, i32x4TruncSatF64x2UZero), t, x)
	}
	return g.Un(bySign(t, i32x4TruncSatF32x4S, i32x4TruncSatF32x4U), t, x)
}

// Truncate converts floats whose integer parts are in the range of an integer type; f64 beyond the range
// of a type of 32 bits wraps: 1.5·2⁵² + x has x, modulo 2³², in its low word.
func (g *simd) Truncate(t scalar.Type, x native.Value) native.Value {
	if x.T != scalar.F64 || t.Size() != 4 {
		return g.floatToInt(t, x)
	}
	x = g.Bin(f64x2Add, g.Un(f64x2Trunc, x.T, x), g.Splat(x.T, math.Float64bits(0x1.8p52)))
	return g.inPairs(t, x, func(a, b native.VReg) native.VReg { return g.everyOther(4, a, b, 0) })
}

// WidenHalf returns the f32 values of the bits of float16: numbers scaled by a power of two, which is
// exact.
func (g *simd) WidenHalf(x native.Value) native.Value {
	u := scalar.U32
	h := g.Convert(u, x)
	magnitude := g.ShiftConst(scalar.OpShl, g.Bin(v128And, h, g.Num(u, 0x7fff)), 13)
	sign := g.ShiftConst(scalar.OpShl, g.Bin(v128And, h, g.Num(u, 0x8000)), 16)
	number := g.Bin(f32x4Mul, magnitude.As(scalar.F32), g.Splat(scalar.F32, native.Bits32(0x1p112))).As(u)
	// Infinities and NaNs, which become quiet.
	infinite := g.Num(u, 0x7c00<<13)
	other := g.Bin(v128Or, magnitude, g.Num(u, 0x7f800000))
	nan := lanes(g.Compare(scalar.OpLt, infinite, magnitude)).As(u)
	other = g.Bin(v128Or, other, g.Bin(v128And, nan, g.Num(u, 0x400000)))
	r := g.Choose(g.Compare(scalar.OpLt, magnitude, infinite), number, other)
	return g.Bin(v128Or, r, sign).As(scalar.F32)
}

func (g *simd) NarrowHalf(x native.Value) native.Value {
	u := scalar.U32
	num := func(n int64) native.Value { return g.Num(u, n) }
	bits := x.As(u)
	a := g.Bin(v128And, bits, num(0x7fffffff))
	odd := g.Bin(v128And, g.ShiftConst(scalar.OpShr, a, 13), num(1))
	normal := g.ShiftConst(scalar.OpShr, g.Bin(i32x4Add, g.Bin(i32x4Add, a, num(0xfff)), odd), 13)
	normal = g.Bin(i32x4Sub, normal, num(112<<10))
	// Below the least normal number a sum with 0.5 rounds to multiples of 2⁻²⁴.
	half := g.Splat(scalar.F32, native.Bits32(0.5))
	small := g.Bin(i32x4Sub, g.Bin(f32x4Add, a.As(scalar.F32), half).As(u), half.As(u))
	r := g.Choose(g.Compare(scalar.OpLt, a, num(0x38800000)), small, normal)
	r = g.Choose(g.Compare(scalar.OpLt, a, num(0x47800000)), r, num(0x7c00))
	r = g.Choose(g.Compare(scalar.OpLt, num(0x7f800000), a), num(0x7e00), r)
	sign := g.Bin(v128And, g.ShiftConst(scalar.OpShr, bits, 16), num(0x8000))
	return g.intToInt(scalar.U16, g.Bin(v128Or, r, sign))
}

func (g *simd) Rounded(x native.Value) native.Value {
	r := g.Bin(v128And, g.RoundTop(x), g.Splat(scalar.U32, 0xffff0000))
	return g.Choose(g.numbers(x, x), r.As(scalar.F32), x)
}
