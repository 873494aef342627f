package onnx

import (
	"math"
	"slices"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
)

// images are operators on images: most read between the elements, and NonMaxSuppression selects boxes.
var images = map[string]operator{"Resize": resize, "Upsample": upsample, "GridSample": gridSample, "AffineGrid": affineGrid, "RoiAlign": roiAlign, "NonMaxSuppression": nonMaxSuppression}

type resizing struct {
	mode, transform, nearest string
	cubic, fill              float64
	exclude, antialias       bool
	sized                    bool // by sizes, not by scales
}

func upsample(n *node) []weft.Array {
	x := n.x(0)
	scales := n.floats("scales")
	if n.version >= 9 {
		scales = n.numbers(1)
	} else if scales == nil {
		scales = []float64{1, 1, n.float("height_scale", 1), n.float("width_scale", 1)}
	}
	if len(scales) != x.Rank() {
		n.fail(core.ErrShape, "there are %d scales for an operand %v; give one for each axis", len(scales), x.Shape())
	}
	mode := n.text("mode", "nearest")
	if mode == "bilinear" {
		mode = "linear"
	}
	r := resizing{mode: mode, transform: "asymmetric", nearest: "floor"}
	sizes := make([]int, len(scales))
	for i, s := range scales {
		sizes[i] = scaled(float64(x.Dim(i)), s)
	}
	return one(n.resized(x, iotas(x.Rank()), sizes, scales, nil, r))
}

// scaled returns length times scale, rounded down. As in ONNX Runtime the product is f32: 20·0.7 is 14.
func scaled(length, scale float64) int {
	return int(math.Floor(float64(float32(length) * float32(scale))))
}

// numbers returns the values of an input, which must be known while the model is traced.
func (n *node) numbers(i int) []float64 {
	x := n.x(i)
	var out []float64
	if err := core.Catch(func() { out = weft.ToSlice[float64](x.AsType(weft.Float64).Ravel()) }); err != nil {
		n.fail(core.ErrConcrete, "the values of input %d (%q) must be known while the model is traced; pass it to Bind, or call the model without Jit", i+1, n.Inputs[i])
	}
	return out
}

func resize(n *node) []weft.Array {
	x := n.x(0)
	r := resizing{mode: n.text("mode", "nearest"), transform: n.text("coordinate_transformation_mode", "half_pixel"), nearest: n.text("nearest_mode", "round_prefer_floor"),
		cubic: n.float("cubic_coeff_a", -0.75), fill: n.float("extrapolation_value", 0), exclude: n.int("exclude_outside", 0) != 0, antialias: n.int("antialias", 0) != 0}
	axes := iotas(x.Rank())
	if a := n.ints("axes"); a != nil {
		axes = n.axes(a, x.Rank())
	}
	if n.version < 11 {
		r.transform, r.nearest = "asymmetric", "ceil below 1"
	}
	var roi, scales []float64
	var sizes []int
	at := 1
	if n.version >= 11 {
		if n.has(1) && r.transform == "tf_crop_and_resize" {
			roi = n.numbers(1)
		}
		at = 2
	}
	if n.has(at) && n.x(at).Size() > 0 {
		scales = n.numbers(at)
	}
	if n.has(3) && n.x(3).Size() > 0 {
		sizes = n.known(3)
	}
	switch {
	case len(scales) == len(axes) && sizes == nil:
		sizes = make([]int, len(axes))
		for i, a := range axes {
			length := float64(x.Dim(a))
			if roi != nil {
				length *= roi[i+len(axes)] - roi[i]
			}
			sizes[i] = scaled(length, scales[i])
		}
	case len(sizes) == len(axes):
		r.sized = true
		scales = make([]float64, len(axes))
		policy := n.text("keep_aspect_ratio_policy", "stretch")
		common := math.Inf(1)
		if policy == "not_smaller" {
			common = 0
		}
		for i, a := range axes {
			scales[i] = float64(sizes[i]) / float64(x.Dim(a))
			if policy == "not_smaller" {
				common = max(common, scales[i])
			} else {
				common = min(common, scales[i])
			}
		}
		if policy != "stretch" {
			for i, a := range axes {
				scales[i] = common
				sizes[i] = int(math.Floor(common*float64(x.Dim(a)) + 0.5))
			}
		}
	default:
		n.fail(core.ErrShape, "%d scales and %d sizes for %d axes; give one of both, with a number for each axis", len(scales), len(sizes), len(axes))
	}
	return one(n.resized(x, axes, sizes, scales, roi, r))
}

