package jaxpr

import (
	"slices"

	"github.com/weft-go/weft/core"
)

// DCE returns j without the equations whose results nothing uses and that have no effects.
// Inputs stay; so do constants whose values are not known. Programs within equations stay as
// they are.
func DCE(j *Jaxpr) *Jaxpr {
	out, _ := Prune(j, nil, func(e *Eqn, used []bool) *Eqn {
		if core.EffectsOf(e.Prim) != 0 || slices.Contains(used, true) {
			return e
		}
		return nil
	})
	return out
}

// Prune returns j with the results that outs marks, nil for all, and marks the inputs that the
// pruned program reads; all inputs stay. keep decides for each equation, the last one first, given which of its results are
// used: it returns the equation, one in its place, or nil for none. Constants that are not used
// go if their values are known. The result is j itself if nothing changes. keep must not retain
// used.
func Prune(j *Jaxpr, outs []bool, keep func(e *Eqn, used []bool) *Eqn) (pruned *Jaxpr, ins []bool) {
	if j == nil || keep == nil {
		core.FailOp(core.ErrStatic, "jaxpr.Prune", nil, "the program or the function is nil; pass both")
	}
	if outs != nil && len(outs) != len(j.Outs) {
		core.FailOp(core.ErrIndex, "jaxpr.Prune", nil, "the program has %s (got marks for %d); pass one for each", core.Count(len(j.Outs), "result"), len(outs))
	}
	numbers := NumbersFor(j)
	need := func(as []Atom) {
		for _, a := range as {
			if v, ok := a.(*Var); ok {
				numbers.Bind(v)
			}
		}
	}
	isNeeded := func(v *Var) bool {
		_, ok := numbers.Of(v)
		return ok
	}
	results := j.Outs
	if outs != nil && slices.Contains(outs, false) {
		results = nil
		for i, a := range j.Outs {
			if outs[i] {
				results = append(results, a)
			}
		}
	}
	need(results)
	eqns := slices.Clone(j.Eqns)
	n, same := 0, len(results) == len(j.Outs)
	var used []bool
	for i, e := range slices.Backward(j.Eqns) {
		used = used[:0]
		for _, v := range e.Outs {
			used = append(used, isNeeded(v))
		}
		eqns[i] = keep(e, used)
		same = same && eqns[i] == e
		if eqns[i] != nil {
			n++
			need(eqns[i].Ins)
		}
	}
	ins = make([]bool, len(j.Ins))
	for i, v := range j.Ins {
		ins[i] = isNeeded(v)
	}
	read := func(v *Var) bool { return j.ConstVals == nil || isNeeded(v) }
	if same && !slices.ContainsFunc(j.Consts, func(v *Var) bool { return !read(v) }) {
		return j, ins
	}
	pruned = &Jaxpr{Ins: j.Ins, Outs: results, Consts: j.Consts, Eqns: make([]*Eqn, 0, n)}
	for _, e := range eqns {
		if e != nil {
			pruned.Eqns = append(pruned.Eqns, e)
		}
	}
	if j.ConstVals == nil {
		return pruned, ins
	}
	pruned.Consts, pruned.ConstVals = make([]*Var, 0, len(j.Consts)), make([]core.Value, 0, len(j.Consts))
	for i, v := range j.Consts {
		if read(v) {
			pruned.Consts = append(pruned.Consts, v)
			pruned.ConstVals = append(pruned.ConstVals, j.ConstVals[i])
		}
	}
	return pruned, ins
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
