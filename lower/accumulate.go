package lower

import (
	"math"
	"slices"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/core/prim/indexed"
	"github.com/weft-go/weft/jaxpr"
)

// accumulate adds rows in place. The gradient with respect to an array whose rows a scan reads is carried by
// the reverse scan. At each step that scan adds an array to it that is zero except for one row; the row alone
// is added instead:
//
//	z = dynamic_update_slice zeros row i          s = dynamic_slice sum i
//	next = add_any sum z                    →     t = add_any s row
//	                                              next = dynamic_update_slice sum t i
//
// Adding zeros makes +0 of −0 and NaNs canonical, so 0 is added in front of the scan, unless the sum starts from
// zeros. No step makes such elements again, since x + y is −0 only if both are.
func accumulate(j *jaxpr.Jaxpr, _ bool) *jaxpr.Jaxpr {
	zeros := zerosOf(j)
	return changeLoops(j, func(e *jaxpr.Eqn) ([]*jaxpr.Eqn, *jaxpr.Eqn) {
		if q, ok := e.Prim.(*jaxpr.Scan); ok && q.Length > 0 {
			return accumulating(e, q, zeros)
		}
		return nil, e
	})
}

// accumulating returns a scan that adds rows to carried arrays in place, with equations in front of it; e itself
// if it carries no array to which rows are added. zeros reports which operands are arrays of zeros.
func accumulating(e *jaxpr.Eqn, q *jaxpr.Scan, zeros func(a jaxpr.Atom) bool) (front []*jaxpr.Eqn, loop *jaxpr.Eqn) {
	body := q.Jaxpr
	var a *accumulator
	ins := e.Ins
	for k := range q.NumCarry {
		sum := body.Ins[q.NumConsts+k]
		if !addsExactly(sum.Type) {
			continue
		}
		if a == nil {
			if a = accumulatorOf(body); a == nil {
				return nil, e
			}
		}
		if !a.carry(sum, body.Outs[k]) {
			continue
		}
		init := ins[q.NumConsts+k]
		if sum.Type.DType.IsInexact() && !zeros(init) {
			clean, zero := jaxpr.NewVar(init.Aval()), core.Lit(core.IntNumber(0), sum.Type.DType)
			if front == nil {
				ins = slices.Clone(ins)
			}
			front = append(front, &jaxpr.Eqn{Outs: []*jaxpr.Var{clean}, Prim: prim.AddP{}, Ins: []jaxpr.Atom{init, zero}, Site: e.Site})
			ins[q.NumConsts+k] = clean
		}
	}
	if a == nil || len(a.replaced) == 0 {
		return nil, e
	}
	var eqns []*jaxpr.Eqn
	for _, d := range body.Eqns {
		if r := a.replaced[d]; r != nil {
			eqns = append(eqns, r...)
		} else {
			eqns = append(eqns, d)
		}
	}
	n := *q
	n.Jaxpr, n.Primal, n.PrimalArgs = withEqns(body, eqns), nil, nil
	return front, &jaxpr.Eqn{Outs: e.Outs, Prim: &n, Ins: ins, Site: e.Site}
}

// addsExactly reports whether accumulate may add to arrays of type t: they are no scalars, and the sum of two elements
// is −0 only if both are −0. Floats of fewer than 16 bits are left out.
func addsExactly(t core.ShapedArray) bool {
	return t.Rank() > 0 && (t.DType.IsInteger() || t.DType.IsInexact() && t.DType.Bits() >= 16)
}

// zerosOf returns a function that reports whether an operand is an array of zeros that j makes.
func zerosOf(j *jaxpr.Jaxpr) func(a jaxpr.Atom) bool {
	var made map[jaxpr.Atom]bool
	return func(a jaxpr.Atom) bool {
		if made == nil {
			made = map[jaxpr.Atom]bool{}
			for _, e := range j.Eqns {
				if isZeros(e) {
					made[e.Outs[0]] = true
				}
			}
		}
		return made[a]
	}
}

// isZeros reports whether an equation broadcasts a literal 0 that is not −0.
func isZeros(e *jaxpr.Eqn) bool {
	if _, ok := e.Prim.(prim.BroadcastInDimP); !ok {
		return false
	}
	l, ok := e.Ins[0].(core.Literal)
	if !ok {
		return false
	}
	c := l.Num.Complex()
	return c == 0 && !math.Signbit(real(c)) && !math.Signbit(imag(c))
}

