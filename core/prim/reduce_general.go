package prim

import (
	"cmp"
	"slices"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim/internal/rule"
	"github.com/weft-go/weft/jaxpr"
)

// ReduceP combines the elements of k arrays along axes by a program that is associative: it
// combines two groups of k numbers into one. The second half of the operands are initial values,
// neutral to the program, one for each result. In a chunk or a lane the program's first operands
// are the values combined so far; for the order see Order.
type ReduceP struct {
	Axes    core.Dims
	Program *jaxpr.Jaxpr
	Fn      string // the function's name
	Order   Order
}

// Reduce combines elements of xs along axes by a program, from initial values.
func Reduce(xs, inits []Value, axes core.Dims, fn string, program *jaxpr.Jaxpr) []Value {
	return core.Bind(ReduceP{Axes: axes, Program: program, Fn: fn}, slices.Concat(xs, inits)...)
}

func (ReduceP) Name() string { return "reduce" }

func (ReduceP) read(r *jaxpr.ParamReader) core.Primitive { return readReduce(r) }

func (p ReduceP) Params() []core.Param {
	return p.Order.params(
		rule.Param("computation", cmp.Or(p.Fn, "f")),
		rule.Param("dimensions", p.Axes),
		rule.Param("jaxpr", p.Program),
	)
}

// Programs returns the program.
func (p ReduceP) Programs() []*jaxpr.Jaxpr { return []*jaxpr.Jaxpr{p.Program} }

// Abstract leaves the axes out; a result is weak if its array and initial value are.
func (p ReduceP) Abstract(in []ShapedArray) []ShapedArray {
	k := rule.ReducerAvals(p.Program, in)
	out := make([]ShapedArray, k)
	for i := range out {
		out[i] = reduced(in[i], p.Axes)
		out[i].Weak = in[i].Weak && in[k+i].Weak
	}
	return out
}

// JVP returns the tangent of a tree of the program's combinations. The initial values are
// neutral, so they have no derivative.
func (p ReduceP) JVP(in, out, t []Value) []Value {
	k := len(out)
	if !rule.AllNil(t[k:]) {
		core.Failf(core.ErrNoRule, "the initial value of a reduction cannot be differentiated: it must be neutral; combine it with the result instead")
	}
	if reducedSize(in[0].Aval().Shape, p.Axes) == 0 {
		return make([]Value, k)
	}
	xs, ts := make([]Value, k), make([]Value, k)
	for i := range k {
		xs[i] = reducedLast(in[i], p.Axes)
		if t[i] != nil {
			ts[i] = reducedLast(t[i], p.Axes)
		}
	}
	return reducedTangents(p.Program, xs[0].Aval().Rank()-1, xs, ts)
}

// Batch keeps the batch's axis, and the order.
func (p ReduceP) Batch(n int, in []Value, mapped []bool) ([]Value, []bool) {
	k := len(in) / 2
	rule.InitsUnmapped(mapped[k:])
	xs := AllAtFront(n, in[:k], mapped[:k])
	p.Axes, p.Order = batchedOrder(p.Axes, p.Order, xs[0])
	return rule.Bound(p, slices.Concat(xs, in[k:])...)
}

func readReduce(r *jaxpr.ParamReader) core.Primitive {
	return ReduceP{Axes: r.Dims("dimensions"), Program: r.Jaxpr("jaxpr"), Fn: r.Text("computation"), Order: readOrder(r)}
}

// WithPrograms returns p with another program.
func (p ReduceP) WithPrograms(js []*jaxpr.Jaxpr) core.Primitive {
	p.Program = js[0]
	return p
}
