package arm64

import (
	"github.com/weft-go/weft/lower/native"
	"github.com/weft-go/weft/lower/scalar"
)

// Bools are vectors whose elements are all ones or zeros and as wide as the elements that were compared.

var sized = [...]scalar.Type{1: scalar.I8, 2: scalar.I16, 4: scalar.I32, 8: scalar.I64}

// mask returns elements of size bytes as a bool.
func mask(x native.Value, size int) native.Value {
	return native.Value{T: scalar.Bool, R: x.R, W: uint8(size)}
}

func lanes(x native.Value) native.Value { return native.Value{T: sized[x.W], R: x.R} }

func (g *neon) BoolConst(x bool) native.Value {
	n := int64(0)
	if x {
		n = -1
	}
	return mask(g.Num(scalar.I32, n), 4)
}

func (g *neon) width(x native.Value, size int) native.Value {
	return mask(g.intToInt(sized[size], lanes(x)), size)
}

func (g *neon) BoolLike(x, like native.Value) native.Value { return g.width(x, int(like.W)) }

func (g *neon) BoolToInt(t scalar.Type, x native.Value) native.Value {
	ones := lanes(g.width(x, t.Size()))
	return g.UnI(ofSize(vUshr, t.Size()), ones, int64(t.Bits()-1)).As(t)
}

func (g *neon) Logic(op scalar.Op, x, y native.Value) native.Value {
	a, b := lanes(x), lanes(g.width(y, int(x.W)))
	var r native.Value
	switch op {
	case scalar.OpAnd, scalar.OpMin:
		r = g.Bin(vAnd, a, b)
	case scalar.OpOr, scalar.OpMax:
		r = g.Bin(vOrr, a, b)
	case scalar.OpXor, scalar.OpNe:
		r = g.Bin(vEor, a, b)
	case scalar.OpEq:
		r = g.Un(vNot, a.T, g.Bin(vEor, a, b))
	case scalar.OpLt:
		r = g.Bin(vBic, b, a)
	case scalar.OpLe:
		r = g.Bin(vOrn, b, a)
	default:
		panic("BUG: " + op.String() + " of bools")
	}
	return mask(r, int(x.W))
}

func (g *neon) Not(x native.Value) native.Value {
	return mask(g.Un(vNot, sized[x.W], lanes(x)), int(x.W))
}

func (g *neon) Choose(c, x, y native.Value) native.Value {
	if x.T == scalar.Bool {
		y = g.width(y, int(x.W))
		return mask(g.Choose(c, lanes(x), lanes(y)), int(x.W))
	}
	c = g.width(c, x.T.Size())
	return g.chooseBits(c, x, y, c)
}

// chooseBits returns the bits of x where those of c are set, else those of y, preferably in the registers of `over`.
func (g *neon) chooseBits(c, x, y, over native.Value) native.Value {
	_, length := g.Layout(x.T.Size())
	v := g.NewValue(x.T)
	for i := range x.R {
		d := g.NewV(length)
		g.Regs[d].Hint, g.Regs[d].Hint2 = over.R[i], y.R[i]
		g.Put(native.Inst{Kind: native.KindFMA, Op: vBsl, D: d, A: x.R[i], B: y.R[i], C: c.R[i]})
		v.R = append(v.R, d)
	}
	return v
}

func (g *neon) Compare(op scalar.Op, x, y native.Value) native.Value {
	if x.T == scalar.Bool {
		return g.Logic(op, x, y)
	}
	size := x.T.Size()
	if one := g.withZero(op, x, y); one != native.NoOp {
		if g.zero(x) {
			x = y
		}
		return mask(g.Un(one, sized[size], x), size)
	}
	var r native.Value
	switch {
	case x.T.IsFloat() && (op == scalar.OpEq || op == scalar.OpNe):
		r = g.Bin(ofFloat(vFcmeq, size), x, y)
	case x.T.IsFloat() && op == scalar.OpLt:
		r = g.Bin(ofFloat(vFcmgt, size), y, x)
	case x.T.IsFloat():
		r = g.Bin(ofFloat(vFcmge, size), y, x)
	case op == scalar.OpEq || op == scalar.OpNe:
		r = g.Bin(ofSize(vCmeq, size), x, y)
	default:
		greater, least := vCmgt, vCmge
		if !x.T.IsSigned() {
			greater, least = vCmhi, vCmhs
		}
		if op == scalar.OpLe {
			greater = least
		}
		r = g.Bin(ofSize(greater, size), y, x)
	}
	if op == scalar.OpNe {
		return g.Not(mask(r, size))
	}
	return mask(r, size)
}