// resized resizes one axis after the other: each result is the nearest element, or a weighted sum of
// some elements. Positions and weights are known while the model is traced.
func (n *node) resized(x weft.Array, axes, sizes []int, scales, roi []float64, r resizing) weft.Array {
	t := x.DType()
	outside := make([][]bool, len(axes))
	for i, a := range axes {
		in, out := x.Dim(a), sizes[i]
		if in == out && scales[i] == 1 && roi == nil {
			continue
		}
		if in == 0 || out < 0 {
			n.fail(core.ErrShape, "axis %d of %v cannot be resized to %d elements; an axis without elements cannot be resized, and sizes must not be negative", a, x.Shape(), out)
		}
		if out > 0 && !(scales[i] > 0 && scales[i] <= math.MaxFloat32) {
			n.fail(core.ErrShape, "axis %d has the scale %v; scales must be positive numbers", a, scales[i])
		}
		places := make([]float64, out)
		lo, hi := 0.0, 1.0
		if roi != nil {
			lo, hi = roi[i], roi[i+len(axes)]
		}
		outside[i] = make([]bool, out)
		for k := range places {
			places[k] = float64(r.place(float32(k), float32(in), float32(out), float32(scales[i]), float32(lo), float32(hi)))
			outside[i][k] = roi != nil && (places[k] < 0 || places[k] > float64(in-1))
		}
		if r.mode == "nearest" {
			at := make([]int, out)
			for k, p := range places {
				at[k] = max(0, min(in-1, r.round(p, scales[i])))
			}
			x = weft.Take(x, longs(at), a)
			continue
		}
		at, weights := r.taps(places, in, scales[i])
		var sum weft.Array
		y := x.AsType(wide(t))
		if y.DType().IsInteger() {
			y = y.AsType(weft.Float32)
		}
		dims := repeated(1, x.Rank())
		dims[a] = out
		for k := range at {
			part := weft.Take(y, longs(at[k]), a).Mul(weft.FromSlice(weights[k], out).AsType(y.DType()).Reshape(dims...))
			if k == 0 {
				sum = part
			} else {
				sum = sum.Add(part)
			}
		}
		x = sum
	}
	if x.DType() != t {
		if t.IsInteger() {
			x = weft.Round(x)
			x = weft.Minimum(weft.Maximum(x, lowest(t).AsType(x.DType())), highest(t).AsType(x.DType()))
		}
		x = x.AsType(t)
	}
	if roi != nil {
		for i, a := range axes {
			if outside[i] == nil {
				continue
			}
			dims := repeated(1, x.Rank())
			dims[a] = -1
			x = weft.Where(weft.FromSlice(outside[i], len(outside[i])).Reshape(dims...), scalar(r.fill, t), x)
		}
	}
	return x
}

// place maps element k of an axis of the result to a position in the operand. It computes in f32, because the rounding
// decides what is nearest. Conversions keep processors from fusing a product and a sum.
func (r resizing) place(k, in, out, scale, lo, hi float32) float32 {
	switch r.transform {
	case "align_corners":
		length := float32(scale * in) // of the result, before it was rounded
		if r.sized {
			length = out
		}
		if length != 1 {
			return float32(k*(in-1)) / (length - 1)
		}
		return 0
	case "asymmetric":
		return k / scale
	case "pytorch_half_pixel":
		if out == 1 {
			return 0
		}
	case "half_pixel_symmetric":
		adjust := out / float32(scale*in)
		return float32(in/2*(1-adjust)) + (k+0.5)/scale - 0.5
	case "tf_half_pixel_for_nn":
		return (k + 0.5) / scale
	case "tf_crop_and_resize":
		if out == 1 {
			return 0.5 * (lo + hi) * (in - 1)
		}
		return float32(lo*(in-1)) + float32(k*(hi-lo)*(in-1))/(out-1)
	}
	return (k+0.5)/scale - 0.5
}

