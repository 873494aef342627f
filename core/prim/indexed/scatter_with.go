package indexed

import (
	"iter"
	"slices"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/core/prim/internal/rule"
	"github.com/weft-go/weft/jaxpr"
)

// ScatterWithP changes several arrays at once: at each position a program computes the new
// elements of all from the old ones and the updates. Operands are k arrays of one shape, an
// array of integers, and k arrays of updates; the program takes k elements and k updates
// and returns k elements. For positions and order see [Scattering].
type ScatterWithP struct {
	Scattering
	Program *jaxpr.Jaxpr
}

// ScatterWith returns xs with a program of elements and updates applied at the positions idx.
func ScatterWith(xs []core.Value, idx core.Value, updates []core.Value, program *jaxpr.Jaxpr, s Scattering) []core.Value {
	return core.Bind(ScatterWithP{s, program}, slices.Concat(append(append([]core.Value(nil), xs...), idx), updates)...)
}

func (ScatterWithP) Name() string { return "scatter_with" }

func (p ScatterWithP) Params() []core.Param { return p.paramsWith(p.Program) }

// Programs returns the update program.
func (p ScatterWithP) Programs() []*jaxpr.Jaxpr { return []*jaxpr.Jaxpr{p.Program} }

// WithPrograms returns p with another update program.
func (p ScatterWithP) WithPrograms(js []*jaxpr.Jaxpr) core.Primitive {
	p.Program = js[0]
	return p
}

func (p ScatterWithP) Effects() core.Effect { return p.Program.Effects() }

func (p ScatterWithP) AxisNames() iter.Seq[string] { return p.Program.AxisNames() }

func (p ScatterWithP) Abstract(in []core.ShapedArray) []core.ShapedArray {
	k := len(in) / 2
	if k == 0 || len(in) != 2*k+1 {
		core.Failf(core.ErrCheck, "needs as many updates as arrays, and one array of indices (got %s); pass one update for each array", core.Count(len(in), "operand"))
	}
	j := p.Program
	if len(j.Ins) != 2*k || len(j.Outs) != k {
		core.Failf(core.ErrCheck, "the update program must map %s to %d (got %d and %d); declare two scalars for each array", core.Count(2*k, "scalar"), k, len(j.Ins), len(j.Outs))
	}
	for i := range k {
		x, u := in[i], in[k+1+i]
		p.Scattering.Abstract([]core.ShapedArray{x, in[k], u})
		if x.Shape != in[0].Shape || u.Shape != in[k+1].Shape {
			core.Failf(core.ErrShape, "arrays must have equal shapes, and so must updates (got %v and %v, %v and %v); broadcast them", in[0].Full(), x.Full(), in[k+1].Full(), u.Full())
		}
		a := core.Aval(x.DType)
		for _, b := range []core.ShapedArray{j.Ins[i].Type, j.Ins[k+i].Type, j.Outs[i].Aval()} {
			if !b.SameType(a) {
				core.Failf(core.ErrCheck, "the update program of %v must take and return scalars of its dtype (got %v); convert inside it", x.Full(), b.Full())
			}
		}
	}
	return append([]core.ShapedArray(nil), in[:k]...)
}

func (ScatterWithP) NoJVP() string {
	return "the update program is not differentiated; gather, apply the function and scatter instead"
}

func (p ScatterWithP) Batch(n int, in []core.Value, mapped []bool) ([]core.Value, []bool) {
	k := len(in) / 2
	up := make([]core.Value, len(in))
	for i, v := range in {
		if up[i] = v; i != k {
			up[i] = prim.AtFront(n, v, mapped[i])
		}
	}
	return rule.Bound(ScatterWithP{p.withBatchAxis(mapped[k]), p.Program}, up...)
}

func (ScatterWithP) read(r *jaxpr.ParamReader) core.Primitive {
	return ScatterWithP{scattering(r), r.Jaxpr("update_jaxpr")}
}

// WithPrograms returns p with another update program.
func (p ScatterApplyP) WithPrograms(js []*jaxpr.Jaxpr) core.Primitive {
	p.F = js[0]
	return p
}
