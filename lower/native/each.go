package native

import (
	"github.com/weft-go/weft/lower/scalar"
)

func (g *Gen) room(bytes int) int32 {
	at := (g.scratch + 63) &^ 63
	g.Draft.scratch = at + int32(bytes)
	return at
}

// spill writes a value to scratch memory, element after element.
func (g *Gen) spill(x Value, at int32) {
	size := x.T.Size()
	bytes := g.PerPart(size) * size
	_, length := g.Layout(size)
	p := Place{base: ScratchReg, disp: at}
	for i, r := range x.R {
		if g.Lanes.One() {
			g.StoreScalar(x, &p)
			return
		}
		g.Put(p.At(Inst{Op: StoreOp(bytes), Len: length, A: r}, int64(i*bytes)))
	}
}

// eachLane writes a loop over the lanes that an access touches: f receives the register of the lane's number, and p
// is changed to the place of this lane's element.
func (g *Gen) eachLane(p *Place, f func(lane VReg)) {
	total := g.Lanes.N * g.Lanes.U
	maskAt := int32(-1)
	if m := g.Active(p); m != nil {
		maskAt = g.room(total)
		g.spill(g.BoolToInt(scalar.U8, *m), maskAt)
	}
	offsets := *p.Offsets
	if offsets.T.Size() == 4 {
		offsets = g.Convert(scalar.I64, offsets)
	}
	offAt := g.room(total * 8)
	g.spill(offsets, offAt)
	lane := g.NewG()
	g.Put(Inst{Op: Const, D: lane})
	g.counted(lane, extent{n: int64(total)}, 1, func() {
		next := g.newLabel()
		if maskAt >= 0 {
			b := g.NewG()
			g.Put(Inst{Op: Load8, D: b, Mem: true, Base: ScratchReg, Index: lane, Disp: maskAt})
			g.BranchOp(Eq, Inst{Op: Test, A: b, B: b}, next)
		}
		off := g.NewG()
		g.Put(Inst{Op: Load64, D: off, Mem: true, Base: ScratchReg, Index: lane, Scale: 3, Disp: offAt})
		p.index, p.scale = off, 0
		f(lane)
		g.bind(next)
	})
}

// GatherEach reads elements one by one.
func (g *Gen) GatherEach(t scalar.Type, p *Place) Value {
	size := t.Size()
	total := g.Lanes.N * g.Lanes.U
	at := g.room(max(64, total*size))
	if g.Active(p) != nil {
		g.spill(g.Num(t, 0), at)
	}
	g.eachLane(p, func(lane VReg) {
		d := g.NewG()
		g.Put(p.At(Inst{Op: loadGeneral[size], D: d}, 0))
		g.Put(Inst{Op: storeGeneral[size], A: d, Mem: true, Base: ScratchReg, Index: lane, Scale: uint8(Log2(size)), Disp: at})
	})
	return g.unspill(t, at)
}

func (g *Gen) unspill(t scalar.Type, at int32) Value {
	size := t.Size()
	parts, length := g.Layout(size)
	bytes := g.PerPart(size) * size
	p := Place{base: ScratchReg, disp: at}
	if g.Lanes.One() {
		return g.LoadScalar(t, &p)
	}
	v := g.NewValue(t)
	for i := range parts * g.Lanes.U {
		d := g.NewV(length)
		g.Put(p.At(Inst{Op: LoadOp(bytes), Len: length, D: d}, int64(i*bytes)))
		v.R = append(v.R, d)
	}
	return v
}

// scatter writes elements one by one, in the order of the lanes.
func (g *Gen) scatter(x Value, p *Place) {
	size := x.T.Size()
	total := g.Lanes.N * g.Lanes.U
	at := g.room(max(64, total*size))
	g.spill(x, at)
	if p.Step != 0 && g.Active(p) == nil {
		for i := range total {
			d := g.NewG()
			g.Put(Inst{Op: loadGeneral[size], D: d, Mem: true, Base: ScratchReg, Disp: at + int32(i*size)})
			g.Put(p.At(Inst{Op: storeGeneral[size], A: d}, int64(i)*int64(p.Step)))
		}
		return
	}
	g.eachLane(p, func(lane VReg) {
		d := g.NewG()
		g.Put(Inst{Op: loadGeneral[size], D: d, Mem: true, Base: ScratchReg, Index: lane, Scale: uint8(Log2(size)), Disp: at})
		g.Put(p.At(Inst{Op: storeGeneral[size], A: d}, 0))
	})
}

var (
	loadGeneral  = [9]Op{1: Load8, 2: Load16, 4: Load32, 8: Load64}
	storeGeneral = [9]Op{1: Store8, 2: Store16, 4: Store32, 8: Store64}
)

// LoadOp returns the instruction that reads the given number of bytes into a vector register: a whole register,
// or one element, which becomes the lowest of the register.
func LoadOp(bytes int) Op {
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

// StoreOp returns the instruction that stores the given number of bytes of a vector register, as [LoadOp] loads
// them.
func StoreOp(bytes int) Op {
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
