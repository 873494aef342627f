package wasm

import (
	"github.com/weft-go/weft/lower/native"
	"github.com/weft-go/weft/lower/scalar"
)

// IntOp computes an operation on integers other than comparisons and conversions.
func (g *simd) IntOp(op scalar.Op, x, y native.Value) native.Value {
	t := x.T
	size := t.Size()
	switch op {
	case scalar.OpAdd:
		return g.Bin(ofSize(i8x16Add, size), x, y)
	case scalar.OpSub:
		return g.Bin(ofSize(i8x16Sub, size), x, y)
	case scalar.OpNeg:
		return g.Un(ofSize(i8x16Neg, size), t, x)
	case scalar.OpMul:
		if size == 1 {
			return g.multiplyBytes(x, y)
		}
		return g.Bin(ofSize(i16x8Mul, size/2), x, y)
	case scalar.OpMulHi:
		return g.multiplyHigh(x, y)
	case scalar.OpDiv, scalar.OpRem:
		return g.Divide(op, x, y)
	case scalar.OpAbs:
		if !t.IsSigned() {
			return x
		}
		return g.Un(ofSize(i8x16Abs, size), t, x)
	case scalar.OpMin:
		if size == 8 {
			return g.Choose(g.Compare(scalar.OpLt, x, y), x, y)
		}
		return g.Bin(ofSize(bySign(t, i8x16MinS, i8x16MinU), size), x, y)
	case scalar.OpMax:
		if size == 8 {
			return g.Choose(g.Compare(scalar.OpLt, x, y), y, x)
		}
		return g.Bin(ofSize(bySign(t, i8x16MaxS, i8x16MaxU), size), x, y)
	case scalar.OpAnd:
		return g.Bin(v128And, x, y)
	case scalar.OpOr:
		return g.Bin(v128Or, x, y)
	case scalar.OpXor:
		return g.Bin(v128Xor, x, y)
	case scalar.OpNot:
		return g.Un(v128Not, t, x)
	case scalar.OpShl, scalar.OpShr:
		return g.shift(op, x, y)
	case scalar.OpClz:
		// The zero bits above the highest one bit are the ones of the complement.
		u := t.Unsigned()
		x = x.As(u)
		for n := uint64(1); n < uint64(t.Bits()); n *= 2 {
			x = g.Bin(v128Or, x, g.ShiftConst(scalar.OpShr, x, n))
		}
		return g.ones(g.Un(v128Not, u, x)).As(t)
	case scalar.OpPopCount:
		return g.ones(x)
	}
	panic("BUG: " + op.String() + " of " + t.String())
}

func bySign(t scalar.Type, signed, unsigned Op) Op {
	if t.IsSigned() {
		return signed
	}
	return unsigned
}

// ones counts the bits that are set.
func (g *simd) ones(x native.Value) native.Value {
	t := x.T
	n := g.Un(i8x16Popcnt, t, x)
	if t.Size() >= 2 {
		n = g.Un(i16x8ExtaddPairwiseI8x16U, t, n)
	}
	if t.Size() >= 4 {
		n = g.Un(i32x4ExtaddPairwiseI16x8U, t, n)
	}
	if t.Size() == 8 {
		low := g.Bin(v128And, n, g.Num(t, 1<<32-1))
		n = g.Bin(i64x2Add, low, g.UnI(i64x2ShrU, n, 32))
	}
	return n
}

// everyOther returns the elements of a and b at even positions, or if odd is 1 those at odd positions.
func (g *simd) everyOther(size int, a, b native.VReg, odd int) native.VReg {
	bytes := make([]byte, vectorBytes)
	for i := range bytes {
		bytes[i] = byte((2*(i/size)+odd)*size + i%size)
	}
	return g.shuffled(a, b, bytes)
}

// multiplyBytes keeps the low halves of products of 16 bits.
func (g *simd) multiplyBytes(x, y native.Value) native.Value {
	return g.Map2(x.T, x, y, func(length uint8, a, b native.VReg) native.VReg {
		return g.everyOther(1, g.Op2(i16x8ExtmulLowI8x16U, length, a, b), g.Op2(i16x8ExtmulHighI8x16U, length, a, b), 0)
	})
}

