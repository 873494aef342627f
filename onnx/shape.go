package onnx

import (
	"slices"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/lax"
	format "github.com/weft-go/weft/lower/onnx"
)

// shapes are operators that move elements, or make arrays.
var shapes = map[string]operator{
	"Reshape": reshape, "Flatten": flatten, "Squeeze": squeeze, "Unsqueeze": unsqueeze, "Expand": expand, "Split": split, "Slice": slice, "Pad": pad, "Tile": tile,
	"Constant": constantOf, "ConstantOfShape": constantOfShape, "DepthToSpace": depthToSpace, "SpaceToDepth": spaceToDepth, "ReverseSequence": reverseSequence, "CenterCropPad": centerCropPad, "Col2Im": col2im,
	"Transpose": func(n *node) []weft.Array {
		x, perm := n.x(0), n.ints("perm")
		if perm == nil {
			perm = iotas(x.Rank())
			slices.Reverse(perm)
		}
		if len(perm) != x.Rank() {
			n.fail(core.ErrAxis, "perm %v is no order of the axes of rank %d; list each axis once", perm, x.Rank())
		}
		return one(x.Transpose(n.axes(perm, x.Rank())...))
	},
	"Concat": func(n *node) []weft.Array {
		if n.Attrs["axis"] == nil && n.version >= 4 {
			n.fail(core.ErrAxis, "attribute axis is missing, which version 4 and later need; add it to the node")
		}
		return one(weft.Concat(n.axis(n.int("axis", 1), n.x(0).Rank()), n.in...))
	},
	"Shape": func(n *node) []weft.Array {
		dims := []int(n.x(0).Shape())
		start, end := bound(n.int("start", 0), len(dims)), bound(n.int("end", len(dims)), len(dims))
		return one(longs(dims[min(start, end):end]))
	},
	"Size": func(n *node) []weft.Array { return one(weft.Scalar(int64(n.x(0).Size()))) },
	"Range": func(n *node) []weft.Array {
		start, limit, step := n.number(0), n.number(1), n.number(2)
		if step == 0 {
			n.fail(core.ErrShape, "the step is 0; use another one")
		}
		dt := n.x(0).DType()
		if dt.IsInteger() {
			a, z, s := n.knownOne(0), n.knownOne(1), n.knownOne(2)
			k := max(0, (z-a+s-sign(s))/s)
			return one(weft.Iota(weft.Int64, 0, k).Mul(int64(s)).Add(int64(a)).AsType(dt))
		}
		k := 0
		if d := (limit - start) / step; d > 0 {
			if k = int(d); float64(k) < d {
				k++
			}
		}
		return one(weft.Iota(weft.Float64, 0, k).Mul(step).Add(start).AsType(dt))
	},
	"EyeLike": func(n *node) []weft.Array {
		x := n.x(0)
		if x.Rank() != 2 {
			n.fail(core.ErrShape, "the operand is %v, want a matrix; reshape it", x.Shape())
		}
		r, c := weft.Iota(weft.Int64, 0, x.Dim(0), x.Dim(1)), weft.Iota(weft.Int64, 1, x.Dim(0), x.Dim(1))
		return one(c.Sub(r).Eq(n.int("k", 0)).AsType(n.dtype("dtype", x.DType())))
	},
	"Trilu": func(n *node) []weft.Array {
		x, k := n.x(0), weft.Scalar(int64(0))
		if x.Rank() < 2 {
			n.fail(core.ErrShape, "the operand is %v, want matrices (2 axes or more); reshape it", x.Shape())
		}
		if n.has(1) {
			k = n.x(1).Reshape()
		}
		rows, cols := x.Dim(-2), x.Dim(-1)
		d := weft.Iota(weft.Int64, 1, rows, cols).Sub(weft.Iota(weft.Int64, 0, rows, cols))
		keep := d.Le(k)
		if n.int("upper", 1) != 0 {
			keep = d.Ge(k)
		}
		return one(weft.Where(keep, x, weft.ZerosLike(x)))
	},
}

func sign(v int) int {
	switch {
	case v < 0:
		return -1
	case v > 0:
		return 1
	}
	return 0
}

// bound returns a position in a list, clamped to the list; a negative one counts from its end.
func bound(i, n int) int {
	if i < 0 {
		i += n
	}
	return max(0, min(i, n))
}

