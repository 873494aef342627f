package indexed

import (
	"strconv"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/core/prim/internal/rule"
	"github.com/weft-go/weft/jaxpr"
)

// ApproxTopKP returns the K largest, or least, elements along an axis and their positions. The
// result is exact, that of a sort, whatever recall a program of JAX requests.
type ApproxTopKP struct {
	K, Axis  int
	Largest  bool
	Recall   string // recall_target, as text has it; without effect, as Override
	Override string
}

func (ApproxTopKP) Name() string { return "approx_top_k" }

func (ApproxTopKP) read(r *jaxpr.ParamReader) core.Primitive {
	r.MustBe("aggregate_to_topk", "True")
	return ApproxTopKP{K: r.Int("k"), Axis: r.Int("reduction_dimension"), Largest: r.Bool("is_max_k"), Recall: r.Text("recall_target"), Override: r.Text("reduction_input_size_override")}
}

func (p ApproxTopKP) Params() []core.Param {
	return []core.Param{
		rule.Param("aggregate_to_topk", "True"), rule.Param("is_max_k", rule.PyBool(p.Largest)), rule.Param("k", strconv.Itoa(p.K)),
		rule.Param("recall_target", p.Recall), rule.Param("reduction_dimension", strconv.Itoa(p.Axis)), rule.Param("reduction_input_size_override", p.Override),
	}
}

// axis returns the axis counted from the front.
func (p ApproxTopKP) axis(a core.ShapedArray) int {
	k := p.Axis
	if k < 0 {
		k += a.Rank()
	}
	if k < 0 || k >= a.Rank() {
		core.Failf(core.ErrShape, "%v has no axis %d; use one from 0 to the rank - 1", a.Full(), p.Axis)
	}
	return k
}

func (p ApproxTopKP) Abstract(in []core.ShapedArray) []core.ShapedArray {
	rule.Operands(in, 1)
	if !in[0].DType.IsFloat() {
		core.Failf(core.ErrDType, "takes floating-point numbers, got %v; convert them, or use top_k", in[0].Full())
	}
	return TopKP{p.axis(in[0]), p.K}.Abstract(in)
}

func (p ApproxTopKP) JVP(in, out, t []core.Value) []core.Value {
	return []core.Value{TakeAlong(t[0], out[1], p.axis(in[0].Aval())), nil}
}

func (p ApproxTopKP) Batch(_ int, in []core.Value, _ []bool) ([]core.Value, []bool) {
	if p.Axis >= 0 {
		p.Axis++
	}
	return rule.Bound(p, in[0])
}

// Expand returns the first elements in order: the least are the negated largest of the negated ones.
// f8_e8m0fnu has no negative numbers, and is in the order of its bits.
func (p ApproxTopKP) Expand(in []core.Value) []core.Value {
	a := in[0].Aval()
	k := p.axis(a)
	switch {
	case p.Largest:
		v, i := TopK(in[0], p.K, k)
		return []core.Value{v, i}
	case a.DType == core.Float8E8M0FNU:
		v, i := TopK(prim.Not(prim.BitcastConvert(in[0], core.Uint8)), p.K, k)
		return []core.Value{prim.BitcastConvert(prim.Not(v), a.DType), i}
	}
	v, i := TopK(prim.Neg(in[0]), p.K, k)
	return []core.Value{prim.Neg(v), i}
}
