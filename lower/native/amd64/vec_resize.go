package amd64

import (
	"github.com/weft-go/weft/lower/native"
	"github.com/weft-go/weft/lower/scalar"
)

// chunk returns a register that has the bytes of r from byte `offset` on at its start.
func (g *x86) chunk(r native.VReg, offset int) native.VReg {
	if offset == 0 {
		return r
	}
	if offset >= 16 {
		switch {
		case g.isa == AVX2:
			r = g.extract(Vextracti128, L256, L128, r, int64(offset/16))
		case offset == 32:
			return g.extract(Vextracti64x4, L512, L256, r, 1)
		case offset > 32 && g.Regs[r].Len == L512 || offset == 16 || offset == 24:
			r = g.extract(Vextracti32x4, g.Regs[r].Len, L128, r, int64(offset/16))
		}
		offset %= 16
	}
	if offset > 0 {
		r = g.Op1I(VpsrldqI, L128, r, int64(offset))
	}
	return r
}

func (g *x86) extract(op Op, from, to uint8, r native.VReg, imm int64) native.VReg {
	d := g.NewV(to)
	g.Put(native.Inst{Op: op, Len: from, D: d, A: r, Imm: imm})
	return d
}

// combine joins registers, each with the given number of bytes, to one.
func (g *x86) combine(rs []native.VReg, bytes int) native.VReg {
	for len(rs) > 1 {
		half := rs[:0:0]
		for i := 0; i < len(rs); i += 2 {
			a, b := rs[i], rs[i+1]
			var d native.VReg
			switch bytes {
			case 4:
				d = g.Op2(Vpunpckldq, L128, a, b)
			case 8:
				d = g.Op2(Vpunpcklqdq, L128, a, b)
			case 16:
				if g.isa == AVX512 {
					d = g.Op2I(Vinserti32x4, L256, a, b, 1)
				} else {
					d = g.Op2I(Vinserti128, L256, a, b, 1)
				}
			default:
				d = g.Op2I(Vinserti64x4, L512, a, b, 1)
			}
			half = append(half, d)
		}
		rs = half
		bytes *= 2
	}
	return rs[0]
}

// widenWith converts to a wider type with an instruction whose operand is part of a register.
func (g *x86) widenWith(op Op, t scalar.Type, x native.Value) native.Value {
	size := x.T.Size()
	from, to := g.PerPart(size), g.PerPart(t.Size())
	parts, length := g.Layout(t.Size())
	old, _ := g.Layout(size)
	v := g.NewValue(t)
	for u := range g.Lanes.U {
		for i := range parts {
			at := i * to
			v.R = append(v.R, g.Op1(op, length, g.chunk(x.R[u*old+at/from], at%from*size)))
		}
	}
	return v
}

// narrowWith converts to a narrower type with an instruction whose result is part of a register.
func (g *x86) narrowWith(op Op, t scalar.Type, x native.Value) native.Value {
	size := t.Size()
	from, to := g.PerPart(x.T.Size()), g.PerPart(size)
	_, length := g.Layout(x.T.Size())
	v := g.NewValue(t)
	n := to / from
	for i := 0; i < len(x.R); i += n {
		rs := make([]native.VReg, n)
		for j := range rs {
			d := g.NewV(native.VectorLen(from * size))
			in := native.Inst{Op: op, Len: length, D: d}
			if opTable[op].form == formMR {
				in.A = x.R[i+j]
			} else {
				in.B = x.R[i+j]
			}
			if opTable[op].flags&hasImm != 0 {
				in.Imm = 0 // to nearest even
			}
			g.Put(in)
			rs[j] = d
		}
		v.R = append(v.R, g.combine(rs, from*size))
	}
	return v
}

