package jaxpr

import (
	"github.com/weft-go/weft/core"
)

// DCE returns j without the equations whose results nothing uses and that have no effects.
// Inputs stay; so do constants whose values are not known. Programs within equations stay as
// they are.
func DCE(j *Jaxpr) *Jaxpr {
	isUsed := NumbersFor(j)
	use := func(as []Atom) {
		for _, a := range as {
			if v, ok := a.(*Var); ok {
				isUsed.Bind(v)
			}
		}
	}
	used := func(v *Var) bool {
		_, ok := isUsed.Of(v)
		return ok
	}
	use(j.Outs)
	keep := make([]bool, len(j.Eqns))
	n := 0
	for i := len(j.Eqns) - 1; i >= 0; i-- {
		e := j.Eqns[i]
		k := core.EffectsOf(e.Prim) != 0
		for _, v := range e.Outs {
			k = k || used(v)
		}
		if k {
			keep[i] = true
			n++
			use(e.Ins)
		}
	}
	out := &Jaxpr{Ins: j.Ins, Outs: j.Outs, Consts: j.Consts, Eqns: make([]*Eqn, 0, n)}
	for i, e := range j.Eqns {
		if keep[i] {
			out.Eqns = append(out.Eqns, e)
		}
	}
	if j.ConstVals == nil {
		return out
	}
	out.Consts, out.ConstVals = make([]*Var, 0, len(j.Consts)), make([]core.Value, 0, len(j.Consts))
	for i, v := range j.Consts {
		if used(v) {
			out.Consts = append(out.Consts, v)
			out.ConstVals = append(out.ConstVals, j.ConstVals[i])
		}
	}
	return out
}

// Clone returns j with variables of its own. Programs within it are shared: they do not
// change.
func Clone(j *Jaxpr) *Jaxpr { return Substitute(j, nil) }

// Substitute returns j with variables of its own and with atoms in the place of some of the
// old ones. Inputs and constants that are replaced are no longer bound; variables among the
// atoms must be bound by j before they are used, or be others of its inputs and constants.
func Substitute(j *Jaxpr, by map[*Var]Atom) *Jaxpr {
	env := make(map[*Var]Atom, len(j.Eqns)+len(j.Ins))
	out := &Jaxpr{}
	for i, v := range j.Consts {
		if _, gone := by[v]; gone {
			continue
		}
		w := NewVar(v.Type)
		env[v] = w
		out.Consts = append(out.Consts, w)
		if j.ConstVals != nil {
			out.ConstVals = append(out.ConstVals, j.ConstVals[i])
		}
	}
	if j.ConstVals != nil && out.ConstVals == nil {
		out.ConstVals = []core.Value{}
	}
	for _, v := range j.Ins {
		if _, gone := by[v]; gone {
			continue
		}
		w := NewVar(v.Type)
		env[v] = w
		out.Ins = append(out.Ins, w)
	}
	c := copier{env: env, by: by}
	for _, e := range j.Eqns {
		out.Eqns = append(out.Eqns, c.eqn(e))
	}
	out.Outs = c.atoms(j.Outs)
	return out
}

// copier copies equations to variables of their own.
type copier struct {
	env map[*Var]Atom
	by  map[*Var]Atom // replaces before env is asked
}

func (c *copier) atom(a Atom) Atom {
	v, ok := a.(*Var)
	if !ok {
		return a
	}
	if b, ok := c.by[v]; ok {
		if a = b; a == Atom(v) {
			return c.env[v]
		}
		if v, ok = b.(*Var); !ok {
			return b
		}
	}
	if b, ok := c.env[v]; ok {
		return b
	}
	core.Failf(core.ErrCheck, "a variable of type %v is used where it is not bound; check the program", v.Type.Full())
	return nil
}

func (c *copier) atoms(as []Atom) []Atom {
	out := make([]Atom, len(as))
	for i, a := range as {
		out[i] = c.atom(a)
	}
	return out
}

func (c *copier) eqn(e *Eqn) *Eqn {
	d := &Eqn{Prim: e.Prim, Site: e.Site, Ins: c.atoms(e.Ins), Outs: make([]*Var, len(e.Outs))}
	for i, v := range e.Outs {
		d.Outs[i] = NewVar(v.Type)
		c.env[v] = d.Outs[i]
	}
	return d
}
