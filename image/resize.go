package image

import (
	"math"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/internal/nd"
)

// Method selects how the elements between those of an image are computed.
type Method uint8

// The methods. All but Nearest and Area weigh the elements around a point by a kernel of their
// distance.
const (
	Nearest      Method = iota // the nearest element
	Linear                     // a triangle of radius 1
	Cubic                      // Keys's cubic of radius 2, with A = −0.5
	CubicPyTorch               // Cubic, but with NoAntialias A = −0.75 and edges are repeated
	Lanczos3                   // a windowed sinc of radius 3
	Lanczos5                   // a windowed sinc of radius 5
	Area                       // the mean of what each new element covers
)

// ResizeConfig describes how an image is sampled.
type ResizeConfig struct {
	Method Method
	// NoAntialias samples an image that becomes smaller without a low-pass filter.
	NoAntialias bool
}

// Resize returns x with the given sizes, one for each axis: axes of batches and colors keep
// theirs. Integers become floats, except with Nearest.
func Resize(x weft.Array, c ResizeConfig, dims ...int) weft.Array {
	const op = "Resize"
	a := nd.ValueOf(op, x).Aval()
	checkShape(op, a, dims)
	c.check(op)
	if c.Method == Nearest {
		nd.Room(op, dims, a.DType)
		for axis, n := range dims {
			if m := x.Dim(axis); m != n {
				x = weft.Take(x, nearest(m, n), axis)
			}
		}
		return x
	}
	var scales []weft.Array
	var axes []int
	for axis, n := range dims {
		if m := x.Dim(axis); m != n {
			scale := 1.
			if n > 0 {
				scale = float64(n) / float64(m)
			}
			s := weft.Scalar(scale)
			if a.DType == weft.Float64 { // so that the weights are f64, too
				s = weft.FromSlice([]float64{scale}).Index(0)
			}
			axes, scales = append(axes, axis), append(scales, s)
		}
	}
	if len(axes) == 0 {
		return weft.FromValue(nd.Floating(op, x.Value()))
	}
	return resample(op, x, c, dims, axes, scales, make([]weft.Array, len(axes)))
}

// nearest returns for each of n elements the number of the one among m that it is in.
func nearest(m, n int) weft.Array {
	nd.Room("Resize", []int{n}, weft.Int32) // also of an array that has an empty axis
	at := make([]int32, n)
	for i := range at {
		at[i] = int32(math.Floor(float64(float32(float32(i)+0.5) * float32(m) / float32(n))))
	}
	return weft.FromSlice(at)
}

// ScaleAndTranslate returns an array of the given sizes whose element at i, along each of the
// axes, is x at (i + ½ − translation) / scale − ½. Outside of x there is 0, or the nearest edge for
// CubicPyTorch with NoAntialias. scale and translation are vectors with a number for each of the
// axes, and may be traced and differentiated.
func ScaleAndTranslate(x weft.Array, c ResizeConfig, axes []int, scale, translation weft.Array, dims ...int) weft.Array {
	const op = "ScaleAndTranslate"
	a := nd.ValueOf(op, x).Aval()
	checkShape(op, a, dims)
	c.check(op)
	if c.Method == Nearest {
		core.FailOp(core.ErrStatic, op, nil, "the method Nearest is for Resize only; choose another")
	}
	at := make([]int, len(axes))
	seen := map[int]bool{}
	for i, axis := range axes {
		at[i] = nd.Axis(op, a, axis)
		if seen[at[i]] {
			core.FailOp(core.ErrShape, op, []core.ShapedArray{a}, "axis %d is given twice; name each once", axis)
		}
		seen[at[i]] = true
	}
	for axis, n := range dims {
		if !seen[axis] && n != a.Shape.At(axis) {
			core.FailOp(core.ErrShape, op, []core.ShapedArray{a}, "axis %d changes its size from %d to %d but is not scaled; add it to the axes", axis, a.Shape.At(axis), n)
		}
	}
	s, d := nd.FloatingPair(op, nd.ValueOf(op, scale), nd.ValueOf(op, translation))
	scale, translation = weft.FromValue(s), weft.FromValue(d)
	for _, v := range []weft.Array{scale, translation} {
		if b := v.Value().Aval(); b.Shape != core.MakeDims(len(axes)) {
			core.FailOp(core.ErrShape, op, []core.ShapedArray{b}, "scale and translation must have a number for each axis (got shape %v, want [%d]); pass one for each", b.Shape, len(axes))
		}
	}
	if len(axes) == 0 {
		return weft.FromValue(nd.Floating(op, x.Value()))
	}
	return resample(op, x, c, dims, at, weft.Unstack(scale, 0), weft.Unstack(translation, 0))
}

func (c ResizeConfig) check(op string) {
	if c.Method > Area {
		core.FailOp(core.ErrStatic, op, nil, "there is no method %d; pass one of Nearest to Area", int(c.Method))
	}
}

