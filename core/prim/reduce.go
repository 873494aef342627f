package prim

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim/internal/rule"
	"github.com/weft-go/weft/jaxpr"
)

// reduced returns the type of x without the axes, which must be axes of x, each listed once.
func reduced(x ShapedArray, axes core.Dims) ShapedArray {
	for i, a := range axes.All() {
		if a < 0 || a >= x.Rank() {
			core.Failf(core.ErrIndex, "axis %d of the reduction axes %v is not an axis of %v; use axes from 0 to %d", a, axes, x.Full(), x.Rank()-1)
		}
		if axes.Index(a) != i {
			core.Failf(core.ErrShape, "the reduction axes %v contain axis %d twice; list each axis once", axes, a)
		}
	}
	return x.WithShape(x.Shape.Remove(axes.Ints()...))
}

// reducedSize returns the number of elements that each result is made of.
func reducedSize(shape, axes core.Dims) int {
	n := 1
	for _, a := range axes.All() {
		n *= shape.At(a)
	}
	return n
}

func reducedNumber(x ShapedArray, axes core.Dims) ShapedArray {
	rule.Number(x)
	return reduced(x, axes)
}

// keptAxes lists the axes of a shape of the given rank that are not in axes.
func keptAxes(rank int, axes core.Dims) core.Dims {
	var kept []int
	for i := range rank {
		if !axes.Has(i) {
			kept = append(kept, i)
		}
	}
	return core.MakeDims(kept...)
}

// ReduceSumP adds up the elements along axes.
//
//	y[j] = Σᵢ x[i, j]
//
// The sum starts from +0, so that a sum of −0s is +0 and that of no elements 0. Floats
// narrower than f32 add up in f32 and round once. Integers wrap. For the order of addition
// see Order.
type ReduceSumP struct {
	Axes  core.Dims
	Order Order
}

// ReduceSum adds up x along axes.
func ReduceSum(x Value, axes core.Dims) Value { return core.Apply1(ReduceSumP{Axes: axes}, x) }

func (ReduceSumP) Name() string { return "reduce_sum" }

func (ReduceSumP) read(r *jaxpr.ParamReader) core.Primitive {
	r.MustBe("out_sharding", "None")
	return ReduceSumP{r.Dims("axes"), readOrder(r)}
}

func (p ReduceSumP) Params() []core.Param {
	return append(p.Order.params(rule.Param("axes", p.Axes)), rule.Param("out_sharding", "None"))
}

func (p ReduceSumP) Abstract(in []ShapedArray) []ShapedArray {
	rule.Operands(in, 1)
	return []ShapedArray{reducedNumber(in[0], p.Axes)}
}

func (p ReduceSumP) JVP(in, _, t []Value) []Value { return rule.LinearFirst(p, in, t) }

// Transpose spreads the cotangent along the axes.
func (p ReduceSumP) Transpose(ct, _ []Value, _ []bool, av []ShapedArray) []Value {
	s := av[0].Shape
	return rule.One(BroadcastInDim(ct[0], s, keptAxes(s.Len(), p.Axes)))
}

// Batch keeps the batch's axis, and the order of addition.
func (p ReduceSumP) Batch(n int, in []Value, _ []bool) ([]Value, []bool) {
	axes, order := batchedOrder(p.Axes, p.Order, in[0])
	return rule.Bound(ReduceSumP{axes, order}, in[0])
}

// batchedOrder returns the axes and the order of a reduction whose operand x has a leading batch
// axis. Elements are combined in the same order as without that axis.
func batchedOrder(axes core.Dims, order Order, x Value) (core.Dims, Order) {
	s := x.Aval().Shape
	moved := axes.Next()
	return moved, order.kept(s.Slice(1, s.Len()), axes, s, moved)
}

// ReduceProdP multiplies the elements along axes.
//
//	y[j] = Πᵢ x[i, j]
//
// The product of no elements is 1. Floats narrower than f32 multiply in f32 and round once. Integers
// wrap. For the order of multiplication see Order.
type ReduceProdP struct {
	Axes  core.Dims
	Order Order
}

// ReduceProd multiplies x along axes.
func ReduceProd(x Value, axes core.Dims) Value { return core.Apply1(ReduceProdP{Axes: axes}, x) }

func (ReduceProdP) Name() string { return "reduce_prod" }

func (ReduceProdP) read(r *jaxpr.ParamReader) core.Primitive {
	return ReduceProdP{r.Dims("axes"), readOrder(r)}
}

func (p ReduceProdP) Params() []core.Param { return p.Order.params(rule.Param("axes", p.Axes)) }

func (p ReduceProdP) Abstract(in []ShapedArray) []ShapedArray {
	rule.Operands(in, 1)
	return []ShapedArray{reducedNumber(in[0], p.Axes)}
}

// JVP differentiates a tree of products of two numbers: nothing is divided, so zeros are no
// special case.
//
//	(x₀ · x₁)˙ = ẋ₀ · x₁ + ẋ₁ · x₀
func (p ReduceProdP) JVP(in, _, t []Value) []Value {
	switch s := in[0].Aval().Shape; {
	case reducedSize(s, p.Axes) == 0:
		return []Value{nil}
	case p.Axes.Len() == 1 && s.At(p.Axes.At(0)) == 2:
		return rule.One(pairTangent(in[0], t[0], p.Axes))
	}
	x, tx := reducedLast(in[0], p.Axes), reducedLast(t[0], p.Axes)
	axis := x.Aval().Rank() - 1
	for n := x.Aval().Shape.At(axis); n > 1; n = (n + 1) / 2 {
		x, tx = paired(x, 1), paired(tx, 0)
		tx = pairTangent(x, tx, core.MakeDims(axis))
		if n > 2 {
			x = ReduceProd(x, core.MakeDims(axis))
		}
	}
	return rule.One(Reshape(tx, tx.Aval().Shape.Remove(axis)))
}

