package lower

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/jaxpr"
)

// slab allocates equations, variables and lists of atoms in blocks: a long program
// consists of many small objects of the same lifetime.
type slab struct {
	eqns  []jaxpr.Eqn
	vars  []jaxpr.Var
	outs  []*jaxpr.Var
	atoms []jaxpr.Atom
}

const slabBlock = 256

func (s *slab) eqn() *jaxpr.Eqn {
	if len(s.eqns) == 0 {
		s.eqns = make([]jaxpr.Eqn, slabBlock)
	}
	e := &s.eqns[0]
	s.eqns = s.eqns[1:]
	return e
}

func (s *slab) variable(t core.ShapedArray) *jaxpr.Var {
	if len(s.vars) == 0 {
		s.vars = make([]jaxpr.Var, slabBlock)
	}
	v := &s.vars[0]
	s.vars = s.vars[1:]
	*v = jaxpr.MakeVar(t)
	return v
}

func (s *slab) atomList(n int) []jaxpr.Atom {
	if n > len(s.atoms) {
		s.atoms = make([]jaxpr.Atom, max(n, 2*slabBlock))
	}
	l := s.atoms[:n:n]
	s.atoms = s.atoms[n:]
	return l
}

func (s *slab) varList(n int) []*jaxpr.Var {
	if n > len(s.outs) {
		s.outs = make([]*jaxpr.Var, max(n, slabBlock))
	}
	l := s.outs[:n:n]
	s.outs = s.outs[n:]
	return l
}

type replacements struct {
	number *jaxpr.Numbers
	to     []jaxpr.Atom // by number; nil: itself
}

func replacementsFor(j *jaxpr.Jaxpr) replacements {
	return replacements{number: jaxpr.NumbersFor(j)}
}

func (r *replacements) set(v *jaxpr.Var, a jaxpr.Atom) {
	n, _ := r.number.Bind(v)
	for len(r.to) <= n {
		r.to = append(r.to, nil)
	}
	r.to[n] = a
}

// get returns the atom that a is mapped to, or a itself.
func (r *replacements) get(a jaxpr.Atom) jaxpr.Atom {
	if v, ok := a.(*jaxpr.Var); ok {
		if n, ok := r.number.Of(v); ok && n < len(r.to) && r.to[n] != nil {
			return r.to[n]
		}
	}
	return a
}

// all applies get to each atom. It returns the slice that it got, not a copy, if no atom changes.
func (r *replacements) all(as []jaxpr.Atom) []jaxpr.Atom {
	for i, a := range as {
		if b := r.get(a); b != a {
			out := append([]jaxpr.Atom(nil), as...)
			for k := i; k < len(out); k++ {
				out[k] = r.get(out[k])
			}
			return out
		}
	}
	return as
}

// eqn returns e on the mapped operands: e itself if no operand is mapped to another atom.
func (r *replacements) eqn(e *jaxpr.Eqn) *jaxpr.Eqn {
	for _, a := range e.Ins {
		if r.get(a) != a {
			return &jaxpr.Eqn{Outs: e.Outs, Prim: e.Prim, Ins: r.all(e.Ins), Site: e.Site}
		}
	}
	return e
}

// results are the variables that the top program returns. Each call returns arrays of its own,
// which the caller may donate, so no pass turns an input, a constant, or another result into a
// result.
type results struct {
	set jaxpr.Numbers
	own jaxpr.Numbers // inputs and constants
}

// resultsOf returns nil for a program within another: there the executor counts the uses of arrays.
func resultsOf(j *jaxpr.Jaxpr, top bool) *results {
	if !top {
		return nil
	}
	r := &results{}
	for _, a := range j.Outs {
		if v, ok := a.(*jaxpr.Var); ok {
			r.set.Bind(v)
		}
	}
	for _, v := range j.Consts {
		r.own.Bind(v)
	}
	for _, v := range j.Ins {
		r.own.Bind(v)
	}
	return r
}

// has reports whether the top program returns v.
func (r *results) has(v *jaxpr.Var) bool {
	if r == nil {
		return false
	}
	_, ok := r.set.Of(v)
	return ok
}

// replace reports whether a may replace v. If v is a result and may be replaced, a becomes one.
func (r *results) replace(v *jaxpr.Var, a jaxpr.Atom) bool {
	if !r.has(v) {
		return true
	}
	w, ok := a.(*jaxpr.Var)
	if !ok || r.has(w) {
		return false
	}
	if _, own := r.own.Of(w); own {
		return false
	}
	r.set.Bind(w)
	return true
}

// copier copies equations and gives the copies new variables.
type copier struct {
	replacements
	slab *slab
}

func (il *inliner) copier(j *jaxpr.Jaxpr) *copier {
	return &copier{replacementsFor(j), &il.slab}
}

func (c *copier) bind(v *jaxpr.Var, a jaxpr.Atom) { c.set(v, a) }

func (c *copier) fresh(v *jaxpr.Var) *jaxpr.Var {
	w := c.slab.variable(v.Type)
	c.set(v, w)
	return w
}

func (c *copier) atom(a jaxpr.Atom) jaxpr.Atom {
	v, ok := a.(*jaxpr.Var)
	if !ok {
		return a
	}
	if n, ok := c.number.Of(v); ok {
		return c.to[n]
	}
	core.Failf(core.ErrCheck, "a variable of type %v is used where it is not bound; check the program", v.Type.Full())
	return nil
}

func (c *copier) atoms(as []jaxpr.Atom) []jaxpr.Atom {
	out := c.slab.atomList(len(as))
	for i, a := range as {
		out[i] = c.atom(a)
	}
	return out
}

func (c *copier) eqn(e *jaxpr.Eqn, p core.Primitive) *jaxpr.Eqn {
	d := c.slab.eqn()
	d.Prim, d.Site, d.Ins, d.Outs = p, e.Site, c.atoms(e.Ins), c.slab.varList(len(e.Outs))
	for i, v := range e.Outs {
		d.Outs[i] = c.fresh(v)
	}
	return d
}