func longs(v []int) weft.Array {
	out := make([]int64, len(v))
	for i, x := range v {
		out[i] = int64(x)
	}
	return weft.FromSlice(out, len(v))
}

// reshape takes a 0 for the operand's size, unless the node allows sizes of 0, and one −1 for the size that is left.
func reshape(n *node) []weft.Array {
	x := n.x(0)
	dims := n.ints("shape")
	if n.version >= 5 {
		dims = n.known(1)
	}
	dims = slices.Clone(dims)
	size, open := 1, -1
	for i, d := range dims {
		if d == 0 && n.int("allowzero", 0) == 0 {
			if i >= x.Rank() {
				n.fail(core.ErrShape, "size %d of %v is 0 and copies that of the operand %v, which has no such axis; state the size", i, dims, x.Shape())
			}
			dims[i] = x.Dim(i)
		}
		switch {
		case dims[i] == -1 && open < 0:
			open = i
		case dims[i] < 0:
			n.fail(core.ErrShape, "the shape %v has a negative size, or more than one -1; state the sizes", dims)
		default:
			size *= dims[i]
		}
	}
	if open >= 0 {
		if size == 0 || x.Size()%size != 0 {
			n.fail(core.ErrShape, "%v cannot be reshaped to %v; the other sizes must divide the number of elements", x.Shape(), dims)
		}
		dims[open] = x.Size() / size
	} else if size != x.Size() {
		n.fail(core.ErrShape, "%v cannot be reshaped to %v; was the model exported for one size of input?", x.Shape(), dims)
	}
	return one(x.Reshape(dims...))
}

func flatten(n *node) []weft.Array {
	x := n.x(0)
	axis := n.int("axis", 1)
	if axis < 0 {
		axis += x.Rank()
	}
	if axis < 0 || axis > x.Rank() {
		n.fail(core.ErrAxis, "axis %d is out of range for an operand of rank %d; correct the attribute", n.int("axis", 1), x.Rank())
	}
	rows, cols := 1, 1
	for i, d := range x.Shape() {
		if i < axis {
			rows *= d
		} else {
			cols *= d
		}
	}
	return one(x.Reshape(rows, cols))
}

// listed returns integers that are an attribute of the operator before version `since`, and an
// input from that version on.
func (n *node) listed(name string, input int, since int64) []int {
	if n.version < since {
		return n.ints(name)
	}
	return n.knownOr(input, nil)
}

func squeeze(n *node) []weft.Array {
	x := n.x(0)
	axes := n.listed("axes", 1, 13)
	if axes == nil {
		for i, d := range x.Shape() {
			if d == 1 {
				axes = append(axes, i)
			}
		}
		if axes == nil {
			return one(x)
		}
	}
	axes = n.axes(axes, x.Rank())
	for _, a := range axes {
		if x.Dim(a) != 1 {
			n.fail(core.ErrShape, "axis %d of %v is not of size 1 and cannot be squeezed; list others", a, x.Shape())
		}
	}
	return one(lax.Squeeze(x, axes...))
}

func unsqueeze(n *node) []weft.Array {
	x := n.x(0)
	axes := n.listed("axes", 1, 13)
	axes = n.axes(axes, x.Rank()+len(axes))
	if constant(x) {
		dims := slices.Clone([]int(x.Shape()))
		for _, a := range slices.Sorted(slices.Values(axes)) {
			dims = slices.Insert(dims, a, 1)
		}
		return one(viewed(x, dims...))
	}
	return one(lax.ExpandDims(x, axes...))
}

func expand(n *node) []weft.Array {
	x, dims := n.x(0), n.known(1)
	return one(x.BroadcastTo(n.together(x.Shape(), dims)...))
}

// together returns the shape to which two shapes broadcast.
func (n *node) together(a, b []int) []int {
	out := make([]int, max(len(a), len(b)))
	for i := range out {
		x, y := 1, 1
		if j := i - len(out) + len(a); j >= 0 {
			x = a[j]
		}
		if j := i - len(out) + len(b); j >= 0 {
			y = b[j]
		}
		switch {
		case x == y || y == 1:
			out[i] = x
		case x == 1:
			out[i] = y
		default:
			n.fail(core.ErrShape, "the shapes %v and %v do not broadcast; sizes must be equal or 1", a, b)
		}
	}
	return out
}