// packWith halves the size of integers with an AVX2 instruction that takes two registers
// and works on their halves separately.
func (g *x86) packWith(t scalar.Type, x native.Value, pack func(length uint8, a, b native.VReg) native.VReg) native.Value {
	bytes := g.Lanes.N * x.T.Size()
	v := g.NewValue(t)
	switch {
	case bytes <= 16:
		for _, a := range x.R {
			v.R = append(v.R, pack(L128, a, a))
		}
	case bytes == 32:
		for _, a := range x.R {
			v.R = append(v.R, pack(L128, a, g.extract(Vextracti128, L256, L128, a, 1)))
		}
	default:
		for i := 0; i < len(x.R); i += 2 {
			v.R = append(v.R, g.Op1I(VpermqI, L256, pack(L256, x.R[i], x.R[i+1]), 0xd8))
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
func (g *x86) intToInt(t scalar.Type, x native.Value) native.Value {
	from, to := x.T.Size(), t.Size()
	switch {
	case from == to:
		return x.As(t)
	case from < to:
		return g.widenWith(widenOps[[2]int{from, to}][signIndex(x.T)], t, x)
	case g.isa == AVX512:
		return g.narrowWith(narrowOps[[2]int{from, to}], t, x)
	}
	for from > to {
		x = g.halve(x)
		from /= 2
	}
	return x.As(t)
}

// halve keeps the low halves of integers.
func (g *x86) halve(x native.Value) native.Value {
	switch x.T.Size() {
	case 8:
		return g.packWith(scalar.U32, x, func(l uint8, a, b native.VReg) native.VReg { return g.Op2I(Vshufps, l, a, b, 0x88) })
	case 4:
		low := g.bits(scalar.OpAnd, x, g.Num(x.T, 0xffff))
		return g.packWith(scalar.U16, low, func(l uint8, a, b native.VReg) native.VReg { return g.Op2(Vpackusdw, l, a, b) })
	}
	low := g.bits(scalar.OpAnd, x, g.Num(x.T, 0xff))
	return g.packWith(scalar.U8, low, func(l uint8, a, b native.VReg) native.VReg { return g.Op2(Vpackuswb, l, a, b) })
}

var broadcastOps = bySize{1: Vpbroadcastb, 2: Vpbroadcastw, 4: Vbroadcastss, 8: Vpbroadcastq}

func (g *x86) Spread(x native.Value) native.Value {
	v := native.Value{T: x.T, R: g.RegSlice(), W: x.W}
	if x.T == scalar.Bool && g.isa == AVX512 {
		d := g.NewG()
		g.Put(native.Inst{Op: KmovwR, D: d, B: x.R[0]})
		d = g.GTiedI(AndI, d, 1)
		n := g.NewG()
		g.Put(native.Inst{Op: Neg, D: n, C: d})
		k := g.NewK()
		g.Regs[k].Bits = n
		g.Put(native.Inst{Op: KmovqG, D: k, B: n})
		for range g.Lanes.U {
			v.R = append(v.R, k)
		}
		return v
	}
	size := x.T.Size()
	if x.T == scalar.Bool {
		size = int(x.W)
	}
	parts, length := g.Layout(size)
	r := g.Op1(broadcastOps[size], length, x.R[0])
	for range parts * g.Lanes.U {
		v.R = append(v.R, r)
	}
	return v
}

func (g *x86) SpreadGeneral(t scalar.Type, x native.VReg) native.Value {
	parts, length := g.Layout(t.Size())
	v := g.NewValue(t)
	var d native.VReg
	if g.isa == AVX512 && !g.Lanes.One() {
		d = g.Op1(bySize{1: VpbroadcastbG, 2: VpbroadcastwG, 4: VpbroadcastdG, 8: VpbroadcastqG}[t.Size()], length, x)
	} else {
		op := Vmovd
		if t.Size() == 8 {
			op = Vmovq
		}
		d = g.Op1(op, L128, x)
		if !g.Lanes.One() {
			d = g.Op1(broadcastOps[t.Size()], length, d)
		}
	}
	for range parts * g.Lanes.U {
		v.R = append(v.R, d)
	}
	return v
}

func (g *x86) SpreadBool(in native.VReg) native.Value {
	v := native.Value{T: scalar.Bool, R: g.RegSlice()}
	if g.isa == AVX512 {
		k := g.NewK()
		g.Put(native.Inst{Op: KmovqG, D: k, B: in})
		for range g.Lanes.U {
			v.R = append(v.R, k)
		}
		return v
	}
	v = g.SpreadGeneral(scalar.I64, in)
	return native.Value{T: scalar.Bool, R: v.R, W: 8}
}

func (g *x86) ToGeneral(x native.Value) native.VReg {
	d := g.NewG()
	if x.T == scalar.I64 {
		g.Put(native.Inst{Op: VmovqS, D: d, A: x.R[0]})
		return d
	}
	g.Put(native.Inst{Op: VmovdS, D: d, A: x.R[0]})
	e := g.NewG()
	g.Put(native.Inst{Op: Movsxd, D: e, B: d})
	return e
}
