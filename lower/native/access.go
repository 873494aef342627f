package native

import (
	"slices"

	"github.com/weft-go/weft/lower/ir"
)

// coef is a constant times up to two symbols, which are numbered from 1. s1 or s2 is 0 where there is no
// symbol.
type coef struct {
	c      int64
	s1, s2 int
}

// times multiplies by a size. A product of three symbols has no code.
func (a coef) times(s ir.Size) coef {
	if s.IsConst() {
		a.c *= s.Value
		return a
	}
	switch {
	case a.s1 == 0:
		a.s1 = s.Symbol
	case a.s2 == 0:
		a.s2 = s.Symbol
	default:
		panic(unsupported("a product of three sizes in an address"))
	}
	return a
}

func (a coef) isConst() bool { return a.s1 == 0 && a.s2 == 0 }

// term is a coefficient times an axis; with NoAxis it is the coefficient alone.
type term struct {
	axis ir.Axis
	coef coef
}

// maxTerms is the greatest number of terms of a sum whose register is reused.
const maxTerms = 8

// sumKey identifies the address of a buffer plus a sum of terms; buffer is -1 if there is none.
type sumKey struct {
	buffer int
	n      int
	terms  [maxTerms]term
}

// linear is a constant plus a sum of terms. Addresses have this form.
type linear struct {
	konst int64
	terms []term
}

// add adds c times an axis; with NoAxis it adds c alone.
func (l *linear) add(a ir.Axis, c coef) {
	if c.c == 0 {
		return
	}
	if a == ir.NoAxis && c.isConst() {
		l.konst += c.c
		return
	}
	for i := range l.terms {
		t := &l.terms[i]
		if t.axis == a && t.coef.s1 == c.s1 && t.coef.s2 == c.s2 {
			t.coef.c += c.c
			return
		}
	}
	if l.terms == nil {
		l.terms = make([]term, 0, 4) // few have more
	}
	l.terms = append(l.terms, term{a, c})
}

// affine adds (base + Σ coeff·axis) · scale.
func (l *linear) affine(base ir.Size, terms []ir.Term, scale coef) {
	l.add(ir.NoAxis, scale.times(base))
	for _, t := range terms {
		l.add(t.Axis, scale.times(t.Coeff))
	}
}

// split removes the terms of an axis and returns their coefficient. one is false if there are several of them:
// a coef does not hold their sum.
func (l *linear) split(a ir.Axis) (c coef, one bool) {
	n := 0
	rest := l.terms[:0]
	for _, t := range l.terms {
		if t.axis == a && a != ir.NoAxis {
			c = t.coef
			n++
			continue
		}
		rest = append(rest, t)
	}
	l.terms = rest
	return c, n <= 1
}

// level returns the index of the scope in which a term varies, 0 for a term without axis.
func (g *Gen) level(t term) int {
	if t.axis == ir.NoAxis {
		return 0
	}
	return g.axes[t.axis].level
}

func (g *Gen) product(t term) VReg {
	r := VReg(0)
	if t.axis != ir.NoAxis {
		r = g.axes[t.axis].reg
	}
	for _, s := range [...]int{t.coef.s1, t.coef.s2} {
		if s == 0 {
			continue
		}
		v := g.gLoad(ArgsReg, g.symbolArg(s-1))
		if r == 0 {
			r = v
		} else {
			r = g.gTied(Mul, r, v)
		}
	}
	if r == 0 {
		return g.GConst(t.coef.c)
	}
	return g.gMulConst(r, t.coef.c)
}

// sum returns a register with the address of a buffer (0 for buffer -1) plus the terms, each part computed in
// front of the outermost loop in which it is constant. With no buffer and no terms it returns 0. If fold is
// set, the last term may be left to the memory operand: index is then the register of its axis.
func (g *Gen) sum(buffer int, terms []term, fold bool) (r, index VReg, scale uint8) {
	terms = slices.Clone(terms)
	terms = slices.DeleteFunc(terms, func(t term) bool { return t.coef.c == 0 })
	for i := range terms { // few, and most in order
		for j := i; j > 0 && g.level(terms[j]) < g.level(terms[j-1]); j-- {
			terms[j], terms[j-1] = terms[j-1], terms[j]
		}
	}
	top := len(g.scopes) - 1
	if n := len(terms) - 1; fold && n >= 0 {
		if t := terms[n]; t.axis != ir.NoAxis && t.coef.isConst() && g.level(t) == top {
			if s, ok := map[int64]uint8{1: 0, 2: 1, 4: 2, 8: 3}[t.coef.c]; ok {
				index, scale = g.axes[t.axis].reg, s
				terms = terms[:n]
			}
		}
	}
	key := sumKey{buffer: buffer}
	if buffer >= 0 {
		r = g.sumRegister(key, min(1, top), func() VReg { return g.gLoad(ArgsReg, bufferArg(buffer)) })
	}
	for i := 0; i < len(terms); {
		level := g.level(terms[i])
		before := r
		n := i
		for ; n < len(terms) && g.level(terms[n]) == level; n++ {
			if key.n < maxTerms {
				key.terms[key.n] = terms[n]
			}
			key.n++
		}
		part := terms[i:n]
		write := func() VReg {
			r := before
			for _, t := range part {
				p := g.product(t)
				if r == 0 {
					r = p
				} else {
					r = g.gAdd(r, p)
				}
			}
			return r
		}
		if key.n > maxTerms {
			r = write()
		} else {
			r = g.sumRegister(key, min(level+1, top), write)
		}
		i = n
	}
	return r, index, scale
}

// sumRegister returns the register of a sum, written in front of scope n when it is first needed,
// or in place where the sum varies in scope n or n is 0.
func (g *Gen) sumRegister(key sumKey, n int, write func() VReg) (r VReg) {
	varies := false
	for _, t := range key.terms[:key.n] {
		if g.level(t) >= n {
			varies = true
		}
	}
	s := g.scopes[n]
	if r, ok := s.sums[key]; ok {
		return r
	}
	if varies || n == 0 {
		r = write()
	} else {
		g.hoistTo(n, func() { r = write() })
	}
	if s.sums == nil {
		s.sums = map[sumKey]VReg{}
	}
	s.sums[key] = r
	return r
}
