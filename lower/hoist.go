package lower

import (
	"slices"

	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/core/prim/indexed"
	"github.com/weft-go/weft/core/prim/rng"
	"github.com/weft-go/weft/jaxpr"
)

// hoist moves equations that no iteration changes out of the bodies of scans and while
// loops: the loop gets their results as further constants. Equations that cse may not
// merge or dce may not drop stay. What is as cheap to compute as to read, such as a
// broadcast or a sum of two arrays, moves only where something else needs it in front of
// the loop. A loop within a loop comes first, so that an equation moves out of both.
func hoist(j *jaxpr.Jaxpr, _ bool) *jaxpr.Jaxpr {
	return changeLoops(j, hoisted)
}

// changeLoops returns a program in which each equation is replaced by front and then loop, as change returns
// them. front is empty if change returns the equation as it is.
func changeLoops(j *jaxpr.Jaxpr, change func(e *jaxpr.Eqn) (front []*jaxpr.Eqn, loop *jaxpr.Eqn)) *jaxpr.Jaxpr {
	var eqns []*jaxpr.Eqn // nil: unchanged so far
	for i, e := range j.Eqns {
		front, loop := change(e)
		if loop != e && eqns == nil {
			eqns = append(make([]*jaxpr.Eqn, 0, len(j.Eqns)), j.Eqns[:i]...)
		}
		if eqns != nil {
			eqns = append(append(eqns, front...), loop)
		}
	}
	if eqns == nil {
		return j
	}
	return withEqns(j, eqns)
}

// hoisted returns a loop without the equations that no iteration changes, and these equations, to stand in
// front of the loop; e itself if there are none.
func hoisted(e *jaxpr.Eqn) (front []*jaxpr.Eqn, loop *jaxpr.Eqn) {
	switch q := e.Prim.(type) {
	case *jaxpr.Scan:
		if q.Length == 0 {
			return nil, e
		}
		s := splitBody(q.Jaxpr, q.NumConsts, true)
		if s == nil {
			return nil, e
		}
		front, extra := s.inFront(e.Ins[:q.NumConsts])
		n := *q
		n.Jaxpr, n.NumConsts, n.Primal, n.PrimalArgs = s.body, q.NumConsts+len(extra), nil, nil
		return front, &jaxpr.Eqn{Outs: e.Outs, Prim: &n, Ins: slices.Insert(slices.Clone(e.Ins), q.NumConsts, extra...), Site: e.Site}
	case *jaxpr.While:
		s := splitBody(q.Body, q.BodyConsts, false)
		if s == nil {
			return nil, e
		}
		lo, hi := q.CondConsts, q.CondConsts+q.BodyConsts
		front, extra := s.inFront(e.Ins[lo:hi])
		n := *q
		n.Body, n.BodyConsts = s.body, q.BodyConsts+len(extra)
		return front, &jaxpr.Eqn{Outs: e.Outs, Prim: &n, Ins: slices.Insert(slices.Clone(e.Ins), hi, extra...), Site: e.Site}
	}
	return nil, e
}

// A split is a loop's body, divided into equations that move in front of the loop and the rest.
type split struct {
	consts []*jaxpr.Var // of the body as it was
	front  []*jaxpr.Eqn // depend on consts only
	extra  []*jaxpr.Var // results of front that the body reads, its further constants
	body   *jaxpr.Jaxpr
}

type splitKey struct {
	consts int
	runs   bool
}

// splitBody splits a body whose first inputs are constants; it returns nil if nothing moves. runs
// tells that the loop has at least one iteration: if it may have none, equations that hold programs
// stay, since a loop in them might not end. The result is memoized in j.
func splitBody(j *jaxpr.Jaxpr, consts int, runs bool) *split {
	return j.Memo(splitKey{consts, runs}, func() any { return newSplit(j, consts, runs) }).(*split)
}

