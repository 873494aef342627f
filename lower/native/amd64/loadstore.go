package amd64

import (
	"github.com/weft-go/weft/lower/native"
	"github.com/weft-go/weft/lower/scalar"
)

func (g *x86) LoadScalar(t scalar.Type, p *native.Place) native.Value {
	if t == scalar.Bool && g.isa == AVX512 {
		d, k := g.NewG(), g.NewK()
		g.Put(p.At(native.Inst{Op: Movzxb, D: d}, 0))
		g.Put(native.Inst{Op: KmovdG, D: k, B: d})
		return native.Value{T: t, R: []native.VReg{k}}
	}
	d := g.NewV(L128)
	g.Put(p.At(native.Inst{Op: native.LoadOp(t.Size()), D: d}, 0))
	if t == scalar.Bool {
		return g.Compare(scalar.OpNe, native.Value{T: scalar.U8, R: []native.VReg{d}}, g.Num(scalar.U8, 0))
	}
	return native.Value{T: t, R: []native.VReg{d}}
}

func (g *x86) LoadSame(t scalar.Type, p *native.Place) native.Value {
	parts, length := g.Layout(t.Size())
	d := g.NewV(length)
	g.Put(p.At(native.Inst{Op: broadcastOps[t.Size()], Len: length, D: d}, 0))
	v := g.NewValue(t)
	for range parts * g.Lanes.U {
		v.R = append(v.R, d)
	}
	return v
}

var (
	moveMasked  = bySize{1: Vmovdqu8, 2: Vmovdqu16, 4: Vmovdqu32, 8: Vmovdqu64}
	storeMasked = bySize{1: Vmovdqu8S, 2: Vmovdqu16S, 4: Vmovdqu32S, 8: Vmovdqu64S}
)

func (g *x86) LoadRun(t scalar.Type, p *native.Place) native.Value {
	size := t.Size()
	parts, length := g.Layout(size)
	bytes := g.PerPart(size) * size
	m := g.Active(p)
	if m != nil && g.isa == AVX2 {
		if size < 4 || bytes < 16 {
			q := *p
			g.SpreadRun(&q, size)
			return g.Gather(t, &q)
		}
		wide := g.width(*m, size)
		m = &wide
	}
	v := g.NewValue(t)
	for i := range parts * g.Lanes.U {
		d := g.NewV(length)
		in := native.Inst{Op: Vmovups, Len: length, D: d}
		switch {
		case m != nil && g.isa == AVX2:
			in.Op, in.A = VmaskmovpsL, m.R[i]
			if size == 8 {
				in.Op = VmaskmovpdL
			}
		case m != nil:
			in.Op, in.K, in.Zero = moveMasked[size], g.maskFor(m.R, i, size), true
		case bytes == 8:
			in.Op = VmovqX
		case bytes == 4:
			in.Op = Vmovd
		}
		g.Put(p.At(in, int64(i*bytes)))
		v.R = append(v.R, d)
	}
	return v
}

func (g *x86) StoreScalar(x native.Value, p *native.Place) {
	if x.T == scalar.Bool {
		if g.isa == AVX512 {
			d := g.NewG()
			g.Put(native.Inst{Op: KmovwR, D: d, B: x.R[0]})
			g.Put(p.At(native.Inst{Op: MovbS, A: g.GTiedI(AndI, d, 1)}, 0))
			return
		}
		x = g.BoolToInt(scalar.U8, x)
	}
	g.Put(p.At(native.Inst{Op: native.StoreOp(x.T.Size()), A: x.R[0]}, 0))
}

