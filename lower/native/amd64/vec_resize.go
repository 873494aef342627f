package amd64

import (
	"github.com/weft-go/weft/lower/scalar"
)

// chunk returns a register that has the bytes of r from offset on at its start.
func (g *gen) chunk(r vreg, offset int) vreg {
	if offset == 0 {
		return r
	}
	if offset >= 16 {
		switch {
		case g.isa == AVX2:
			r = g.extract(Vextracti128, L256, L128, r, int64(offset/16))
		case offset == 32:
			return g.extract(Vextracti64x4, L512, L256, r, 1)
		case offset > 32 && g.regs[r].len == L512 || offset == 16 || offset == 24:
			r = g.extract(Vextracti32x4, g.regs[r].len, L128, r, int64(offset/16))
		}
		offset %= 16
	}
	if offset > 0 {
		r = g.op1I(VpsrldqI, L128, r, int64(offset))
	}
	return r
}

// extract writes a part of a register into another one.
func (g *gen) extract(op Op, from, to uint8, r vreg, imm int64) vreg {
	d := g.newV(to)
	g.put(minst{op: op, len: from, d: d, a: r, imm: imm})
	return d
}

// combine joins registers of which each has that many bytes to one.
func (g *gen) combine(rs []vreg, bytes int) vreg {
	for len(rs) > 1 {
		half := rs[:0:0]
		for i := 0; i < len(rs); i += 2 {
			a, b := rs[i], rs[i+1]
			var d vreg
			switch bytes {
			case 4:
				d = g.op2(Vpunpckldq, L128, a, b)
			case 8:
				d = g.op2(Vpunpcklqdq, L128, a, b)
			case 16:
				if g.isa == AVX512 {
					d = g.op2I(Vinserti32x4, L256, a, b, 1)
				} else {
					d = g.op2I(Vinserti128, L256, a, b, 1)
				}
			default:
				d = g.op2I(Vinserti64x4, L512, a, b, 1)
			}
			half = append(half, d)
		}
		rs = half
		bytes *= 2
	}
	return rs[0]
}

// widenWith converts to a wider type with an instruction whose operand is part of a register.
func (g *gen) widenWith(op Op, t scalar.Type, x value) value {
	size := x.t.Size()
	from, to := g.perPart(size), g.perPart(t.Size())
	parts, length := g.layout(t.Size())
	old, _ := g.layout(size)
	v := g.newValue(t)
	for u := range g.cx.u {
		for i := range parts {
			at := i * to
			v.r = append(v.r, g.op1(op, length, g.chunk(x.r[u*old+at/from], at%from*size)))
		}
	}
	return v
}

// narrowWith converts to a narrower type with an instruction whose result is part of a register.
func (g *gen) narrowWith(op Op, t scalar.Type, x value) value {
	size := t.Size()
	from, to := g.perPart(x.t.Size()), g.perPart(size)
	_, length := g.layout(x.t.Size())
	v := g.newValue(t)
	n := to / from
	for i := 0; i < len(x.r); i += n {
		rs := make([]vreg, n)
		for j := range rs {
			d := g.newV(vectorLen(from * size))
			in := minst{op: op, len: length, d: d}
			if opTable[op].form == formMR {
				in.a = x.r[i+j]
			} else {
				in.b = x.r[i+j]
			}
			if opTable[op].flags&hasImm != 0 {
				in.imm = 0 // to nearest even
			}
			g.put(in)
			rs[j] = d
		}
		v.r = append(v.r, g.combine(rs, from*size))
	}
	return v
}

// packWith halves the size of integers with an AVX2 instruction that takes two registers
// and works on their halves separately.
func (g *gen) packWith(t scalar.Type, x value, pack func(length uint8, a, b vreg) vreg) value {
	bytes := g.cx.n * x.t.Size()
	v := g.newValue(t)
	switch {
	case bytes <= 16:
		for _, a := range x.r {
			v.r = append(v.r, pack(L128, a, a))
		}
	case bytes == 32:
		for _, a := range x.r {
			v.r = append(v.r, pack(L128, a, g.extract(Vextracti128, L256, L128, a, 1)))
		}
	default:
		for i := 0; i < len(x.r); i += 2 {
			v.r = append(v.r, g.op1I(VpermqI, L256, pack(L256, x.r[i], x.r[i+1]), 0xd8))
		}
	}
	return v
}

var (
	widenOps = map[[2]int][2]Op{
		{1, 2}: {Vpmovzxbw, Vpmovsxbw}, {1, 4}: {Vpmovzxbd, Vpmovsxbd}, {1, 8}: {Vpmovzxbq, Vpmovsxbq},
		{2, 4}: {Vpmovzxwd, Vpmovsxwd}, {2, 8}: {Vpmovzxwq, Vpmovsxwq}, {4, 8}: {Vpmovzxdq, Vpmovsxdq},
	}
	narrowOps = map[[2]int]Op{{2, 1}: Vpmovwb, {4, 1}: Vpmovdb, {8, 1}: Vpmovqb, {4, 2}: Vpmovdw, {8, 2}: Vpmovqw, {8, 4}: Vpmovqd}
)

// intToInt wraps or extends integers by the sign of their type.
func (g *gen) intToInt(t scalar.Type, x value) value {
	from, to := x.t.Size(), t.Size()
	switch {
	case from == to:
		return x.as(t)
	case from < to:
		return g.widenWith(widenOps[[2]int{from, to}][signIndex(x.t)], t, x)
	case g.isa == AVX512:
		return g.narrowWith(narrowOps[[2]int{from, to}], t, x)
	}
	for from > to {
		x = g.halve(x)
		from /= 2
	}
	return x.as(t)
}

// halve keeps the low halves of integers.
func (g *gen) halve(x value) value {
	switch x.t.Size() {
	case 8:
		return g.packWith(scalar.U32, x, func(l uint8, a, b vreg) vreg { return g.op2I(Vshufps, l, a, b, 0x88) })
	case 4:
		low := g.bits(scalar.OpAnd, x, g.num(x.t, 0xffff))
		return g.packWith(scalar.U16, low, func(l uint8, a, b vreg) vreg { return g.op2(Vpackusdw, l, a, b) })
	}
	low := g.bits(scalar.OpAnd, x, g.num(x.t, 0xff))
	return g.packWith(scalar.U8, low, func(l uint8, a, b vreg) vreg { return g.op2(Vpackuswb, l, a, b) })
}
