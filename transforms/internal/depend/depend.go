// Package depend finds out on which inputs the results of programs depend.
package depend

import (
	bits64 "math/bits"
	"slices"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/jaxpr"
)

// A Set is a set of input numbers, one bit each.
type Set []uint64

// with returns the union of two sets. A set is never changed.
func (s Set) with(o Set) Set {
	if len(s) < len(o) {
		s, o = o, s
	}
	grown := false
	for k, w := range o {
		grown = grown || w&^s[k] != 0
	}
	if !grown {
		return s
	}
	s = slices.Clone(s)
	for k, w := range o {
		s[k] |= w
	}
	return s
}

func place(n int) Set {
	s := make(Set, n/64+1)
	s[n/64] = 1 << (n % 64)
	return s
}

// Key returns a comparable form of the set.
func (s Set) Key() string {
	b := make([]byte, 0, 8*len(s))
	for _, w := range s {
		for range 8 {
			b = append(b, byte(w))
			w >>= 8
		}
	}
	return string(b)
}

// dependence returns, for each result of j, the set of inputs that it depends on. consts and in
// are the sets of j's constants and inputs. Calls are followed; the results of any other equation
// depend on all its operands.
func dependence(j *jaxpr.Jaxpr, consts, in []Set) []Set {
	of := make(map[*jaxpr.Var]Set, len(j.Ins)+len(j.Eqns))
	bind := func(vs []*jaxpr.Var, sets []Set) {
		for k, v := range vs {
			if v != nil {
				of[v] = sets[k]
			}
		}
	}
	bind(j.Consts, consts)
	bind(j.Ins, in)
	sets := func(as []jaxpr.Atom) []Set {
		out := make([]Set, len(as))
		for k, a := range as {
			if v, ok := a.(*jaxpr.Var); ok {
				out[k] = of[v]
			}
		}
		return out
	}
	for _, e := range j.Eqns {
		switch e.Prim.(type) {
		case *jaxpr.Jit, *jaxpr.CoreCall, *jaxpr.Remat, *jaxpr.ShardMap:
			bind(e.Outs, unions(inputsOf(jaxpr.Programs(e.Prim)[0]), sets(e.Ins)))
			continue
		}
		var all Set
		for _, s := range sets(e.Ins) {
			all = all.with(s)
		}
		for _, v := range e.Outs {
			if v != nil {
				of[v] = all
			}
		}
	}
	return sets(j.Outs)
}

type inputsKey struct{}

// inputsOf returns the numbers of the inputs that each result of j depends on.
func inputsOf(j *jaxpr.Jaxpr) []Set {
	return j.Memo(inputsKey{}, func() any {
		return dependence(j, make([]Set, len(j.Consts)), NewSources(len(j.Ins)).inputs)
	}).([]Set)
}

// unions returns, for each set of numbers, the union of the sets with these numbers.
func unions(of []Set, sets []Set) []Set {
	out := make([]Set, len(of))
	for k, s := range of {
		for i, w := range s {
			for ; w != 0; w &= w - 1 {
				out[k] = out[k].with(sets[64*i+bits64.TrailingZeros64(w)])
			}
		}
	}
	return out
}

// Sources number what the branches of a conditional depend on: their common inputs, and
// the tracers that any of them closes over.
type Sources struct {
	inputs []Set
	closed map[core.Value]Set
}

// NewSources numbers the common inputs.
func NewSources(inputs int) *Sources {
	s := &Sources{closed: map[core.Value]Set{}}
	for k := range inputs {
		s.inputs = append(s.inputs, place(k))
	}
	return s
}

// Of returns the sources that each result of a branch depends on.
func (s *Sources) Of(j *jaxpr.Jaxpr) []Set {
	consts := make([]Set, len(j.Consts))
	for k, v := range j.ConstVals {
		if _, ok := v.(core.Tracer); !ok {
			continue
		}
		if s.closed[v] == nil {
			s.closed[v] = place(len(s.inputs) + len(s.closed))
		}
		consts[k] = s.closed[v]
	}
	return dependence(j, consts, s.inputs)
}
