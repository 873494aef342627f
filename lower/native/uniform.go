package native

import "github.com/weft-go/weft/lower/ir"

// uniform is a number that all lanes of a vector loop share, in a general register.
type uniform struct {
	reg   VReg
	scope int // the outermost scope in front of which it is computed; the innermost scope + 1: it is computed in place
}

type coordKey struct {
	value       ir.Ref
	base, bound ir.Size
	mode        ir.Mode
	stride      coef
	n           int
	terms       [maxTerms]ir.Term
}

// outside returns the outermost scope in front of which the terms, and the values that all lanes of the vector
// loop share, can be computed.
func (g *Gen) outside(terms []term) int {
	if g.Lanes.One() {
		return len(g.scopes)
	}
	n := g.vecScope
	for _, t := range terms {
		n = max(n, g.level(t)+1)
	}
	return n
}

// uniformCoord returns a coordinate that is the same in all lanes times a stride, moved inside
// its bound where the coordinate is clamped. It is computed in front of the loops in which it
// does not change, once for all accesses there.
func (g *Gen) uniformCoord(c *ir.Coord, stride coef) uniform {
	write := func() VReg {
		x := g.coordinate(c)
		if c.Mode == ir.Clamp && !g.staysInside(c) {
			x = g.clamp(x, c.Bound)
		}
		if stride == (coef{c: 1}) {
			return x
		}
		return g.scaled(x, stride)
	}
	var lin linear
	lin.affine(c.Base, c.Terms, coef{c: 1})
	n := g.outside(lin.terms)
	if n >= len(g.scopes) || len(c.Terms) > maxTerms {
		return uniform{write(), len(g.scopes)}
	}
	key := coordKey{value: c.Value, base: c.Base, bound: c.Bound, mode: c.Mode, stride: stride, n: len(c.Terms)}
	copy(key.terms[:], c.Terms)
	s := g.scopes[n]
	r, ok := s.coords[key]
	if !ok {
		g.hoistTo(n, func() { r = write() })
		if s.coords == nil {
			s.coords = map[coordKey]VReg{}
		}
		s.coords[key] = r
	}
	return uniform{r, n}
}

// uniformSum returns a + b, or b if a has no register.
func (g *Gen) uniformSum(a, b uniform) uniform {
	if a.reg == 0 {
		return b
	}
	n := max(a.scope, b.scope)
	if n >= len(g.scopes) {
		return uniform{g.gAdd(a.reg, b.reg), n}
	}
	s := g.scopes[n]
	key := [2]VReg{a.reg, b.reg}
	r, ok := s.added[key]
	if !ok {
		g.hoistTo(n, func() { r = g.gAdd(a.reg, b.reg) })
		if s.added == nil {
			s.added = map[[2]VReg]VReg{}
		}
		s.added[key] = r
	}
	return uniform{r, n}
}
