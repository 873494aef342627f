package native

import "github.com/weft-go/weft/lower/scalar"

// PlainTarget writes accesses to memory for machines with one size of vectors and without masks, whose bools
// are vectors. A [Target] embeds it.
type PlainTarget struct{ *Gen }

// BytesOf returns the bytes of a register that elements of a size fill.
func (g PlainTarget) BytesOf(size int) int { return g.PerPart(size) * size }

// Same returns a value whose registers are all r. size is the size of its elements.
func (g PlainTarget) Same(t scalar.Type, size int, r VReg) Value {
	parts, _ := g.Layout(size)
	v := g.NewValue(t)
	for range parts * g.Lanes.U {
		v.R = append(v.R, r)
	}
	return v
}

func (g PlainTarget) LoadScalar(t scalar.Type, p *Place) Value {
	d := g.NewV(0)
	g.Put(p.At(Inst{Op: LoadOp(t.Size()), D: d}, 0))
	if t == scalar.Bool {
		return g.Compare(scalar.OpNe, Value{T: scalar.U8, R: []VReg{d}}, g.Num(scalar.U8, 0))
	}
	return Value{T: t, R: []VReg{d}}
}

func (g PlainTarget) StoreScalar(x Value, p *Place) {
	if x.T == scalar.Bool {
		x = g.BoolToInt(scalar.U8, x)
	}
	g.Put(p.At(Inst{Op: StoreOp(x.T.Size()), A: x.R[0]}, 0))
}

// LoadRun reads neighbouring elements.
func (g PlainTarget) LoadRun(t scalar.Type, p *Place) Value {
	if g.Active(p) != nil {
		q := *p
		g.SpreadRun(&q, t.Size())
		return g.Gather(t, &q)
	}
	parts, length := g.Layout(t.Size())
	bytes := g.BytesOf(t.Size())
	v := g.NewValue(t)
	for i := range parts * g.Lanes.U {
		d := g.NewV(length)
		g.Put(p.At(Inst{Op: LoadOp(bytes), D: d}, int64(i*bytes)))
		v.R = append(v.R, d)
	}
	return v
}

// StoreRun writes neighbouring elements. It writes nothing and reports false if only some lanes are active.
func (g PlainTarget) StoreRun(x Value, p *Place) bool {
	if g.Active(p) != nil {
		return false
	}
	bytes := g.BytesOf(x.T.Size())
	for i, r := range x.R {
		g.Put(p.At(Inst{Op: StoreOp(bytes), A: r}, int64(i*bytes)))
	}
	return true
}