func split(n *node) []weft.Array {
	x := n.x(0)
	axis := n.axis(n.int("axis", 0), x.Rank())
	sizes := n.ints("split")
	if n.version >= 13 || n.version < 2 && n.has(1) {
		sizes = n.knownOr(1, nil)
	}
	if sizes == nil { // the last parts are smaller, or empty, where the axis cannot be divided evenly
		parts := n.int("num_outputs", len(n.Outputs))
		each := (x.Dim(axis) + parts - 1) / max(parts, 1)
		for left := x.Dim(axis); len(sizes) < parts; left -= sizes[len(sizes)-1] {
			sizes = append(sizes, max(0, min(each, left)))
		}
	}
	total := 0
	for _, s := range sizes {
		total += s
	}
	if total != x.Dim(axis) {
		n.fail(core.ErrShape, "axis %d of %v cannot be split into %v; the sizes must add up to the axis", axis, x.Shape(), sizes)
	}
	return weft.Split(x, axis, sizes...)
}

// slice takes a range of each of some axes, backwards where the step is negative.
func slice(n *node) []weft.Array {
	x := n.x(0)
	var starts, ends, axes, steps []int
	if n.version < 10 {
		starts, ends, axes = n.ints("starts"), n.ints("ends"), n.ints("axes")
	} else {
		starts, ends, axes, steps = n.known(1), n.known(2), n.knownOr(3, nil), n.knownOr(4, nil)
	}
	if axes == nil {
		axes = iotas(len(starts))
	}
	if steps == nil {
		steps = repeated(1, len(starts))
	}
	if len(ends) != len(starts) || len(axes) != len(starts) || len(steps) != len(starts) {
		n.fail(core.ErrShape, "%d starts, %d ends, %d axes, %d steps; give as many of each", len(starts), len(ends), len(axes), len(steps))
	}
	lo, hi, by := repeated(0, x.Rank()), []int(slices.Clone(x.Shape())), repeated(1, x.Rank())
	var back []int
	for i, a := range n.axes(axes, x.Rank()) {
		d, s := x.Dim(a), steps[i]
		switch {
		case s == 0:
			n.fail(core.ErrShape, "the step of axis %d is 0; use another one", a)
		case s > 0:
			lo[a], hi[a], by[a] = bound(starts[i], d), bound(ends[i], d), s
			hi[a] = max(lo[a], hi[a])
		default:
			from, to := starts[i], ends[i]
			if from < 0 {
				from += d
			}
			if to < 0 {
				to += d
			}
			from, to = min(max(from, 0), d-1), min(max(to, -1), d-1)
			k := 0
			if from > to {
				k = (from - to - s - 1) / -s
			}
			back = append(back, a)
			if k == 0 {
				lo[a], hi[a] = 0, 0
				continue
			}
			lo[a], hi[a], by[a] = from+(k-1)*s, from+1, -s
		}
	}
	x = lax.Slice(x, lo, hi, by)
	if back != nil {
		x = lax.Rev(x, back...)
	}
	return one(x)
}

// pad adds to the ends of axes, or takes off where a number is negative.
func pad(n *node) []weft.Array {
	x := n.x(0)
	name := "pads"
	if n.version < 2 {
		name = "paddings"
	}
	pads := n.listed(name, 1, 11)
	axes := iotas(x.Rank())
	if n.has(3) {
		axes = n.axes(n.known(3), x.Rank())
	}
	if len(pads) != 2*len(axes) {
		n.fail(core.ErrShape, "there are %d pads for %d axes; give two for each axis", len(pads), len(axes))
	}
	value := scalar(n.float("value", 0), x.DType())
	if n.has(2) {
		value = n.x(2).Reshape()
	} else if x.DType() == weft.Bool {
		value = weft.Scalar(false)
	}
	widths, cut := make([][3]int, x.Rank()), make([][3]int, x.Rank())
	for i, a := range axes {
		before, after := pads[i], pads[i+len(axes)]
		widths[a] = [3]int{max(before, 0), max(after, 0), 0}
		cut[a] = [3]int{min(before, 0), min(after, 0), 0}
	}
	mode := n.text("mode", "constant")
	x = lax.Pad(x, value, cut...)
	if mode == "constant" {
		return one(lax.Pad(x, value, widths...))
	}
	modes := map[string]weft.PadMode{"reflect": weft.PadReflect, "edge": weft.PadEdge, "wrap": weft.PadWrap}
	m, ok := modes[mode]
	if !ok {
		n.fail(core.ErrParse, "the mode is %q, want constant, reflect, edge or wrap; set the attribute", mode)
	}
	pairs := make([][2]int, len(widths))
	for i, w := range widths {
		pairs[i] = [2]int{w[0], w[1]}
	}
	return one(weft.Pad(x, pairs, weft.PadConfig{Mode: m}))
}

