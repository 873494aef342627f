package onnx

import (
	"slices"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/lax"
)

var pools = map[string]operator{
	"MaxPool": maxPool, "AveragePool": averagePool, "LpPool": lpPool, "MaxUnpool": maxUnpool,
	"GlobalAveragePool": global(mean),
	"GlobalMaxPool":     global(func(x weft.Array, axes []int) weft.Array { return lax.ReduceMax(x, axes...) }),
	"GlobalLpPool": func(n *node) []weft.Array {
		p := float64(n.int("p", 2))
		return global(func(x weft.Array, axes []int) weft.Array {
			return weft.Pow(lax.ReduceSum(weft.Pow(weft.Abs(x), p), axes...), 1/p)
		})(n)
	},
}

// global makes an operator of a function of the whole image. f16 and bf16 are computed in f32.
func global(f func(x weft.Array, axes []int) weft.Array) operator {
	return func(n *node) []weft.Array {
		x := n.x(0)
		image := n.image(x)
		y := f(x.AsType(wide(x.DType())), iotas(x.Rank())[2:]).AsType(x.DType())
		return one(y.Reshape(slices.Concat([]int{x.Dim(0), x.Dim(1)}, repeated(1, len(image)))...))
	}
}

// pooling returns the window of a pooling, and `over`, how far the last window of each axis reaches beyond the
// padded end: with ceil_mode there may be one more window, unless it would begin in the padding.
func (n *node) pooling(x weft.Array) (w window, over []int) {
	image := n.image(x)
	w = n.window(image, n.ints("kernel_shape"))
	over = repeated(0, len(image))
	for i, size := range image {
		room := size + w.pads[i][0] + w.pads[i][1] - w.extent(i)
		if room < 0 && n.int("ceil_mode", 0) == 0 {
			n.fail(core.ErrShape, "the kernel %v is larger than the image %v with its padding; use a larger input", w.kernel, image)
		}
		if n.int("ceil_mode", 0) != 0 && w.auto != "SAME_UPPER" && w.auto != "SAME_LOWER" {
			k := (room + w.strides[i] - 1) / w.strides[i] // steps
			if k*w.strides[i] >= size+w.pads[i][0] {
				k--
			}
			over[i] = max(0, k*w.strides[i]-room)
		}
	}
	return w, over
}

// config returns the window over all axes of an array of images. `over` is the further padding at the end of each spatial axis.
func (w *window) config(over []int) lax.WindowConfig {
	c := lax.WindowConfig{Dims: slices.Concat([]int{1, 1}, w.kernel), Strides: slices.Concat([]int{1, 1}, w.strides), WindowDilation: slices.Concat([]int{1, 1}, w.dilations)}
	pads := [][2]int{{}, {}}
	for i, p := range w.pads {
		pads = append(pads, [2]int{p[0], p[1] + over[i]})
	}
	c.Padding = lax.Pads(pads...)
	return c
}

func maxPool(n *node) []weft.Array {
	x := n.x(0)
	w, over := n.pooling(x)
	y := lax.ReduceWindow(x, lowest(x.DType()), lax.Max[weft.Array, weft.Array], w.config(over))
	if !n.wants(1) {
		return one(y)
	}
	return []weft.Array{y, n.places(x, y, &w, over)}
}

