package simt

import (
	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/scalar"
)

// affine returns base + Σ coeff·axis.
func (e *emitter) affine(base ir.Size, terms []ir.Term) Reg {
	var x Reg = NoReg
	for _, t := range terms {
		a := e.axes[t.Axis]
		if a == NoReg {
			continue // merged with the next axis, or counted as 0
		}
		if t.Coeff.IsConst() {
			a = e.times(a, t.Coeff.Value)
		} else {
			a = e.prod(a, e.size(t.Coeff))
		}
		if x == NoReg {
			x = a
		} else {
			x = e.sum(x, a)
		}
	}
	switch {
	case x == NoReg:
		return e.size(base)
	case base.IsConst():
		return e.plus(x, base.Value)
	}
	return e.sum(x, e.size(base))
}

// place returns the position of an access, and the condition under which it is inside,
// NoReg where it always is.
func (e *emitter) place(a *ir.Access) (at, inside Reg) {
	inside = NoReg
	at = NoReg
	for i := range a.Coords {
		c := &a.Coords[i]
		var x Reg
		if c.Value == ir.NoRef {
			x = e.affine(c.Base, c.Terms)
		} else {
			// A value may be anything: the sum is taken in 64 bits.
			x = e.convert(scalar.I64, e.affine(c.Base, c.Terms))
			x = e.sum(x, e.convert(scalar.I64, e.regs[c.Value]))
		}
		t := e.typeOf(x)
		switch c.Mode {
		case ir.Clamp:
			n := e.convert(t, e.size(c.Bound))
			x = e.op(scalar.OpMax, t, x, e.intOf(t, 0))
			x = e.op(scalar.OpMin, t, x, e.diff(n, e.intOf(t, 1)))
		case ir.Drop:
			n := e.convert(t, e.size(c.Bound))
			ok := e.both(e.op(scalar.OpLe, scalar.Bool, e.intOf(t, 0), x), e.less(x, n))
			if inside == NoReg {
				inside = ok
			} else {
				inside = e.both(inside, ok)
			}
		}
		x = e.convert(e.ix, x)
		if c.Stride.IsConst() {
			x = e.times(x, c.Stride.Value)
		} else {
			x = e.prod(x, e.size(c.Stride))
		}
		if at == NoReg {
			at = x
		} else {
			at = e.sum(at, x)
		}
	}
	switch {
	case at == NoReg:
		at = e.size(a.Offset)
	case a.Offset.IsConst():
		at = e.plus(at, a.Offset.Value)
	default:
		at = e.sum(at, e.size(a.Offset))
	}
	return at, inside
}

// hook replaces the code of loads and stores. Its functions report whether they did.
type hook struct {
	load  func(s *ir.Load) (Reg, bool)
	store func(s *ir.Store) bool
}

func (e *emitter) load(s *ir.Load) {
	if e.hook.load != nil {
		if r, ok := e.hook.load(s); ok {
			e.regs[s.Dst] = r
			return
		}
	}
	at, inside := e.place(&s.At)
	dst := e.reg(e.k.Types[s.Dst])
	e.regs[s.Dst] = dst
	if inside == NoReg {
		e.add(&Load{dst, s.At.Buffer, at})
		return
	}
	e.move(dst, e.constant(e.typeOf(dst), 0))
	e.when(inside, func() { e.add(&Load{dst, s.At.Buffer, at}) })
}

func (e *emitter) store(s *ir.Store) {
	if e.hook.store != nil && e.hook.store(s) {
		return
	}
	at, inside := e.place(&s.At)
	put := func() { e.add(&Store{s.At.Buffer, at, e.regs[s.Value]}) }
	if inside == NoReg {
		put()
		return
	}
	e.when(inside, put)
}
