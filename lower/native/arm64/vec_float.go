package arm64

import (
	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/native"
	"github.com/weft-go/weft/lower/scalar"
)

var floatOps = map[scalar.Op]Op{
	scalar.OpAdd: vFadd, scalar.OpSub: vFsub, scalar.OpMul: vFmul, scalar.OpDiv: vFdiv, scalar.OpMin: vFmin, scalar.OpMax: vFmax,
	scalar.OpNeg: vFneg, scalar.OpAbs: vFabs, scalar.OpSqrt: vFsqrt,
	scalar.OpFloor: vFrintm, scalar.OpCeil: vFrintp, scalar.OpTrunc: vFrintz, scalar.OpRint: vFrintn,
}

// FloatOp computes an operation on floats other than comparisons and conversions.
func (g *neon) FloatOp(op scalar.Op, x, y, z native.Value) native.Value {
	t := x.T
	switch op {
	case scalar.OpFMA:
		return g.multiplyAdd(ofFloat(vFmla, t.Size()), z, x, y)
	case scalar.OpCanon:
		return g.Choose(g.numbers(x, x), x, g.NaN(t))
	}
	one, ok := floatOps[op]
	if !ok {
		panic("BUG: " + op.String() + " of " + t.String())
	}
	one = ofFloat(one, t.Size())
	if op.Args() == 1 {
		return g.Un(one, t, x)
	}
	return g.Bin(one, x, y)
}

// multiplyAdd returns z + x·y by an instruction that overwrites z.
func (g *neon) multiplyAdd(op Op, z, x, y native.Value) native.Value {
	v := g.NewValue(z.T)
	for i, r := range z.R {
		v.R = append(v.R, g.tied(op, r, x.R[i], y.R[i]))
	}
	return v
}

// tied returns the result of an instruction that overwrites its operand d and reads one or two other registers.
func (g *neon) tied(op Op, d, a, b native.VReg) native.VReg {
	r := g.NewV(0)
	if !g.Regs[d].Const { // the register of a constant stays in use
		g.Regs[r].Hint = d
	}
	g.Put(native.Inst{Op: op, D: r, A: a, B: b, C: d})
	return r
}

func (g *neon) Extreme(x, y native.Value, least bool) native.Value {
	if least {
		return g.Choose(g.Compare(scalar.OpLt, x, y), x, y)
	}
	return g.Choose(g.Compare(scalar.OpLt, y, x), x, y)
}

// LooseExtreme returns the extreme by one instruction, which makes signaling NaNs quiet.
func (g *neon) LooseExtreme(x, y native.Value, least bool) native.Value {
	op := vFmax
	if least {
		op = vFmin
	}
	return g.Bin(ofFloat(op, x.T.Size()), x, y)
}

// BoundsByExtremes reports that the greater of two vectors is one instruction.
func (*neon) BoundsByExtremes() bool { return true }

// SumsOverwrite reports that an operand which is read again is copied before it is added to a product.
func (*neon) SumsOverwrite() bool { return true }

// CanonQuiet replaces quiet NaNs by the canonical one: of two NaNs the instruction returns the first, and of a NaN
// and a number the number.
func (g *neon) CanonQuiet(x native.Value) native.Value {
	return g.Bin(ofFloat(vFmaxnm, x.T.Size()), g.NaN(x.T), x)
}

// CopySign takes the highest bit from y, by one instruction that overwrites one of its operands.
func (g *neon) CopySign(x, y native.Value) native.Value {
	t := x.T.Size()
	sign := g.Splat(sized[t].Unsigned(), 1<<(8*t-1))
	return g.chooseBits(sign, y, x, x)
}

func (g *neon) Fixed(t scalar.Type, x native.Value, n int64) native.Value {
	v := g.UnI(ofFloat(vScvtfFixed, t.Size()), x, n)
	return v.As(t)
}

// Scale returns x·2ⁿ for integral floats n, rounded once: x·2^⌊n/2⌋ is exact, and its product with
// the rest rounds. The biased exponents of both powers come from one conversion to fixed point, whose integer part
// lies where a float has its exponent.
func (g *neon) Scale(x, n native.Value) native.Value {
	t := x.T
	u, bits, biases := scalar.U32, int64(23), uint64(0x437e0000) // 2·127
	if t == scalar.F64 {
		u, bits, biases = scalar.U64, 52, 0x409ff80000000000 // 2·1023
	}
	size := t.Size()
	both := g.UnI(ofFloat(vFcvtzuFixed, size), g.Bin(ofFloat(vFadd, size), n, g.Splat(t, biases)), bits).As(u)
	first := g.IntOp(scalar.OpAnd, g.ShiftConst(scalar.OpShr, both, 1), g.Num(u, -1<<bits))
	mul := ofFloat(vFmul, size)
	return g.Bin(mul, g.Bin(mul, x, first.As(t)), g.IntOp(scalar.OpSub, both, first).As(t))
}

// Lookup returns the entries of a table at the low bits of x, which it reads one by one.
func (g *neon) Lookup(table ir.Table, x native.Value) native.Value {
	size := table.Type.Size()
	bytes := make([]byte, len(table.Bits)*size)
	for i, entry := range table.Bits {
		for k := range size {
			bytes[i*size+k] = byte(entry >> (8 * k))
		}
	}
	base := g.NewG()
	g.Put(native.Inst{Op: gAdr, D: base, Imm: int64(g.PoolBytes(bytes))})
	index := g.IntOp(scalar.OpAnd, x.As(sized[size]), g.Num(sized[size], int64(len(table.Bits)-1)))
	v := g.NewValue(table.Type)
	for _, r := range index.R {
		at := native.Inst{Mem: true, Base: base, Scale: uint8(native.Log2(size))}
		v.R = append(v.R, g.eachElement(size, g.PerPart(size), at, func(lane int) native.VReg {
			i := g.NewG()
			g.Put(native.Inst{Op: ofSize(vUmov, size), D: i, B: r, Imm: int64(lane)})
			return i
		}))
	}
	return v
}

// eachElement returns a register whose elements are read one by one. index returns the index register of each.
func (g *neon) eachElement(size, n int, at native.Inst, index func(lane int) native.VReg) native.VReg {
	var d native.VReg
	for lane := range n {
		in := at
		in.Index, in.D = index(lane), g.NewV(0)
		if lane == 0 {
			in.Op = native.LoadOp(size)
		} else {
			in.Op, in.C, in.Imm = ofSize(vLd1, size), d, int64(lane)
			g.Regs[in.D].Hint = d
		}
		g.Put(in)
		d = in.D
	}
	return d
}
