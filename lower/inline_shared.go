package lower

import (
	"hash/maphash"
	"slices"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/jaxpr"
)

// sharedCalls are the calls that were replaced in a program, by the called program and the
// operands. Derivatives of nested calls repeat calls that the call around them contains already:
// without sharing they would grow with the square of the depth.
type sharedCalls struct{ calls map[uint64][]*sharedCall }

type sharedCall struct {
	j    *jaxpr.Jaxpr
	args []jaxpr.Atom
	outs []jaxpr.Atom // nil while the call is being replaced
}

// find returns the call of j on args, and whether it was replaced before.
func (s *sharedCalls) find(j *jaxpr.Jaxpr, args []jaxpr.Atom) (c *sharedCall, again bool) {
	h := maphash.Comparable(exprSeed, j)
	for _, a := range args {
		h = mix(h, maphash.Comparable(exprSeed, a))
	}
	for _, c := range s.calls[h] {
		if c.j == j && c.outs != nil && slices.Equal(c.args, args) {
			return c, true
		}
	}
	if s.calls == nil {
		s.calls = map[uint64][]*sharedCall{}
	}
	c = &sharedCall{j: j, args: args}
	s.calls[h] = append(s.calls[h], c)
	return c, false
}

// shares reports whether a call p of j is replaced only once for the same operands. That is so if j calls
// programs itself and may be computed once, and p is not a rematerialization. Repetitions of other programs
// are left to cse.
func (il *inliner) shares(p core.Primitive, j *jaxpr.Jaxpr) bool {
	r := il.repetition(j)
	return r.calls && r.repeatable && !isRemat(p)
}

// isRemat reports whether p computes again on purpose.
func isRemat(p core.Primitive) bool {
	_, ok := p.(*jaxpr.Remat)
	return ok
}

// repetition tells whether calls of a program can be shared: see shares.
type repetition struct {
	calls      bool // the program calls others
	repeatable bool // its equations, and those of the programs that it calls, are repeatable
}

func (il *inliner) repetition(j *jaxpr.Jaxpr) repetition {
	if r, ok := il.repetitions[j]; ok {
		return r
	}
	r := repetition{repeatable: true}
	for _, e := range j.Eqns {
		if c := il.called(e.Prim); c != nil {
			r.calls = true
			r.repeatable = r.repeatable && !isRemat(e.Prim) && il.repetition(c).repeatable
		} else {
			r.repeatable = r.repeatable && repeatable(e)
		}
	}
	il.repetitions[j] = r
	return r
}
