package amd64

import (
	"github.com/weft-go/weft/lower/scalar"
)

// chunk returns a register that has the bytes of r from offset on at its start.
func (g *x86) chunk(r vreg, offset int) vreg {
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
func (g *x86) extract(op Op, from, to uint8, r vreg, imm int64) vreg {
	d := g.newV(to)
	g.put(minst{op: op, len: from, d: d, a: r, imm: imm})
	return d
}

// combine joins registers of which each has that many bytes to one.
func (g *x86) combine(rs []vreg, bytes int) vreg {
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
func (g *x86) widenWith(op Op, t scalar.Type, x value) value {
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
func (g *x86) narrowWith(op Op, t scalar.Type, x value) value {
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
func (g *x86) packWith(t scalar.Type, x value, pack func(length uint8, a, b vreg) vreg) value {
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
func (g *x86) intToInt(t scalar.Type, x value) value {
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
func (g *x86) halve(x value) value {
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

var broadcastOps = bySize{1: Vpbroadcastb, 2: Vpbroadcastw, 4: Vbroadcastss, 8: Vpbroadcastq}

// spread copies the only element of a value to all lanes.
func (g *x86) spread(x value) value {
	v := value{t: x.t, r: g.regSlice(), w: x.w}
	if x.t == scalar.Bool && g.isa == AVX512 {
		d := g.newG()
		g.put(minst{op: KmovwR, d: d, b: x.r[0]})
		d = g.gTiedI(AndI, d, 1)
		n := g.newG()
		g.put(minst{op: Neg, d: n, c: d})
		k := g.newK()
		g.put(minst{op: KmovqG, d: k, b: n})
		for range g.cx.u {
			v.r = append(v.r, k)
		}
		return v
	}
	size := x.t.Size()
	if x.t == scalar.Bool {
		size = int(x.w)
	}
	parts, length := g.layout(size)
	r := g.op1(broadcastOps[size], length, x.r[0])
	for range parts * g.cx.u {
		v.r = append(v.r, r)
	}
	return v
}

// spreadGeneral returns an integer of a general register in all lanes.
func (g *x86) spreadGeneral(t scalar.Type, x vreg) value {
	parts, length := g.layout(t.Size())
	v := g.newValue(t)
	var d vreg
	if g.isa == AVX512 && !g.cx.one() {
		d = g.op1(bySize{1: VpbroadcastbG, 2: VpbroadcastwG, 4: VpbroadcastdG, 8: VpbroadcastqG}[t.Size()], length, x)
	} else {
		op := Vmovd
		if t.Size() == 8 {
			op = Vmovq
		}
		d = g.op1(op, L128, x)
		if !g.cx.one() {
			d = g.op1(broadcastOps[t.Size()], length, d)
		}
	}
	for range parts * g.cx.u {
		v.r = append(v.r, d)
	}
	return v
}

// spreadBool returns the bool of all lanes that a general register is: ones for true, or zeros.
func (g *x86) spreadBool(in vreg) value {
	v := value{t: scalar.Bool, r: g.regSlice()}
	if g.isa == AVX512 {
		k := g.newK()
		g.put(minst{op: KmovqG, d: k, b: in})
		for range g.cx.u {
			v.r = append(v.r, k)
		}
		return v
	}
	v = g.spreadGeneral(scalar.I64, in)
	return value{scalar.Bool, v.r, 8}
}

// toGeneral returns a single I32 or I64 in a general register.
func (g *x86) toGeneral(x value) vreg {
	d := g.newG()
	if x.t == scalar.I64 {
		g.put(minst{op: VmovqS, d: d, a: x.r[0]})
		return d
	}
	g.put(minst{op: VmovdS, d: d, a: x.r[0]})
	e := g.newG()
	g.put(minst{op: Movsxd, d: e, b: d})
	return e
}
