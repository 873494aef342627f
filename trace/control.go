package trace

import (
	"slices"
	"strconv"
	"strings"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/jaxpr"
)

// Cond runs one of two functions: yes if pred holds. pred is a scalar, a bool or a
// number that is compared with 0.
func Cond(pred core.Value, yes, no func() []core.Value) []core.Value {
	return CondOn(pred, thunk(yes), thunk(no), nil)
}

func thunk(f func() []core.Value) Body {
	return Body{F: func([]core.Value) []core.Value { return f() }}
}

// CondOn is [Cond] for functions of operands.
func CondOn(pred core.Value, yes, no Body, in []core.Value) []core.Value {
	a := pred.Aval()
	if a.Rank() != 0 {
		core.FailOp(core.ErrShape, "Cond", []core.ShapedArray{a}, "the predicate must be a scalar, got %s; use Where to choose element by element", a.Full())
	}
	var index core.Value
	switch {
	case a.DType == core.Bool:
		if l, ok := pred.(core.Literal); ok {
			n := int64(0)
			if l.Num.Bool() {
				n = 1
			}
			index = core.Lit(core.IntNumber(n), core.Int32)
		} else {
			index = prim.Convert(pred, core.Int32, false)
		}
	case a.DType.IsNumber():
		index = prim.Convert(prim.Ne(pred, prim.Num(a, 0)), core.Int32, false)
	default:
		core.FailOp(core.ErrDType, "Cond", []core.ShapedArray{a}, "the predicate must be a bool or a number (got %s); reduce it to one", a.Full())
	}
	return branch("Cond", index, []Body{no, yes}, []int{1, 0}, in)
}

// Switch runs the branch with the given index, which is converted to i32 and then clamped to the
// range of branches.
func Switch(index core.Value, branches ...func() []core.Value) []core.Value {
	bodies := make([]Body, len(branches))
	for i, f := range branches {
		bodies[i] = thunk(f)
	}
	return SwitchOn(index, bodies, nil)
}

// SwitchOn is [Switch] for functions of operands.
func SwitchOn(index core.Value, branches []Body, in []core.Value) []core.Value {
	a := index.Aval()
	if len(branches) == 0 {
		core.FailOp(core.ErrStatic, "Switch", nil, "there is no branch to choose from; give one or more")
	}
	if a.Rank() != 0 || !a.DType.IsInteger() {
		core.FailOp(core.Mismatch(a, core.Aval(core.Int32)), "Switch", []core.ShapedArray{a}, "the index must be a scalar integer, got %s; use AsType, or Vmap for one index a row", a.Full())
	}
	if len(branches) == 1 {
		return branches[0].F(in)
	}
	if l, ok := index.(core.Literal); ok {
		index = core.Literal{Num: l.Num, Type: core.Int32}
	} else if a.DType != core.Int32 || a.Weak {
		index = prim.Convert(index, core.Int32, false)
	}
	num := func(n int) core.Value { return core.Lit(core.IntNumber(int64(n)), core.Int32) }
	index = prim.Clamp(num(0), index, num(len(branches)-1))
	order := make([]int, len(branches))
	for i := range order {
		order[i] = i
	}
	return branch("Switch", index, branches, order, in)
}

// branch stages the branches, in the given order, and binds the conditional.
func branch(op string, index core.Value, branches []Body, order []int, in []core.Value) []core.Value {
	js := make([]*jaxpr.Jaxpr, len(branches))
	avals := core.AvalsOf(in)
	for _, k := range order {
		js[k] = Stage(op, avals, branches[k].F)
	}
	inOrder := make([]*jaxpr.Jaxpr, len(js))
	for i, k := range order {
		inOrder[i] = js[k]
	}
	operands := slices.Concat(Unite(inOrder), in)
	sameResults(op, js)
	outs, forward := forwardedResults(js)
	for k := range js {
		js[k] = Share(branches[k].Of, js[k])
	}
	bound := core.Bind(&jaxpr.Cond{Branches: js}, slices.Concat([]core.Value{index}, operands)...)
	all := make([]core.Value, outs)
	k := 0
	for i := range all {
		if f, ok := forward[i]; ok {
			all[i] = operands[f]
		} else {
			all[i] = bound[k]
			k++
		}
	}
	return all
}

// varyFix returns the advice for two types that differ only in the axes along which they vary.
func varyFix(a, b core.ShapedArray) string {
	missing := a.Vary.Union(b.Vary)
	if more := b.Vary.Minus(a.Vary); more != 0 {
		missing = more
	} else if more := a.Vary.Minus(b.Vary); more != 0 {
		missing = more
	}
	var names []string
	for n := range missing.All() {
		names = append(names, strconv.Quote(n))
	}
	return "let the other vary too with lax.Pvary(…, " + strings.Join(names, ", ") + ")"
}

// sameResults checks that branches give the same types, weak marks aside: a
// conditional's results have those of the first branch.
func sameResults(op string, js []*jaxpr.Jaxpr) {
	for n, j := range js[1:] {
		if len(j.Outs) != len(js[0].Outs) {
			core.FailOp(core.ErrTree, op, nil, "branches give %d and %s; all must give the same", len(js[0].Outs), core.Count(len(j.Outs), "result"))
		}
		for i := range j.Outs {
			if a, b := js[0].Outs[i].Aval(), j.Outs[i].Aval(); !a.Fits(b) {
				if a.SameType(b) {
					core.FailOp(core.ErrAxis, op, []core.ShapedArray{a, b}, "result %d is %s in branch 0 and %s in branch %d, which vary along other axes of the mesh; %s", i, a.Full(), b.Full(), n+1, varyFix(a, b))
				}
				core.FailOp(core.Mismatch(a, b), op, []core.ShapedArray{a, b}, "result %d is %s in branch 0 and %s in branch %d; convert one with AsType or Reshape so that all agree", i, a.Full(), b.Full(), n+1)
			}
		}
	}
}

// forwardedResults removes from the programs the results that are the same operand in every branch.
// It returns how many results there were, and for each removed one the number of the operand.
func forwardedResults(js []*jaxpr.Jaxpr) (total int, forward map[int]int) {
	total = len(js[0].Outs)
	inputs := make([]jaxpr.Numbers, len(js))
	for n, j := range js {
		for _, v := range j.Ins {
			inputs[n].Bind(v)
		}
	}
	for i := range total {
		at := func(n int) int {
			if v, ok := js[n].Outs[i].(*jaxpr.Var); ok {
				if k, ok := inputs[n].Of(v); ok {
					return k
				}
			}
			return -1
		}
		k := at(0)
		for n := 1; n < len(js) && k >= 0; n++ {
			if at(n) != k {
				k = -1
			}
		}
		if k >= 0 {
			if forward == nil {
				forward = map[int]int{}
			}
			forward[i] = k
		}
	}
	if forward == nil {
		return total, nil
	}
	for _, j := range js {
		var kept []jaxpr.Atom
		for i, a := range j.Outs {
			if _, ok := forward[i]; !ok {
				kept = append(kept, a)
			}
		}
		j.Outs = kept
	}
	return total, forward
}
