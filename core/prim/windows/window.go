package windows

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/core/prim/internal/rule"
	"github.com/weft-go/weft/jaxpr"
)

// Window describes how a window moves over an array: for every axis its size, the step between
// positions, the padding before and after (negative padding cuts off), and the distances between the
// elements of the array and between those of the window, all in elements. Windows skip padding and the
// gaps between dilated elements.
type Window struct {
	Dims, Strides  core.Dims
	Padding        core.Dims // lo, hi of each axis
	BaseDilation   core.Dims
	WindowDilation core.Dims
}

// Params returns the parameters that windowed operations share, in the order of text.
func (w Window) Params() []core.Param {
	return []core.Param{
		rule.Param("base_dilation", w.BaseDilation),
		rule.Param("padding", rule.Tuples(w.Padding, 2)),
		rule.Param("window_dilation", w.WindowDilation),
		rule.Param("window_dimensions", w.Dims),
		rule.Param("window_strides", w.Strides),
	}
}

// over returns the shape of the output positions of the window over an array.
func (w Window) over(x core.ShapedArray) core.Dims {
	n := x.Rank()
	perAxis("window sizes", w.Dims, n)
	perAxis("strides", w.Strides, n)
	perAxis("base dilations", w.BaseDilation, n)
	perAxis("window dilations", w.WindowDilation, n)
	if w.Padding.Len() != 2*n {
		core.Failf(core.ErrShape, "the padding %v has no pair for each of %s; give as many", w.Padding, core.Count(n, "axis"))
	}
	shape := make([]int, n)
	for i, s := range x.Shape.All() {
		in := rule.Total(dilated(s, w.BaseDilation.At(i)), w.Padding.At(2*i), w.Padding.At(2*i+1))
		shape[i] = places(in, dilated(w.Dims.At(i), w.WindowDilation.At(i)), w.Strides.At(i))
	}
	return core.MakeDims(shape...)
}

// withBatchAxis returns the window over a batch: one element wide along the leading axis.
func (w Window) withBatchAxis() Window {
	return Window{w.Dims.Prepend(1), w.Strides.Prepend(1), w.Padding.Prepend(0, 0), w.BaseDilation.Prepend(1), w.WindowDilation.Prepend(1)}
}

func allOnes(d core.Dims) bool {
	for _, k := range d.All() {
		if k != 1 {
			return false
		}
	}
	return true
}

// SimpleWindow returns a window without dilation.
func SimpleWindow(dims, strides, padding core.Dims) Window {
	one := core.MakeDims(rule.Ones(dims.Len())...)
	return Window{dims, strides, padding, one, one}
}

func readWindow(r *jaxpr.ParamReader) Window {
	return Window{r.Dims("window_dimensions"), r.Dims("window_strides"), rule.ReadPairs(r, "padding"), r.Dims("base_dilation"), r.Dims("window_dilation")}
}

// ReduceWindowSumP is the sum of the elements under a window at each of its positions,
// in row-major order of the window from +0. Floats narrower than f32 add up in f32.
type ReduceWindowSumP struct{ Window }

// ReduceWindowSum adds up the elements under a window.
func ReduceWindowSum(x core.Value, w Window) core.Value { return core.Bind1(ReduceWindowSumP{w}, x) }

func (ReduceWindowSumP) Name() string { return "reduce_window_sum" }

func (ReduceWindowSumP) read(r *jaxpr.ParamReader) core.Primitive {
	return ReduceWindowSumP{readWindow(r)}
}

func (p ReduceWindowSumP) Abstract(in []core.ShapedArray) []core.ShapedArray {
	rule.Operands(in, 1)
	rule.Number(in[0])
	return []core.ShapedArray{in[0].WithShape(p.over(in[0]))}
}

func (p ReduceWindowSumP) JVP(in, _, t []core.Value) []core.Value { return rule.LinearFirst(p, in, t) }

