package transforms

import (
	"slices"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/transforms/internal/depend"
)

// deepPrograms is the depth of nested programs up to which every residual is a result of its own,
// as in JAX. In deeper programs, residuals that inner programs return are packed.
const deepPrograms = 16

// packPassed packs the residuals that fwd only passes on from programs within it, if these are
// deeply nested and the residuals are many or of many axes. The residuals of a program are results
// of each program around it: unpacked, their total number would grow with the square of the depth.
//
// Equations are added to both programs. Their variables stay, since user-defined rules may close
// over them.
func (l *linearized) packPassed() {
	nout := len(l.fwd.Outs) - len(l.res)
	res := l.fwd.Outs[nout:]
	few := len(res) <= manySlots && !slices.ContainsFunc(res, func(a jaxpr.Atom) bool { return a.Aval().Rank() > manyAxes })
	if few || nestingOf(l.fwd) <= deepPrograms {
		return
	}
	passed := passedOn(l.fwd, nout)
	needs := depend.NewSources(len(l.fwd.Ins)).Of(l.fwd)[nout:]
	slots := make([]sharing, len(res))
	for k, a := range res {
		slots[k] = sharing{a.Aval(), needs[k].Key()}
	}
	p := packSlots(slots, func(n int) bool { return passed[n] })
	if !p.packs() {
		return
	}
	fwd, lin := &packing{eqns: slices.Clone(l.fwd.Eqns)}, &packing{}
	outs := slices.Clone(l.fwd.Outs[:nout])
	var ins []*jaxpr.Var
	old := l.lin.Ins[:len(res)]
	for i, of := range p.of {
		if len(of) == 1 && !p.flattens(i) {
			outs, ins = append(outs, res[of[0]]), append(ins, old[of[0]])
			continue
		}
		parts := make([]jaxpr.Atom, len(of))
		vars := make([]*jaxpr.Var, len(of))
		for k, n := range of {
			parts[k], vars[k] = fwd.flat(res[n]), old[n]
		}
		outs = append(outs, fwd.joined(parts))
		ins = append(ins, lin.cut(p.types[i], vars))
	}
	l.fwd = &jaxpr.Jaxpr{Consts: l.fwd.Consts, ConstVals: l.fwd.ConstVals, Ins: l.fwd.Ins, Eqns: fwd.eqns, Outs: outs}
	l.lin = &jaxpr.Jaxpr{Consts: l.lin.Consts, ConstVals: l.lin.ConstVals, Ins: append(ins, l.lin.Ins[len(res):]...),
		Eqns: append(lin.eqns, l.lin.Eqns...), Outs: l.lin.Outs}
	l.res = make([]residual, len(p.of))
}

// passedOn marks, of the results of j after the first n, those that an equation with a program in it
// returns, unless they are among the first n results too.
func passedOn(j *jaxpr.Jaxpr, n int) []bool {
	returned := jaxpr.NumbersFor(j)
	for _, e := range j.Eqns {
		if len(jaxpr.Programs(e.Prim)) == 0 {
			continue
		}
		for _, v := range e.Outs {
			returned.Bind(v)
		}
	}
	var own jaxpr.Numbers
	for _, a := range j.Outs[:n] {
		if v, ok := a.(*jaxpr.Var); ok {
			own.Bind(v)
		}
	}
	passed := boundIn(returned, j.Outs[n:])
	for k, is := range boundIn(&own, j.Outs[n:]) {
		passed[k] = passed[k] && !is
	}
	return passed
}

type nestingKey struct{}

// nestingOf returns the depth of the programs nested in j, j included.
func nestingOf(j *jaxpr.Jaxpr) int {
	if n, ok := j.Memoized(nestingKey{}); ok {
		return n.(int)
	}
	n := 0
	for _, e := range j.Eqns {
		for _, q := range jaxpr.Programs(e.Prim) {
			n = max(n, nestingOf(q))
		}
	}
	if n++; n == 1 {
		return 1
	}
	return j.Memo(nestingKey{}, func() any { return n }).(int)
}

// packing writes the equations that pack residuals, or those that unpack them.
type packing struct{ eqns []*jaxpr.Eqn }

func (w *packing) write(p core.Primitive, in []jaxpr.Atom, outs ...*jaxpr.Var) {
	w.eqns = append(w.eqns, &jaxpr.Eqn{Prim: p, Ins: in, Outs: outs})
}

func (w *packing) flat(a jaxpr.Atom) jaxpr.Atom {
	t := a.Aval()
	if t.Rank() == 1 {
		return a
	}
	v := jaxpr.NewVar(t.WithShape(core.MakeDims(t.Size())))
	w.write(prim.ReshapeP{Shape: v.Type.Shape}, []jaxpr.Atom{a}, v)
	return v
}

func (w *packing) joined(parts []jaxpr.Atom) jaxpr.Atom {
	if len(parts) == 1 {
		return parts[0]
	}
	p := prim.ConcatenateP{}
	v := jaxpr.NewVar(core.AbstractOf(p, core.AvalsOf(parts))[0])
	w.write(p, parts, v)
	return v
}

// cut binds vars to consecutive parts of a variable of type t, and returns that variable.
func (w *packing) cut(t core.ShapedArray, vars []*jaxpr.Var) *jaxpr.Var {
	list := jaxpr.NewVar(t)
	parts, sizes := make([]*jaxpr.Var, len(vars)), make([]int, len(vars))
	for k, v := range vars {
		sizes[k] = v.Type.Size()
		if parts[k] = v; v.Type.Rank() != 1 {
			parts[k] = jaxpr.NewVar(v.Type.WithShape(core.MakeDims(sizes[k])))
		}
	}
	if len(parts) == 1 {
		parts[0] = list
	} else {
		w.write(prim.SplitP{Sizes: core.MakeDims(sizes...)}, []jaxpr.Atom{list}, parts...)
	}
	for k, v := range vars {
		if parts[k] != v {
			w.write(prim.ReshapeP{Shape: v.Type.Shape}, []jaxpr.Atom{parts[k]}, v)
		}
	}
	return list
}
