package stablehlo

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/core/prim/windows"
)

// windowOf reads the window of an operation over arrays of the given rank.
func (f *frame) windowOf(o *op, rank int) windows.Window {
	w := windows.Window{
		Dims:           dims(f.intsOr(o, "window_dimensions", rank, 1)),
		Strides:        dims(f.intsOr(o, "window_strides", rank, 1)),
		BaseDilation:   dims(f.intsOr(o, "base_dilations", rank, 1)),
		WindowDilation: dims(f.intsOr(o, "window_dilations", rank, 1)),
		Padding:        dims(f.intsOr(o, "padding", 2*rank, 0)),
	}
	return w
}

// reduceWindowOp combines the elements under a window in row-major order, rounding each step to the element type. Sums,
// maxima and minima become Weft's if the results are the same; windows that grow from one end become cumulative operations.
func reduceWindowOp(f *frame, o *op, in []core.Value) []core.Value {
	xs, inits := f.arraysAndInits(o, in)
	w := f.windowOf(o, xs[0].Aval().Rank())
	if len(xs) == 1 {
		if y := windowed(f.combination(o.regions[0]), xs[0], inits[0], w); y != nil {
			return []core.Value{y}
		}
	}
	if !f.boolOr(o, skipsPadding, false) && w.Pads() {
		for i, x := range xs { // padding and gaps hold the initial value, which counts there too
			xs[i] = w.Padded(x, inits[i])
		}
		dilation := w.WindowDilation
		w = windows.SimpleWindow(w.Dims, w.Strides, dims(make([]int, 2*w.Dims.Len())))
		w.WindowDilation = dilation
	}
	return windows.ReduceWindow(xs, inits, w, f.combiner(o.regions[0], xs))
}

// skipsPadding is an attribute that Write adds to windowed reductions by programs: their windows skip padding, as in XLA.
// Without it, padding counts as initial values.
const skipsPadding = "weft_skips_padding"

func windowed(name string, x, init core.Value, w windows.Window) core.Value {
	a := x.Aval()
	narrow := a.DType.IsFloat() && a.DType.Bits() < 32 // weft adds these up in f32
	if !isNeutral(name, init) {
		return nil
	}
	if axis, reverse, ok := cumulative(a.Shape, w); ok && a.DType.IsNumber() {
		switch {
		case name == "add" && !narrow:
			return prim.Cumsum(x, axis, reverse)
		case name == "multiply" && !narrow:
			return prim.Cumprod(x, axis, reverse)
		case name == "maximum" && !a.DType.IsComplex():
			return prim.Cummax(x, axis, reverse)
		case name == "minimum" && !a.DType.IsComplex():
			return prim.Cummin(x, axis, reverse)
		}
	}
	switch {
	case name == "add" && !narrow && a.DType.IsNumber():
		return windows.ReduceWindowSum(x, w)
	case name == "maximum" && !a.DType.IsComplex():
		return windows.ReduceWindowMax(x, w)
	case name == "minimum" && !a.DType.IsComplex():
		return windows.ReduceWindowMin(x, w)
	}
	return nil
}

// cumulative reports whether the window of each element extends from it to one end of an axis.
func cumulative(shape core.Dims, w windows.Window) (axis int, reverse, ok bool) {
	axis = -1
	for i, n := range shape.All() {
		lo, hi := w.Padding.At(2*i), w.Padding.At(2*i+1)
		if w.Strides.At(i) != 1 || w.BaseDilation.At(i) != 1 || w.WindowDilation.At(i) != 1 {
			return 0, false, false
		}
		if w.Dims.At(i) == 1 && lo == 0 && hi == 0 {
			continue
		}
		if axis >= 0 || w.Dims.At(i) != n || n == 0 || lo+hi != n-1 || lo != 0 && hi != 0 {
			return 0, false, false
		}
		axis, reverse = i, lo == 0 && n > 1
	}
	return axis, reverse, axis >= 0
}

// selectAndScatterOp adds source elements at the elements that windows select, or combines them there by another
// operation.
func selectAndScatterOp(f *frame, o *op, in []core.Value) []core.Value {
	f.want(in, 3)
	f.regionCount(o, 2)
	dt := f.resultElem(o)
	x, source, init := convert(in[0], dt), convert(in[1], dt), convert(in[2], dt)
	rank := x.Aval().Rank()
	w := f.windowOf(o, rank)
	if init.Aval().Rank() != 0 {
		f.fail(core.ErrShape, "the initial value must be a scalar, got %s; reshape it to one element", typeText(init.Aval()))
	}
	disjoint := true
	for i := range rank {
		disjoint = disjoint && w.Strides.At(i) >= w.Dims.At(i)
	}
	var sel windows.Select
	switch f.signature(o.regions[0]) {
	case "compare GE 0 1;return 2":
		sel = windows.SelectGe
	case "compare LE 0 1;return 2":
		sel = windows.SelectLe
	}
	narrow := dt.IsFloat() && dt.Bits() < 32 && !disjoint // weft adds these up in f32
	if sel != "" && f.combination(o.regions[1]) == "add" && isNeutral("add", init) && !narrow && (dt.IsInteger() || dt.IsFloat()) {
		return []core.Value{windows.SelectAndScatterAdd(source, x, sel, w.Dims, w.Strides, w.Padding)}
	}
	two := []core.ShapedArray{core.Aval(dt), core.Aval(dt)}
	selects := f.program(o.regions[0], two, "select")
	if len(selects.Outs) != 1 || selects.Outs[0].Aval() != core.Aval(core.Bool) {
		f.fail(core.ErrCheck, "its select must return tensor<i1>; return one comparison, as stablehlo.compare GE")
	}
	return []core.Value{windows.SelectAndScatter(x, source, init, selects, f.combiner(o.regions[1], []core.Value{x}), w.Dims, w.Strides, w.Padding)}
}
