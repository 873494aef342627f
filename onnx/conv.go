package onnx

import (
	"slices"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/lax"
	"github.com/weft-go/weft/nn"
)

// convolutions move a kernel over an image, whose axes are batch, features and the spatial ones.
var convolutions = map[string]operator{"Conv": conv, "ConvTranspose": convTranspose, "ConvInteger": convInteger, "DeformConv": deformConv, "CausalConvWithState": causalConv}

// A window describes how an operator's kernel moves over the axes after batch and features.
type window struct {
	kernel, strides, dilations []int
	pads                       [][2]int
	auto                       string
}

// window returns the attributes of a kernel of given sizes over an image, with the pads that auto_pad asks for.
func (n *node) window(image, kernel []int) window {
	k := len(image)
	w := window{kernel: kernel, strides: n.ints("strides"), dilations: n.ints("dilations"), auto: n.text("auto_pad", "NOTSET"), pads: make([][2]int, k)}
	if w.strides == nil {
		w.strides = repeated(1, k)
	}
	if w.dilations == nil {
		w.dilations = repeated(1, k)
	}
	pads := n.ints("pads")
	if pads == nil || w.auto != "NOTSET" && w.auto != "" {
		pads = repeated(0, 2*k)
	}
	if len(w.kernel) != k || len(w.strides) != k || len(w.dilations) != k || len(pads) != 2*k {
		n.fail(core.ErrShape, "the image has %d axes, the kernel has the sizes %v, strides %v, dilations %v and pads %v; give one of each for an axis, and two pads", k, w.kernel, w.strides, w.dilations, pads)
	}
	for i := range k {
		if w.strides[i] < 1 || w.dilations[i] < 1 || w.kernel[i] < 1 {
			n.fail(core.ErrShape, "kernel %v, strides %v and dilations %v must be positive; correct the node's attributes", w.kernel, w.strides, w.dilations)
		}
		w.pads[i] = [2]int{pads[i], pads[i+k]}
		if w.auto == "SAME_UPPER" || w.auto == "SAME_LOWER" {
			out := (image[i] + w.strides[i] - 1) / w.strides[i]
			total := max(0, (out-1)*w.strides[i]+w.extent(i)-image[i])
			w.pads[i] = [2]int{total / 2, total - total/2}
			if w.auto == "SAME_LOWER" {
				w.pads[i] = [2]int{total - total/2, total / 2}
			}
		}
	}
	return w
}

// extent returns how far a dilated kernel reaches along an axis.
func (w *window) extent(i int) int { return (w.kernel[i]-1)*w.dilations[i] + 1 }

// image returns the sizes of the axes after batch and features.
func (n *node) image(x weft.Array) []int {
	if x.Rank() < 3 {
		n.fail(core.ErrShape, "the operand is %v, want batch, features and an image (3 axes or more); add axes with Unsqueeze", x.Shape())
	}
	return []int(x.Shape())[2:]
}

// kernelOf returns the kernel's sizes: those of the weights w, with which attribute kernel_shape must
// agree if it is given.
func (n *node) kernelOf(w weft.Array) []int {
	sizes := n.image(w)
	if k := n.ints("kernel_shape"); k != nil && !slices.Equal(k, sizes) {
		n.fail(core.ErrShape, "kernel_shape is %v, the weights are %v; leave kernel_shape off, or make it the weights' last axes", k, w.Shape())
	}
	return sizes
}

// padded returns x, an image with its features last, with its padding added along axes that are
// shorter than four kernels, or along all axes of small images. That takes less time than the
// checks for the edge in a depthwise convolution. The rows of an image with two axes are not padded
// if the result has few rows, since each of them has code of its own then. Negative padding is not added.
func (w *window) padded(x weft.Array) weft.Array {
	const few, rows, small = 4, 4, 1 << 16 // kernels along an axis; rows of the result; elements of x
	if slices.ContainsFunc(w.pads, func(p [2]int) bool { return p[0] < 0 || p[1] < 0 }) {
		return x
	}
	widths, edge := make([][3]int, x.Rank()), false
	last := len(w.pads) - 1
	for i, p := range w.pads {
		n := x.Dim(i + 1)
		low := last == 1 && i == 0 && (n+p[0]+p[1]-w.extent(i))/w.strides[i]+1 <= rows
		if p != [2]int{} && !low && (n < few*w.extent(i) || x.Size() < small) {
			widths[i+1], w.pads[i], edge = [3]int{p[0], p[1], 0}, [2]int{}, true
		}
	}
	if !edge {
		return x
	}
	return lax.Pad(x, scalar(0, x.DType()), widths...)
}

func conv(n *node) []weft.Array {
	x, w := n.x(0), n.x(1)
	y := n.convolve(x, w)
	if n.has(2) {
		y = y.Add(n.x(2).Reshape(slices.Concat([]int{1, -1}, repeated(1, x.Rank()-2))...))
	}
	return one(y)
}

// spatial are names of the axes of an image.
const spatial = "abcdefghjklm"

