package ptx

import (
	"github.com/weft-go/weft/lower/scalar"
	"github.com/weft-go/weft/lower/simt"
)

func (p *printer) op(dst simt.Reg, in *scalar.Inst) {
	t := in.Type
	d := p.reg(dst)
	a := func(i int) string { return p.arg(in.Args[i]) }
	from := scalar.NoType
	if in.Args[0] != simt.NoReg {
		from = p.f.Types[in.Args[0]]
	}
	switch in.Op {
	case scalar.OpConst:
		if t == scalar.Bool {
			p.line("setp.ne.u32 %s, %d, 0", d, in.Imm&1)
			return
		}
		p.line("mov%s %s, %s", banks[bankOf(t)], d, number(t, in.Imm))
	case scalar.OpSelect, scalar.OpRare:
		p.choose(t, d, p.reg(in.Args[0]), in.Args[1], in.Args[2])
	case scalar.OpEq, scalar.OpNe, scalar.OpLt, scalar.OpLe:
		p.compare(in.Op, from, d, in.Args[0], in.Args[1])
	case scalar.OpConvert:
		p.convert(t, from, d, in.Args[0])
	case scalar.OpBitcast:
		if t.Size() < 4 {
			p.normal(t, d, a(0))
			return
		}
		p.line("mov.b%d %s, %s", t.Bits(), d, a(0))
	case scalar.OpLookup:
		p.lookup(t, d, in)
	default:
		switch {
		case t == scalar.Bool:
			p.boolOp(in, d)
		case t.IsFloat():
			p.floatOp(in, dst)
		default:
			p.intOp(in, d)
		}
	}
}

// normal assigns the low bits of x, extended as the type states.
func (p *printer) normal(t scalar.Type, d, x string) {
	switch {
	case t.Size() >= 4:
		if d != x {
			p.line("mov.b%d %s, %s", t.Bits(), d, x)
		}
	case t.IsSigned():
		p.line("cvt.s32.s%d %s, %s", t.Bits(), d, x)
	default:
		p.line("and.b32 %s, %s, %d", d, x, 1<<t.Bits()-1)
	}
}

func (p *printer) choose(t scalar.Type, d, c string, x, y simt.Reg) {
	if t != scalar.Bool {
		kind := banks[bankOf(t)]
		p.line("selp%s %s, %s, %s, %s", kind, d, p.arg(x), p.arg(y), c)
		return
	}
	l, r, n := p.temp(predicate), p.temp(predicate), p.temp(predicate)
	p.line("and.pred %s, %s, %s", l, c, p.reg(x))
	p.line("not.pred %s, %s", n, c)
	p.line("and.pred %s, %s, %s", r, n, p.reg(y))
	p.line("or.pred %s, %s, %s", d, l, r)
}

func (p *printer) compare(o scalar.Op, t scalar.Type, d string, x, y simt.Reg) {
	if t == scalar.Bool {
		n := p.temp(predicate)
		switch o {
		case scalar.OpEq:
			p.line("xor.pred %s, %s, %s", n, p.reg(x), p.reg(y))
			p.line("not.pred %s, %s", d, n)
		case scalar.OpNe:
			p.line("xor.pred %s, %s, %s", d, p.reg(x), p.reg(y))
		default:
			p.line("not.pred %s, %s", n, p.reg(x))
			op := "and"
			if o == scalar.OpLe {
				op = "or"
			}
			p.line("%s.pred %s, %s, %s", op, d, n, p.reg(y))
		}
		return
	}
	name := map[scalar.Op]string{scalar.OpEq: "eq", scalar.OpNe: "ne", scalar.OpLt: "lt", scalar.OpLe: "le"}[o]
	kind := ""
	if t.IsFloat() {
		if o == scalar.OpNe {
			name = "neu" // true with a NaN
		}
		kind = memType(t)
	} else {
		kind = intType(t)
	}
	p.line("setp.%s.%s %s, %s, %s", name, kind, d, p.arg(x), p.arg(y))
}

func (p *printer) boolOp(in *scalar.Inst, d string) {
	x := p.reg(in.Args[0])
	name := map[scalar.Op]string{scalar.OpAnd: "and", scalar.OpMin: "and", scalar.OpMul: "and", scalar.OpOr: "or", scalar.OpMax: "or",
		scalar.OpXor: "xor", scalar.OpAdd: "xor", scalar.OpSub: "xor"}[in.Op]
	switch {
	case in.Op == scalar.OpNot:
		p.line("not.pred %s, %s", d, x)
	case name != "":
		p.line("%s.pred %s, %s, %s", name, d, x, p.reg(in.Args[1]))
	default:
		panic("BUG: " + in.Op.String() + " of bool")
	}
}

