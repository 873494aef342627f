package arm64

import (
	"github.com/weft-go/weft/lower/native"
	"github.com/weft-go/weft/lower/scalar"
)

// IntOp computes an operation on integers other than comparisons and conversions.
func (g *neon) IntOp(op scalar.Op, x, y native.Value) native.Value {
	t := x.T
	size := t.Size()
	switch op {
	case scalar.OpAdd:
		return g.Bin(ofSize(vAdd, size), x, y)
	case scalar.OpSub:
		return g.Bin(ofSize(vSub, size), x, y)
	case scalar.OpNeg:
		return g.Un(ofSize(vNeg, size), t, x)
	case scalar.OpMul:
		if size == 8 {
			return g.multiply64(x, y)
		}
		return g.Bin(ofSize(vMul, size), x, y)
	case scalar.OpMulHi:
		return g.multiplyHigh(x, y)
	case scalar.OpDiv, scalar.OpRem:
		return g.Divide(op, x, y)
	case scalar.OpAbs:
		if !t.IsSigned() {
			return x
		}
		return g.Un(ofSize(vAbs, size), t, x)
	case scalar.OpMin:
		if size == 8 {
			return g.Choose(g.Compare(scalar.OpLt, x, y), x, y)
		}
		return g.Bin(ofSize(bySign(t, vSmin, vUmin), size), x, y)
	case scalar.OpMax:
		if size == 8 {
			return g.Choose(g.Compare(scalar.OpLt, x, y), y, x)
		}
		return g.Bin(ofSize(bySign(t, vSmax, vUmax), size), x, y)
	case scalar.OpAnd:
		return g.Bin(vAnd, x, y)
	case scalar.OpOr:
		return g.Bin(vOrr, x, y)
	case scalar.OpXor:
		return g.Bin(vEor, x, y)
	case scalar.OpNot:
		return g.Un(vNot, t, x)
	case scalar.OpShl, scalar.OpShr:
		return g.shift(op, x, y)
	case scalar.OpClz:
		return g.leadingZeros(x)
	case scalar.OpPopCount:
		n := g.Un(vCnt, t, x)
		for s := 1; s < size; s *= 2 {
			n = g.Un(ofSize(vUaddlp, s), t, n)
		}
		return n
	}
	panic("BUG: " + op.String() + " of " + t.String())
}

func bySign(t scalar.Type, signed, unsigned Op) Op {
	if t.IsSigned() {
		return signed
	}
	return unsigned
}

// AddShifted multiplies by 2ⁿ: one instruction where a shift and a sum are two.
func (g *neon) AddShifted(y, x native.Value, n uint64, less bool) native.Value {
	op := vMla
	if less {
		op = vMls
	}
	return g.multiplyAdd(ofSize(op, 4), y, x, g.Splat(x.T, 1<<n))
}

// multiply64 returns the low halves of products: of the low words, and 2³² times both mixed products.
func (g *neon) multiply64(x, y native.Value) native.Value {
	return g.Map2(x.T, x, y, func(length uint8, a, b native.VReg) native.VReg {
		mixed := g.Op2(ofSize(vMul, 4), length, g.Op1(ofSize(vRev64, 4), length, b), a)
		high := g.Op1I(ofSize(vShl, 8), length, g.Op1(ofSize(vUaddlp, 4), length, mixed), 32)
		low := ofSize(vXtn, 4)
		return g.tied(ofSize(vUmlal, 4), high, g.Op1(low, length, a), g.Op1(low, length, b))
	})
}

func (g *neon) multiplyHigh(x, y native.Value) native.Value {
	t := x.T
	size := t.Size()
	if size == 8 {
		return g.multiplyHigh64(x, y)
	}
	low, high := ofSize(bySign(t, vSmull, vUmull), size), ofSize(bySign(t, vSmull2, vUmull2), size)
	return g.Map2(t, x, y, func(length uint8, a, b native.VReg) native.VReg {
		return g.Op2(ofSize(vUzp2, size), length, g.Op2(low, length, a, b), g.Op2(high, length, a, b))
	})
}

// multiplyHigh64 multiplies in general registers.
func (g *neon) multiplyHigh64(x, y native.Value) native.Value {
	mul := bySign(x.T, gSmulh, gUmulh)
	n := g.PerPart(8)
	return g.Map2(x.T, x, y, func(length uint8, a, b native.VReg) native.VReg {
		var d native.VReg
		for i := range n {
			p := g.NewG()
			g.Put(native.Inst{Op: mul, D: p, A: g.lane(a, i), B: g.lane(b, i)})
			if i == 0 {
				d = g.Op1(ofSize(vDupG, 8), length, p)
				continue
			}
			r := g.NewV(length)
			g.Regs[r].Hint = d
			g.Put(native.Inst{Op: ofSize(vIns, 8), D: r, B: p, C: d, Imm: int64(i)})
			d = r
		}
		return d
	})
}

// lane returns an element of 64 bits in a general register.
func (g *neon) lane(x native.VReg, i int) native.VReg {
	d := g.NewG()
	g.Put(native.Inst{Op: ofSize(vUmov, 8), D: d, B: x, Imm: int64(i)})
	return d
}

// shift shifts by amounts that are read as unsigned. The instruction reads the lowest byte of an
// amount, with a sign: negative amounts shift to the right.
func (g *neon) shift(op scalar.Op, x, y native.Value) native.Value {
	t := x.T
	size := t.Size()
	u := t.Unsigned()
	amount := g.IntOp(scalar.OpMin, y.As(u), g.Num(u, int64(t.Bits())))
	if op == scalar.OpShr {
		amount = g.Un(ofSize(vNeg, size), u, amount)
	}
	return g.Bin(ofSize(bySign(t, vSshl, vUshl), size), x, amount)
}

func (g *neon) ShiftConst(op scalar.Op, x native.Value, n uint64) native.Value {
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
		return g.UnI(ofSize(bySign(t, vSshr, vUshr), size), x, int64(min(n, width)))
	case n >= width:
		return g.Num(t, 0)
	}
	return g.UnI(ofSize(vShl, size), x, int64(n))
}

func (g *neon) leadingZeros(x native.Value) native.Value {
	t := x.T
	if t.Size() < 8 {
		return g.Un(ofSize(vClz, t.Size()), t, x)
	}
	// The zeros of the upper word and, where that is 0, those of the lower one, too.
	words := g.Un(ofSize(vClz, 4), scalar.U64, x)
	high := g.UnI(ofSize(vUshr, 8), words, 32)
	low := g.Bin(vAnd, words, g.Num(scalar.U64, 1<<32-1))
	none := lanes(g.Compare(scalar.OpEq, high, g.Num(scalar.U64, 32)))
	return g.Bin(ofSize(vAdd, 8), high, g.Bin(vAnd, low, none)).As(t)
}

// Rotates reports that rotations pay: the second of two shifts inserts its bits into the result of the first.
func (g *neon) Rotates(scalar.Type, int64) bool { return true }

func (g *neon) Rotate(x native.Value, n int64) native.Value {
	size := x.T.Size()
	return g.Map1(x.T, x, func(length uint8, a native.VReg) native.VReg {
		down := g.Op1I(ofSize(vUshr, size), length, a, int64(x.T.Bits())-n)
		d := g.NewV(length)
		g.Regs[d].Hint = down
		g.Put(native.Inst{Op: ofSize(vSli, size), D: d, B: a, C: down, Imm: n})
		return d
	})
}