func tile(n *node) []weft.Array {
	x := n.x(0)
	if n.version < 6 {
		times, axis := n.knownOne(1), n.knownOne(2)
		reps := repeated(1, x.Rank())
		reps[n.axis(axis, x.Rank())] = times
		return one(weft.Tile(x, reps...))
	}
	reps := n.known(1)
	if len(reps) != x.Rank() {
		n.fail(core.ErrShape, "there are %d repeats for rank %d; give one for each axis", len(reps), x.Rank())
	}
	return one(weft.Tile(x, reps...))
}

func constantOf(n *node) []weft.Array {
	if a := n.attr("value", format.AttrTensor); a != nil {
		return one(arrayOf(a.Tensor))
	}
	if a := n.attr("sparse_value", format.AttrSparse); a != nil {
		return one(dense(a.Sparse))
	}
	if a := n.attr("value_int", format.AttrInt); a != nil {
		return one(weft.Scalar(a.Int))
	}
	if a := n.attr("value_float", format.AttrFloat); a != nil {
		return one(weft.Scalar(a.Float))
	}
	if a := n.attr("value_ints", format.AttrInts); a != nil {
		return one(weft.FromSlice(a.Ints, len(a.Ints)))
	}
	if a := n.attr("value_floats", format.AttrFloats); a != nil {
		return one(weft.FromSlice(a.Floats, len(a.Floats)))
	}
	if n.Attrs["value_string"] != nil || n.Attrs["value_strings"] != nil {
		n.fail(core.ErrNoRule, "the constant is a text, which arrays cannot contain; export the model without it")
	}
	n.fail(core.ErrTree, "the constant has no value; add it to the node")
	return nil
}

func constantOfShape(n *node) []weft.Array {
	value := weft.Scalar(float32(0))
	if a := n.attr("value", format.AttrTensor); a != nil {
		value = arrayOf(a.Tensor).Reshape()
	}
	return one(value.BroadcastTo(n.known(0)...))
}

func depthToSpace(n *node) []weft.Array {
	x, b := n.x(0), n.int("blocksize", 0)
	if x.Rank() != 4 || b < 1 || x.Dim(1)%(b*b) != 0 {
		n.fail(core.ErrShape, "the operand is %v, want [n,c,h,w] with a multiple of %d² features; check blocksize", x.Shape(), b)
	}
	s := x.Shape()
	c := s[1] / (b * b)
	if n.text("mode", "DCR") == "DCR" {
		return one(x.Reshape(s[0], b, b, c, s[2], s[3]).Transpose(0, 3, 4, 1, 5, 2).Reshape(s[0], c, s[2]*b, s[3]*b))
	}
	return one(x.Reshape(s[0], c, b, b, s[2], s[3]).Transpose(0, 1, 4, 2, 5, 3).Reshape(s[0], c, s[2]*b, s[3]*b))
}

func spaceToDepth(n *node) []weft.Array {
	x, b := n.x(0), n.int("blocksize", 0)
	if x.Rank() != 4 || b < 1 || x.Dim(2)%b != 0 || x.Dim(3)%b != 0 {
		n.fail(core.ErrShape, "the operand is %v, want [n,c,h,w] with multiples of %d as height and width; check blocksize", x.Shape(), b)
	}
	s := x.Shape()
	y := x.Reshape(s[0], s[1], s[2]/b, b, s[3]/b, b)
	if n.text("mode", "DCR") == "CRD" {
		return one(y.Transpose(0, 1, 3, 5, 2, 4).Reshape(s[0], s[1]*b*b, s[2]/b, s[3]/b))
	}
	return one(y.Transpose(0, 3, 5, 1, 2, 4).Reshape(s[0], s[1]*b*b, s[2]/b, s[3]/b))
}

// reverseSequence reverses the first elements of each row; their number is an input.
func reverseSequence(n *node) []weft.Array {
	x, lengths := n.x(0), n.x(1)
	batch, time := n.axis(n.int("batch_axis", 1), x.Rank()), n.axis(n.int("time_axis", 0), x.Rank())
	return one(weft.TakeAlongAxis(x, reversedPlaces(x.Shape(), lengths, batch, time), time))
}

