package amd64

import (
	"github.com/weft-go/weft/lower/scalar"
)

func (g *x86) loadScalar(t scalar.Type, p *place) value {
	if t == scalar.Bool && g.isa == AVX512 {
		d, k := g.newG(), g.newK()
		g.put(p.at(minst{op: Movzxb, d: d}, 0))
		g.put(minst{op: KmovdG, d: k, b: d})
		return value{t: t, r: []vreg{k}}
	}
	d := g.newV(L128)
	g.put(p.at(minst{op: loadOp(t.Size()), d: d}, 0))
	if t == scalar.Bool {
		return g.compare(scalar.OpNe, value{t: scalar.U8, r: []vreg{d}}, g.num(scalar.U8, 0))
	}
	return value{t: t, r: []vreg{d}}
}

// loadSame reads one element for all lanes.
func (g *x86) loadSame(t scalar.Type, p *place) value {
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

// loadRun reads neighbouring elements.
func (g *x86) loadRun(t scalar.Type, p *place) value {
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

func (g *x86) storeScalar(x value, p *place) {
	if x.t == scalar.Bool {
		if g.isa == AVX512 {
			d := g.newG()
			g.put(minst{op: KmovwR, d: d, b: x.r[0]})
			g.put(p.at(minst{op: MovbS, a: g.gTiedI(AndI, d, 1)}, 0))
			return
		}
		x = g.boolToInt(scalar.U8, x)
	}
	g.put(p.at(minst{op: storeOp(x.t.Size()), a: x.r[0]}, 0))
}

// storeRun writes neighbouring elements. It reports false where there is no instruction for it.
func (g *x86) storeRun(x value, p *place) bool {
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

// gather reads elements at offsets of their own.
func (g *x86) gather(t scalar.Type, p *place) value {
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
