package amd64

import (
	"slices"

	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/scalar"
)

// load reads the elements of an access.
func (g *gen) load(s *ir.Load) value {
	if g.listing {
		g.comment("%%%d = load %s", s.Dst, g.k.Buffers[s.At.Buffer].Name)
	}
	t := g.k.Buffers[s.At.Buffer].Type
	p := g.place(&s.At)
	if g.cx.one() {
		return g.loadOne(t, &p, s.Else)
	}
	raw := t
	if t == scalar.Bool {
		raw = scalar.U8
	}
	mask := p.cond
	var v value
	switch {
	case p.offsets != nil:
		v = g.gather(raw, &p)
	case p.cv.c == 0 && mask == nil:
		v = g.loadSame(raw, &p)
	case p.cv.c == 0:
		zero := g.num(scalar.I32, 0)
		p.offsets = &zero
		v = g.gather(raw, &p)
	default:
		v = g.loadRun(raw, &p)
		if slices.Contains(g.leading, s) {
			for i := range v.r {
				g.put(p.at(minst{op: Prefetch}, int64(i*g.perPart(raw.Size())*raw.Size()+bytesBeyond)))
			}
		}
	}
	if t == scalar.Bool {
		v = g.compare(scalar.OpNe, v, g.num(scalar.U8, 0))
	}
	if mask != nil && s.Else != ir.NoRef {
		v = g.choose(*mask, v, g.get(s.Else))
	}
	return v
}

// loadOne reads one element, if it is inside.
func (g *gen) loadOne(t scalar.Type, p *place, other ir.Ref) value {
	if len(p.checks) == 0 {
		return g.loadScalar(t, p)
	}
	var v value
	if other != ir.NoRef {
		v = g.get(other)
	} else {
		v = g.konst(t, 0)
	}
	r := value{t: t, r: []vreg{g.copyOf(v.r[0])}, w: v.w}
	done := g.newLabel()
	g.jumpOutside(p, done)
	x := g.loadScalar(t, p)
	if t == scalar.Bool {
		x = g.boolLike(x, r)
	}
	g.move(r.r[0], x.r[0])
	g.bind(done)
	return r
}

// jumpOutside jumps where a check fails.
func (g *gen) jumpOutside(p *place, to label) {
	for _, c := range p.checks {
		g.branchSize(Ge, c.x, c.bound, to)
		g.branchI(Lt, c.x, 0, to)
	}
}

// active returns the lanes that an access touches, or nil for all.
func (g *gen) active(p *place) *value {
	if g.cx.mask == nil {
		return p.cond
	}
	m := value{t: scalar.Bool, r: g.cx.mask}
	if p.cond != nil {
		m = g.logic(scalar.OpAnd, m, *p.cond)
	}
	return &m
}

// spreadRun turns a run of neighbouring elements into one with an offset for each lane.
func (g *gen) spreadRun(p *place, size int) {
	d := g.newG()
	g.put(minst{op: Address, d: d, mem: true, base: p.base, index: p.index, scale: p.scale})
	p.base, p.index = d, 0
	steps := g.iota(scalar.I32, int64(size))
	p.offsets = &steps
}

// storeTo writes the elements of an access.
func (g *gen) storeTo(s *ir.Store) {
	if g.listing {
		g.comment("store %s, %%%d", g.k.Buffers[s.At.Buffer].Name, s.Value)
	}
	p := g.place(&s.At)
	x := g.get(s.Value)
	if g.cx.one() {
		g.storeOne(x, &p)
		return
	}
	if x.t == scalar.Bool {
		x = g.boolToInt(scalar.U8, x)
	}
	if p.offsets == nil && p.cv.c != 0 {
		if g.storeRun(x, &p) {
			return
		}
		g.spreadRun(&p, x.t.Size())
	}
	if p.offsets == nil {
		zero := g.num(scalar.I32, 0)
		p.offsets = &zero
	}
	g.scatter(x, &p)
}

func (g *gen) storeOne(x value, p *place) {
	if len(p.checks) > 0 {
		done := g.newLabel()
		g.jumpOutside(p, done)
		g.storeScalar(x, p)
		g.bind(done)
		return
	}
	g.storeScalar(x, p)
}