func (p *printer) bitsOf(t scalar.Type, x string) string {
	b := half
	if t == scalar.F64 {
		b = full
	}
	r := p.temp(b)
	p.line("mov.b%d %s, %s", t.Bits(), r, x)
	return r
}

func (p *printer) floatOp(in *scalar.Inst, dst simt.Reg) {
	t, d := in.Type, p.reg(dst)
	n := t.Bits()
	a := func(i int) string { return p.arg(in.Args[i]) }
	sign, nan := "0x80000000", number(t, scalar.NaNBits32)
	rest := "0x7fffffff"
	if t == scalar.F64 {
		sign, nan, rest = "0x8000000000000000", number(t, scalar.NaNBits64), "0x7fffffffffffffff"
	}
	switch in.Op {
	case scalar.OpAdd, scalar.OpSub, scalar.OpMul, scalar.OpDiv:
		name := map[scalar.Op]string{scalar.OpAdd: "add", scalar.OpSub: "sub", scalar.OpMul: "mul", scalar.OpDiv: "div"}[in.Op]
		p.line("%s.rn.f%d %s, %s, %s", name, n, d, a(0), a(1))
	case scalar.OpFMA:
		p.line("fma.rn.f%d %s, %s, %s, %s", n, d, a(0), a(1), a(2))
	case scalar.OpSqrt:
		p.line("sqrt.rn.f%d %s, %s", n, d, a(0))
	case scalar.OpNeg, scalar.OpAbs:
		if p.anyNaN[dst] { // the machine has both for free, but for the bits of a NaN
			p.line("%s.f%d %s, %s", in.Op, n, d, a(0))
			return
		}
		x := p.bitsOf(t, a(0))
		if in.Op == scalar.OpNeg {
			p.line("xor.b%d %s, %s, %s", n, x, x, sign)
		} else {
			p.line("and.b%d %s, %s, %s", n, x, x, rest)
		}
		p.line("mov.b%d %s, %s", n, d, x)
	case scalar.OpFloor, scalar.OpCeil, scalar.OpTrunc, scalar.OpRint:
		name := map[scalar.Op]string{scalar.OpFloor: "rmi", scalar.OpCeil: "rpi", scalar.OpTrunc: "rzi", scalar.OpRint: "rni"}[in.Op]
		p.line("cvt.%s.f%d.f%d %s, %s", name, n, n, d, a(0))
	case scalar.OpCanon:
		c := p.temp(predicate)
		p.line("setp.neu.f%d %s, %s, %s", n, c, a(0), a(0))
		p.line("selp.f%d %s, %s, %s, %s", n, d, nan, a(0), c)
	case scalar.OpMin, scalar.OpMax:
		p.least(in, d)
	case scalar.OpScale:
		p.scale(t, d, a(0), a(1))
	default:
		panic("BUG: " + in.Op.String() + " of " + t.String())
	}
}

// least prints minimum and maximum: NaN wins, and −0 is below +0. The bits of equal numbers,
// which differ at most in the sign, are joined.
func (p *printer) least(in *scalar.Inst, d string) {
	t := in.Type
	n := t.Bits()
	x, y := p.arg(in.Args[0]), p.arg(in.Args[1])
	less, join, name := "lt", "or", "min"
	if in.Op == scalar.OpMax {
		less, join, name = "gt", "and", "max"
	}
	if t == scalar.F32 && p.target >= 80 {
		p.line("%s.NaN.f32 %s, %s, %s", name, d, x, y)
		return
	}
	bx, by := p.bitsOf(t, x), p.bitsOf(t, y)
	p.line("%s.b%d %s, %s, %s", join, n, by, bx, by)
	r := p.temp(bankOf(t))
	p.line("mov.b%d %s, %s", n, r, by)
	c := p.temp(predicate)
	// From the last choice to the first: equal, y, x, NaN y, NaN x.
	p.line("setp.%s.f%d %s, %s, %s", less, n, c, y, x)
	p.line("selp.f%d %s, %s, %s, %s", n, r, y, r, c)
	p.line("setp.%s.f%d %s, %s, %s", less, n, c, x, y)
	p.line("selp.f%d %s, %s, %s, %s", n, r, x, r, c)
	p.line("setp.neu.f%d %s, %s, %s", n, c, y, y)
	p.line("selp.f%d %s, %s, %s, %s", n, r, y, r, c)
	p.line("setp.neu.f%d %s, %s, %s", n, c, x, x)
	p.line("selp.f%d %s, %s, %s, %s", n, d, x, r, c)
}

