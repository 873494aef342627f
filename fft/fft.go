// Package fft contains discrete Fourier and cosine transforms, after jax.numpy.fft, and
// convolutions by them.
//
//	spectrum := fft.RFFT(signal)          // along the last axis
//	image = fft.IFFTN(fft.FFTN(image))    // along all axes
//
// The functions take the axes, and transform over their lengths. The methods of [Config], which
// have the same names, cut or pad the axes first, or divide by other factors. Any length takes a
// time proportional to n·log n. Integers count as floats, and f16 and bf16 become f32. All
// transforms are linear and have derivatives of all orders.
package fft

import (
	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/internal/nd"
)

// Norm is a convention for the factors of transforms of length n.
type Norm uint8

// The conventions: the inverse divides by n, both directions divide by √n, the forward one
// divides by n.
const (
	Backward Norm = iota
	Ortho
	Forward
)

// Config has options of transforms. Sizes are the lengths, in the order of the axes, to which the
// axes are cut or padded with zeros at the end; for the inverse of a real spectrum they are the
// lengths of the result. Without Sizes the lengths stay. A method that would transform all axes,
// because it is called without axes, transforms only the last ones, one for each of the Sizes.
type Config struct {
	Sizes []int
	Norm  Norm
}

// FFT returns the Fourier transform of x along an axis, the last one unless one is given:
// y[k] = Σ x[j]·e^(−2πi·j·k/n).
func FFT(x weft.Array, axis ...int) weft.Array { return Config{}.FFT(x, axis...) }

// IFFT returns the inverse of [FFT].
func IFFT(x weft.Array, axis ...int) weft.Array { return Config{}.IFFT(x, axis...) }

// RFFT returns the first n/2 + 1 elements of the Fourier transform of real x along an axis, the
// last one unless one is given. The others are their conjugates.
func RFFT(x weft.Array, axis ...int) weft.Array { return Config{}.RFFT(x, axis...) }

// IRFFT returns the inverse of [RFFT], whose length is even unless Config.Sizes has another.
func IRFFT(x weft.Array, axis ...int) weft.Array { return Config{}.IRFFT(x, axis...) }

// HFFT returns the real Fourier transform of a signal whose first half is x and whose second half
// is x reversed and conjugated, along an axis, the last one unless one is given. Its length is
// even unless Config.Sizes has another.
func HFFT(x weft.Array, axis ...int) weft.Array { return Config{}.HFFT(x, axis...) }

// IHFFT returns the inverse of [HFFT].
func IHFFT(x weft.Array, axis ...int) weft.Array { return Config{}.IHFFT(x, axis...) }

// FFTN returns the Fourier transform of x along the given axes, or along all of them.
func FFTN(x weft.Array, axes ...int) weft.Array { return Config{}.FFTN(x, axes...) }

// IFFTN returns the inverse of [FFTN].
func IFFTN(x weft.Array, axes ...int) weft.Array { return Config{}.IFFTN(x, axes...) }

// RFFTN returns the Fourier transform of real x along the given axes, or along all of them. Along
// the last of these it returns the first n/2 + 1 elements.
func RFFTN(x weft.Array, axes ...int) weft.Array { return Config{}.RFFTN(x, axes...) }

// IRFFTN returns the inverse of [RFFTN], whose last length is even unless Config.Sizes has another.
func IRFFTN(x weft.Array, axes ...int) weft.Array { return Config{}.IRFFTN(x, axes...) }

// FFT2 returns the Fourier transform of x along its last two axes.
func FFT2(x weft.Array) weft.Array {
	return Config{}.transform("FFT2", x, prim.FFTForward, []int{-2, -1})
}

// IFFT2 returns the inverse of [FFT2].
func IFFT2(x weft.Array) weft.Array {
	return Config{}.transform("IFFT2", x, prim.FFTInverse, []int{-2, -1})
}

// RFFT2 returns the Fourier transform of real x along its last two axes, as [RFFTN].
func RFFT2(x weft.Array) weft.Array {
	return Config{}.transform("RFFT2", x, prim.FFTReal, []int{-2, -1})
}

