package prim

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim/internal/rule"
	"github.com/weft-go/weft/jaxpr"
)

// ArgmaxP is the position of the largest element along an axis, the first one if several
// are equal. The first NaN counts as the largest; −0 and +0 are equal; complex numbers
// compare by real, then imaginary part. The axis must not be empty, and the index
// dtype must hold the axis's last position.
type ArgmaxP struct {
	Axes  core.Dims // exactly one
	Index core.DType
}

// Argmax returns the position, as a dt, of the largest element of x along axis.
func Argmax(x Value, axis int, dt core.DType) Value {
	return core.Bind1(ArgmaxP{core.MakeDims(axis), dt}, x)
}

func (ArgmaxP) Name() string { return "argmax" }

func (ArgmaxP) read(r *jaxpr.ParamReader) core.Primitive {
	return ArgmaxP{r.Dims("axes"), r.DType("index_dtype")}
}

func (p ArgmaxP) Params() []core.Param { return argParams(p.Axes, p.Index) }

func (p ArgmaxP) Abstract(in []ShapedArray) []ShapedArray { return argAvals(in, p.Axes, p.Index) }

func (ArgmaxP) ZeroJVP() {}

func (p ArgmaxP) Batch(_ int, in []Value, _ []bool) ([]Value, []bool) {
	return rule.Bound(ArgmaxP{p.Axes.Next(), p.Index}, in[0])
}

// ArgminP is the position of the smallest element along an axis, the first one if several
// are equal. The first NaN counts as the smallest. Otherwise it is like [ArgmaxP].
type ArgminP struct {
	Axes  core.Dims // exactly one
	Index core.DType
}

// Argmin returns the position, as a dt, of the smallest element of x along axis.
func Argmin(x Value, axis int, dt core.DType) Value {
	return core.Bind1(ArgminP{core.MakeDims(axis), dt}, x)
}

func (ArgminP) Name() string { return "argmin" }

func (ArgminP) read(r *jaxpr.ParamReader) core.Primitive {
	return ArgminP{r.Dims("axes"), r.DType("index_dtype")}
}

func (p ArgminP) Params() []core.Param { return argParams(p.Axes, p.Index) }

func (p ArgminP) Abstract(in []ShapedArray) []ShapedArray { return argAvals(in, p.Axes, p.Index) }

func (ArgminP) ZeroJVP() {}

func (p ArgminP) Batch(_ int, in []Value, _ []bool) ([]Value, []bool) {
	return rule.Bound(ArgminP{p.Axes.Next(), p.Index}, in[0])
}

func argParams(axes core.Dims, index core.DType) []core.Param {
	return []core.Param{rule.Param("axes", axes), rule.Param("index_dtype", index.Long())}
}

func argAvals(in []ShapedArray, axes core.Dims, index core.DType) []ShapedArray {
	rule.Operands(in, 1)
	x := in[0]
	if axes.Len() != 1 {
		core.Failf(core.ErrShape, "needs exactly one axis (got %v); name one", axes)
	}
	a := axes.At(0)
	if a < 0 || a >= x.Rank() {
		core.Failf(core.ErrShape, "axis %d is out of range for %v; use an axis from 0 to the rank - 1", a, x.Full())
	}
	if x.Shape.At(a) == 0 {
		core.Failf(core.ErrShape, "axis %d of %v is empty; reduce along an axis with elements", a, x.Full())
	}
	if !index.IsInteger() {
		core.Failf(core.ErrDType, "the index dtype must be an integer (got %v); use i32 or i64", index)
	}
	if last := x.Shape.At(a) - 1; !core.IntNumber(int64(last)).Fits(index) {
		core.Failf(core.ErrDType, "%v cannot hold the positions of axis %d of %v (got %v, want a type that holds %d); use i32 or i64", index, a, x.Full(), index, last)
	}
	if !x.DType.IsNumber() && !x.DType.IsBool() {
		core.Failf(core.ErrDType, "operands must be numbers or bools (got %v); convert first", x.Full())
	}
	return []ShapedArray{{Shape: x.Shape.Remove(a), DType: index}}
}
