package native

import (
	"slices"

	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/scalar"
)

func (g *Gen) load(s *ir.Load) Value {
	if g.listing {
		g.comment("%%%d = load %s", s.Dst, g.k.Buffers[s.At.Buffer].Name)
	}
	t := g.k.Buffers[s.At.Buffer].Type
	if c, ok := g.columnOf(&s.At); ok {
		return g.fromMemory(t, g.loadColumn(stored(t), s.At.Buffer, &c))
	}
	g.present = g.place(&s.At)
	p := &g.present
	if g.Lanes.One() {
		return g.loadOne(t, p)
	}
	raw := stored(t)
	mask := p.cond
	var v Value
	switch {
	case p.Offsets != nil:
		v = g.Gather(raw, p)
	case p.cv.c == 0 && mask == nil:
		v = g.LoadSame(raw, p)
	case p.cv.c == 0:
		zero := g.Num(scalar.I32, 0)
		p.Offsets = &zero
		v = g.Gather(raw, p)
	default:
		v = g.LoadRun(raw, p)
		if i := slices.IndexFunc(g.leading, func(l lead) bool { return l.load == s }); i >= 0 {
			beyond := g.leading[i].bytes
			for i := range v.R {
				if at := i * g.PerPart(raw.Size()) * raw.Size(); at%64 == 0 { // a line of the cache begins
					g.Put(p.At(Inst{Op: Prefetch}, int64(at)+beyond))
				}
			}
		}
	}
	return g.fromMemory(t, v)
}

// stored returns the type of the numbers that represent elements of type t in memory.
func stored(t scalar.Type) scalar.Type {
	if t == scalar.Bool {
		return scalar.U8
	}
	return t
}

func (g *Gen) fromMemory(t scalar.Type, v Value) Value {
	if t == scalar.Bool {
		return g.Compare(scalar.OpNe, v, g.Num(scalar.U8, 0))
	}
	return v
}

// loadOne reads one element. If a check of p fails, the result is zero.
func (g *Gen) loadOne(t scalar.Type, p *Place) Value {
	if len(p.checks) == 0 {
		return g.LoadScalar(t, p)
	}
	v := g.Splat(t, 0)
	r := Value{T: t, R: []VReg{g.copyOf(v.R[0])}, W: v.W}
	done := g.newLabel()
	g.jumpOutside(p, done)
	x := g.LoadScalar(t, p)
	if t == scalar.Bool {
		x = g.BoolLike(x, r)
	}
	g.Move(r.R[0], x.R[0])
	g.bind(done)
	return r
}

// jumpOutside jumps where a check fails.
func (g *Gen) jumpOutside(p *Place, to Label) {
	for _, c := range p.checks {
		g.branchSize(Ge, c.x, c.bound, to)
		g.branchI(Lt, c.x, 0, to)
	}
}

// Active returns the lanes that an access touches, or nil for all.
func (g *Gen) Active(p *Place) *Value {
	if g.Lanes.Mask == nil {
		return p.cond
	}
	m := Value{T: scalar.Bool, R: g.Lanes.Mask}
	if p.cond != nil {
		m = g.Logic(scalar.OpAnd, m, *p.cond)
	}
	return &m
}

// SpreadRun turns the place of neighbouring elements into a place with an offset for each lane.
func (g *Gen) SpreadRun(p *Place, size int) {
	d := g.NewG()
	g.Put(Inst{Op: Address, D: d, Mem: true, Base: p.base, Index: p.index, Scale: p.scale})
	p.base, p.index = d, 0
	steps := g.iota(scalar.I32, int64(size))
	p.Offsets, p.Step = &steps, int32(size)
}

func (g *Gen) storeTo(s *ir.Store) {
	if g.listing {
		g.comment("store %s, %%%d", g.k.Buffers[s.At.Buffer].Name, s.Value)
	}
	g.present = g.place(&s.At)
	p := &g.present
	x := g.get(s.Value)
	if g.Lanes.One() {
		g.storeOne(x, p)
		return
	}
	if x.T == scalar.Bool {
		x = g.BoolToInt(scalar.U8, x)
	}
	if p.Offsets == nil && p.cv.c != 0 {
		if g.StoreRun(x, p) {
			return
		}
		g.SpreadRun(p, x.T.Size())
	}
	if p.Offsets == nil {
		zero := g.Num(scalar.I32, 0)
		p.Offsets = &zero
	}
	g.scatter(x, p)
}

func (g *Gen) storeOne(x Value, p *Place) {
	if len(p.checks) > 0 {
		done := g.newLabel()
		g.jumpOutside(p, done)
		g.StoreScalar(x, p)
		g.bind(done)
		return
	}
	g.StoreScalar(x, p)
}
