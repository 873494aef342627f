package amd64

import (
	"encoding/binary"

	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/scalar"
)

// scale returns x·2ⁿ for integral floats n, rounded once.
func (g *x86) scale(x, n value) value {
	t := x.t
	if g.isa == AVX512 {
		return g.bin(byType(Vscalefps, t), x, n)
	}
	// x·2^⌊n/2⌋ is exact, and its product with the rest rounds once.
	var k value
	if t == scalar.F32 {
		k = g.un(Vcvttps2dq, scalar.I32, n)
	} else {
		k = g.narrowWith(Vcvttpd2dq, scalar.I32, n)
	}
	h := g.shiftConst(scalar.OpShr, k, 1)
	power := func(k value) value {
		bias, bits := int64(127), uint64(23)
		if t == scalar.F64 {
			k = g.intToInt(scalar.I64, k)
			bias, bits = 1023, 52
		}
		return g.shiftConst(scalar.OpShl, g.bin(addOps[t.Size()], k, g.num(k.t, bias)), bits).as(t)
	}
	mul := byType(Vmulps, t)
	return g.bin(mul, g.bin(mul, x, power(h)), power(g.bin(Vpsubd, k, h)))
}

// tableVectors returns constants with the entries of a table, per entries in each register of
// length length; a table that is shorter repeats.
func (g *x86) tableVectors(t ir.Table, length uint8) []vreg {
	size := t.Type.Size()
	per := 16 << length / size
	var rs []vreg
	for at := 0; at < len(t.Bits); at += per {
		b := make([]byte, 0, 16<<length)
		for i := range per {
			x := t.Bits[(at+i)%len(t.Bits)]
			if size == 4 {
				b = binary.LittleEndian.AppendUint32(b, uint32(x))
			} else {
				b = binary.LittleEndian.AppendUint64(b, x)
			}
		}
		rs = append(rs, g.vbytes(b))
	}
	return rs
}

// lookup returns the entries of a table that the low bits of x name.
func (g *x86) lookup(table ir.Table, x value) value {
	size := table.Type.Size()
	v := g.newValue(table.Type)
	for _, r := range x.r {
		switch {
		case g.isa == AVX2:
			v.r = append(v.r, g.lookupAVX2(table, size, r))
		default:
			v.r = append(v.r, g.lookupAVX512(table, size, r))
		}
	}
	return v
}

// lookupAVX512 reads tables of one or two registers with a permutation, larger ones in halves.
func (g *x86) lookupAVX512(table ir.Table, size int, x vreg) vreg {
	rs := g.tableVectors(table, L512)
	one, two := Vpermd, Vpermi2d
	if table.Type.IsFloat() {
		one, two = Vpermps, Vpermi2ps
	}
	if size == 8 {
		one, two = Vpermq, Vpermi2q
		if table.Type.IsFloat() {
			one, two = Vpermpd, Vpermi2pd
		}
	}
	pair := func(a, b vreg) vreg {
		d := g.newV(L512)
		g.regs[d].hint = x
		g.put(minst{op: two, len: L512, d: d, c: x, a: a, b: b})
		return d
	}
	switch len(rs) {
	case 1:
		return g.op2(one, L512, x, rs[0])
	case 2:
		return pair(rs[0], rs[1])
	}
	k := g.newK() // bit 4 of the index
	g.put(minst{op: Vptestmq, len: L512, d: k, a: x, b: g.vconst(8, 16, L512)})
	return g.masked(Vblendmpd, L512, k, pair(rs[0], rs[1]), pair(rs[2], rs[3]))
}

// lookupAVX2 permutes every register of the table and blends by the upper bits of the index.
func (g *x86) lookupAVX2(table ir.Table, size int, x vreg) vreg {
	rs := g.tableVectors(table, L256)
	index, bit := x, 3
	shift, width, blend := VpslldI, 32, Vblendvps
	if size == 8 {
		index = g.derived(x, pairIndex, g.pairIndex)
		bit, shift, width, blend = 2, VpsllqI, 64, Vblendvpd
	}
	var parts []vreg
	for _, r := range rs {
		parts = append(parts, g.op2(Vpermd, L256, index, r))
	}
	for ; len(parts) > 1; bit++ {
		sign := g.derived(x, width-1-bit, func(x vreg) vreg { return g.op1I(shift, L256, x, int64(width-1-bit)) })
		var half []vreg
		for i := 0; i < len(parts); i += 2 {
			d := g.newV(L256)
			g.put(minst{op: blend, len: L256, d: d, a: parts[i], b: parts[i+1], c: sign, third: true})
			half = append(half, d)
		}
		parts = half
	}
	return parts[0]
}

// pairIndex returns the index of pairs of words: entry i is the words 2i and 2i+1.
func (g *x86) pairIndex(x vreg) vreg {
	low := g.op2(Vpand, L256, x, g.vconst(8, 3, L256))
	index := g.op1I(VpsllqI, L256, low, 1)
	index = g.op2(Vpor, L256, index, g.op1I(VpsllqI, L256, low, 33))
	return g.op2(Vpor, L256, index, g.vconst(8, 1<<32, L256))
}

// derived returns what f makes of an index, which the tables of the innermost scope share.
func (g *x86) derived(x vreg, form int, f func(vreg) vreg) vreg {
	s := g.top()
	key := derivedKey{x, form}
	if r, ok := s.derived[key]; ok {
		return r
	}
	r := f(x)
	if s.derived == nil {
		s.derived = map[derivedKey]vreg{}
	}
	s.derived[key] = r
	return r
}