// scale multiplies by 2^⌊n/2⌋ and by the rest, as scalar.Builder.Scale allows. Exponents
// beyond the least and the greatest power of both factors change nothing more.
func (p *printer) scale(t scalar.Type, d, x, n string) {
	w, b, bias, shift := 32, half, 127, 23
	if t == scalar.F64 {
		w, b, bias, shift = 64, full, 1023, 52
	}
	whole, h := p.temp(b), p.temp(b)
	p.line("cvt.rzi.s%d.f%d %s, %s", w, w, whole, n)
	p.line("max.s%d %s, %s, %d", w, whole, whole, 2*(1-bias))
	p.line("min.s%d %s, %s, %d", w, whole, whole, 2*bias)
	p.line("shr.s%d %s, %s, 1", w, h, whole)
	p.line("sub.s%d %s, %s, %s", w, whole, whole, h)
	r := p.temp(bankOf(t))
	for i, e := range []string{h, whole} {
		f := p.temp(bankOf(t))
		p.line("mad.lo.s%d %s, %s, %d, %d", w, e, e, int64(1)<<shift, int64(bias)<<shift)
		p.line("mov.b%d %s, %s", w, f, e)
		p.line("mul.rn.f%d %s, %s, %s", w, []string{r, d}[i], []string{x, r}[i], f)
	}
}

func (p *printer) lookup(t scalar.Type, d string, in *scalar.Inst) {
	table := p.f.Kernel.Tables[in.Imm]
	i, at := p.temp(half), p.temp(full)
	if p.f.Types[in.Args[0]].Size() == 8 {
		p.line("cvt.u32.u64 %s, %s", i, p.arg(in.Args[0]))
	} else {
		p.line("mov.b32 %s, %s", i, p.arg(in.Args[0]))
	}
	p.line("and.b32 %s, %s, %d", i, i, len(table.Bits)-1)
	p.line("mov.u64 %s, %s_t%d", at, p.name, in.Imm)
	p.line("mad.wide.u32 %s, %s, %d, %s", at, i, t.Size(), at)
	p.line("ld.const.%s %s, [%s]", memType(t), d, at)
}

func (p *printer) intOp(in *scalar.Inst, d string) {
	t := in.Type
	kind, w := intType(t), max(32, t.Bits())
	b := half
	if w == 64 {
		b = full
	}
	a := func(i int) string { return p.arg(in.Args[i]) }
	two := func(format string) { // an operation whose result may exceed a narrow type
		x := d
		if t.Size() < 4 {
			x = p.temp(b)
		}
		p.line(format, x, a(0), a(1))
		p.normal(t, d, x)
	}
	switch in.Op {
	case scalar.OpAdd:
		two("add." + kind + " %s, %s, %s")
	case scalar.OpSub:
		two("sub." + kind + " %s, %s, %s")
	case scalar.OpMul:
		two("mul.lo." + kind + " %s, %s, %s")
	case scalar.OpMulHi:
		if t.Size() >= 4 {
			p.line("mul.hi.%s %s, %s, %s", kind, d, a(0), a(1))
			return
		}
		x := p.temp(b)
		p.line("mul.lo.%s %s, %s, %s", kind, x, a(0), a(1))
		p.line("shr.%s %s, %s, %d", kind, x, x, t.Bits())
		p.normal(t, d, x)
	case scalar.OpAnd, scalar.OpOr, scalar.OpXor:
		name := map[scalar.Op]string{scalar.OpAnd: "and", scalar.OpOr: "or", scalar.OpXor: "xor"}[in.Op]
		p.line("%s.b%d %s, %s, %s", name, w, d, a(0), a(1))
	case scalar.OpNot:
		x := p.temp(b)
		p.line("not.b%d %s, %s", w, x, a(0))
		p.normal(t, d, x)
	case scalar.OpNeg, scalar.OpAbs:
		x := p.temp(b)
		p.line("sub.s%d %s, 0, %s", w, x, a(0))
		if in.Op == scalar.OpAbs {
			c := p.temp(predicate)
			p.line("setp.lt.%s %s, %s, 0", kind, c, a(0))
			p.line("selp.b%d %s, %s, %s, %s", w, x, x, a(0), c)
		}
		p.normal(t, d, x)
	case scalar.OpMin, scalar.OpMax:
		name := "min"
		if in.Op == scalar.OpMax {
			name = "max"
		}
		p.line("%s.%s %s, %s, %s", name, kind, d, a(0), a(1))
	case scalar.OpDiv, scalar.OpRem:
		p.divide(in, d)
	case scalar.OpShl, scalar.OpShr:
		p.shift(in, d)
	case scalar.OpClz, scalar.OpPopCount:
		p.count(in, d)
	default:
		panic("BUG: " + in.Op.String() + " of " + t.String())
	}
}

