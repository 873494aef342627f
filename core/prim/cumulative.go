package prim

import (
	"strconv"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim/internal/rule"
	"github.com/weft-go/weft/jaxpr"
)

// Cumulation is the direction of a cumulative operation: along an axis, forwards, or from the end
// backwards. The operations are described for the forward direction.
type Cumulation struct {
	Axis    int
	Reverse bool
}

func (c Cumulation) Params() []core.Param {
	return []core.Param{rule.Param("axis", strconv.Itoa(c.Axis)), rule.Param("reverse", rule.PyBool(c.Reverse))}
}

// Abstract keeps the type, which must be one of numbers.
func (c Cumulation) Abstract(in []ShapedArray) []ShapedArray {
	rule.Operands(in, 1)
	x := in[0]
	rule.Number(x)
	if c.Axis < 0 || c.Axis >= x.Rank() {
		core.Failf(core.ErrShape, "axis %d is not an axis of %v; count axes from 0", c.Axis, x.Full())
	}
	return []ShapedArray{x}
}

func (c Cumulation) withBatchAxis() Cumulation { c.Axis++; return c }

// CumsumP is the sum of each element and those before it along an axis.
//
//	y[k] = Σ_{i≤k} x[i]
//
// Within chunks of 32, elements are added in order, from +0; then the offset of its chunk is
// added to each result. So −0 becomes +0. An offset is the sum of the chunks before, from the
// cumulative sum of the chunks' totals by the same rule. Floats narrower than f32 add up in f32.
type CumsumP struct{ Cumulation }

// Cumsum returns the cumulative sum of x.
func Cumsum(x Value, axis int, reverse bool) Value {
	return core.Apply1(CumsumP{Cumulation{axis, reverse}}, x)
}

func (CumsumP) Name() string { return "cumsum" }

func (CumsumP) read(r *jaxpr.ParamReader) core.Primitive { return CumsumP{readCumulation(r)} }

func (p CumsumP) JVP(in, _, t []Value) []Value { return rule.LinearFirst(p, in, t) }

// Transpose adds up in the other direction.
func (p CumsumP) Transpose(ct, _ []Value, _ []bool, _ []ShapedArray) []Value {
	return rule.One(Cumsum(ct[0], p.Axis, !p.Reverse))
}

func (p CumsumP) Batch(_ int, in []Value, _ []bool) ([]Value, []bool) {
	return rule.Bound(CumsumP{p.withBatchAxis()}, in[0])
}

// CumprodP is the product of each element and those before it along an axis.
//
//	y[k] = Π_{i≤k} x[i]
//
// Within chunks of 32, elements are multiplied in order, from 1; then each result is multiplied by
// the product of the chunks before, from the cumulative product of the chunks' totals by the same
// rule. Floats narrower than f32 multiply in f32.
type CumprodP struct{ Cumulation }

// Cumprod returns the cumulative product of x.
func Cumprod(x Value, axis int, reverse bool) Value {
	return core.Apply1(CumprodP{Cumulation{axis, reverse}}, x)
}

func (CumprodP) Name() string { return "cumprod" }

func (CumprodP) read(r *jaxpr.ParamReader) core.Primitive { return CumprodP{readCumulation(r)} }

// JVP returns the tangent of a tree of products.
func (p CumprodP) JVP(in, _, t []Value) []Value {
	return scannedTangent(p.Cumulation, nodeOf(MulP{}), in[0], t[0])
}

func (p CumprodP) Batch(_ int, in []Value, _ []bool) ([]Value, []bool) {
	return rule.Bound(CumprodP{p.withBatchAxis()}, in[0])
}

// CummaxP is the largest of each element and those before it along an axis, as
// ReduceMaxP chooses.
type CummaxP struct{ Cumulation }

// Cummax returns the cumulative maximum of x.
func Cummax(x Value, axis int, reverse bool) Value {
	return core.Apply1(CummaxP{Cumulation{axis, reverse}}, x)
}

func (CummaxP) Name() string { return "cummax" }

func (CummaxP) read(r *jaxpr.ParamReader) core.Primitive { return CummaxP{readCumulation(r)} }

// JVP returns the tangent of a tree of maxima: at each of its nodes a tie is shared half and
// half.
func (p CummaxP) JVP(in, _, t []Value) []Value {
	return scannedTangent(p.Cumulation, nodeOf(MaxP{}), in[0], t[0])
}

func (p CummaxP) Batch(_ int, in []Value, _ []bool) ([]Value, []bool) {
	return rule.Bound(CummaxP{p.withBatchAxis()}, in[0])
}

// CumminP is the smallest of each element and those before it along an axis, as
// ReduceMinP chooses.
type CumminP struct{ Cumulation }

// Cummin returns the cumulative minimum of x.
func Cummin(x Value, axis int, reverse bool) Value {
	return core.Apply1(CumminP{Cumulation{axis, reverse}}, x)
}

func (CumminP) Name() string { return "cummin" }

func (CumminP) read(r *jaxpr.ParamReader) core.Primitive { return CumminP{readCumulation(r)} }

// JVP returns the tangent of a tree of minima: at each of its nodes a tie is shared half and
// half.
func (p CumminP) JVP(in, _, t []Value) []Value {
	return scannedTangent(p.Cumulation, nodeOf(MinP{}), in[0], t[0])
}

func (p CumminP) Batch(_ int, in []Value, _ []bool) ([]Value, []bool) {
	return rule.Bound(CumminP{p.withBatchAxis()}, in[0])
}

// CumlogsumexpP is the logarithm of the sum of the exponentials of each element and
// those before it along an axis, without overflow on the way.
//
//	y[k] = log Σ_{i≤k} exp x[i]
//
// −∞ adds nothing; the result of real −∞s alone is −∞. Its numbers are those of its
// expansion, the tree of associative_scan over log(exp a + exp b), which for real numbers is
// max(a, b) + log1p(exp(−|a − b|)).
type CumlogsumexpP struct{ Cumulation }

// Cumlogsumexp returns the cumulative logsumexp of x.
func Cumlogsumexp(x Value, axis int, reverse bool) Value {
	return core.Apply1(CumlogsumexpP{Cumulation{axis, reverse}}, x)
}

func (CumlogsumexpP) Name() string { return "cumlogsumexp" }

func (CumlogsumexpP) read(r *jaxpr.ParamReader) core.Primitive {
	return CumlogsumexpP{readCumulation(r)}
}

// Abstract keeps the type, which must be floating or complex.
func (p CumlogsumexpP) Abstract(in []ShapedArray) []ShapedArray {
	out := p.Cumulation.Abstract(in)
	if !out[0].DType.IsInexact() {
		core.Failf(core.ErrDType, "logarithms of sums are of floating or complex numbers, got %v; convert it first", in[0].Full())
	}
	return out
}

func (p CumlogsumexpP) Expand(in []Value) []Value {
	f := func(a, b [2]Value) [2]Value { return [2]Value{logAddExp(a[0], b[0])} }
	return rule.One(scanned(p.Cumulation, f, [2]Value{in[0]})[0])
}

// JVP returns the tangent of a tree of logaddexps.
func (p CumlogsumexpP) JVP(in, _, t []Value) []Value {
	return scannedTangent(p.Cumulation, logAddExpNode, in[0], t[0])
}

func (p CumlogsumexpP) Batch(_ int, in []Value, _ []bool) ([]Value, []bool) {
	return rule.Bound(CumlogsumexpP{p.withBatchAxis()}, in[0])
}

func readCumulation(r *jaxpr.ParamReader) Cumulation {
	return Cumulation{r.Int("axis"), r.Bool("reverse")}
}
