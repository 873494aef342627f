package prim

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim/internal/rule"
	"github.com/weft-go/weft/jaxpr"
)

// ReshapeP gives the elements, in row-major order, another shape with as many elements. Sizes are
// explicit: callers resolve −1.
type ReshapeP struct{ Shape core.Dims }

// Reshape returns x in another shape, or x itself if it has that shape already.
func Reshape(x Value, shape core.Dims) Value {
	if x.Aval().Shape == shape {
		return x
	}
	return core.Apply1(ReshapeP{shape}, x)
}

func (ReshapeP) Name() string { return "reshape" }

func (ReshapeP) read(r *jaxpr.ParamReader) core.Primitive {
	r.MustBe("sharding", "None")
	if !r.IsNone("dimensions") {
		return ReshapePermutedP{r.Dims("new_sizes"), r.Dims("dimensions")}
	}
	return ReshapeP{r.Dims("new_sizes")}
}

func (p ReshapeP) Params() []core.Param {
	return []core.Param{rule.Param("dimensions", "None"), rule.Param("new_sizes", p.Shape), rule.Param("sharding", "None")}
}

func (p ReshapeP) Abstract(in []ShapedArray) []ShapedArray {
	rule.Operands(in, 1)
	for _, n := range p.Shape.All() {
		if n < 0 {
			core.Failf(core.ErrShape, "the new shape %v has a negative size; make all sizes 0 or more", p.Shape)
		}
	}
	if p.Shape.Size() != in[0].Size() {
		core.Failf(core.ErrShape, "%v has %s, but the new shape %v has %d; make the products of sizes equal", in[0].Full(), core.Count(in[0].Size(), "element"), p.Shape, p.Shape.Size())
	}
	return []ShapedArray{in[0].WithShape(p.Shape)}
}

func (p ReshapeP) JVP(in, _, t []Value) []Value { return rule.LinearFirst(p, in, t) }

func (ReshapeP) Transpose(ct, _ []Value, _ []bool, av []ShapedArray) []Value {
	return rule.One(Reshape(ct[0], av[0].Shape))
}

func (p ReshapeP) Batch(n int, in []Value, _ []bool) ([]Value, []bool) {
	return []Value{Reshape(in[0], p.Shape.Prepend(n))}, []bool{true}
}

// SqueezeP drops axes of size 1.
type SqueezeP struct{ Dims core.Dims }

// Squeeze drops the given axes, which must have size 1. Without axes it returns x itself.
func Squeeze(x Value, axes core.Dims) Value {
	if axes.Len() == 0 {
		return x
	}
	return core.Apply1(SqueezeP{axes}, x)
}

func (SqueezeP) Name() string { return "squeeze" }

func (SqueezeP) read(r *jaxpr.ParamReader) core.Primitive { return SqueezeP{r.Dims("dimensions")} }

func (p SqueezeP) Params() []core.Param { return []core.Param{rule.Param("dimensions", p.Dims)} }

func (p SqueezeP) Abstract(in []ShapedArray) []ShapedArray {
	rule.Operands(in, 1)
	x := in[0]
	if !rule.Distinct(p.Dims, x.Rank()) {
		core.Failf(core.ErrShape, "the axes %v must be distinct axes of %v; remove duplicates and axes out of range", p.Dims, x.Full())
	}
	for _, d := range p.Dims.All() {
		if x.Shape.At(d) != 1 {
			core.Failf(core.ErrShape, "axis %d of %v has size %d and cannot be dropped; only axes of size 1 can", d, x.Full(), x.Shape.At(d))
		}
	}
	return []ShapedArray{x.WithShape(x.Shape.Remove(p.Dims.Ints()...))}
}

func (p SqueezeP) JVP(in, _, t []Value) []Value { return rule.LinearFirst(p, in, t) }

func (SqueezeP) Transpose(ct, _ []Value, _ []bool, av []ShapedArray) []Value {
	return rule.One(Reshape(ct[0], av[0].Shape))
}

func (p SqueezeP) Batch(_ int, in []Value, _ []bool) ([]Value, []bool) {
	return []Value{Squeeze(in[0], p.Dims.Next())}, []bool{true}
}
