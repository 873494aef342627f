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
				g.put(p.at(minst{op: Prefetcht0}, int64(i*g.perPart(raw.Size())*raw.Size()+bytesBeyond)))
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
	if t == scalar.Bool && g.isa == AVX2 {
		x = g.width(x, int(r.w))
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

var loadScalarOps = bySize{1: Vpbroadcastb, 2: Vpbroadcastw, 4: Vmovd, 8: VmovqX}

func (g *gen) loadScalar(t scalar.Type, p *place) value {
	if t == scalar.Bool && g.isa == AVX512 {
		d, k := g.newG(), g.newK()
		g.put(p.at(minst{op: Movzxb, d: d}, 0))
		g.put(minst{op: KmovdG, d: k, b: d})
		return value{t: t, r: []vreg{k}}
	}
	d := g.newV(L128)
	g.put(p.at(minst{op: loadScalarOps[t.Size()], d: d}, 0))
	if t == scalar.Bool {
		return g.compare(scalar.OpNe, value{t: scalar.U8, r: []vreg{d}}, g.num(scalar.U8, 0))
	}
	return value{t: t, r: []vreg{d}}
}

// loadSame reads one element for all lanes.
func (g *gen) loadSame(t scalar.Type, p *place) value {
	parts, length := g.layout(t.Size())
	d := g.newV(length)
	g.put(p.at(minst{op: broadcastOps[t.Size()], len: length, d: d}, 0))
	v := g.newValue(t)
	for range parts * g.cx.u {
		v.r = append(v.r, d)
	}
	return v
}

var (
	moveMasked  = bySize{1: Vmovdqu8, 2: Vmovdqu16, 4: Vmovdqu32, 8: Vmovdqu64}
	storeMasked = bySize{1: Vmovdqu8S, 2: Vmovdqu16S, 4: Vmovdqu32S, 8: Vmovdqu64S}
)

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

// loadRun reads neighbouring elements.
func (g *gen) loadRun(t scalar.Type, p *place) value {
	size := t.Size()
	parts, length := g.layout(size)
	bytes := g.perPart(size) * size
	m := g.active(p)
	if m != nil && g.isa == AVX2 {
		if size < 4 || bytes < 16 {
			q := *p
			g.spreadRun(&q, size)
			return g.gather(t, &q)
		}
		wide := g.width(*m, size)
		m = &wide
	}
	v := g.newValue(t)
	for i := range parts * g.cx.u {
		d := g.newV(length)
		in := minst{op: Vmovups, len: length, d: d}
		switch {
		case m != nil && g.isa == AVX2:
			in.op, in.a = VmaskmovpsL, m.r[i]
			if size == 8 {
				in.op = VmaskmovpdL
			}
		case m != nil:
			in.op, in.k, in.zero = moveMasked[size], g.maskFor(m.r, i, size), true
		case bytes == 8:
			in.op = VmovqX
		case bytes == 4:
			in.op = Vmovd
		}
		g.put(p.at(in, int64(i*bytes)))
		v.r = append(v.r, d)
	}
	return v
}

// spreadRun turns a run of neighbouring elements into one with an offset for each lane.
func (g *gen) spreadRun(p *place, size int) {
	d := g.newG()
	g.put(minst{op: Lea, d: d, mem: true, base: p.base, index: p.index, scale: p.scale})
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

var storeScalarOps = bySize{1: Vpextrb, 2: Vpextrw, 4: VmovdS, 8: VmovqXS}

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

func (g *gen) storeScalar(x value, p *place) {
	if x.t == scalar.Bool {
		if g.isa == AVX512 {
			d := g.newG()
			g.put(minst{op: KmovwR, d: d, b: x.r[0]})
			g.put(p.at(minst{op: MovbS, a: g.gTiedI(AndI, d, 1)}, 0))
			return
		}
		x = g.boolToInt(scalar.U8, x)
	}
	g.put(p.at(minst{op: storeScalarOps[x.t.Size()], a: x.r[0]}, 0))
}

// storeRun writes neighbouring elements. It reports false where there is no instruction for it.
func (g *gen) storeRun(x value, p *place) bool {
	size := x.t.Size()
	_, length := g.layout(size)
	bytes := g.perPart(size) * size
	m := g.active(p)
	if m != nil && g.isa == AVX2 {
		if size < 4 || bytes < 16 {
			return false
		}
		wide := g.width(*m, size)
		m = &wide
	}
	if m == nil && g.streamRun(x, p, bytes) {
		return true
	}
	for i, r := range x.r {
		in := minst{op: VmovupsS, len: length, a: r}
		switch {
		case m != nil && g.isa == AVX2:
			in.op, in.a, in.c, in.third = VmaskmovpsS, m.r[i], r, true
			if size == 8 {
				in.op = VmaskmovpdS
			}
		case m != nil:
			in.op, in.k = storeMasked[size], g.maskFor(m.r, i, size)
		case bytes == 8:
			in.op, in.len = VmovqXS, L128
		case bytes == 4:
			in.op, in.len = VmovdS, L128
		}
		g.put(p.at(in, int64(i*bytes)))
	}
	return true
}

var (
	loadGeneral  = bySize{1: Movzxb, 2: Movzxw, 4: Movl, 8: Mov}
	storeGeneral = bySize{1: MovbS, 2: MovwS, 4: MovlS, 8: MovS}
)