// Transpose adds up the cotangents of the output positions that an element lies under: a
// window over the cotangents, spread out by the strides.
func (p ReduceWindowSumP) Transpose(ct, _ []core.Value, _ []bool, av []core.ShapedArray) []core.Value {
	z := ct[0].Aval().Shape
	if z.Size() == 0 {
		return []core.Value{nil}
	}
	n := z.Len()
	config := make([]int, 0, 3*n)
	for i := range n {
		in, window := dilated(av[0].Shape.At(i), p.BaseDilation.At(i)), dilated(p.Dims.At(i), p.WindowDilation.At(i))
		lo := window - p.Padding.At(2*i) - 1
		config = append(config, lo, in+window-1-dilated(z.At(i), p.Strides.At(i))-lo, p.Strides.At(i)-1)
	}
	v := prim.Pad(ct[0], prim.Num(ct[0].Aval().WithShape(core.Dims{}), 0), core.MakeDims(config...))
	w := SimpleWindow(p.Dims, p.BaseDilation, core.MakeDims(make([]int, 2*n)...))
	w.WindowDilation = p.WindowDilation
	return rule.One(ReduceWindowSum(v, w))
}

func (p ReduceWindowSumP) Batch(_ int, in []core.Value, _ []bool) ([]core.Value, []bool) {
	return rule.Bound(ReduceWindowSumP{p.withBatchAxis()}, in[0])
}

// ReduceWindowMaxP is the largest element under a window at each of its positions, as
// [prim.ReduceMaxP] chooses; where the window contains nothing, the lowest value of the dtype.
type ReduceWindowMaxP struct{ Window }

// ReduceWindowMax returns the largest element under a window.
func ReduceWindowMax(x core.Value, w Window) core.Value { return core.Bind1(ReduceWindowMaxP{w}, x) }

func (ReduceWindowMaxP) Name() string { return "reduce_window_max" }

func (ReduceWindowMaxP) read(r *jaxpr.ParamReader) core.Primitive {
	return ReduceWindowMaxP{readWindow(r)}
}

func (p ReduceWindowMaxP) Abstract(in []core.ShapedArray) []core.ShapedArray {
	return windowChoice(in, p.Window)
}

// JVP takes the tangent of the first of the largest elements.
func (p ReduceWindowMaxP) JVP(in, _, t []core.Value) []core.Value {
	realChoice(in[0])
	return rule.One(SelectAndGatherAdd(t[0], in[0], SelectGe, p.Window))
}

func (p ReduceWindowMaxP) Batch(_ int, in []core.Value, _ []bool) ([]core.Value, []bool) {
	return rule.Bound(ReduceWindowMaxP{p.withBatchAxis()}, in[0])
}

// ReduceWindowMinP is the smallest element under a window at each of its positions, as
// [prim.ReduceMinP] chooses; where the window contains nothing, the highest value of the dtype.
type ReduceWindowMinP struct{ Window }

// ReduceWindowMin returns the smallest element under a window.
func ReduceWindowMin(x core.Value, w Window) core.Value { return core.Bind1(ReduceWindowMinP{w}, x) }

func (ReduceWindowMinP) Name() string { return "reduce_window_min" }

func (ReduceWindowMinP) read(r *jaxpr.ParamReader) core.Primitive {
	return ReduceWindowMinP{readWindow(r)}
}

func (p ReduceWindowMinP) Abstract(in []core.ShapedArray) []core.ShapedArray {
	return windowChoice(in, p.Window)
}

// JVP takes the tangent of the first of the smallest elements.
func (p ReduceWindowMinP) JVP(in, _, t []core.Value) []core.Value {
	realChoice(in[0])
	return rule.One(SelectAndGatherAdd(t[0], in[0], SelectLe, p.Window))
}

func (p ReduceWindowMinP) Batch(_ int, in []core.Value, _ []bool) ([]core.Value, []bool) {
	return rule.Bound(ReduceWindowMinP{p.withBatchAxis()}, in[0])
}

func realChoice(x core.Value) {
	if x.Aval().DType.IsComplex() {
		core.Failf(core.ErrNoRule, "has no derivative on complex numbers, which have no natural order; use the real part or the absolute value")
	}
}

func windowChoice(in []core.ShapedArray, w Window) []core.ShapedArray {
	rule.Operands(in, 1)
	rule.NumberOrBool(in[0])
	return []core.ShapedArray{in[0].WithShape(w.over(in[0]))}
}