func newSplit(j *jaxpr.Jaxpr, consts int, runs bool) *split {
	fixed := &jaxpr.Numbers{} // values that are the same in each iteration
	for _, v := range j.Ins[:consts] {
		fixed.Bind(v)
	}
	can := make([]bool, len(j.Eqns))
	heavy := false
	for i, e := range j.Eqns {
		can[i] = constantIn(fixed, e.Ins) && repeatable(e) && removable(e)
		if _, holds := e.Prim.(jaxpr.Holder); holds && !runs {
			can[i] = false
		}
		if !can[i] {
			continue
		}
		heavy = heavy || !isLight(e)
		for _, v := range e.Outs {
			fixed.Bind(v)
		}
	}
	if !heavy {
		return nil
	}
	// From the last equation to the first: heavy equations move, and those that they need.
	needed, moves := &jaxpr.Numbers{}, make([]bool, len(j.Eqns))
	for i := len(j.Eqns) - 1; i >= 0; i-- {
		e := j.Eqns[i]
		if !can[i] || isLight(e) && !anyOf(needed, e.Outs) {
			continue
		}
		moves[i] = true
		for _, a := range e.Ins {
			if v, ok := a.(*jaxpr.Var); ok {
				needed.Bind(v)
			}
		}
	}
	s := &split{consts: j.Ins[:consts]}
	var rest []*jaxpr.Eqn
	for i, e := range j.Eqns {
		if moves[i] {
			s.front = append(s.front, e)
		} else {
			rest = append(rest, e)
		}
	}
	read := &jaxpr.Numbers{} // by the equations that stay
	note := func(as []jaxpr.Atom) {
		for _, a := range as {
			if v, ok := a.(*jaxpr.Var); ok {
				read.Bind(v)
			}
		}
	}
	for _, e := range rest {
		note(e.Ins)
	}
	note(j.Outs)
	for _, e := range s.front {
		for _, v := range e.Outs {
			if _, ok := read.Of(v); ok {
				s.extra = append(s.extra, v)
			}
		}
	}
	ins := slices.Concat(j.Ins[:consts], s.extra, j.Ins[consts:])
	s.body = &jaxpr.Jaxpr{Consts: j.Consts, ConstVals: j.ConstVals, Ins: ins, Eqns: rest, Outs: j.Outs}
	return s
}

// inFront returns the equations that move in front of a loop whose body has the given constants, and those of
// their results that the body reads. The variables are new, since several loops may have one body.
func (s *split) inFront(consts []jaxpr.Atom) (front []*jaxpr.Eqn, extra []jaxpr.Atom) {
	c := &copier{replacements{number: &jaxpr.Numbers{}}, &slab{}}
	for i, v := range s.consts {
		c.bind(v, consts[i])
	}
	for _, q := range s.front {
		front = append(front, c.eqn(q, q.Prim))
	}
	for _, v := range s.extra {
		extra = append(extra, c.atom(v))
	}
	return front, extra
}

// constantIn reports whether all operands are literals or in a set.
func constantIn(set *jaxpr.Numbers, as []jaxpr.Atom) bool {
	for _, a := range as {
		if v, ok := a.(*jaxpr.Var); ok {
			if _, ok := set.Of(v); !ok {
				return false
			}
		}
	}
	return true
}

func anyOf(set *jaxpr.Numbers, vs []*jaxpr.Var) bool {
	for _, v := range vs {
		if _, ok := set.Of(v); ok {
			return true
		}
	}
	return false
}

// isLight reports whether computing an element costs about as much as reading it.
func isLight(e *jaxpr.Eqn) bool {
	switch e.Prim.(type) {
	case prim.ReshapeP, prim.SqueezeP, prim.BroadcastInDimP, prim.TransposeP, prim.RevP, prim.SliceP, prim.SplitP, prim.UnstackP, prim.PadP,
		prim.ConcatenateP, prim.StackP, indexed.DynamicSliceP, prim.IotaP, prim.EmptyP, prim.Empty2P,
		prim.AddP, prim.AddAnyP, prim.SubP, prim.MulP, prim.NegP, prim.AbsP, prim.MaxP, prim.MinP, prim.SquareP, prim.EqP, prim.NeP, prim.LtP, prim.LeP,
		prim.GtP, prim.GeP, prim.AndP, prim.OrP, prim.XorP, prim.NotP, prim.SelectNP, prim.ConvertElementTypeP, prim.BitcastConvertTypeP,
		prim.StopGradientP, prim.NameP, prim.RealP, prim.ImagP, prim.ComplexP, rng.RandomCloneP, prim.RandomWrapP, prim.RandomUnwrapP:
		return true
	}
	return false
}