// An accumulator finds the sums that a scan's body carries, and what replaces the equations that add to them.
type accumulator struct {
	made     map[*jaxpr.Var]*jaxpr.Eqn
	uses     map[*jaxpr.Var]int
	replaced map[*jaxpr.Eqn][]*jaxpr.Eqn
}

// accumulatorOf returns the accumulator of a body, nil if the body updates no array of zeros.
func accumulatorOf(body *jaxpr.Jaxpr) *accumulator {
	a := &accumulator{made: map[*jaxpr.Var]*jaxpr.Eqn{}, uses: map[*jaxpr.Var]int{}, replaced: map[*jaxpr.Eqn][]*jaxpr.Eqn{}}
	some := false
	count := func(atoms []jaxpr.Atom) {
		for _, x := range atoms {
			if v, ok := x.(*jaxpr.Var); ok {
				a.uses[v]++
			}
		}
	}
	for _, e := range body.Eqns {
		count(e.Ins)
		for _, v := range e.Outs {
			a.made[v] = e
		}
		if _, ok := e.Prim.(indexed.DynamicUpdateSliceP); ok {
			some = some || a.zeros(e.Ins[0])
		}
	}
	if !some {
		return nil
	}
	count(body.Outs)
	return a
}

func (a *accumulator) by(x jaxpr.Atom) *jaxpr.Eqn {
	v, _ := x.(*jaxpr.Var)
	return a.made[v]
}

func (a *accumulator) zeros(x jaxpr.Atom) bool {
	e := a.by(x)
	return e != nil && isZeros(e)
}

// carry replaces the equations that compute result as sum plus updates of zeros. It replaces nothing and returns
// false if result is computed otherwise, or if something else reads sum or a sum in between.
func (a *accumulator) carry(sum *jaxpr.Var, result jaxpr.Atom) bool {
	var chain []*jaxpr.Eqn
	var from []*jaxpr.Var
	var rows []*jaxpr.Eqn
	at, _ := result.(*jaxpr.Var)
	for at != sum {
		e := a.made[at]
		if e == nil || a.uses[at] != 1 {
			return false
		}
		before, row := a.added(e)
		if row == nil {
			return false
		}
		chain, from, rows = append(chain, e), append(from, before), append(rows, row)
		at = before
	}
	if len(chain) == 0 || a.uses[sum] != 1 {
		return false
	}
	for i, e := range chain {
		a.replaced[e] = addRow(e, from[i], rows[i])
	}
	return true
}

// added returns the sum that an equation adds an update of zeros to, and that update; nil if the equation does
// something else.
func (a *accumulator) added(e *jaxpr.Eqn) (sum *jaxpr.Var, row *jaxpr.Eqn) {
	switch e.Prim.(type) {
	case prim.AddAnyP, prim.AddP:
	default:
		return nil, nil
	}
	for i, x := range e.Ins {
		u := a.by(x)
		if u == nil {
			continue
		}
		if _, ok := u.Prim.(indexed.DynamicUpdateSliceP); !ok || !a.zeros(u.Ins[0]) || u.Outs[0].Type.Shape != e.Outs[0].Type.Shape {
			continue
		}
		if v, ok := e.Ins[1-i].(*jaxpr.Var); ok && v.Type == e.Outs[0].Type {
			return v, u
		}
	}
	return nil, nil
}

// addRow returns equations that replace e: they add the row of the update u to sum in place.
func addRow(e *jaxpr.Eqn, sum *jaxpr.Var, u *jaxpr.Eqn) []*jaxpr.Eqn {
	row, starts := u.Ins[1], u.Ins[2:]
	part := jaxpr.NewVar(sum.Type.WithShape(row.Aval().Shape))
	next := jaxpr.NewVar(core.AbstractOf(e.Prim, []core.ShapedArray{part.Type, row.Aval()})[0])
	return []*jaxpr.Eqn{
		{Outs: []*jaxpr.Var{part}, Prim: indexed.DynamicSliceP{Sizes: part.Type.Shape}, Ins: append([]jaxpr.Atom{sum}, starts...), Site: e.Site},
		{Outs: []*jaxpr.Var{next}, Prim: e.Prim, Ins: []jaxpr.Atom{part, row}, Site: e.Site},
		{Outs: e.Outs, Prim: indexed.DynamicUpdateSliceP{}, Ins: append([]jaxpr.Atom{sum, next}, starts...), Site: e.Site},
	}
}