// divide prints quotient and remainder. By 0 the quotient has all bits set and the remainder is
// the dividend; the least number divided by −1 is itself. The machine leaves both undefined.
func (p *printer) divide(in *scalar.Inst, d string) {
	t := in.Type
	kind, w := intType(t), max(32, t.Bits())
	b := half
	if w == 64 {
		b = full
	}
	x, y := p.arg(in.Args[0]), p.arg(in.Args[1])
	if n, ok := p.constants[in.Args[1]]; ok && n != 0 && (!t.IsSigned() || n != ^uint64(0)>>(64-t.Bits())) {
		q := p.temp(b)
		p.line("%s.%s %s, %s, %s", map[scalar.Op]string{scalar.OpDiv: "div", scalar.OpRem: "rem"}[in.Op], kind, q, x, y)
		p.normal(t, d, q)
		return
	}
	zero, minus := p.temp(predicate), p.temp(predicate)
	safe, q := p.temp(b), p.temp(b)
	p.line("setp.eq.%s %s, %s, 0", kind, zero, y)
	p.line("selp.b%d %s, 1, %s, %s", w, safe, y, zero)
	if t.IsSigned() {
		p.line("setp.eq.%s %s, %s, -1", kind, minus, y)
		p.line("selp.b%d %s, 1, %s, %s", w, safe, safe, minus)
	}
	if in.Op == scalar.OpDiv {
		p.line("div.%s %s, %s, %s", kind, q, x, safe)
		if t.IsSigned() {
			neg := p.temp(b)
			p.line("sub.s%d %s, 0, %s", w, neg, x)
			p.line("selp.b%d %s, %s, %s, %s", w, q, neg, q, minus)
		}
		p.line("selp.b%d %s, -1, %s, %s", w, q, q, zero)
	} else {
		p.line("rem.%s %s, %s, %s", kind, q, x, safe) // x rem 1 is 0, as is x rem −1
		p.line("selp.b%d %s, %s, %s, %s", w, q, x, q, zero)
	}
	p.normal(t, d, q)
}

// shift prints shifts. The machine takes amounts of 32 bits, and returns the right result
// also for an amount that is the width or more.
func (p *printer) shift(in *scalar.Inst, d string) {
	t := in.Type
	w := max(32, t.Bits())
	amount := p.arg(in.Args[1])
	x := p.arg(in.Args[0])
	b := half
	if w == 64 {
		b = full
		n := p.temp(full)
		p.line("min.u64 %s, %s, 64", n, amount)
		amount = p.temp(half)
		p.line("cvt.u32.u64 %s, %s", amount, n)
	}
	r := p.temp(b)
	if in.Op == scalar.OpShl {
		p.line("shl.b%d %s, %s, %s", w, r, x, amount)
	} else {
		p.line("shr.%s %s, %s, %s", intType(t), r, x, amount)
	}
	p.normal(t, d, r)
}

// count prints the number of leading zeros, or that of ones.
func (p *printer) count(in *scalar.Inst, d string) {
	t := in.Type
	w := max(32, t.Bits())
	x := p.arg(in.Args[0])
	if t.Size() < 4 {
		low := p.temp(half)
		p.line("and.b32 %s, %s, %d", low, x, 1<<t.Bits()-1)
		x = low
	}
	n := p.temp(half)
	if in.Op == scalar.OpClz {
		p.line("clz.b%d %s, %s", w, n, x)
		if t.Size() < 4 {
			p.line("sub.s32 %s, %s, %d", n, n, 32-t.Bits())
		}
	} else {
		p.line("popc.b%d %s, %s", w, n, x)
	}
	if w == 64 {
		p.line("cvt.u64.u32 %s, %s", d, n)
		return
	}
	p.line("mov.b32 %s, %s", d, n)
}
