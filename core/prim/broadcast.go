package prim

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim/internal/rule"
	"github.com/weft-go/weft/jaxpr"
)

// BroadcastInDimP spreads an array over a shape: axis i of the operand becomes
// axis Dims[i] of the result, which has the same size unless the operand's is 1;
// the axes not named are new.
//
//	y[j₀, j₁, …] = x[k₀, k₁, …], kᵢ = j[Dims[i]], or 0 where axis i has size 1
//
// Dims increases strictly. The shape does not print: the result's type shows it.
type BroadcastInDimP struct{ Shape, Dims core.Dims }

// BroadcastInDim spreads x over a shape. If that changes nothing, it returns x itself.
func BroadcastInDim(x Value, shape, dims core.Dims) Value {
	if s := x.Aval().Shape; s == shape && dims == core.Range(0, s.Len()) {
		return x
	}
	return core.Apply1(BroadcastInDimP{shape, dims}, x)
}

// ExpandDims inserts axes of size 1 such that they stand at the given positions of
// the result. It is a broadcast_in_dim.
func ExpandDims(x Value, axes core.Dims) Value {
	s := x.Aval().Shape
	n := s.Len() + axes.Len()
	if !rule.Distinct(axes, n) {
		core.FailOp(core.ErrShape, "expand_dims", []ShapedArray{x.Aval()}, "the new axes %v must be distinct axes of a result of rank %d; remove duplicates and axes out of range", axes, n)
	}
	shape, dims := make([]int, 0, n), make([]int, 0, s.Len())
	for j := range n {
		if axes.Has(j) {
			shape = append(shape, 1)
			continue
		}
		shape = append(shape, s.At(len(dims)))
		dims = append(dims, j)
	}
	return BroadcastInDim(x, core.MakeDims(shape...), core.MakeDims(dims...))
}

func (BroadcastInDimP) Name() string { return "broadcast_in_dim" }

func (BroadcastInDimP) read(r *jaxpr.ParamReader) core.Primitive {
	r.MustBe("sharding", "None")
	p := BroadcastInDimP{}
	if r.Has("broadcast_dimensions") {
		p.Dims = r.Dims("broadcast_dimensions")
	}
	if len(r.Out) > 0 {
		p.Shape = r.Out[0].Shape
	}
	if r.Has("shape") {
		p.Shape = r.Dims("shape")
	}
	return p
}

// Params returns broadcast_dimensions, unless the operand has no axes.
func (p BroadcastInDimP) Params() []core.Param {
	if p.Dims.Len() == 0 {
		return nil
	}
	return []core.Param{rule.Param("broadcast_dimensions", p.Dims)}
}

func (p BroadcastInDimP) Abstract(in []ShapedArray) []ShapedArray {
	rule.Operands(in, 1)
	x := in[0]
	if p.Dims.Len() != x.Rank() {
		core.Failf(core.ErrShape, "%v needs %d broadcast dimensions (got %v); give one for each axis", x.Full(), x.Rank(), p.Dims)
	}
	if !rule.Increasing(p.Dims, p.Shape.Len()) {
		core.Failf(core.ErrShape, "broadcast dimensions %v must be axes of the target shape %v in increasing order; transpose first to reorder axes", p.Dims, p.Shape)
	}
	for _, n := range p.Shape.All() {
		if n < 0 {
			core.Failf(core.ErrShape, "target shape %v has a negative size; make all sizes 0 or more", p.Shape)
		}
	}
	for i, d := range p.Dims.All() {
		if n := x.Shape.At(i); n != 1 && n != p.Shape.At(d) {
			core.Failf(core.ErrShape, "axis %d of %v does not fit axis %d of the target shape %v; only axes of size 1 are broadcast", i, x.Full(), d, p.Shape)
		}
	}
	return []ShapedArray{x.WithShape(p.Shape)}
}

func (p BroadcastInDimP) JVP(in, _, t []Value) []Value { return rule.LinearFirst(p, in, t) }

// Transpose adds up along the axes that are new or were spread.
func (p BroadcastInDimP) Transpose(ct, _ []Value, _ []bool, av []ShapedArray) []Value {
	x := av[0].Shape
	var unit, axes []int
	kept := map[int]bool{}
	for i, d := range p.Dims.All() {
		if x.At(i) == 1 {
			unit = append(unit, i)
		} else {
			kept[d] = true
		}
	}
	for d := range p.Shape.Len() {
		if !kept[d] {
			axes = append(axes, d)
		}
	}
	y := ct[0]
	if len(axes) > 0 {
		y = ReduceSum(y, core.MakeDims(axes...))
	}
	return rule.One(ExpandDims(y, core.MakeDims(unit...)))
}

func (p BroadcastInDimP) Batch(n int, in []Value, _ []bool) ([]Value, []bool) {
	return rule.Bound(BroadcastInDimP{p.Shape.Prepend(n), rule.BatchAxisThen(p.Dims)}, in[0])
}