// convolve is the convolution of a node without the bias.
func (n *node) convolve(x, w weft.Array) weft.Array {
	n.image(x)
	return n.convolveLast(x.MoveAxis(1, -1), w).MoveAxis(-1, 1)
}

// convolveLast is convolve of an image with its features last. Kernels get their features last, too;
// constant ones are transposed only once.
func (n *node) convolveLast(x, w weft.Array) weft.Array {
	image := []int(x.Shape())[1 : x.Rank()-1]
	k := n.window(image, n.kernelOf(w))
	d := len(image)
	if d > len(spatial) {
		n.fail(core.ErrNoRule, "the image has %d axes (want at most %d); merge some", d, len(spatial))
	}
	if g := n.int("group", 1); g > 1 && g == w.Dim(0) && w.Dim(1) == 1 {
		x = k.padded(x)
	}
	w = n.once(2, func() weft.Array { return w.Transpose(append(iotas(d + 2)[2:], 1, 0)...) }, w)
	axes := spatial[:d]
	return lax.ConvGeneralDilated(x, w, lax.ConvConfig{Strides: k.strides, Padding: lax.Pads(k.pads...), RhsDilation: k.dilations, FeatureGroups: n.int("group", 1),
		Lhs: "N" + axes + "C", Rhs: axes + "IO", Out: "N" + axes + "C"})
}

func convInteger(n *node) []weft.Array {
	return one(n.integerConv(n.x(0), n.input(2), n.x(1), n.input(3)))
}

// integerConv is a convolution of integers minus their zero points, exact in 32 bits. It is
// computed in floats if the weights are known to be so small that all sums are exact.
func (n *node) integerConv(x, xzero, w, wzero weft.Array) weft.Array {
	if w.Rank() < 3 {
		n.fail(core.ErrShape, "the kernel is %v, want features, channels and sizes; reshape it", w.Shape())
	}
	kernel := n.once(1, func() weft.Array {
		k := centered(w, wzero, 0)
		if !constant(k) || k.DType() != weft.Int16 || k.Size() == 0 {
			return k.AsType(weft.Int32)
		}
		sums := lax.ReduceSum(weft.Abs(k.AsType(weft.Int32)), iotas(k.Rank())[1:]...)
		if sums.Max().AsType(weft.Float64).Float()*255 < 1<<24 {
			return k.AsType(weft.Float32)
		}
		return k.AsType(weft.Int32)
	}, w, wzero)
	return n.convolve(centered(x, xzero, 1).AsType(kernel.DType()), kernel).AsType(weft.Int32)
}

// convTranspose is the gradient of a convolution with respect to its image: a convolution of the
// image with gaps, by the reversed kernel with input and output features exchanged.
func convTranspose(n *node) []weft.Array {
	x, w := n.x(0), n.x(1)
	image := n.image(x)
	k := n.window(image, n.kernelOf(w))
	d, g := len(image), n.int("group", 1)
	more := n.ints("output_padding")
	if more == nil {
		more = repeated(0, d)
	}
	if out := n.ints("output_shape"); out != nil || k.auto == "SAME_UPPER" || k.auto == "SAME_LOWER" {
		for i := range d {
			size := image[i] * k.strides[i]
			if out != nil {
				size = out[len(out)-d+i]
			}
			total := k.strides[i]*(image[i]-1) + more[i] + k.extent(i) - size
			switch {
			case total < 0: // kernels do not reach the result's end
				k.pads[i] = [2]int{0, total}
			case k.auto == "SAME_UPPER":
				k.pads[i] = [2]int{total / 2, total - total/2}
			default:
				k.pads[i] = [2]int{total - total/2, total / 2}
			}
		}
	}
	in, per := w.Dim(0), w.Dim(1)
	if g < 1 || in%g != 0 || in != x.Dim(1) {
		n.fail(core.ErrShape, "the weights %v do not fit %v in %d groups; their axis 0 must have the operand's features, a multiple of the groups", w.Shape(), x.Shape(), g)
	}
	var y weft.Array
	if g == 1 && slices.Equal(k.kernel, k.strides) && slices.Equal(k.dilations, repeated(1, d)) && slices.Equal(k.pads, make([][2]int, d)) && slices.Equal(more, make([]int, d)) {
		y = n.patches(x, w)
	} else { // keeps its kernel under another number than patches: a node may use both, for images of different sizes
		kernel := []int(w.Shape())[2:]
		w = n.once(2, func() weft.Array {
			w := w.Reshape(slices.Concat([]int{g, in / g, per}, kernel)...).SwapAxes(1, 2).Reshape(slices.Concat([]int{g * per, in / g}, kernel)...)
			return weft.Flip(w, iotas(d + 2)[2:]...)
		}, w)
		pads := make([][2]int, d)
		for i := range d {
			pads[i] = [2]int{k.extent(i) - 1 - k.pads[i][0], k.extent(i) - 1 - k.pads[i][1] + more[i]}
		}
		y = lax.ConvGeneralDilated(x, w, lax.ConvConfig{Padding: lax.Pads(pads...), LhsDilation: k.strides, RhsDilation: k.dilations, FeatureGroups: g})
	}
	if n.has(2) {
		y = y.Add(n.x(2).Reshape(slices.Concat([]int{1, -1}, repeated(1, d))...))
	}
	return one(y)
}

