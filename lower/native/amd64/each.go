package amd64

import (
	"github.com/weft-go/weft/lower/scalar"
)

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
		g.put(p.at(minst{op: storeOp(bytes), len: length, a: r}, int64(i*bytes)))
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
		offsets = g.convert(scalar.I64, offsets)
	}
	offAt := g.room(total * 8)
	g.spill(offsets, offAt)
	lane := g.newG()
	g.put(minst{op: Const, d: lane})
	g.counted(lane, extent{n: int64(total)}, 1, func() {
		next := g.newLabel()
		if maskAt >= 0 {
			b := g.newG()
			g.put(minst{op: Load8, d: b, mem: true, base: scratchReg, index: lane, disp: maskAt})
			g.branchOp(Eq, minst{op: Test, a: b, b: b}, next)
		}
		off := g.newG()
		g.put(minst{op: Load64, d: off, mem: true, base: scratchReg, index: lane, scale: 3, disp: offAt})
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
		g.put(p.at(minst{op: loadOp(bytes), len: length, d: d}, int64(i*bytes)))
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

var (
	loadGeneral  = [9]Op{1: Load8, 2: Load16, 4: Load32, 8: Load64}
	storeGeneral = [9]Op{1: Store8, 2: Store16, 4: Store32, 8: Store64}
)

// loadOp returns the instruction that reads so many bytes into a vector register: those of a whole
// register, or of one element, which become its lowest.
func loadOp(bytes int) Op {
	switch bytes {
	case 1:
		return VLoad1
	case 2:
		return VLoad2
	case 4:
		return VLoad4
	case 8:
		return VLoad8
	}
	return VLoad
}

// storeOp returns the instruction that writes what one of loadOp reads.
func storeOp(bytes int) Op {
	switch bytes {
	case 1:
		return VStore1
	case 2:
		return VStore2
	case 4:
		return VStore4
	case 8:
		return VStore8
	}
	return VStore
}
