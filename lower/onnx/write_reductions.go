package onnx

import (
	"slices"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/core/prim/windows"
)

// reductions writes reductions, windowed reductions and running ones. It returns nil for other
// operations, and for bitwise reductions of integers.
func (b *block) reductions(p core.Primitive, in []value, out []core.ShapedArray) []value {
	one := func(x value) []value { return []value{x} }
	if len(in) != 1 {
		return nil
	}
	x := in[0]
	switch p := p.(type) {
	case prim.ReduceSumP:
		return one(b.reduce("ReduceSum", x, p.Axes, out[0]))
	case prim.ReduceProdP:
		return one(b.reduce("ReduceProd", x, p.Axes, out[0]))
	case prim.ReduceMaxP:
		return one(b.reduce("ReduceMax", x, p.Axes, out[0]))
	case prim.ReduceMinP:
		return one(b.reduce("ReduceMin", x, p.Axes, out[0]))
	case prim.ReduceAndP:
		if x.DType.IsBool() {
			return one(b.reduce("ReduceMin", x, p.Axes, out[0]))
		}
	case prim.ReduceOrP:
		if x.DType.IsBool() {
			return one(b.reduce("ReduceMax", x, p.Axes, out[0]))
		}
	case prim.ReduceXorP:
		if x.DType.IsBool() {
			sum := b.reduce("ReduceSum", b.cast(x, core.Int32), p.Axes, out[0].WithDType(core.Int32))
			return one(b.cast(b.op("BitwiseAnd", sum.ShapedArray, nil, sum, b.integer(1, core.Int32)), core.Bool))
		}
	case windows.ReduceWindowSumP:
		return one(b.window("Add", x, p.Window, out[0]))
	case windows.ReduceWindowMaxP:
		return one(b.window("Max", x, p.Window, out[0]))
	case windows.ReduceWindowMinP:
		return one(b.window("Min", x, p.Window, out[0]))
	case prim.CumsumP:
		return one(b.cumsum(x, p.Cumulation))
	case prim.CumprodP:
		return one(b.running("Mul", x, p.Cumulation))
	case prim.CummaxP:
		return one(b.running("Max", x, p.Cumulation))
	case prim.CumminP:
		return one(b.running("Min", x, p.Cumulation))
	}
	return nil
}

// reduce writes a reduction. Types that the operator lacks are computed in a wider one, and so are small floats, which
// Weft sums in f32.
func (b *block) reduce(op string, x value, axes core.Dims, out core.ShapedArray) value {
	if axes.Len() == 0 {
		return x
	}
	dt := x.DType
	if dt.IsFloat() && dt.Bits() < 32 {
		x = b.cast(x, core.Float32)
	}
	if x.Size() == 0 { // runtimes disagree on reductions of no elements
		start := b.neutral(op, x.DType)
		return b.cast(b.expand(start, out.Shape), dt)
	}
	y := b.op(op, out.WithDType(x.DType), []*Attr{attrInt("keepdims", 0)}, x, b.longs(axes.Ints()))
	return b.cast(y, dt)
}

// neutral returns the result of a reduction of no elements.
func (b *block) neutral(op string, dt core.DType) value {
	switch op {
	case "ReduceSum", "Add":
		return b.number(0, dt)
	case "ReduceProd", "Mul":
		return b.number(1, dt)
	}
	return b.limit(op == "ReduceMin" || op == "Min", dt)
}

// cumsum writes running sums. Small floats are summed in f32.
func (b *block) cumsum(x value, c prim.Cumulation) value {
	dt := x.DType
	if dt.IsFloat() && dt.Bits() < 32 {
		x = b.cast(x, core.Float32)
	}
	attrs := []*Attr{}
	if c.Reverse {
		attrs = append(attrs, attrInt("reverse", 1))
	}
	return b.cast(b.op("CumSum", x.ShapedArray, attrs, x, b.integer(c.Axis, core.Int64)), dt)
}

// running combines each element with those before it, or after it in reverse: with the elements at a distance of 1, then
// of 2, of 4, and so on.
func (b *block) running(op string, x value, c prim.Cumulation) value {
	n := x.Shape.At(c.Axis)
	dt := x.DType
	if dt.IsFloat() && dt.Bits() < 32 && op == "Mul" {
		x = b.cast(x, core.Float32)
	}
	for step := 1; step < n && x.Size() > 0; step *= 2 {
		rest := x.ShapedArray
		shape := rest.Shape.Ints()
		shape[c.Axis] = n - step
		rest.Shape = core.MakeDims(shape...)
		early, late := b.part(x, c.Axis, 0, n-step), b.part(x, c.Axis, step, n)
		both := b.op(op, rest, nil, early, late)
		if c.Reverse {
			x = b.concat(c.Axis, both, b.part(x, c.Axis, n-step, n))
		} else {
			x = b.concat(c.Axis, b.part(x, c.Axis, 0, step), both)
		}
	}
	return b.cast(x, dt)
}