func (g *x86) StoreRun(x native.Value, p *native.Place) bool {
	size := x.T.Size()
	_, length := g.Layout(size)
	bytes := g.PerPart(size) * size
	m := g.Active(p)
	if m != nil && g.isa == AVX2 {
		if size < 4 || bytes < 16 {
			return false
		}
		wide := g.width(*m, size)
		m = &wide
	}
	if m == nil && g.StreamRun(x, p, bytes) {
		return true
	}
	for i, r := range x.R {
		in := native.Inst{Op: VmovupsS, Len: length, A: r}
		switch {
		case m != nil && g.isa == AVX2:
			in.Op, in.A, in.C, in.Third = VmaskmovpsS, m.R[i], r, true
			if size == 8 {
				in.Op = VmaskmovpdS
			}
		case m != nil:
			in.Op, in.K = storeMasked[size], g.maskFor(m.R, i, size)
		case bytes == 8:
			in.Op, in.Len = VmovqXS, L128
		case bytes == 4:
			in.Op, in.Len = VmovdS, L128
		}
		g.Put(p.At(in, int64(i*bytes)))
	}
	return true
}

// strided reads elements of four or eight bytes that are equally far apart.
func (g *x86) strided(t scalar.Type, p *native.Place) native.Value {
	size := t.Size()
	parts, _ := g.Layout(size)
	per := g.PerPart(size)
	v := g.NewValue(t)
	for i := range parts * g.Lanes.U {
		rs := make([]native.VReg, per)
		for k := range rs {
			rs[k] = g.NewV(L128)
			g.Put(p.At(native.Inst{Op: native.LoadOp(size), D: rs[k]}, int64(i*per+k)*int64(p.Step)))
		}
		v.R = append(v.R, g.combine(rs, size))
	}
	return v
}

func (g *x86) Gather(t scalar.Type, p *native.Place) native.Value {
	size := t.Size()
	m := g.Active(p)
	switch {
	case g.isa == AVX2 && size >= 4 && m == nil && p.Step != 0:
		return g.strided(t, p)
	case g.isa == AVX2 || size < 4:
		return g.GatherEach(t, p)
	}
	parts, length := g.Layout(size)
	zero := g.Num(t, 0)
	mask := func(i, size int) native.VReg {
		k := g.NewK()
		if m == nil {
			g.Put(native.Inst{Op: KmovqG, D: k, B: g.GConst(-1)})
		} else {
			g.Move(k, g.maskFor(m.R, i, size))
		}
		return k
	}
	read := func(op Op, length, to uint8, k, index, start native.VReg) native.VReg {
		d := g.NewV(to)
		in := p.At(native.Inst{Op: op, Len: length, D: d, C: start, K: k, Slow: true}, 0)
		in.Index, in.Scale = index, 0
		g.Put(in)
		return d
	}
	narrow := p.Offsets.T.Size() == 4
	v := g.NewValue(t)
	for i := range parts * g.Lanes.U {
		switch {
		case narrow && size == 4:
			v.R = append(v.R, read(Vpgatherdd, length, length, mask(i, 4), p.Offsets.R[i], zero.R[i]))
		case !narrow && size == 8:
			v.R = append(v.R, read(Vpgatherqq, length, length, mask(i, 8), p.Offsets.R[i], zero.R[i]))
		case narrow:
			p4, _ := g.Layout(4)
			at := i % parts * g.PerPart(8)
			index := g.chunk(p.Offsets.R[i/parts*p4+at/g.PerPart(4)], at%g.PerPart(4)*4)
			v.R = append(v.R, read(Vpgatherdq, length, length, mask(i, 8), index, zero.R[i]))
		default:
			p8, l8 := g.Layout(8)
			if p8 == parts { // at most 8 lanes in a part
				v.R = append(v.R, read(Vpgatherqd, l8, length, mask(i, 8), p.Offsets.R[i], zero.R[i]))
				continue
			}
			n := p8 / parts
			rs := make([]native.VReg, n)
			for j := range n {
				rs[j] = read(Vpgatherqd, L512, L256, mask(i*n+j, 8), p.Offsets.R[i*n+j], zero.R[i])
			}
			v.R = append(v.R, g.combine(rs, 32))
		}
	}
	return v
}
