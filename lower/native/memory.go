package native

import (
	"encoding/binary"
	"math"
	"math/bits"

	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/scalar"
)

// Place is where an access goes: base + index·2^scale + disp, plus for each lane cv times the vector axis, plus
// offsets. Lanes outside of cond are not accessed.
type Place struct {
	base    VReg
	index   VReg // times 1<<scale
	scale   uint8
	disp    int32
	cv      coef   // bytes per step of the vector axis
	Offsets *Value // bytes, for each lane
	Step    int32  // bytes from lane to lane, if Offsets are no more than its multiples; else 0
	cond    *Value // Bool
	checks  []check
}

// check is a condition of a single element: 0 ≤ x < bound.
type check struct {
	x     VReg
	bound ir.Size
}

func (g *Gen) place(a *ir.Access) Place {
	size := int64(g.k.Buffers[a.Buffer].Type.Size())
	var p Place
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
	if !g.Lanes.One() {
		cv, ok := lin.split(g.vecAxis)
		if !ok {
			panic(unsupported("two coefficients of the vector axis in one address"))
		}
		p.cv = cv
	}
	for _, c := range indexed {
		g.addIndexed(&p, c, coef{c: size}.times(c.Stride), a.Buffer)
	}
	fold := extra.reg == 0 && g.Lanes.One()
	p.base, p.index, p.scale = g.sum(a.Buffer, lin.terms, fold)
	if extra.reg != 0 {
		p.base = g.uniformSum(uniform{p.base, g.outside(lin.terms)}, extra).reg
	}
	if int64(int32(lin.konst)) == lin.konst && lin.konst < 1<<30 && lin.konst > -1<<30 {
		p.disp = int32(lin.konst)
	} else {
		p.base = g.gAddConst(p.base, lin.konst)
	}
	if !g.Lanes.One() {
		for _, c := range p.checks {
			p.also(g, g.spreadMask(c))
		}
		p.checks = nil
		// The start of the vector, and how the lanes follow.
		switch {
		case p.cv.c == 0:
		case p.cv.isConst() && p.cv.c == size && p.Offsets == nil:
			p.index, p.scale = g.axes[g.vecAxis].reg, uint8(Log2(int(size)))
		default:
			start := g.product(term{g.vecAxis, p.cv})
			p.base = g.gAdd(p.base, start)
			steps := g.steps(p.cv)
			if p.Offsets == nil {
				p.Offsets = &steps
				if c := p.cv.c; p.cv.isConst() && abs(c) < 1<<30/g.mostLanes() {
					p.Step = int32(c)
				}
			} else {
				t := p.Offsets.T
				sum := g.IntOp(scalar.OpAdd, *p.Offsets, g.Convert(t, steps))
				p.Offsets = &sum
			}
		}
	}
	return p
}

// Log2 returns the logarithm of a power of two.
func Log2(n int) int { return bits.TrailingZeros(uint(n)) }

func (p *Place) also(g *Gen, c Value) {
	if p.cond != nil {
		c = g.Logic(scalar.OpAnd, *p.cond, c)
	}
	p.cond = &c
}