func (g *simd) multiplyHigh(x, y native.Value) native.Value {
	t := x.T
	size := t.Size()
	if size == 8 {
		return g.multiplyHigh64(x, y)
	}
	low, high := ofSize(bySign(t, i16x8ExtmulLowI8x16S, i16x8ExtmulLowI8x16U), size), ofSize(bySign(t, i16x8ExtmulHighI8x16S, i16x8ExtmulHighI8x16U), size)
	return g.Map2(t, x, y, func(length uint8, a, b native.VReg) native.VReg {
		return g.everyOther(size, g.Op2(low, length, a, b), g.Op2(high, length, a, b), 1)
	})
}

// multiplyHigh64 adds the products of words and their carries.
func (g *simd) multiplyHigh64(x, y native.Value) native.Value {
	t, u := x.T, scalar.U64
	word := g.Num(u, 1<<32-1)
	low := func(a native.Value) native.Value { return g.Bin(v128And, a, word) }
	high := func(a native.Value) native.Value { return g.UnI(i64x2ShrU, a, 32) }
	mul := func(a, b native.Value) native.Value { return g.Bin(i64x2Mul, a, b) }
	add := func(a, b native.Value) native.Value { return g.Bin(i64x2Add, a, b) }
	a, b := x.As(u), y.As(u)
	a0, a1, b0, b1 := low(a), high(a), low(b), high(b)
	m := add(mul(a1, b0), high(mul(a0, b0)))
	n := add(mul(a0, b1), low(m))
	r := add(mul(a1, b1), add(high(m), high(n)))
	if t.IsSigned() { // −2⁶⁴ times the other factor is missing where one is negative
		r = g.Bin(i64x2Sub, r, g.Bin(v128And, b, g.UnI(i64x2ShrS, a, 63)))
		r = g.Bin(i64x2Sub, r, g.Bin(v128And, a, g.UnI(i64x2ShrS, b, 63)))
	}
	return r.As(t)
}

// shift shifts by amounts that are read as unsigned: by each power of two where the amount has its bit.
func (g *simd) shift(op scalar.Op, x, y native.Value) native.Value {
	t := x.T
	size, width := t.Size(), t.Bits()
	amount := y.As(t.Unsigned())
	r := x
	for k := 0; 1<<k < width; k++ {
		bit := g.UnI(ofSize(i8x16ShrS, size), g.UnI(ofSize(i8x16Shl, size), amount.As(sized[size]), int64(width-1-k)), int64(width-1))
		r = g.Choose(mask(bit, size), g.ShiftConst(op, r, 1<<k), r)
	}
	inside := g.Compare(scalar.OpLt, amount, g.Num(t.Unsigned(), int64(width)))
	return g.Choose(inside, r, g.ShiftConst(op, x, uint64(width)))
}

func (g *simd) ShiftConst(op scalar.Op, x native.Value, n uint64) native.Value {
	t := x.T
	size := t.Size()
	width := uint64(t.Bits())
	switch {
	case n == 0:
		return x
	case op == scalar.OpShr:
		if n >= width && !t.IsSigned() {
			return g.Num(t, 0)
		}
		return g.UnI(ofSize(bySign(t, i8x16ShrS, i8x16ShrU), size), x, int64(min(n, width-1)))
	case n >= width:
		return g.Num(t, 0)
	}
	return g.UnI(ofSize(i8x16Shl, size), x, int64(n))
}

// Rotates reports that rotations do not pay: they are two shifts.
func (g *simd) Rotates(scalar.Type, int64) bool { return false }

func (g *simd) Rotate(x native.Value, n int64) native.Value {
	u := x.As(x.T.Unsigned())
	down := g.ShiftConst(scalar.OpShr, u, uint64(int64(x.T.Bits())-n))
	return g.Bin(v128Or, g.ShiftConst(scalar.OpShl, u, uint64(n)), down).As(x.T)
}
