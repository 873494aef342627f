package lower

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/jaxpr"
)

// identities drops operations that return an operand bit for bit, merges a reshape of a reshape and a transpose
// of a transpose, and drops those that undo each other around elementwise operations. It makes one product of a
// batch of products with the same array. Floats have no neutral elements here: x + 0 makes +0 of −0, and x · 1
// makes a NaN canonical.
func identities(j *jaxpr.Jaxpr, top bool) *jaxpr.Jaxpr {
	j = unmoved(j)
	s := simplifier{r: replacementsFor(j), by: map[*jaxpr.Var]*jaxpr.Eqn{}, results: resultsOf(j, top)}
	var eqns []*jaxpr.Eqn // nil: unchanged so far
	for i, e := range j.Eqns {
		d := s.r.eqn(e)
		a := same(d)
		if a == nil {
			if p, x := s.merged(d); p != nil {
				d = &jaxpr.Eqn{Outs: d.Outs, Prim: p, Ins: []jaxpr.Atom{x}, Site: d.Site}
				a = same(d)
			}
		}
		if a != nil && s.results.replace(d.Outs[0], a) {
			s.r.set(d.Outs[0], a)
			d = nil
		}
		if d != e && eqns == nil {
			eqns = append(make([]*jaxpr.Eqn, 0, len(j.Eqns)), j.Eqns[:i]...)
		}
		if d == nil {
			continue
		}
		ds := unbatched(d, s.by)
		if ds == nil {
			ds = []*jaxpr.Eqn{d}
		} else if eqns == nil {
			eqns = append(make([]*jaxpr.Eqn, 0, len(j.Eqns)), j.Eqns[:i]...)
		}
		for _, d := range ds {
			if moves(d.Prim) {
				s.by[d.Outs[0]] = d
			}
		}
		if eqns != nil {
			eqns = append(eqns, ds...)
		}
	}
	if eqns == nil {
		return j
	}
	out := withEqns(j, eqns)
	out.Outs = s.r.all(j.Outs)
	return out
}

type simplifier struct {
	r       replacements
	by      map[*jaxpr.Var]*jaxpr.Eqn // equations that merge with later ones
	results *results
}

// moves reports whether p may merge with an operation on its result.
func moves(p core.Primitive) bool {
	switch p.(type) {
	case prim.ReshapeP, prim.TransposeP, prim.BroadcastInDimP:
		return true
	}
	return false
}

// same returns the operand that e returns unchanged, or nil.
func same(e *jaxpr.Eqn) jaxpr.Atom {
	if len(e.Outs) != 1 || len(e.Ins) == 0 {
		return nil
	}
	out := e.Outs[0].Type
	x := e.Ins[0]
	switch p := e.Prim.(type) {
	case prim.CopyP, prim.StopGradientP, prim.NameP, prim.ReshapeP:
	case prim.ConvertElementTypeP:
		if out.DType.IsInexact() {
			return nil // it makes a NaN canonical
		}
	case prim.TransposeP:
		for i, k := range p.Perm.All() {
			if i != k {
				return nil
			}
		}
	case prim.BroadcastInDimP:
		for i, k := range p.Dims.All() {
			if i != k {
				return nil
			}
		}
	case prim.SliceP:
		// A slice of the operand's own shape starts at 0 with steps of 1.
	case prim.RevP:
		for _, d := range p.Dims.All() {
			if out.Shape.At(d) > 1 {
				return nil
			}
		}
	case prim.SelectNP:
		if l, ok := x.(core.Literal); ok && len(e.Ins) == 3 && l.Type == core.Bool {
			x = e.Ins[1]
			if l.Num.Bool() {
				x = e.Ins[2]
			}
		} else if len(e.Ins) == 3 && e.Ins[1] == e.Ins[2] {
			x = e.Ins[1]
		} else {
			return nil
		}
	case prim.AddP, prim.OrP, prim.XorP, prim.SubP:
		return neutral(e, 0, commutes(p))
	case prim.MulP:
		return neutral(e, 1, true)
	case prim.ShiftLeftP, prim.ShiftRightLogicalP, prim.ShiftRightArithmeticP:
		return neutral(e, 0, false)
	default:
		return nil
	}
	if x.Aval() != out {
		return nil
	}
	return x
}

func commutes(p core.Primitive) bool {
	_, sub := p.(prim.SubP)
	return !sub
}

// neutral returns the left operand of an integer operation if the right one is the neutral
// element id, or the reverse if the operation commutes; nil otherwise.
func neutral(e *jaxpr.Eqn, id int64, commutes bool) jaxpr.Atom {
	out := e.Outs[0].Type
	if !out.DType.IsInteger() || len(e.Ins) != 2 {
		return nil
	}
	is := func(a jaxpr.Atom) bool {
		l, ok := a.(core.Literal)
		return ok && l.Type.IsInteger() && l.Num.Kind() != core.KindFloat && l.Num.Int64() == id
	}
	if is(e.Ins[1]) && e.Ins[0].Aval() == out {
		return e.Ins[0]
	}
	if commutes && is(e.Ins[0]) && e.Ins[1].Aval() == out {
		return e.Ins[1]
	}
	return nil
}

// merged returns an operation and its operand that compute e's result without the intermediate array, if e is a
// reshape of a reshape or a transpose of a transpose; nil otherwise.
func (s *simplifier) merged(e *jaxpr.Eqn) (core.Primitive, jaxpr.Atom) {
	if !moves(e.Prim) {
		return nil, nil
	}
	v, ok := e.Ins[0].(*jaxpr.Var)
	if !ok || s.by[v] == nil {
		return nil, nil
	}
	first := s.by[v]
	switch p := e.Prim.(type) {
	case prim.ReshapeP:
		if _, ok := first.Prim.(prim.ReshapeP); ok {
			return p, first.Ins[0]
		}
	case prim.TransposeP:
		if q, ok := first.Prim.(prim.TransposeP); ok {
			return prim.TransposeP{Perm: p.Perm.Map(func(k int) int { return q.Perm.At(k) })}, first.Ins[0]
		}
	}
	return nil, nil
}
