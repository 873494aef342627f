package lower

import (
	"slices"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/jaxpr"
)

// unmoved drops transposes around elementwise operations if operands are transposed before and the result is
// transposed back afterwards, as happens to arrays whose last axis a mesh cuts:
//
//	b = transpose a        z = tanh a
//	y = tanh b        →
//	z = transpose⁻¹ y
//
// Then it drops reshapes in the same way.
func unmoved(j *jaxpr.Jaxpr) *jaxpr.Jaxpr {
	return dropped[prim.ReshapeP](dropped[prim.TransposeP](j))
}

// dropped returns the program without those transposes, or reshapes, that the rule of unmoved drops.
func dropped[P core.Primitive](j *jaxpr.Jaxpr) *jaxpr.Jaxpr {
	moves := 0
	for _, e := range j.Eqns {
		if _, ok := e.Prim.(P); ok {
			moves++
		}
	}
	if moves < 2 {
		return j
	}
	u := &unmover[P]{made: map[*jaxpr.Var]*jaxpr.Eqn{}, uses: map[*jaxpr.Var]int{}}
	use := func(as []jaxpr.Atom) {
		for _, a := range as {
			if v, ok := a.(*jaxpr.Var); ok {
				u.uses[v]++
			}
		}
	}
	for _, e := range j.Eqns {
		use(e.Ins)
		for _, v := range e.Outs {
			u.made[v] = e
		}
	}
	use(j.Outs)
	by := map[*jaxpr.Eqn]*jaxpr.Eqn{} // replacements of equations; nil: the equation is dropped
	for _, e := range j.Eqns {
		u.replace(e, by)
	}
	if len(by) == 0 {
		return j
	}
	out := withEqns(j, make([]*jaxpr.Eqn, 0, len(j.Eqns)))
	for _, e := range j.Eqns {
		d, ok := by[e]
		if !ok {
			d = e
		}
		if d != nil {
			out.Eqns = append(out.Eqns, d)
		}
	}
	return out
}

type unmover[P core.Primitive] struct {
	made map[*jaxpr.Var]*jaxpr.Eqn
	uses map[*jaxpr.Var]int

	back *jaxpr.Eqn // the transpose or reshape that is to be dropped
	seen map[*jaxpr.Var]int
	all  []*jaxpr.Eqn // elementwise equations, operands first
}

// replace drops e, a transpose or reshape of the result of elementwise equations, if e undoes how each array that
// they read was transposed or reshaped. It records nil for e in by, and new equations for the elementwise ones.
func (u *unmover[P]) replace(e *jaxpr.Eqn, by map[*jaxpr.Eqn]*jaxpr.Eqn) {
	if _, ok := e.Prim.(P); !ok {
		return
	}
	last, ok := e.Ins[0].(*jaxpr.Var)
	u.back, u.seen, u.all = e, map[*jaxpr.Var]int{}, nil
	if !ok || !u.elementwise(last) || len(u.all) == 0 {
		return
	}
	for _, d := range u.all {
		if v := d.Outs[0]; u.seen[v] != u.uses[v] { // something else needs v as it is
			return
		}
	}
	vars := map[*jaxpr.Var]*jaxpr.Var{}
	for _, d := range u.all {
		v := d.Outs[0]
		to := jaxpr.NewVar(v.Type.WithShape(e.Outs[0].Type.Shape))
		if v == last {
			to = e.Outs[0]
		}
		vars[v] = to
		ins := slices.Clone(d.Ins)
		for i, a := range ins {
			if w, ok := a.(*jaxpr.Var); ok && w.Type.Rank() > 0 {
				if ins[i] = vars[w]; vars[w] == nil {
					ins[i] = u.made[w].Ins[0]
				}
			}
		}
		by[d] = &jaxpr.Eqn{Outs: []*jaxpr.Var{to}, Prim: d.Prim, Ins: ins, Site: d.Site}
	}
	by[e] = nil
	delete(u.made, e.Outs[0]) // another equation makes the result now
}

// undone reports whether back undoes the operation p on an array of shape s.
func (u *unmover[P]) undone(p core.Primitive, s core.Dims) bool {
	if s != u.back.Outs[0].Type.Shape {
		return false
	}
	back, ok := u.back.Prim.(prim.TransposeP)
	if !ok {
		return true // a reshape
	}
	perm := p.(prim.TransposeP).Perm
	for i, k := range back.Perm.All() {
		if perm.At(k) != i {
			return false
		}
	}
	return true
}

// elementwise adds the equations that compute v to u.all. It returns false if one of them is not elementwise, or
// reads an array that is not the result of an operation that u.back undoes.
func (u *unmover[P]) elementwise(v *jaxpr.Var) bool {
	if u.seen[v]++; u.seen[v] > 1 {
		return true
	}
	e := u.made[v]
	if e == nil || len(e.Outs) != 1 {
		return false
	}
	if _, ok := e.Prim.(P); ok {
		return u.undone(e.Prim, e.Ins[0].Aval().Shape)
	}
	if _, ok := e.Prim.(core.Elementwise); !ok || core.EffectsOf(e.Prim) != 0 || v.Type.Rank() == 0 {
		return false
	}
	for _, a := range e.Ins {
		if a.Aval().Rank() == 0 {
			continue
		}
		if w, ok := a.(*jaxpr.Var); !ok || w.Type.Shape != v.Type.Shape || !u.elementwise(w) {
			return false
		}
	}
	u.all = append(u.all, e)
	return true
}