// checkShape refuses a list that has not one size for each axis, and sizes that are negative, or
// positive for an empty axis.
func checkShape(op string, a core.ShapedArray, dims []int) {
	if len(dims) != a.Rank() {
		core.FailOp(core.ErrShape, op, []core.ShapedArray{a}, "there must be a size for each axis of %v (got %v, want %s); repeat the sizes that stay", a.Full(), dims, core.Count(a.Rank(), "size"))
	}
	for i, n := range dims {
		if n < 0 || n > 0 && a.Shape.At(i) == 0 {
			core.FailOp(core.ErrShape, op, []core.ShapedArray{a}, "axis %d of %v cannot get the size %d; give another", i, a.Full(), n)
		}
	}
}

// resample multiplies x along each of the axes by a matrix of weights.
func resample(op string, x weft.Array, c ResizeConfig, dims, axes []int, scales, translations []weft.Array) weft.Array {
	x = weft.FromValue(nd.Strong(op, nd.Floating(op, x.Value())))
	return nd.WithJAXPromotion(func() weft.Array {
		for i, axis := range axes {
			translation := translations[i]
			if translation.IsZero() {
				translation = weft.Scalar(0.)
			}
			w := c.weights(x.Dim(axis), dims[axis], scales[i], translation).AsType(x.DType())
			x = weft.Tensordot(x, w, []int{axis}, []int{0}).MoveAxis(-1, axis)
		}
		return x
	})
}

// weights returns the matrix [m, n] of the weights of m elements in n new ones.
func (c ResizeConfig) weights(m, n int, scale, translation weft.Array) weft.Array {
	inverse := weft.Div(1., scale)
	dt := inverse.DType()
	numbers := func(from, to int) weft.Array { return weft.Iota(dt, 0, to-from).Add(from) }
	center := numbers(0, n).Add(0.5).Mul(inverse).Sub(translation.Mul(inverse)).Sub(0.5)
	var w weft.Array
	switch {
	case c.Method == Area:
		left := numbers(0, n).Mul(inverse).Sub(translation.Mul(inverse))
		own := numbers(0, m).ExpandDims(-1)
		overlap := weft.Minimum(left.Add(inverse), own.Add(1)).Sub(weft.Maximum(left, own))
		w = weft.Maximum(overlap, 0)
	case c.Method == CubicPyTorch && c.NoAntialias:
		const radius = 2
		at := numbers(-radius, m+radius)
		around := cubic(weft.Abs(center.Sub(at.ExpandDims(-1))), -0.75)
		inside := weft.Clip(weft.Iota(weft.Int32, 0, m+2*radius).Sub(radius), 0, max(m-1, 0))
		// Positions outside belong to the nearest edge.
		return share(weft.Zeros(m, n).AsType(dt).At(inside).Add(around))
	default:
		x := weft.Abs(center.Sub(numbers(0, m).ExpandDims(-1)))
		if !c.NoAntialias {
			x = x.Div(weft.Maximum(inverse, 1))
		}
		w = c.kernel(x)
	}
	inside := center.Ge(-0.5).And(center.Le(float64(m) - 0.5))
	return weft.Where(inside, share(w), 0)
}

// share returns the weights of each new element divided by their sum, or 0 where that is nearly 0.
func share(w weft.Array) weft.Array {
	const least = 1000 * 0x1p-23
	sum := w.Sum(0, weft.Keep)
	return weft.Where(weft.Abs(sum).Gt(least), w.Div(weft.Where(sum.Ne(0), sum, 1)), 0)
}

// kernel returns the weight of an element at the distance x ≥ 0.
func (c ResizeConfig) kernel(x weft.Array) weft.Array {
	switch c.Method {
	case Linear:
		return weft.Maximum(weft.Sub(1, x), 0)
	case Lanczos3:
		return lanczos(x, 3)
	case Lanczos5:
		return lanczos(x, 5)
	}
	return cubic(x, -0.5)
}

// cubic returns the cubic convolution kernel with slope a at 1.
func cubic(x weft.Array, a float64) weft.Array {
	near := x.Mul(a + 2).Sub(a + 3).Mul(x).Mul(x).Add(1)
	far := x.Mul(a).Sub(5 * a).Mul(x).Add(8 * a).Mul(x).Sub(4 * a)
	return weft.Where(x.Ge(2), 0, weft.Where(x.Ge(1), far, near))
}

// lanczos returns sinc(x)·sinc(x/radius) within the radius.
func lanczos(x weft.Array, radius float64) weft.Array {
	y := weft.Sin(x.Mul(math.Pi)).Mul(radius).Mul(weft.Sin(x.Mul(math.Pi / radius)))
	y = y.Div(weft.Where(x.Ne(0), weft.Square(x).Mul(math.Pi*math.Pi), 1))
	near := 1e-4 // up to this distance the kernel is 1 to within rounding
	if x.DType() == weft.Float64 {
		near = 1e-8
	}
	return weft.Where(x.Gt(radius), 0, weft.Where(x.Gt(near), y, 1))
}
