package amd64

import (
	"github.com/weft-go/weft/lower/scalar"
)

// gather reads elements at offsets of their own.
func (g *gen) gather(t scalar.Type, p *place) value {
	size := t.Size()
	if g.isa == AVX2 || size < 4 {
		return g.gatherEach(t, p)
	}
	m := g.active(p)
	parts, length := g.layout(size)
	zero := g.num(t, 0)
	mask := func(i, size int) vreg {
		k := g.newK()
		if m == nil {
			g.put(minst{op: KmovqG, d: k, b: g.gConst(-1)})
		} else {
			g.move(k, g.maskFor(m.r, i, size))
		}
		return k
	}
	read := func(op Op, length, to uint8, k, index, start vreg) vreg {
		d := g.newV(to)
		in := p.at(minst{op: op, len: length, d: d, c: start, k: k, slow: true}, 0)
		in.index, in.scale = index, 0
		g.put(in)
		return d
	}
	narrow := p.offsets.t.Size() == 4
	v := g.newValue(t)
	for i := range parts * g.cx.u {
		switch {
		case narrow && size == 4:
			v.r = append(v.r, read(Vpgatherdd, length, length, mask(i, 4), p.offsets.r[i], zero.r[i]))
		case !narrow && size == 8:
			v.r = append(v.r, read(Vpgatherqq, length, length, mask(i, 8), p.offsets.r[i], zero.r[i]))
		case narrow:
			index := p.offsets.r[0]
			if p4, _ := g.layout(4); true {
				per := g.perPart(8)
				at := i % parts * per
				index = g.chunk(p.offsets.r[i/parts*p4+at/g.perPart(4)], at%g.perPart(4)*4)
			}
			v.r = append(v.r, read(Vpgatherdq, length, length, mask(i, 8), index, zero.r[i]))
		default:
			p8, l8 := g.layout(8)
			if p8 == parts { // at most 8 lanes in a part
				v.r = append(v.r, read(Vpgatherqd, l8, length, mask(i, 8), p.offsets.r[i], zero.r[i]))
				continue
			}
			n := p8 / parts
			rs := make([]vreg, n)
			for j := range n {
				rs[j] = read(Vpgatherqd, L512, L256, mask(i*n+j, 8), p.offsets.r[i*n+j], zero.r[i])
			}
			v.r = append(v.r, g.combine(rs, 32))
		}
	}
	return v
}

// buffers of constructs in scratch memory.

// room reserves scratch memory and returns its offset.
func (g *gen) room(bytes int) int32 {
	at := (g.scratch + 63) &^ 63
	g.code.scratch = at + int32(bytes)
	return at
}

// spill writes a value to scratch memory, element after element.
func (g *gen) spill(x value, at int32) {
	size := x.t.Size()
	bytes := g.perPart(size) * size
	_, length := g.layout(size)
	p := place{base: scratchReg, disp: at}
	for i, r := range x.r {
		if g.cx.one() {
			g.storeScalar(x, &p)
			return
		}
		op, l := VmovupsS, length
		switch bytes {
		case 8:
			op, l = VmovqXS, L128
		case 4:
			op, l = VmovdS, L128
		}
		g.put(p.at(minst{op: op, len: l, a: r}, int64(i*bytes)))
	}
}

// eachLane writes a loop over the lanes that an access touches; f receives the lane's number.
func (g *gen) eachLane(p *place, f func(lane vreg)) {
	total := g.cx.n * g.cx.u
	maskAt := int32(-1)
	if m := g.active(p); m != nil {
		maskAt = g.room(total)
		g.spill(g.boolToInt(scalar.U8, *m), maskAt)
	}
	offsets := *p.offsets
	if offsets.t.Size() == 4 {
		offsets = g.intToInt(scalar.I64, offsets)
	}
	offAt := g.room(total * 8)
	g.spill(offsets, offAt)
	lane := g.newG()
	g.put(minst{op: MovI, d: lane})
	g.counted(lane, extent{n: int64(total)}, 1, func() {
		next := g.newLabel()
		if maskAt >= 0 {
			b := g.newG()
			g.put(minst{op: Movzxb, d: b, mem: true, base: scratchReg, index: lane, disp: maskAt})
			g.branchOp(Eq, minst{op: Test, a: b, b: b}, next)
		}
		off := g.newG()
		g.put(minst{op: Mov, d: off, mem: true, base: scratchReg, index: lane, scale: 3, disp: offAt})
		p.index, p.scale = off, 0
		f(lane)
		g.bind(next)
	})
}

// gatherEach reads elements one by one.
func (g *gen) gatherEach(t scalar.Type, p *place) value {
	size := t.Size()
	total := g.cx.n * g.cx.u
	at := g.room(max(64, total*size))
	if g.active(p) != nil {
		g.spill(g.num(t, 0), at)
	}
	g.eachLane(p, func(lane vreg) {
		d := g.newG()
		g.put(p.at(minst{op: loadGeneral[size], d: d}, 0))
		g.put(minst{op: storeGeneral[size], a: d, mem: true, base: scratchReg, index: lane, scale: uint8(log2(size)), disp: at})
	})
	return g.unspill(t, at)
}

// unspill reads a value from scratch memory.
func (g *gen) unspill(t scalar.Type, at int32) value {
	size := t.Size()
	parts, length := g.layout(size)
	bytes := g.perPart(size) * size
	p := place{base: scratchReg, disp: at}
	if g.cx.one() {
		return g.loadScalar(t, &p)
	}
	v := g.newValue(t)
	for i := range parts * g.cx.u {
		d := g.newV(length)
		op := Vmovups
		switch bytes {
		case 8:
			op = VmovqX
		case 4:
			op = Vmovd
		}
		g.put(p.at(minst{op: op, len: length, d: d}, int64(i*bytes)))
		v.r = append(v.r, d)
	}
	return v
}

// scatter writes elements one by one, in the order of the lanes.
func (g *gen) scatter(x value, p *place) {
	size := x.t.Size()
	at := g.room(max(64, g.cx.n*g.cx.u*size))
	g.spill(x, at)
	g.eachLane(p, func(lane vreg) {
		d := g.newG()
		g.put(minst{op: loadGeneral[size], d: d, mem: true, base: scratchReg, index: lane, scale: uint8(log2(size)), disp: at})
		g.put(p.at(minst{op: storeGeneral[size], a: d}, 0))
	})
}
