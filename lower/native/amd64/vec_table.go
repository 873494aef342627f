package amd64

import (
	"encoding/binary"

	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/native"
	"github.com/weft-go/weft/lower/scalar"
)

// Scale returns x·2ⁿ for integral floats n, rounded once.
func (g *x86) Scale(x, n native.Value) native.Value {
	t := x.T
	if g.isa == AVX512 {
		return g.Bin(byType(Vscalefps, t), x, n)
	}
	// x·2^⌊n/2⌋ is exact, and its product with the rest rounds once.
	var k native.Value
	if t == scalar.F32 {
		k = g.Un(Vcvttps2dq, scalar.I32, n)
	} else {
		k = g.narrowWith(Vcvttpd2dq, scalar.I32, n)
	}
	h := g.ShiftConst(scalar.OpShr, k, 1)
	power := func(k native.Value) native.Value {
		bias, bits := int64(127), uint64(23)
		if t == scalar.F64 {
			k = g.intToInt(scalar.I64, k)
			bias, bits = 1023, 52
		}
		return g.ShiftConst(scalar.OpShl, g.Bin(addOps[t.Size()], k, g.Num(k.T, bias)), bits).As(t)
	}
	mul := byType(Vmulps, t)
	return g.Bin(mul, g.Bin(mul, x, power(h)), power(g.Bin(Vpsubd, k, h)))
}

// tableVectors returns registers of a length that contain the entries of a table in order. If the table is shorter
// than a register, its entries repeat.
func (g *x86) tableVectors(t ir.Table, length uint8) []native.VReg {
	size := t.Type.Size()
	per := 16 << length / size
	var rs []native.VReg
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
		rs = append(rs, g.VBytes(b))
	}
	return rs
}

// Lookup returns the entries of a table at the low bits of x.
func (g *x86) Lookup(table ir.Table, x native.Value) native.Value {
	size := table.Type.Size()
	v := g.NewValue(table.Type)
	for _, r := range x.R {
		switch {
		case g.isa == AVX2:
			v.R = append(v.R, g.lookupAVX2(table, size, r))
		default:
			v.R = append(v.R, g.lookupAVX512(table, size, r))
		}
	}
	return v
}

// lookupAVX512 reads tables of one or two registers with a permutation, larger ones, of 32 numbers of 8 bytes, in halves.
func (g *x86) lookupAVX512(table ir.Table, size int, x native.VReg) native.VReg {
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
	pair := func(a, b native.VReg) native.VReg {
		d := g.NewV(L512)
		g.Regs[d].Hint = x
		g.Put(native.Inst{Op: two, Len: L512, D: d, C: x, A: a, B: b})
		return d
	}
	switch len(rs) {
	case 1:
		return g.Op2(one, L512, x, rs[0])
	case 2:
		return pair(rs[0], rs[1])
	}
	k := g.NewK() // bit 4 of the index
	g.Put(native.Inst{Op: Vptestmq, Len: L512, D: k, A: x, B: g.VConst(8, 16, L512)})
	return g.Masked(Vblendmpd, L512, k, pair(rs[0], rs[1]), pair(rs[2], rs[3]))
}

// lookupAVX2 permutes every register of the table and blends by the upper bits of the index.
func (g *x86) lookupAVX2(table ir.Table, size int, x native.VReg) native.VReg {
	rs := g.tableVectors(table, L256)
	index, bit := x, 3
	shift, width, blend := VpslldI, 32, Vblendvps
	if size == 8 {
		index = g.Derived(x, pairIndex, g.pairIndex)
		bit, shift, width, blend = 2, VpsllqI, 64, Vblendvpd
	}
	var parts []native.VReg
	for _, r := range rs {
		parts = append(parts, g.Op2(Vpermd, L256, index, r))
	}
	for ; len(parts) > 1; bit++ {
		sign := g.Derived(x, width-1-bit, func(x native.VReg) native.VReg { return g.Op1I(shift, L256, x, int64(width-1-bit)) })
		var half []native.VReg
		for i := 0; i < len(parts); i += 2 {
			d := g.NewV(L256)
			g.Put(native.Inst{Op: blend, Len: L256, D: d, A: parts[i], B: parts[i+1], C: sign, Third: true})
			half = append(half, d)
		}
		parts = half
	}
	return parts[0]
}

// pairIndex returns the index of pairs of words: entry i is the words 2i and 2i+1.
func (g *x86) pairIndex(x native.VReg) native.VReg {
	low := g.Op2(Vpand, L256, x, g.VConst(8, 3, L256))
	index := g.Op1I(VpsllqI, L256, low, 1)
	index = g.Op2(Vpor, L256, index, g.Op1I(VpsllqI, L256, low, 33))
	return g.Op2(Vpor, L256, index, g.VConst(8, 1<<32, L256))
}

// pairIndex is the form of x86.pairIndex for [native.Gen.Derived]; the other forms are shifts.
const pairIndex = -1