// varies reports whether a coordinate differs between lanes.
func (g *Gen) varies(c *ir.Coord) bool {
	if g.Lanes.One() {
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
func (g *Gen) general(r ir.Ref) VReg {
	if bits, ok := g.constant(r); ok {
		if g.k.Types[r] == scalar.I32 {
			return g.GConst(int64(int32(bits)))
		}
		return g.GConst(int64(bits))
	}
	return g.ToGeneral(Value{T: g.k.Types[r], R: g.vals[r].R})
}

// coordinate returns a coordinate that is the same in all lanes.
func (g *Gen) coordinate(c *ir.Coord) VReg {
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
		return g.GConst(lin.konst)
	}
	return g.gAddConst(x, lin.konst)
}

// clamp returns the number from 0 to bound−1 that is nearest to x.
func (g *Gen) clamp(x VReg, bound ir.Size) VReg {
	last := g.gAddConst(g.size(bound), -1)
	x = g.GMin(x, last)
	zero := g.GConst(0)
	return g.gMax(x, zero)
}

func (g *Gen) scaled(x VReg, c coef) VReg {
	for _, s := range [...]int{c.s1, c.s2} {
		if s != 0 {
			x = g.gTied(Mul, x, g.gLoad(ArgsReg, g.symbolArg(s-1)))
		}
	}
	return g.gMulConst(x, c.c)
}

// spreadMask returns a check of one number as a condition of all lanes.
func (g *Gen) spreadMask(c check) Value {
	// x or bound−1−x is negative where x is outside.
	rest := g.gTied(Sub, g.gAddConst(g.size(c.bound), -1), c.x)
	out := g.GTiedI(SarI, g.gTied(Or, rest, c.x), 63)
	in := g.NewG()
	g.Put(Inst{Op: Not, D: in, C: out})
	return g.SpreadBool(in)
}

// iota returns lane·step for each lane as a constant of type t.
func (g *Gen) iota(t scalar.Type, step int64) Value {
	size := t.Size()
	parts, length := g.Layout(size)
	per := g.PerPart(size)
	v := g.NewValue(t)
	for i := range parts * g.Lanes.U {
		b := make([]byte, max(16<<length, per*size))
		for j := range per {
			var e [8]byte
			binary.LittleEndian.PutUint64(e[:], uint64(int64(i*per+j)*step))
			copy(b[j*size:], e[:size])
		}
		v.R = append(v.R, g.VBytes(b))
	}
	return v
}

// mostLanes returns a number that is at least that of the present lanes.
func (g *Gen) mostLanes() int64 { return max(256, int64(g.Lanes.N*g.Lanes.U)) }

// steps returns lane times a coefficient: as I32 where that suffices, else as I64.
func (g *Gen) steps(c coef) Value {
	if c.isConst() {
		t := scalar.I64
		if abs(c.c) < math.MaxInt32/g.mostLanes() {
			t = scalar.I32
		}
		return g.iota(t, c.c)
	}
	x := g.product(term{ir.NoAxis, c})
	return g.IntOp(scalar.OpMul, g.iota(scalar.I64, 1), g.SpreadGeneral(scalar.I64, x))
}

func abs(x int64) int64 {
	if x < 0 {
		return -x
	}
	return x
}

// index returns base + Σ coeff·axis as integers of type t.
func (g *Gen) index(t scalar.Type, base ir.Size, terms []ir.Term) Value {
	var lin linear
	lin.affine(base, terms, coef{c: 1})
	var cv coef
	if !g.Lanes.One() {
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
		x = g.GConst(lin.konst)
	} else {
		x = g.gAddConst(x, lin.konst)
	}
	v := g.SpreadGeneral(t, x)
	switch {
	case cv.c == 0:
		return v
	case cv.isConst():
		return g.IntOp(scalar.OpAdd, v, g.iota(t, cv.c))
	}
	return g.IntOp(scalar.OpAdd, v, g.Convert(t, g.steps(cv)))
}

func (g *Gen) indexOf(t scalar.Type, c *ir.Coord) Value {
	if len(c.Terms) == 0 && c.Base == (ir.Size{}) && c.Value != ir.NoRef {
		return g.Convert(t, g.get(c.Value))
	}
	x := g.index(t, c.Base, c.Terms)
	if c.Value != ir.NoRef {
		x = g.IntOp(scalar.OpAdd, x, g.Convert(t, g.get(c.Value)))
	}
	return x
}

// inside returns where 0 ≤ x < bound.
func (g *Gen) inside(x Value, bound ir.Size) Value {
	n := g.sizeValue(x.T, bound)
	return g.Logic(scalar.OpAnd, g.Compare(scalar.OpLe, g.Num(x.T, 0), x), g.Compare(scalar.OpLt, x, n))
}

func (g *Gen) sizeValue(t scalar.Type, s ir.Size) Value {
	if s.IsConst() {
		return g.Num(t, s.Value)
	}
	return g.SpreadGeneral(t, g.size(s))
}

// addIndexed adds the offsets of a coordinate with computed values.
func (g *Gen) addIndexed(p *Place, c *ir.Coord, stride coef, buffer int) {
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
		last = g.IntOp(scalar.OpAdd, last, g.Num(t, -1))
		x = g.IntOp(scalar.OpMax, g.IntOp(scalar.OpMin, x, last), g.Num(t, 0))
	default:
		p.also(g, g.inside(x, c.Bound))
	}
	switch n := stride.c; {
	case stride.isConst() && n > 0 && n&(n-1) == 0:
		x = g.ShiftConst(scalar.OpShl, x, uint64(Log2(int(n))))
	case stride.isConst():
		x = g.IntOp(scalar.OpMul, x, g.Num(t, n))
	default:
		x = g.IntOp(scalar.OpMul, x, g.SpreadGeneral(t, g.product(term{ir.NoAxis, stride})))
	}
	if p.cond == nil && short {
		x = g.Convert(scalar.I32, x)
	}
	if p.Offsets != nil {
		if p.Offsets.T != x.T {
			wide := g.Convert(scalar.I64, *p.Offsets)
			p.Offsets = &wide
			x = g.Convert(scalar.I64, x)
		}
		x = g.IntOp(scalar.OpAdd, x, *p.Offsets)
	}
	p.Offsets = &x
}

// At returns `in` with a memory operand: disp bytes behind the place.
func (p *Place) At(in Inst, disp int64) Inst {
	in.Mem, in.Base, in.Index, in.Scale, in.Disp = true, p.base, p.index, p.scale, p.disp+int32(disp)
	return in
}
