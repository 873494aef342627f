package simt

import (
	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/scalar"
)

func (e *emitter) constant(t scalar.Type, bits uint64) Reg {
	r := e.reg(t)
	e.add(&Op{r, scalar.Inst{Op: scalar.OpConst, Type: t, Imm: bits, Args: [3]Reg{NoReg, NoReg, NoReg}}})
	return r
}

// num returns a register with the value n, of the type of positions.
func (e *emitter) num(n int64) Reg { return e.intOf(e.ix, n) }

func (e *emitter) intOf(t scalar.Type, n int64) Reg {
	return e.constant(t, uint64(n)&(^uint64(0)>>(64-t.Bits())))
}

func (e *emitter) size(s ir.Size) Reg {
	if s.IsConst() {
		return e.num(s.Value)
	}
	r := e.reg(e.ix)
	e.add(&Special{r, Symbol, s.Symbol - 1})
	return r
}

func (e *emitter) op(o scalar.Op, t scalar.Type, args ...Reg) Reg {
	in := scalar.Inst{Op: o, Type: t, Args: [3]Reg{NoReg, NoReg, NoReg}}
	copy(in.Args[:], args)
	r := e.reg(t)
	e.add(&Op{r, in})
	return r
}

func (e *emitter) sum(x, y Reg) Reg  { return e.op(scalar.OpAdd, e.typeOf(x), x, y) }
func (e *emitter) diff(x, y Reg) Reg { return e.op(scalar.OpSub, e.typeOf(x), x, y) }
func (e *emitter) prod(x, y Reg) Reg { return e.op(scalar.OpMul, e.typeOf(x), x, y) }
func (e *emitter) less(x, y Reg) Reg { return e.op(scalar.OpLt, scalar.Bool, x, y) }
func (e *emitter) same(x, y Reg) Reg { return e.op(scalar.OpEq, scalar.Bool, x, y) }
func (e *emitter) both(x, y Reg) Reg { return e.op(scalar.OpAnd, scalar.Bool, x, y) }
func (e *emitter) choose(c, x, y Reg) Reg {
	return e.op(scalar.OpSelect, e.typeOf(x), c, x, y)
}
func (e *emitter) least(x, y Reg) Reg { return e.op(scalar.OpMin, e.typeOf(x), x, y) }

func (e *emitter) times(x Reg, n int64) Reg {
	switch n {
	case 0:
		return e.num(0)
	case 1:
		return x
	}
	return e.prod(x, e.num(n))
}

func (e *emitter) plus(x Reg, n int64) Reg {
	if n == 0 {
		return x
	}
	return e.sum(x, e.num(n))
}

// over returns x/n of a position x that is not negative, n a power of two.
func (e *emitter) over(x Reg, n int64) Reg {
	return e.op(scalar.OpShr, e.ix, x, e.amount(n))
}

// rest returns x mod n of a position x that is not negative, n a power of two.
func (e *emitter) rest(x Reg, n int64) Reg {
	return e.op(scalar.OpAnd, e.ix, x, e.num(n-1))
}

// quotient returns x/n and x mod n of a position x that is not negative.
func (e *emitter) quotient(x Reg, n int64) (q, r Reg) {
	switch {
	case n == 1:
		return x, e.num(0)
	case n&(n-1) == 0:
		return e.over(x, n), e.rest(x, n)
	}
	q = e.op(scalar.OpDiv, e.ix, x, e.num(n))
	return q, e.diff(x, e.times(q, n))
}

// amount returns the number of bits by which a position is shifted to divide it by n.
func (e *emitter) amount(n int64) Reg {
	bits := int64(0)
	for ; n > 1; n >>= 1 {
		bits++
	}
	return e.num(bits)
}
