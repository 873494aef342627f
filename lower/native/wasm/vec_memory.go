package wasm

import (
	"github.com/weft-go/weft/lower/native"
	"github.com/weft-go/weft/lower/scalar"
)

func (g *simd) Spread(x native.Value) native.Value {
	size := x.T.Size()
	if x.T == scalar.Bool {
		size = int(x.W)
	}
	v := g.Same(x.T, size, g.splat(size, x.R[0]))
	v.W = x.W
	return v
}

// splat returns the lowest element of a vector in all lanes.
func (g *simd) splat(size int, x native.VReg) native.VReg {
	bytes := make([]byte, vectorBytes)
	for i := range bytes {
		bytes[i] = byte(i % size)
	}
	return g.shuffled(x, x, bytes)
}

func (g *simd) SpreadGeneral(t scalar.Type, x native.VReg) native.Value {
	return g.Same(t, t.Size(), g.Op1(i8x16Splat+Op(native.Log2(t.Size())), 0, x))
}

func (g *simd) SpreadBool(x native.VReg) native.Value { return mask(g.SpreadGeneral(scalar.I64, x), 8) }

func (g *simd) ToGeneral(x native.Value) native.VReg {
	op := i32x4ExtractLane
	if x.T == scalar.I64 {
		op = i64x2ExtractLane
	}
	return g.element(op, x.R[0], 0)
}

func (g *simd) element(extract Op, x native.VReg, lane int) native.VReg {
	d := g.NewG()
	g.Put(native.Inst{Op: extract, D: d, B: x, Imm: int64(lane)})
	return d
}

func (g *simd) LoadSame(t scalar.Type, p *native.Place) native.Value {
	d := g.NewV(0)
	g.Put(p.At(native.Inst{Op: v128Load8Splat + Op(native.Log2(t.Size())), D: d}, 0))
	return g.Same(t, t.Size(), d)
}

func (g *simd) Gather(t scalar.Type, p *native.Place) native.Value {
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
			if wide == 4 {
				return g.element(i32x4ExtractLane, p.Offsets.R[n/perOffset], n%perOffset)
			}
			return g.element(i64x2ExtractLane, p.Offsets.R[n/perOffset], n%perOffset)
		}))
	}
	return v
}