// zero reports whether a value is the constant all of whose bits are zeros.
func (g *neon) zero(x native.Value) bool {
	for i, r := range x.R {
		if i > 0 && r == x.R[0] {
			continue
		}
		if info := &g.Regs[r]; !info.Const || [vectorBytes]byte(g.Pool[info.Off:]) != [vectorBytes]byte{} {
			return false
		}
	}
	return true
}

// withZero returns the instruction of a comparison one of whose operands is zero, if there is one.
func (g *neon) withZero(op scalar.Op, x, y native.Value) Op {
	t := x.T
	i := 0 // as in the tables below
	switch {
	case op == scalar.OpEq && g.zero(y):
	case op == scalar.OpNe || op == scalar.OpEq || t.IsInt() && !t.IsSigned():
		return native.NoOp
	case g.zero(y):
		i = 1
	case g.zero(x):
		i = 3
	default:
		return native.NoOp
	}
	if op == scalar.OpLe {
		i++
	}
	if t.IsFloat() {
		return ofFloat([...]Op{vFcmeqZ, vFcmltZ, vFcmleZ, vFcmgtZ, vFcmgeZ}[i], t.Size())
	}
	return ofSize([...]Op{vCmeqZ, vCmltZ, vCmleZ, vCmgtZ, vCmgeZ}[i], t.Size())
}

// Test returns where x & y is not zero.
func (g *neon) Test(x, y native.Value) native.Value {
	size := x.T.Size()
	return mask(g.Bin(ofSize(vCmtst, size), x, y), size)
}

// numbers returns where neither x nor y is NaN.
func (g *neon) numbers(x, y native.Value) native.Value {
	size := x.T.Size()
	equal := ofFloat(vFcmeq, size)
	return mask(g.Map2(sized[size], x, y, func(length uint8, a, b native.VReg) native.VReg {
		m := g.Op2(equal, length, a, a)
		if a == b {
			return m
		}
		return g.Op2(vAnd, length, m, g.Op2(equal, length, b, b))
	}), size)
}

func (g *neon) Unordered(x, y native.Value) native.Value { return g.Not(g.numbers(x, y)) }

func (g *neon) BranchIfNone(c native.Value, to native.Label) {
	r := c.R[0]
	for _, x := range c.R[1:] {
		r = g.Op2(vOrr, 0, r, x)
	}
	d := g.NewG()
	switch bytes := g.PerPart(int(c.W)) * int(c.W); { // the rest of the register contains no lanes
	case bytes == vectorBytes:
		// Each half saturates from 64 bits to 32, so that no set bit is lost.
		g.Put(native.Inst{Op: vToG, D: d, B: g.Op1(ofSize(vUqxtn, 4), 0, r)})
	case bytes == 8:
		g.Put(native.Inst{Op: vToG, D: d, B: r})
	default:
		g.Put(native.Inst{Op: ofSize(vUmov, bytes), D: d, B: r})
	}
	g.BranchOp(native.Eq, native.Inst{Op: native.CmpI, B: d}, to)
}

func (g *neon) UpperLanes(x native.Value, from int) native.VReg {
	size := x.T.Size()
	if x.T == scalar.Bool {
		size = int(x.W)
	}
	return g.Op2I(vExt, 0, x.R[0], x.R[0], int64(from*size))
}