// IRFFT2 returns the inverse of [RFFT2], whose last length is even.
func IRFFT2(x weft.Array) weft.Array {
	return Config{}.transform("IRFFT2", x, prim.FFTRealInverse, []int{-2, -1})
}

// FFT is [FFT] with the options of c.
func (c Config) FFT(x weft.Array, axis ...int) weft.Array {
	return c.along("FFT", x, prim.FFTForward, axis)
}

// IFFT is [IFFT] with the options of c.
func (c Config) IFFT(x weft.Array, axis ...int) weft.Array {
	return c.along("IFFT", x, prim.FFTInverse, axis)
}

// RFFT is [RFFT] with the options of c.
func (c Config) RFFT(x weft.Array, axis ...int) weft.Array {
	return c.along("RFFT", x, prim.FFTReal, axis)
}

// IRFFT is [IRFFT] with the options of c.
func (c Config) IRFFT(x weft.Array, axis ...int) weft.Array {
	return c.along("IRFFT", x, prim.FFTRealInverse, axis)
}

// swapped returns c with the conventions of forward and inverse transforms exchanged.
func (c Config) swapped() Config {
	switch c.Norm {
	case Backward:
		c.Norm = Forward
	case Forward:
		c.Norm = Backward
	}
	return c
}

// HFFT is [HFFT] with the options of c.
func (c Config) HFFT(x weft.Array, axis ...int) weft.Array {
	return c.swapped().along("HFFT", weft.Conj(x), prim.FFTRealInverse, axis)
}

// IHFFT is [IHFFT] with the options of c.
func (c Config) IHFFT(x weft.Array, axis ...int) weft.Array {
	return weft.Conj(c.swapped().along("IHFFT", x, prim.FFTReal, axis))
}

// FFTN is [FFTN] with the options of c.
func (c Config) FFTN(x weft.Array, axes ...int) weft.Array {
	return c.transform("FFTN", x, prim.FFTForward, axes)
}

// IFFTN is [IFFTN] with the options of c.
func (c Config) IFFTN(x weft.Array, axes ...int) weft.Array {
	return c.transform("IFFTN", x, prim.FFTInverse, axes)
}

// RFFTN is [RFFTN] with the options of c.
func (c Config) RFFTN(x weft.Array, axes ...int) weft.Array {
	return c.transform("RFFTN", x, prim.FFTReal, axes)
}

// IRFFTN is [IRFFTN] with the options of c.
func (c Config) IRFFTN(x weft.Array, axes ...int) weft.Array {
	return c.transform("IRFFTN", x, prim.FFTRealInverse, axes)
}

// along transforms along the one axis in axis, the last one if axis is empty.
func (c Config) along(op string, x weft.Array, kind prim.FFTKind, axis []int) weft.Array {
	return c.transform(op, x, kind, []int{nd.OneAxis(op, nd.ValueOf(op, x), axis)})
}

func (c Config) transform(op string, x weft.Array, kind prim.FFTKind, axes []int) weft.Array {
	given := nd.ValueOf(op, x).Aval()
	v := nd.Floating(op, x.Value())
	switch dt := v.Aval().DType; {
	case kind == prim.FFTReal && dt.IsComplex():
		core.FailOp(core.ErrDType, op, []core.ShapedArray{given}, "takes real numbers, got %v; use FFT or FFTN, or take Real of it", given.Full())
	case dt.Bits() < 32:
		v = prim.Convert(v, core.Float32, false)
	}
	if kind != prim.FFTReal && !v.Aval().DType.IsComplex() {
		v = prim.Convert(v, complexOf(v.Aval().DType), false)
	}
	v = prim.Convert(v, v.Aval().DType, false)
	axes = c.axesOf(op, given, axes)
	if len(axes) == 0 {
		return weft.FromValue(v)
	}
	sizes := c.sizesOf(op, given, axes, kind)
	total := 1
	for i, a := range axes {
		n := sizes[i]
		total *= n
		if kind == prim.FFTRealInverse && i == len(axes)-1 {
			n = n/2 + 1
		}
		v = resize(v, a, n)
	}
	v = fftAlong(v, kind, axes, sizes)
	return weft.FromValue(scaled(v, c.factor(kind, total)))
}