// reversedPlaces returns, for each element, its position along an axis before the first elements
// of each row are reversed.
func reversedPlaces(shape []int, lengths weft.Array, batch, time int) weft.Array {
	dims := repeated(1, len(shape))
	dims[batch] = shape[batch]
	l := lengths.AsType(weft.Int64).Reshape(dims...).BroadcastTo(shape...)
	t := weft.Iota(weft.Int64, time, shape...)
	return weft.Where(t.Lt(l), l.Sub(t).Sub(1), t)
}

// centerCropPad cuts arrays, or pads them with zeros, to a size, half of the difference at each
// end.
func centerCropPad(n *node) []weft.Array {
	x, sizes, axes := n.x(0), n.known(1), n.ints("axes")
	if axes == nil {
		axes = iotas(x.Rank())
	}
	axes = n.axes(axes, x.Rank())
	if len(sizes) != len(axes) {
		n.fail(core.ErrShape, "there are %d sizes for %d axes; give one for each", len(sizes), len(axes))
	}
	widths := make([][3]int, x.Rank())
	for i, a := range axes {
		d := sizes[i] - x.Dim(a)
		if d >= 0 {
			widths[a] = [3]int{d / 2, d - d/2, 0}
		} else {
			widths[a] = [3]int{-(-d / 2), d + -d/2, 0}
		}
	}
	return one(lax.Pad(x, weft.Scalar(0).AsType(x.DType()), widths...))
}

// col2im adds blocks to the positions of an image from which they were taken.
func col2im(n *node) []weft.Array {
	x, image, block := n.x(0), n.known(1), n.known(2)
	k := len(image)
	dilations, pads, strides := n.ints("dilations"), n.ints("pads"), n.ints("strides")
	if dilations == nil {
		dilations = repeated(1, k)
	}
	if pads == nil {
		pads = repeated(0, 2*k)
	}
	if strides == nil {
		strides = repeated(1, k)
	}
	if x.Rank() != 3 || len(block) != k || len(dilations) != k || len(pads) != 2*k || len(strides) != k {
		n.fail(core.ErrShape, "operand %v, image %v and block %v do not fit each other; the columns must be the places of the block in the padded image", x.Shape(), image, block)
	}
	taps := 1
	for _, b := range block {
		taps *= b
	}
	channels := x.Dim(1) / taps
	full, places := make([]int, k), make([]int, k)
	for i := range k {
		full[i] = image[i] + pads[i] + pads[i+k]
		places[i] = (full[i]-dilations[i]*(block[i]-1)-1)/strides[i] + 1
	}
	cols := x.Reshape(slices.Concat([]int{x.Dim(0), channels}, block, places)...)
	out := weft.ZerosOf(x.DType(), slices.Concat([]int{x.Dim(0), channels}, full)...)
	each(block, func(at []int) {
		lo, hi := slices.Concat([]int{0, 0}, at, repeated(0, k)), slices.Concat([]int{x.Dim(0), channels}, at, places)
		for i := range k {
			hi[2+i]++
		}
		part := lax.Slice(cols, lo, hi, nil).Reshape(slices.Concat([]int{x.Dim(0), channels}, places)...)
		widths := make([][3]int, k+2)
		for i := range k {
			before := at[i] * dilations[i]
			widths[2+i] = [3]int{before, full[i] - before - (places[i]-1)*strides[i] - 1, strides[i] - 1}
		}
		out = out.Add(lax.Pad(part, weft.Scalar(0).AsType(x.DType()), widths...))
	})
	lo, hi := slices.Concat([]int{0, 0}, pads[:k]), []int{x.Dim(0), channels}
	for i := range k {
		hi = append(hi, pads[i]+image[i])
	}
	return one(lax.Slice(out, lo, hi, nil))
}

// each calls f with every index of a shape, in row-major order.
func each(shape []int, f func(at []int)) {
	at := make([]int, len(shape))
	for _, d := range shape {
		if d == 0 {
			return
		}
	}
	for {
		f(at)
		i := len(at) - 1
		for ; i >= 0; i-- {
			if at[i]++; at[i] < shape[i] {
				break
			}
			at[i] = 0
		}
		if i < 0 {
			return
		}
	}
}