func (r resizing) round(p, scale float64) int {
	switch {
	case r.nearest == "ceil", r.nearest == "ceil below 1" && scale < 1: // the latter is version 10
		return int(math.Ceil(p))
	case r.nearest == "floor", r.nearest == "ceil below 1":
		return int(math.Floor(p))
	case r.nearest == "round_prefer_ceil":
		return int(math.Floor(p + 0.5))
	}
	return int(math.Ceil(p - 0.5))
}

// kernel returns the weight of an element at a distance.
func (r resizing) kernel(d float64) float64 {
	d = math.Abs(d)
	if r.mode == "linear" {
		return max(0, 1-d)
	}
	a := r.cubic
	switch {
	case d <= 1:
		return (a+2)*d*d*d - (a+3)*d*d + 1
	case d < 2:
		return a*d*d*d - 5*a*d*d + 8*a*d - 4*a
	}
	return 0
}

// taps returns the elements that each result is a sum of, and their weights, which add up to 1, or to 0 if they cannot be
// normalized.
func (r resizing) taps(places []float64, in int, scale float64) (at [][]int, weights [][]float64) {
	radius, stretch := 1.0, 1.0
	if r.mode == "cubic" {
		radius = 2
	}
	if r.antialias && scale < 1 && len(places) > 0 {
		stretch = scale
	}
	reach := radius / stretch
	count := 2 * int(math.Ceil(reach))
	if stretch < 1 {
		count += 2
	}
	at, weights = make([][]int, count), make([][]float64, count)
	for t := range count {
		at[t], weights[t] = make([]int, len(places)), make([]float64, len(places))
	}
	for k, p := range places {
		first := int(math.Floor(p)) - count/2 + 1
		total := 0.0
		for t := range count {
			j := first + t
			w := r.kernel((float64(j) - p) * stretch)
			if r.exclude && (j < 0 || j >= in) {
				w = 0
			}
			at[t][k], weights[t][k] = max(0, min(in-1, j)), w
			total += w
		}
		for t := range count {
			if total != 0 {
				weights[t][k] /= total
			}
		}
	}
	return at, weights
}

// padding determines the values that sample reads outside of an image.
type padding int

const (
	zeros     padding = iota
	border            // the nearest element
	reflected         // the image mirrored at its edges
)

// sample reads images [n, c, d…] at positions between elements: one array [n, p] for each axis of
// the image. The result is [n, c, p].
func sample(x weft.Array, places []weft.Array, p padding) weft.Array {
	return sampled(x, places, p, "linear", nil)
}

