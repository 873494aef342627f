package amd64

import (
	"encoding/binary"
	"math"

	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/scalar"
)

// place is where an access goes: base + disp, plus for each lane cv times the vector axis, plus
// offsets. Lanes outside of cond are not accessed.
type place struct {
	base    vreg
	index   vreg // times 1<<scale
	scale   uint8
	disp    int32
	cv      coef   // bytes per step of the vector axis
	offsets *value // bytes, for each lane
	cond    *value // Bool
	checks  []check
}

// check is a condition of a single element: 0 ≤ x < bound.
type check struct {
	x     vreg
	bound ir.Size
}

// place computes the parts of an access.
func (g *gen) place(a *ir.Access) place {
	size := int64(g.k.Buffers[a.Buffer].Type.Size())
	var p place
	var lin linear
	lin.affine(a.Offset, nil, coef{c: size})
	var extra uniform
	var indexed []*ir.Coord
	for i := range a.Coords {
		c := &a.Coords[i]
		stride := coef{c: size}.times(c.Stride)
		switch {
		case c.Mode == ir.Proved:
			lin.affine(c.Base, c.Terms, stride)
		case !g.varies(c):
			if c.Mode != ir.Clamp {
				p.checks = append(p.checks, check{g.uniformCoord(c, coef{c: 1}).reg, c.Bound})
			}
			extra = g.uniformSum(extra, g.uniformCoord(c, stride))
		case c.Mode == ir.Drop && c.Value == ir.NoRef:
			lin.affine(c.Base, c.Terms, stride)
			p.also(g, g.inside(g.indexOf(scalar.I64, c), c.Bound))
		default:
			indexed = append(indexed, c)
		}
	}
	if !g.cx.one() {
		cv, ok := lin.split(g.vecAxis)
		if !ok {
			panic(unsupported("two coefficients of the vector axis in one address"))
		}
		p.cv = cv
	}
	for _, c := range indexed {
		g.addIndexed(&p, c, coef{c: size}.times(c.Stride), a.Buffer)
	}
	fold := extra.reg == 0 && g.cx.one()
	p.base, p.index, p.scale = g.sum(a.Buffer, lin.terms, fold)
	if extra.reg != 0 {
		p.base = g.uniformSum(uniform{p.base, g.outside(lin.terms)}, extra).reg
	}
	if int64(int32(lin.konst)) == lin.konst && lin.konst < 1<<30 && lin.konst > -1<<30 {
		p.disp = int32(lin.konst)
	} else {
		p.base = g.gAddConst(p.base, lin.konst)
	}
	if !g.cx.one() {
		for _, c := range p.checks {
			p.also(g, g.spreadMask(c))
		}
		p.checks = nil
		// The start of the vector, and how the lanes follow.
		switch {
		case p.cv.c == 0:
		case p.cv.isConst() && p.cv.c == size && p.offsets == nil:
			p.index, p.scale = g.axes[g.vecAxis].reg, uint8(log2(int(size)))
		default:
			start := g.product(term{g.vecAxis, p.cv})
			p.base = g.gAdd(p.base, start)
			steps := g.steps(p.cv)
			if p.offsets == nil {
				p.offsets = &steps
			} else {
				t := p.offsets.t
				sum := g.intOp(scalar.OpAdd, *p.offsets, g.convert(t, steps))
				p.offsets = &sum
			}
		}
	}
	return p
}

func log2(n int) int {
	k := 0
	for ; n > 1; n >>= 1 {
		k++
	}
	return k
}

// also adds a condition.
func (p *place) also(g *gen, c value) {
	if p.cond != nil {
		c = g.logic(scalar.OpAnd, *p.cond, c)
	}
	p.cond = &c
}

// varies reports whether a coordinate differs between lanes.
func (g *gen) varies(c *ir.Coord) bool {
	if g.cx.one() {
		return false
	}
	for _, t := range c.Terms {
		if t.Axis == g.vecAxis {
			return true
		}
	}
	return c.Value != ir.NoRef && !g.vals[c.Value].one && !g.vals[c.Value].konst
}

// general returns a single integer in a general register.
func (g *gen) general(r ir.Ref) vreg {
	if bits, ok := g.constant(r); ok {
		if g.k.Types[r] == scalar.I32 {
			return g.gConst(int64(int32(bits)))
		}
		return g.gConst(int64(bits))
	}
	return g.toGeneral(value{t: g.k.Types[r], r: g.vals[r].r})
}

// coordinate returns a coordinate that is the same in all lanes.
func (g *gen) coordinate(c *ir.Coord) vreg {
	var lin linear
	lin.affine(c.Base, c.Terms, coef{c: 1})
	x, _, _ := g.sum(-1, lin.terms, false)
	if c.Value != ir.NoRef {
		v := g.general(c.Value)
		if x == 0 {
			x = v
		} else {
			x = g.gAdd(x, v)
		}
	}
	if x == 0 {
		return g.gConst(lin.konst)
	}
	return g.gAddConst(x, lin.konst)
}

// clamp returns the nearest number between 0 and bound−1.
func (g *gen) clamp(x vreg, bound ir.Size) vreg {
	last := g.gAddConst(g.size(bound), -1)
	x = g.gMin(x, last)
	zero := g.gConst(0)
	return g.gMax(x, zero)
}

// scaled returns x times a coefficient.
func (g *gen) scaled(x vreg, c coef) vreg {
	for _, s := range [...]int{c.s1, c.s2} {
		if s != 0 {
			x = g.gTied(Mul, x, g.gLoad(argsReg, g.symbolArg(s-1)))
		}
	}
	return g.gMulConst(x, c.c)
}

