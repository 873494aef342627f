package fft

import (
	"math"
	"slices"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/internal/nd"
)

func complexOf(dt core.DType) core.DType {
	if dt == core.Float64 {
		return core.Complex128
	}
	return core.Complex64
}

// axesOf returns axes counted from the front. Without any they are the last ones, as many as c has Sizes, or all if it has none.
func (c Config) axesOf(op string, a core.ShapedArray, axes []int) []int {
	if len(axes) == 0 {
		for k := range a.Rank() {
			axes = append(axes, k)
		}
		if n := len(c.Sizes); n > 0 && n < len(axes) { // of the last axes, as in NumPy
			axes = axes[len(axes)-n:]
		}
		return axes
	}
	out := make([]int, len(axes))
	for i, k := range axes {
		out[i] = nd.Axis(op, a, k)
		if slices.Contains(out[:i], out[i]) {
			core.FailOp(core.ErrIndex, op, []core.ShapedArray{a}, "axis %d of %v occurs twice; name each axis once", k, a.Full())
		}
	}
	return out
}

func (c Config) sizesOf(op string, a core.ShapedArray, axes []int, kind prim.FFTKind) []int {
	if c.Norm > Forward {
		core.FailOp(core.ErrStatic, op, nil, "there is no norm %d; pass fft.Backward, fft.Ortho or fft.Forward", c.Norm)
	}
	if len(c.Sizes) > 0 && len(c.Sizes) != len(axes) {
		core.FailOp(core.ErrShape, op, []core.ShapedArray{a}, "Config.Sizes must have as many sizes as there are axes (got %d and %d); pass one size an axis", len(c.Sizes), len(axes))
	}
	sizes := make([]int, len(axes))
	for i, k := range axes {
		switch {
		case len(c.Sizes) > 0:
			sizes[i] = c.Sizes[i]
		case kind == prim.FFTRealInverse && i == len(axes)-1:
			sizes[i] = 2 * (a.Shape.At(k) - 1)
		default:
			sizes[i] = a.Shape.At(k)
		}
		if sizes[i] < 1 {
			core.FailOp(core.ErrShape, op, []core.ShapedArray{a}, "axis %d of %v makes a transform of length %d; lengths must be positive: set Config.Sizes", k, a.Full(), sizes[i])
		}
	}
	return sizes
}

// resize cuts an axis to n elements, or pads it with zeros at the end.
func resize(v core.Value, axis, n int) core.Value {
	have := v.Aval().Shape.At(axis)
	if have > n {
		return prim.SliceAxis(v, axis, 0, n, 1)
	}
	if have == n {
		return v
	}
	config := make([]int, 3*v.Aval().Rank())
	config[3*axis+1] = n - have
	return prim.Pad(v, nd.Num(v, 0), core.MakeDims(config...))
}

// maxAxes is how many axes the primitive transforms at once.
const maxAxes = 3

// fftAlong transforms along axes, the last one of which is that of the half spectrum of real
// transforms. If they are at most maxAxes, and the last ones of v in order, one primitive transforms
// along all of them.
func fftAlong(v core.Value, kind prim.FFTKind, axes, sizes []int) core.Value {
	r := v.Aval().Rank()
	trailing := len(axes) <= maxAxes
	for i, a := range axes {
		trailing = trailing && a == r-len(axes)+i
	}
	if trailing {
		return prim.FFT(v, kind, core.MakeDims(sizes...))
	}
	one := func(v core.Value, kind prim.FFTKind, i int) core.Value {
		a := axes[i]
		v = prim.FFT(nd.MoveAxis(v, a, -1), kind, core.MakeDims(sizes[i]))
		return nd.MoveAxis(v, -1, a)
	}
	last := len(axes) - 1
	switch kind {
	case prim.FFTReal:
		v = one(v, kind, last)
		for i := last - 1; i >= 0; i-- {
			v = one(v, prim.FFTForward, i)
		}
	case prim.FFTRealInverse:
		for i := range last {
			v = one(v, prim.FFTInverse, i)
		}
		v = one(v, kind, last)
	default:
		for i := last; i >= 0; i-- {
			v = one(v, kind, i)
		}
	}
	return v
}

// factor returns the factor of the result of the primitive, which itself divides inverses by n.
func (c Config) factor(kind prim.FFTKind, n int) float64 {
	inverse := kind == prim.FFTInverse || kind == prim.FFTRealInverse
	switch {
	case c.Norm == Ortho && inverse:
		return math.Sqrt(float64(n))
	case c.Norm == Ortho:
		return 1 / math.Sqrt(float64(n))
	case c.Norm == Forward && inverse:
		return float64(n)
	case c.Norm == Forward:
		return 1 / float64(n)
	}
	return 1
}

func scaled(v core.Value, f float64) core.Value {
	if f == 1 {
		return v
	}
	return prim.Mul(v, nd.Num(v, f))
}