// sampled reads by a mode: nearest, linear or cubic. reflect maps positions outside of an axis of a
// given size back into the axis.
func sampled(x weft.Array, places []weft.Array, p padding, mode string, reflect func(place weft.Array, size int) weft.Array) weft.Array {
	d := len(places)
	size := []int(x.Shape())[2:]
	points := places[0].Dim(1)
	flat := x.Reshape(x.Dim(0), x.Dim(1), -1)
	read := func(at []weft.Array) weft.Array { // at integers, inside or outside of the image
		inside := weft.OnesOf(weft.Bool, x.Dim(0), points)
		index := weft.ZerosOf(weft.Int64, x.Dim(0), points)
		for i, a := range at {
			if p == reflected {
				a = weft.Round(reflect(a, size[i]))
			}
			k := a.AsType(weft.Int64)
			if p == zeros {
				inside = inside.And(a.Ge(0.0)).And(a.Le(float64(size[i] - 1)))
			}
			k = weft.Clip(k, 0, size[i]-1)
			index = index.Mul(size[i]).Add(k)
		}
		v := weft.TakeAlongAxis(flat, index.Reshape(x.Dim(0), 1, points).BroadcastTo(x.Dim(0), x.Dim(1), points), 2)
		if p != zeros {
			return v
		}
		return weft.Where(inside.Reshape(x.Dim(0), 1, points), v, weft.ZerosLike(v))
	}
	var offsets []int
	var weight func(t weft.Array, k int) weft.Array // of the element k after the floor; t is the distance from the floor
	switch mode {
	case "nearest":
		rounded := make([]weft.Array, d)
		for i, a := range places {
			rounded[i] = weft.Round(a)
		}
		return read(rounded)
	case "cubic":
		offsets = []int{-1, 0, 1, 2}
		weight = func(t weft.Array, k int) weft.Array {
			const a = -0.75
			s := weft.Abs(t.Sub(float64(k)))
			if k == 0 || k == 1 {
				return s.Mul(a + 2).Sub(a + 3).Mul(s).Mul(s).Add(1.0)
			}
			return s.Mul(a).Sub(5 * a).Mul(s).Add(8 * a).Mul(s).Sub(4 * a)
		}
	default:
		offsets = []int{0, 1}
		weight = func(t weft.Array, k int) weft.Array {
			if k == 0 {
				return t.Neg().Add(1.0)
			}
			return t
		}
	}
	floors, rest := make([]weft.Array, d), make([]weft.Array, d)
	for i, a := range places {
		floors[i] = weft.Floor(a)
		rest[i] = a.Sub(floors[i])
	}
	var sum weft.Array
	each(repeated(len(offsets), d), func(at []int) {
		w, corner := weft.Array{}, make([]weft.Array, d)
		for i, k := range at {
			corner[i] = floors[i].Add(float64(offsets[k]))
			if f := weight(rest[i], offsets[k]); w.IsZero() {
				w = f
			} else {
				w = w.Mul(f)
			}
		}
		part := read(corner).Mul(w.ExpandDims(1))
		if sum.IsZero() {
			sum = part
		} else {
			sum = sum.Add(part)
		}
	})
	return sum
}

// mirror reflects positions at the edges lo and hi until they are between them.
func mirror(a weft.Array, lo, hi float64) weft.Array {
	length := hi - lo
	if length <= 0 {
		return weft.ZerosLike(a)
	}
	t := weft.Abs(a.Sub(lo))
	flips := weft.Floor(t.Div(length))
	rest := t.Sub(flips.Mul(length))
	return weft.Where(flips.Mod(2.0).Eq(0.0), rest.Add(lo), rest.Neg().Add(hi))
}

func gridSample(n *node) []weft.Array {
	x, grid := n.x(0), n.x(1)
	image := n.image(x)
	d := len(image)
	if grid.Rank() != d+2 || grid.Dim(-1) != d {
		n.fail(core.ErrShape, "the grid is %v for %v; it must have the operand's rank, and on its last axis a coordinate for each axis of the image", grid.Shape(), x.Shape())
	}
	corners := n.int("align_corners", 0) != 0
	mode := map[string]string{"linear": "linear", "bilinear": "linear", "nearest": "nearest", "cubic": "cubic", "bicubic": "cubic"}[n.text("mode", "linear")]
	p, ok := map[string]padding{"zeros": zeros, "border": border, "reflection": reflected}[n.text("padding_mode", "zeros")]
	if !ok || mode == "" {
		n.fail(core.ErrParse, "mode %q with padding_mode %q is not known; use linear, nearest or cubic with zeros, border or reflection", n.text("mode", ""), n.text("padding_mode", ""))
	}
	points := grid.Reshape(grid.Dim(0), -1, d)
	back := func(a weft.Array, size int) weft.Array {
		if corners {
			return mirror(a, 0, float64(size-1))
		}
		return mirror(a, -0.5, float64(size)-0.5)
	}
	places := make([]weft.Array, d)
	for i, size := range image { // the grid has the last axis first
		g := points.Index(weft.R(0, points.Dim(0)), weft.R(0, points.Dim(1)), d-1-i)
		if corners {
			g = g.Add(1.0).Mul(float64(size-1) / 2)
		} else {
			g = g.Add(1.0).Mul(float64(size)).Sub(1.0).Div(2.0)
		}
		switch {
		case p == border && mode != "cubic":
			g = weft.Clip(g, 0.0, float64(size-1))
		case p == reflected && mode != "cubic":
			g = back(g, size)
		}
		places[i] = g
	}
	y := sampled(x, places, p, mode, back)
	return one(y.Reshape(slices.Concat([]int{x.Dim(0), x.Dim(1)}, []int(grid.Shape())[1:d+1])...))
}