// spreadMask returns a check of one number as a condition of all lanes.
func (g *gen) spreadMask(c check) value {
	// x or bound−1−x is negative where x is outside.
	rest := g.gTied(Sub, g.gAddConst(g.size(c.bound), -1), c.x)
	out := g.gTiedI(SarI, g.gTied(Or, rest, c.x), 63)
	in := g.newG()
	g.put(minst{op: Not, d: in, c: out})
	return g.spreadBool(in)
}

// iota returns lane·step for each lane as a constant of type t.
func (g *gen) iota(t scalar.Type, step int64) value {
	size := t.Size()
	parts, length := g.layout(size)
	per := g.perPart(size)
	v := g.newValue(t)
	for i := range parts * g.cx.u {
		b := make([]byte, max(16<<length, per*size))
		for j := range per {
			var e [8]byte
			binary.LittleEndian.PutUint64(e[:], uint64(int64(i*per+j)*step))
			copy(b[j*size:], e[:size])
		}
		v.r = append(v.r, g.vbytes(b))
	}
	return v
}

// steps returns lane times a coefficient: as I32 where that suffices, else as I64.
func (g *gen) steps(c coef) value {
	if c.isConst() {
		t := scalar.I64
		if abs(c.c) < math.MaxInt32/256 {
			t = scalar.I32
		}
		return g.iota(t, c.c)
	}
	x := g.product(term{ir.NoAxis, c})
	return g.intOp(scalar.OpMul, g.iota(scalar.I64, 1), g.spreadGeneral(scalar.I64, x))
}

func abs(x int64) int64 {
	if x < 0 {
		return -x
	}
	return x
}

// index returns base + Σ coeff·axis as integers of type t.
func (g *gen) index(t scalar.Type, base ir.Size, terms []ir.Term) value {
	var lin linear
	lin.affine(base, terms, coef{c: 1})
	var cv coef
	if !g.cx.one() {
		c, ok := lin.split(g.vecAxis)
		if !ok {
			panic(unsupported("two coefficients of the vector axis in one index"))
		}
		cv = c
	}
	x, _, _ := g.sum(-1, lin.terms, false)
	if cv.c != 0 {
		start := g.product(term{g.vecAxis, cv})
		if x == 0 {
			x = start
		} else {
			x = g.gAdd(x, start)
		}
	}
	if x == 0 {
		x = g.gConst(lin.konst)
	} else {
		x = g.gAddConst(x, lin.konst)
	}
	v := g.spreadGeneral(t, x)
	switch {
	case cv.c == 0:
		return v
	case cv.isConst():
		return g.intOp(scalar.OpAdd, v, g.iota(t, cv.c))
	}
	return g.intOp(scalar.OpAdd, v, g.convert(t, g.steps(cv)))
}

// indexOf returns the coordinates of the lanes.
func (g *gen) indexOf(t scalar.Type, c *ir.Coord) value {
	if len(c.Terms) == 0 && c.Base == (ir.Size{}) && c.Value != ir.NoRef {
		return g.convert(t, g.get(c.Value))
	}
	x := g.index(t, c.Base, c.Terms)
	if c.Value != ir.NoRef {
		x = g.intOp(scalar.OpAdd, x, g.convert(t, g.get(c.Value)))
	}
	return x
}

// inside returns where 0 ≤ x < bound.
func (g *gen) inside(x value, bound ir.Size) value {
	n := g.sizeValue(x.t, bound)
	return g.logic(scalar.OpAnd, g.compare(scalar.OpLe, g.num(x.t, 0), x), g.compare(scalar.OpLt, x, n))
}

// sizeValue returns a size in all lanes.
func (g *gen) sizeValue(t scalar.Type, s ir.Size) value {
	if s.IsConst() {
		return g.num(t, s.Value)
	}
	return g.spreadGeneral(t, g.size(s))
}

// addIndexed adds the offsets of a coordinate with computed values.
func (g *gen) addIndexed(p *place, c *ir.Coord, stride coef, buffer int) {
	t := scalar.I64
	inside := g.staysInside(c)
	b := g.k.Buffers[buffer]
	short := b.Len.IsConst() && b.Len.Value*int64(b.Type.Size()) < math.MaxInt32
	if inside && short && g.k.Types[c.Value] == scalar.I32 {
		t = scalar.I32
	}
	x := g.indexOf(t, c)
	switch {
	case inside:
	case c.Mode == ir.Clamp:
		last := g.sizeValue(t, c.Bound)
		last = g.intOp(scalar.OpAdd, last, g.num(t, -1))
		x = g.intOp(scalar.OpMax, g.intOp(scalar.OpMin, x, last), g.num(t, 0))
	default:
		p.also(g, g.inside(x, c.Bound))
	}
	switch n := stride.c; {
	case stride.isConst() && n > 0 && n&(n-1) == 0:
		x = g.shiftConst(scalar.OpShl, x, uint64(log2(int(n))))
	case stride.isConst():
		x = g.intOp(scalar.OpMul, x, g.num(t, n))
	default:
		x = g.intOp(scalar.OpMul, x, g.spreadGeneral(t, g.product(term{ir.NoAxis, stride})))
	}
	if p.cond == nil && short {
		x = g.convert(scalar.I32, x)
	}
	if p.offsets != nil {
		if p.offsets.t != x.t {
			wide := g.convert(scalar.I64, *p.offsets)
			p.offsets = &wide
			x = g.convert(scalar.I64, x)
		}
		x = g.intOp(scalar.OpAdd, x, *p.offsets)
	}
	p.offsets = &x
}

// at returns the memory operand of a place.
func (p *place) at(in minst, disp int64) minst {
	in.mem, in.base, in.index, in.scale, in.disp = true, p.base, p.index, p.scale, p.disp+int32(disp)
	return in
}
