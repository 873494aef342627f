package indexed

import (
	"iter"
	"strconv"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/core/prim/internal/rule"
	"github.com/weft-go/weft/jaxpr"
)

// SortByP sorts along an axis in the order of a comparator: a program that reports
// whether an element comes before another one. Operands are arrays of one shape, all
// permuted alike. The program takes two scalars of each: a₀, b₀, a₁, b₁, …. Elements of
// which neither comes before the other keep their order. The result for a
// comparator that is not a strict weak order is some permutation.
type SortByP struct {
	Dimension int
	Before    *jaxpr.Jaxpr
}

// SortBy sorts arrays of one shape along an axis in the order of a comparator.
func SortBy(dimension int, before *jaxpr.Jaxpr, xs ...core.Value) []core.Value {
	return core.Bind(SortByP{dimension, before}, xs...)
}

func (SortByP) Name() string { return "sort_by" }

func (p SortByP) Params() []core.Param {
	return []core.Param{rule.Param("dimension", strconv.Itoa(p.Dimension)), rule.Param("jaxpr", p.Before)}
}

// Programs returns the comparator.
func (p SortByP) Programs() []*jaxpr.Jaxpr { return []*jaxpr.Jaxpr{p.Before} }

// WithPrograms returns p with another comparator.
func (p SortByP) WithPrograms(js []*jaxpr.Jaxpr) core.Primitive {
	p.Before = js[0]
	return p
}

func (p SortByP) Effects() core.Effect { return p.Before.Effects() }

func (p SortByP) AxisNames() iter.Seq[string] { return p.Before.AxisNames() }

func (p SortByP) Abstract(in []core.ShapedArray) []core.ShapedArray {
	if len(in) == 0 {
		core.Failf(core.ErrShape, "no arrays; pass at least one")
	}
	for _, a := range in {
		if a.Shape != in[0].Shape {
			core.Failf(core.ErrShape, "arrays must have equal shapes (got %v and %v); broadcast them", in[0].Full(), a.Full())
		}
	}
	if p.Dimension < 0 || p.Dimension >= in[0].Rank() {
		core.Failf(core.ErrShape, "axis %d is out of range for %v; use an axis from 0 to the rank - 1", p.Dimension, in[0].Full())
	}
	j := p.Before
	if len(j.Ins) != 2*len(in) || len(j.Outs) != 1 || !j.Outs[0].Aval().SameType(core.Aval(core.Bool)) {
		core.Failf(core.ErrCheck, "the comparator must take %d scalars and return one bool; declare two scalars for each array", 2*len(in))
	}
	for i, v := range j.Ins {
		if want := core.Aval(in[i/2].DType); !v.Type.SameType(want) {
			core.Failf(core.ErrCheck, "operand %d of the comparator must be %v (got %v); change its type", i, want, v.Type.Full())
		}
	}
	return append([]core.ShapedArray(nil), in...)
}

// JVP permutes the tangents as the operands were. It finds the permutation by sorting the positions
// together with the operands.
func (p SortByP) JVP(in, _, t []core.Value) []core.Value {
	out := make([]core.Value, len(in))
	if rule.AllNil(t) {
		return out
	}
	shape := in[0].Aval().Shape
	dt := indexType(shape)
	idx := SortBy(p.Dimension, withUnread(p.Before, dt), append(append([]core.Value(nil), in...), prim.Iota(dt, shape, p.Dimension))...)[len(in)]
	for i := range out {
		if t[i] != nil {
			out[i] = TakeAlong(t[i], idx, p.Dimension)
		}
	}
	return out
}

type unreadKey struct{ dt core.DType }

// withUnread returns j with two more inputs, scalars of type dt, that nothing reads.
func withUnread(j *jaxpr.Jaxpr, dt core.DType) *jaxpr.Jaxpr {
	return j.Memo(unreadKey{dt}, func() any {
		k := &jaxpr.Jaxpr{Consts: j.Consts, ConstVals: j.ConstVals, Ins: append([]*jaxpr.Var(nil), j.Ins...), Eqns: j.Eqns, Outs: j.Outs}
		for range 2 {
			k.Ins = append(k.Ins, jaxpr.NewVar(core.Aval(dt)))
		}
		return k
	}).(*jaxpr.Jaxpr)
}

func (p SortByP) Batch(n int, in []core.Value, mapped []bool) ([]core.Value, []bool) {
	return rule.Bound(SortByP{p.Dimension + 1, p.Before}, prim.AllAtFront(n, in, mapped)...)
}

func (SortByP) read(r *jaxpr.ParamReader) core.Primitive {
	return SortByP{r.Int("dimension"), r.Jaxpr("jaxpr")}
}