// pairTangent returns the tangent of the product along an axis of size 2.
func pairTangent(x, t Value, axis core.Dims) Value {
	return ReduceSum(Mul(t, Rev(x, axis)), axis)
}

// paired cuts the last axis of x into two halves: an axis of size 2 and one along the halves. An
// axis of odd size is first padded with the number odd.
func paired(x Value, odd float64) Value {
	s := x.Aval().Shape
	last := s.Len() - 1
	n := s.At(last)
	if n%2 != 0 {
		config := make([]int, 3*s.Len())
		config[3*last+1] = 1
		x = Pad(x, Num(x.Aval().WithShape(core.Dims{}), odd), core.MakeDims(config...))
	}
	return Reshape(x, s.Slice(0, last).Append(2, (n+1)/2))
}

// reducedLast returns x with the axes moved to the end and merged into one.
func reducedLast(x Value, axes core.Dims) Value {
	s := x.Aval().Shape
	kept := keptAxes(s.Len(), axes)
	sorted := keptAxes(s.Len(), kept)
	x = Transpose(x, kept.Append(sorted.Ints()...))
	shape := kept.Map(s.At)
	return Reshape(x, shape.Append(reducedSize(s, axes)))
}

// Batch keeps the batch's axis, and the order of multiplication.
func (p ReduceProdP) Batch(n int, in []Value, _ []bool) ([]Value, []bool) {
	axes, order := batchedOrder(p.Axes, p.Order, in[0])
	return rule.Bound(ReduceProdP{axes, order}, in[0])
}

// ReduceMaxP is the largest element along axes. NaN wins over every number, +0 is
// larger than −0, complex numbers compare by real, then imaginary part. Without elements
// it is the lowest value of the dtype: −∞, the smallest integer, false.
type ReduceMaxP struct{ Axes core.Dims }

// ReduceMax returns the largest element of x along axes.
func ReduceMax(x Value, axes core.Dims) Value { return core.Apply1(ReduceMaxP{axes}, x) }

func (ReduceMaxP) Name() string { return "reduce_max" }

func (ReduceMaxP) read(r *jaxpr.ParamReader) core.Primitive {
	r.MustBe("out_sharding", "None")
	return ReduceMaxP{r.Dims("axes")}
}

func (p ReduceMaxP) Params() []core.Param { return []core.Param{rule.Param("axes", p.Axes)} }

func (p ReduceMaxP) Abstract(in []ShapedArray) []ShapedArray { return reducedChoice(in, p.Axes) }

// JVP returns the mean of the tangents of the largest elements.
func (p ReduceMaxP) JVP(in, out, t []Value) []Value {
	return chosenTangent(in[0], out[0], t[0], p.Axes)
}

func (p ReduceMaxP) Batch(_ int, in []Value, _ []bool) ([]Value, []bool) {
	return rule.Bound(ReduceMaxP{p.Axes.Next()}, in[0])
}

// ReduceMinP is the smallest element along axes. NaN wins over every number, −0 is
// smaller than +0, complex numbers compare by real, then imaginary part. Without elements
// it is the highest value of the dtype: +∞, the largest integer, true.
type ReduceMinP struct{ Axes core.Dims }

// ReduceMin returns the smallest element of x along axes.
func ReduceMin(x Value, axes core.Dims) Value { return core.Apply1(ReduceMinP{axes}, x) }

func (ReduceMinP) Name() string { return "reduce_min" }

func (ReduceMinP) read(r *jaxpr.ParamReader) core.Primitive {
	r.MustBe("out_sharding", "None")
	return ReduceMinP{r.Dims("axes")}
}

func (p ReduceMinP) Params() []core.Param { return []core.Param{rule.Param("axes", p.Axes)} }

func (p ReduceMinP) Abstract(in []ShapedArray) []ShapedArray { return reducedChoice(in, p.Axes) }

// JVP returns the mean of the tangents of the smallest elements.
func (p ReduceMinP) JVP(in, out, t []Value) []Value {
	return chosenTangent(in[0], out[0], t[0], p.Axes)
}

func (p ReduceMinP) Batch(_ int, in []Value, _ []bool) ([]Value, []bool) {
	return rule.Bound(ReduceMinP{p.Axes.Next()}, in[0])
}

// reducedChoice is the type rule of reductions that choose an element.
func reducedChoice(in []ShapedArray, axes core.Dims) []ShapedArray {
	rule.Operands(in, 1)
	rule.NumberOrBool(in[0])
	return []ShapedArray{reduced(in[0], axes)}
}

// chosenTangent returns the derivative of a reduction that chooses among the elements: the mean
// of the tangents of the elements that equal the choice.
//
//	ẏ = Σᵢ [xᵢ = y] ẋᵢ / Σᵢ [xᵢ = y]
//
// Nothing equals a NaN: where y is NaN, the tangent and all cotangents are NaN.
func chosenTangent(x, y, t Value, axes core.Dims) []Value {
	if reducedSize(x.Aval().Shape, axes) == 0 {
		return []Value{nil}
	}
	chosen := Eq(x, keepDims(y, x.Aval().Rank(), axes))
	a := t.Aval()
	marks := Convert(chosen, a.DType, a.Weak) // 0 where the tangent does not count
	count := ReduceSum(marks, axes)
	return rule.One(Div(ReduceSum(Mul(t, marks), axes), count))
}

func keepDims(y Value, rank int, axes core.Dims) Value {
	shape, kept := rule.Ones(rank), y.Aval().Shape
	for i, a := range keptAxes(rank, axes).All() {
		shape[a] = kept.At(i)
	}
	return Reshape(y, core.MakeDims(shape...))
}