// affineGrid returns the positions to which matrices map the elements of an image.
func affineGrid(n *node) []weft.Array {
	theta, size := n.x(0), n.known(1)
	if len(size) < 3 || theta.Rank() != 3 {
		n.fail(core.ErrShape, "the matrices are %v and the size is %v, want [n,d,d+1] and d+2 numbers for d = 2 or 3; correct the size or the matrices", theta.Shape(), size)
	}
	image := size[2:]
	d := len(image)
	corners := n.int("align_corners", 0) != 0
	var axes []weft.Array
	for i := d - 1; i >= 0; i-- {
		k := weft.Iota(theta.DType(), i, image...)
		if corners {
			k = k.Mul(2 / float64(max(1, image[i]-1))).Sub(1.0)
		} else {
			k = k.Mul(2).Add(1.0).Div(float64(image[i])).Sub(1.0)
		}
		axes = append(axes, k)
	}
	axes = append(axes, weft.OnesOf(theta.DType(), image...))
	points := weft.Stack(-1, axes...).Reshape(-1, d+1)
	y := points.MatMul(theta.SwapAxes(1, 2))
	return one(y.Reshape(slices.Concat([]int{size[0]}, image, []int{d})...))
}

// roiAlign returns means or maxima of samples of parts of images.
func roiAlign(n *node) []weft.Array {
	x, rois, which := n.x(0), n.x(1), n.x(2)
	oh, ow := n.int("output_height", 1), n.int("output_width", 1)
	ratio, scale := n.int("sampling_ratio", 0), n.float("spatial_scale", 1)
	half := n.version >= 16 && n.text("coordinate_transformation_mode", "half_pixel") == "half_pixel"
	count, h, w := rois.Dim(0), x.Dim(2), x.Dim(3)
	var ys []weft.Array
	if ratio <= 0 && !constant(rois) {
		n.fail(core.ErrConcrete, "the number of samples depends on the regions, which are not known while the model is traced; call the model without Jit")
	}
	for r := range count {
		roi := rois.Index(r).Mul(scale)
		shift := 0.0
		if half {
			shift = 0.5
		}
		x1, y1 := roi.Index(0).Sub(shift), roi.Index(1).Sub(shift)
		width, height := roi.Index(2).Sub(shift).Sub(x1), roi.Index(3).Sub(shift).Sub(y1)
		if !half {
			width, height = weft.Maximum(width, 1.0), weft.Maximum(height, 1.0)
		}
		bh, bw := height.Div(float64(oh)), width.Div(float64(ow))
		sy, sx := ratio, ratio
		if ratio <= 0 {
			sy, sx = int(math.Ceil(bh.Float())), int(math.Ceil(bw.Float()))
		}
		none := sy <= 0 || sx <= 0 // a region that ends before it begins has no samples
		sy, sx = max(sy, 1), max(sx, 1)
		dims := []int{oh, ow, sy, sx}
		py := weft.Iota(x.DType(), 0, dims...).Add(weft.Iota(x.DType(), 2, dims...).Add(0.5).Div(float64(sy))).Mul(bh).Add(y1)
		px := weft.Iota(x.DType(), 1, dims...).Add(weft.Iota(x.DType(), 3, dims...).Add(0.5).Div(float64(sx))).Mul(bw).Add(x1)
		outside := py.Lt(-1.0).Or(py.Gt(float64(h))).Or(px.Lt(-1.0)).Or(px.Gt(float64(w)))
		py, px = weft.Clip(py, 0.0, float64(h-1)), weft.Clip(px, 0.0, float64(w-1))
		image := weft.Take(x, which.Index(r).Reshape(1), 0)
		v := n.roiSamples(image, py.Reshape(1, -1), px.Reshape(1, -1), n.text("mode", "avg") == "max").Reshape(slices.Concat([]int{x.Dim(1)}, dims)...)
		v = weft.Where(outside, weft.ZerosLike(v), v)
		if none {
			v = weft.ZerosLike(v)
		}
		if n.text("mode", "avg") == "max" {
			ys = append(ys, v.Max(3, 4))
		} else {
			ys = append(ys, v.Mean(3, 4))
		}
	}
	if len(ys) == 0 {
		return one(weft.ZerosOf(x.DType(), 0, x.Dim(1), oh, ow))
	}
	return one(weft.Stack(0, ys...))
}