// patches is a transposed convolution whose kernel moves by its own size: every element of the image
// becomes a patch of the result, which is a product of the element's features and the kernel.
func (n *node) patches(x, w weft.Array) weft.Array {
	image, kernel := []int(x.Shape())[2:], []int(w.Shape())[2:]
	in, out, d := w.Dim(0), w.Dim(1), len(image)
	places, taps := 1, 1
	order, sizes := []int{0, 1}, []int{x.Dim(0), out}
	for i := range d { // each axis of the image, then the kernel's
		places, taps = places*image[i], taps*kernel[i]
		order = append(order, 2+d+i, 2+i)
		sizes = append(sizes, image[i]*kernel[i])
	}
	w = n.once(3, func() weft.Array { return w.Reshape(in, out*taps).T() }, w)
	y := weft.Einsum("oc,bcs->bos", w, x.Reshape(x.Dim(0), in, places))
	return y.Reshape(slices.Concat([]int{x.Dim(0), out}, kernel, image)...).Transpose(order...).Reshape(sizes...)
}

// deformConv is a convolution whose kernel reads at positions that an input shifts, between the
// image's elements too.
func deformConv(n *node) []weft.Array {
	x, w, offset := n.x(0), n.x(1), n.x(2)
	image := n.image(x)
	k := n.window(image, n.kernelOf(w))
	if len(image) != 2 {
		n.fail(core.ErrNoRule, "the image has %d axes, only 2 are supported; export the model with another operator", len(image))
	}
	groups, parts := n.int("group", 1), n.int("offset_group", 1)
	batch, features := x.Dim(0), x.Dim(1)
	oh, ow := offset.Dim(2), offset.Dim(3)
	taps := k.kernel[0] * k.kernel[1]
	shift := offset.Reshape(batch, parts, taps, 2, oh, ow)
	mask := weft.OnesOf(x.DType(), batch, parts, taps, oh, ow)
	if n.has(4) {
		mask = n.x(4).Reshape(batch, parts, taps, oh, ow)
	}
	cols := make([]weft.Array, taps)
	for t := range taps {
		ky, kx := t/k.kernel[1], t%k.kernel[1]
		y := weft.Iota(x.DType(), 2, batch, parts, oh, ow).Mul(float64(k.strides[0])).Add(float64(ky*k.dilations[0] - k.pads[0][0])).Add(shift.Index(weft.R(0, batch), weft.R(0, parts), t, 0))
		z := weft.Iota(x.DType(), 3, batch, parts, oh, ow).Mul(float64(k.strides[1])).Add(float64(kx*k.dilations[1] - k.pads[1][0])).Add(shift.Index(weft.R(0, batch), weft.R(0, parts), t, 1))
		part := x.Reshape(batch*parts, features/parts, image[0], image[1])
		v := sample(part, []weft.Array{y.Reshape(batch*parts, oh*ow), z.Reshape(batch*parts, oh*ow)}, zeros)
		m := mask.Index(weft.R(0, batch), weft.R(0, parts), t).Reshape(batch*parts, 1, oh*ow)
		cols[t] = v.Mul(m).Reshape(batch, features, oh*ow)
	}
	all := weft.Stack(2, cols...) // batch, features, taps, positions
	out := w.Dim(0)
	all = all.Reshape(batch, groups, features/groups*taps, oh*ow)
	y := weft.Einsum("gok,bgkp->bgop", w.Reshape(groups, out/groups, features/groups*taps), all).Reshape(batch, out, oh, ow)
	if n.has(3) {
		y = y.Add(n.x(3).Reshape(1, -1, 1, 1))
	}
	return one(y)
}

// causalConv is a depthwise convolution that reads no later elements. Its second result is the
// elements that the next call needs as the past.
func causalConv(n *node) []weft.Array {
	x, w := n.x(0), n.x(1)
	k := w.Dim(-1)
	past := weft.ZerosOf(x.DType(), x.Dim(0), x.Dim(1), k-1)
	if n.has(3) {
		past = n.x(3)
	}
	long := weft.Concat(2, past, x)
	y := lax.ConvGeneralDilated(long, w, lax.ConvConfig{FeatureGroups: x.Dim(1)})
	if n.has(2) {
		y = y.Add(n.x(2).Reshape(1, -1, 1))
	}
	switch a := n.text("activation", "none"); a {
	case "none", "":
	case "silu", "swish":
		y = nn.Silu(y)
	default:
		n.fail(core.ErrNoRule, "the activation %q is not supported (want none, silu or swish); apply it in a node of its own", a)
	}
	return []weft.Array{y, lax.SliceInDim(long, long.Dim(2)-(k-1), long.Dim(2), 1, 2)}
}