// places returns, for each window, the position of its greatest element in the flattened operand.
func (n *node) places(x, y weft.Array, w *window, over []int) weft.Array {
	image := n.image(x)
	d := len(image)
	out := []int(y.Shape())[2:]
	widths := make([][3]int, d+2)
	for i, p := range w.pads {
		widths[2+i] = [3]int{p[0], p[1] + over[i] + w.strides[i], 0}
	}
	padded := lax.Pad(x, lowest(x.DType()), widths...)
	where := lax.Pad(weft.Iota(weft.Int64, 0, x.Size()).Reshape(x.Shape()...), weft.Scalar(int64(-1)), widths...)
	var values, from []weft.Array
	each(w.kernel, func(at []int) {
		lo, hi, by := []int{0, 0}, []int{x.Dim(0), x.Dim(1)}, []int{1, 1}
		for i := range d {
			first := at[i] * w.dilations[i]
			lo, hi, by = append(lo, first), append(hi, first+(out[i]-1)*w.strides[i]+1), append(by, w.strides[i])
		}
		values, from = append(values, lax.Slice(padded, lo, hi, by)), append(from, lax.Slice(where, lo, hi, by))
	})
	v, f := weft.Stack(-1, values...), weft.Stack(-1, from...)
	inside := weft.Where(f.Ge(0), v, lowest(x.DType()))
	at := lax.ExpandDims(lax.Argmax(inside, v.Rank()-1, weft.Int64), v.Rank()-1)
	place := weft.TakeAlongAxis(f, at, -1).Squeeze(-1)
	if n.int("storage_order", 0) == 0 {
		return place
	}
	// The image's axes are counted with the first one running fastest.
	size := 1
	for _, s := range image {
		size *= s
	}
	outer, inner := place.FloorDiv(size), place.Mod(size)
	column, stride := weft.ZerosLike(inner), 1
	strides := make([]int, d)
	for i := range image {
		strides[i], stride = stride, stride*image[i]
	}
	for i := d - 1; i >= 0; i-- {
		column = column.Add(inner.Mod(image[i]).Mul(strides[i]))
		inner = inner.FloorDiv(image[i])
	}
	return outer.Mul(size).Add(column)
}

func averagePool(n *node) []weft.Array {
	x := n.x(0)
	w, over := n.pooling(x)
	c, t := w.config(over), wide(x.DType())
	zero := scalar(0, t)
	sum := lax.ReduceWindow(x.AsType(t), zero, lax.Add[weft.Array, weft.Array], c)
	// The number of elements of each window: padding counts if the node says so, positions beyond the
	// padding never do.
	ones := weft.Now(func() weft.Array {
		o := weft.OnesOf(t, slices.Concat([]int{1, 1}, n.image(x))...)
		if n.int("count_include_pad", 0) != 0 {
			widths := make([][3]int, o.Rank())
			for i, p := range w.pads {
				widths[2+i] = [3]int{p[0], p[1], 0}
			}
			o = lax.Pad(o, scalar(1, t), widths...)
			w.pads = make([][2]int, len(w.pads))
			c = w.config(over)
		}
		return lax.ReduceWindow(o, zero, lax.Add[weft.Array, weft.Array], c)
	})
	return one(sum.Div(ones).AsType(x.DType()))
}

func lpPool(n *node) []weft.Array {
	x := n.x(0)
	w, over := n.pooling(x)
	p, t := float64(n.int("p", 2)), wide(x.DType())
	sum := lax.ReduceWindow(weft.Pow(weft.Abs(x.AsType(t)), p), scalar(0, t), lax.Add[weft.Array, weft.Array], w.config(over))
	return one(weft.Pow(sum, 1/p).AsType(x.DType()))
}

// maxUnpool puts elements back to the positions that a pooling took them from.
func maxUnpool(n *node) []weft.Array {
	x, i := n.x(0), n.x(1)
	image := n.image(x)
	w := n.window(image, n.ints("kernel_shape"))
	dims := slices.Clone([]int(x.Shape()))
	for k := range image {
		dims[2+k] = (image[k]-1)*w.strides[k] + w.kernel[k] - w.pads[k][0] - w.pads[k][1]
	}
	given := dims
	if n.has(2) {
		given = n.known(2)
	}
	if len(given) != len(dims) {
		n.fail(core.ErrShape, "output_shape has %d sizes for an operand %v; give one for each axis", len(given), x.Shape())
	}
	size := 1
	for _, d := range dims {
		size *= d
	}
	flat := weft.ZerosOf(x.DType(), size).At(i.Ravel()).Set(x.Ravel()).Reshape(dims...)
	if !slices.Equal(given, dims) { // a larger output has its additional elements at the end
		widths := make([][3]int, len(dims))
		for k := range dims {
			widths[k] = [3]int{0, given[k] - dims[k], 0}
		}
		flat = lax.Pad(flat, scalar(0, x.DType()), widths...)
	}
	return one(flat)
}
