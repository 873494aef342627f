package arm64

import (
	"github.com/weft-go/weft/lower/native"
	"github.com/weft-go/weft/lower/scalar"
)

func (g *neon) Spread(x native.Value) native.Value {
	size := x.T.Size()
	if x.T == scalar.Bool {
		size = int(x.W)
	}
	v := g.Same(x.T, size, g.Op1(ofSize(vDup, size), 0, x.R[0]))
	v.W = x.W
	return v
}

func (g *neon) SpreadGeneral(t scalar.Type, x native.VReg) native.Value {
	return g.Same(t, t.Size(), g.Op1(ofSize(vDupG, t.Size()), 0, x))
}

func (g *neon) SpreadBool(x native.VReg) native.Value { return mask(g.SpreadGeneral(scalar.I64, x), 8) }

func (g *neon) ToGeneral(x native.Value) native.VReg {
	d := g.NewG()
	if x.T == scalar.I64 {
		g.Put(native.Inst{Op: vToG, D: d, B: x.R[0]})
	} else {
		g.Put(native.Inst{Op: ofSize(vSmov, 4), D: d, B: x.R[0]})
	}
	return d
}

func (g *neon) LoadSame(t scalar.Type, p *native.Place) native.Value {
	d := g.NewV(0)
	g.Put(p.At(native.Inst{Op: ofSize(vLd1r, t.Size()), D: d}, 0))
	return g.Same(t, t.Size(), d)
}

func (g *neon) Gather(t scalar.Type, p *native.Place) native.Value {
	if g.Active(p) != nil {
		return g.GatherEach(t, p)
	}
	size, wide := t.Size(), p.Offsets.T.Size()
	per, perOffset := g.PerPart(size), g.PerPart(wide)
	parts, _ := g.Layout(size)
	v := g.NewValue(t)
	for i := range parts * g.Lanes.U {
		at := p.At(native.Inst{}, 0)
		at.Scale = 0
		v.R = append(v.R, g.eachElement(size, per, at, func(lane int) native.VReg {
			n := i*per + lane
			d := g.NewG()
			in := native.Inst{Op: ofSize(vUmov, 8), D: d, B: p.Offsets.R[n/perOffset], Imm: int64(n % perOffset)}
			if wide == 4 {
				in.Op = ofSize(vSmov, 4)
			}
			g.Put(in)
			return d
		}))
	}
	return v
}