// window writes a windowed reduction as a pool if it can. Else it combines, axis by axis, one slice for each element of a
// window.
func (b *block) window(op string, x value, w windows.Window, out core.ShapedArray) value {
	if x.DType.IsBool() || out.Size() == 0 {
		if out.Size() == 0 {
			return b.expand(b.number(0, out.DType), out.Shape)
		}
		core.Failf(core.ErrDType, "ONNX %d has no windows of truth values; convert to another type", writtenOpset)
	}
	dt := x.DType
	if dt.IsFloat() && dt.Bits() < 32 {
		x = b.cast(x, core.Float32)
	}
	if y, ok := b.pool(op, x, w, out.WithDType(x.DType)); ok {
		return b.cast(y, dt)
	}
	start := b.neutral(op, x.DType)
	for axis, size := range w.Dims.All() {
		config := make([]int, 3*x.Rank())
		config[3*axis], config[3*axis+1], config[3*axis+2] = w.Padding.At(2*axis), w.Padding.At(2*axis+1), w.BaseDilation.At(axis)-1
		p := prim.PadP{Config: core.MakeDims(config...)}
		x = b.pad(x, start, p, core.AbstractOf(p, []core.ShapedArray{x.ShapedArray, start.ShapedArray})[0])
		n, stride := out.Shape.At(axis), w.Strides.At(axis)
		var sum value
		for k := range size {
			lo := k * w.WindowDilation.At(axis)
			hi := lo + (n-1)*stride + 1
			shape := x.Shape.Ints()
			shape[axis] = n
			a := x.WithShape(core.MakeDims(shape...))
			y := x
			if lo != 0 || hi != x.Shape.At(axis) || stride != 1 {
				y = b.slice(x, a, []int{lo}, []int{hi}, []int{axis}, []int{stride})
			}
			if sum.name == "" {
				sum = y
			} else {
				sum = b.op(op, a, nil, sum, y)
			}
		}
		x = sum
	}
	return b.cast(x, dt)
}

// pool writes maxima of floats as MaxPool. The axes along which windows have more than one element, or a stride, are moved to
// the end for it. pool returns false for other reductions and types, and for windows that MaxPool lacks.
func (b *block) pool(op string, x value, w windows.Window, out core.ShapedArray) (y value, ok bool) {
	var long, rest []int
	for i, n := range w.Dims.All() {
		if w.BaseDilation.At(i) != 1 || min(w.Padding.At(2*i), w.Padding.At(2*i+1)) < 0 {
			return y, false
		}
		// A pad may not be as long as the window.
		if reach := (n - 1) * w.WindowDilation.At(i); max(w.Padding.At(2*i), w.Padding.At(2*i+1)) > reach {
			return y, false
		}
		if n > 1 || w.Strides.At(i) != 1 {
			long = append(long, i)
		} else {
			rest = append(rest, i)
		}
	}
	if op != "Max" || !x.DType.IsFloat() || len(long) < 1 || len(long) > 3 || x.Size() == 0 {
		return y, false
	}
	perm := slices.Concat(rest, long)
	moved := b.transpose(x, perm)
	lead := 1
	for _, i := range rest {
		lead *= x.Shape.At(i)
	}
	shape, result := []int{1, lead}, []int{1, lead}
	var kernel, strides, dilations, lo, hi []int
	for _, i := range long {
		shape, result = append(shape, x.Shape.At(i)), append(result, out.Shape.At(i))
		kernel, strides, dilations = append(kernel, w.Dims.At(i)), append(strides, w.Strides.At(i)), append(dilations, w.WindowDilation.At(i))
		lo, hi = append(lo, w.Padding.At(2*i)), append(hi, w.Padding.At(2*i+1))
	}
	attrs := []*Attr{attrInts("kernel_shape", kernel), attrInts("strides", strides), attrInts("pads", slices.Concat(lo, hi)), attrInts("dilations", dilations)}
	y = b.op("MaxPool", x.WithShape(core.MakeDims(result...)), attrs, b.reshape(moved, core.MakeDims(shape...)))
	back, order := make([]int, len(perm)), make([]int, len(perm))
	for k, i := range perm {
		back[i], order[k] = k, out.Shape.At(i)
	}
	return b.transpose(b.reshape(y, core.MakeDims(order...)), back), true
}