// roiSamples interpolates. If greatest is set, it takes the greatest of the four weighted corners instead.
func (n *node) roiSamples(x, py, px weft.Array, greatest bool) weft.Array {
	if !greatest {
		return sample(x, []weft.Array{py, px}, border)
	}
	fy, fx := weft.Floor(py), weft.Floor(px)
	ry, rx := py.Sub(fy), px.Sub(fx)
	var best weft.Array
	each([]int{2, 2}, func(at []int) {
		wy, wx := ry.Neg().Add(1.0), rx.Neg().Add(1.0)
		if at[0] == 1 {
			wy = ry
		}
		if at[1] == 1 {
			wx = rx
		}
		v := sampled(x, []weft.Array{fy.Add(float64(at[0])), fx.Add(float64(at[1]))}, border, "nearest", nil).Mul(wy.Mul(wx).ExpandDims(1))
		if best.IsZero() {
			best = v
		} else {
			best = weft.Maximum(best, v)
		}
	})
	return best
}

// nonMaxSuppression keeps boxes of each class, the highest score first: those that overlap no kept box by more than a
// threshold, up to a number of boxes.
func nonMaxSuppression(n *node) []weft.Array {
	for i := range n.in {
		if n.has(i) && !constant(n.x(i)) {
			n.fail(core.ErrConcrete, "the number of boxes depends on values that are not known while the model is traced; call the model without Jit")
		}
	}
	boxes, scores := n.x(0), n.x(1)
	if boxes.Rank() != 3 || scores.Rank() != 3 || boxes.Dim(0) != scores.Dim(0) || boxes.Dim(1) != scores.Dim(2) || boxes.Dim(2) != 4 {
		n.fail(core.ErrShape, "the boxes are %v and the scores %v, want [batch, boxes, 4] and [batch, classes, boxes]; reshape them", boxes.Shape(), scores.Shape())
	}
	limit, overlap, least := 0, 0.0, math.Inf(-1)
	if n.has(2) {
		limit = n.knownOne(2)
	}
	if n.has(3) {
		overlap = n.number(3)
	}
	if n.has(4) {
		least = n.number(4)
	}
	b, s := weft.ToSlice[float64](boxes.AsType(weft.Float64).Ravel()), weft.ToSlice[float64](scores.AsType(weft.Float64).Ravel())
	batches, classes, count := scores.Dim(0), scores.Dim(1), scores.Dim(2)
	corner := func(batch, i int) (y1, x1, y2, x2 float64) {
		v := b[(batch*count+i)*4:][:4]
		if n.int("center_point_box", 0) != 0 {
			return v[1] - v[3]/2, v[0] - v[2]/2, v[1] + v[3]/2, v[0] + v[2]/2
		}
		return min(v[0], v[2]), min(v[1], v[3]), max(v[0], v[2]), max(v[1], v[3])
	}
	var out []int64
	for batch := range batches {
		for class := range classes {
			score := s[(batch*classes+class)*count:][:count]
			order := iotas(count)
			slices.SortStableFunc(order, func(i, j int) int {
				switch {
				case score[i] > score[j]:
					return -1
				case score[i] < score[j]:
					return 1
				}
				return 0
			})
			var kept []int
			for _, i := range order {
				if len(kept) >= limit {
					break
				}
				if score[i] <= least && n.has(4) {
					continue
				}
				y1, x1, y2, x2 := corner(batch, i)
				if !slices.ContainsFunc(kept, func(j int) bool {
					v1, u1, v2, u2 := corner(batch, j)
					common := max(0, min(y2, v2)-max(y1, v1)) * max(0, min(x2, u2)-max(x1, u1))
					union := (y2-y1)*(x2-x1) + (v2-v1)*(u2-u1) - common
					return union > 0 && common/union > overlap
				}) {
					kept = append(kept, i)
					out = append(out, int64(batch), int64(class), int64(i))
				}
			}
		}
	}
	return one(weft.FromSlice(out, len(out)/3, 3))
}
