package fft

import (
	"math"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/internal/nd"
	"github.com/weft-go/weft/lax"
)

// DCT returns the discrete cosine transform of type II of real x along an axis, the last one
// unless one is given: y[k] = 2·Σ x[j]·cos(π·k·(2j+1)/2n).
func DCT(x weft.Array, axis ...int) weft.Array { return Config{}.DCT(x, axis...) }

// IDCT returns the inverse of [DCT].
func IDCT(x weft.Array, axis ...int) weft.Array { return Config{}.IDCT(x, axis...) }

// DCT is [DCT] with the options of c. The Norm Ortho makes the transform orthogonal, Forward
// divides by 2n.
func (c Config) DCT(x weft.Array, axis ...int) weft.Array {
	x, at := c.cosineOperand("DCT", x, axis)
	return nd.WithJAXPromotion(func() weft.Array {
		n := x.Dim(-1)
		// With the even elements first, and then the odd ones in reverse, one transform of length n gives the n
		// cosines (Makhoul 1980).
		even, odd := x.Index("..., ::2"), x.Index("..., 1::2")
		y := FFT(weft.Concat(-1, even, weft.Flip(odd, -1))).Mul(rotations(x, -1)).Real()
		return movedBack(y.Mul(c.cosineFactors(x, n)), at)
	})
}

// IDCT is [IDCT] with the options of c.
func (c Config) IDCT(x weft.Array, axis ...int) weft.Array {
	x, at := c.cosineOperand("IDCT", x, axis)
	return nd.WithJAXPromotion(func() weft.Array {
		n := x.Dim(-1)
		y := x.Div(c.cosineFactors(x, n))
		// y[k] and −y[n−k] are the real and imaginary parts of the rotated spectrum; y[n] is 0.
		back := weft.Concat(-1, y.Index("..., :1").Mul(0), weft.Flip(y.Index("..., 1:"), -1))
		v := IFFT(lax.Complex(y, back.Neg()).Mul(rotations(x, 1))).Real()
		first := (n + 1) / 2
		even, odd := v.Index("...", weft.R(0, first)), weft.Flip(v.Index("...", weft.R(first, weft.End)), -1)
		if n%2 == 1 {
			odd = weft.Concat(-1, odd, v.Index("..., :1")) // one more, which is cut off again
		}
		y = weft.Stack(-1, even, odd)
		y = y.Reshape(append(append([]int{}, x.Shape()[:x.Rank()-1]...), 2*first)...)
		return movedBack(y.Index("...", weft.R(0, n)), at)
	})
}

// cosineOperand returns real floats with the axis as the last, cut or padded.
func (c Config) cosineOperand(op string, x weft.Array, axis []int) (weft.Array, int) {
	v := nd.Floating(op, nd.ValueOf(op, x))
	nd.RequireReal(op, v)
	if v.Aval().DType.Bits() < 32 {
		v = prim.Convert(v, core.Float32, false)
	}
	at := nd.OneAxis(op, v, axis)
	n := c.sizesOf(op, v.Aval(), []int{at}, prim.FFTForward)[0]
	return weft.FromValue(nd.MoveAxis(resize(v, at, n), at, -1)), at
}

func movedBack(x weft.Array, axis int) weft.Array {
	return weft.FromValue(nd.MoveAxis(x.Value(), -1, axis))
}

// rotations returns e^(sign·πi·k/2n) for each k of the last axis of x.
func rotations(x weft.Array, sign float64) weft.Array {
	n := x.Dim(-1)
	re, im := make([]float64, n), make([]float64, n)
	for k := range n {
		im[k], re[k] = math.Sincos(sign * math.Pi * float64(k) / float64(2*n))
	}
	return lax.Complex(weft.FromSlice(re, n).AsType(x.DType()), weft.FromSlice(im, n).AsType(x.DType()))
}

// cosineFactors returns the factors of the real parts of the rotated spectrum.
func (c Config) cosineFactors(x weft.Array, n int) weft.Array {
	f := make([]float64, n)
	for k := range n {
		switch {
		case c.Norm == Forward:
			f[k] = 1 / float64(n)
		case c.Norm == Backward:
			f[k] = 2
		case k == 0:
			f[k] = math.Sqrt(1 / float64(n))
		default:
			f[k] = math.Sqrt(2 / float64(n))
		}
	}
	return weft.FromSlice(f, n).AsType(x.DType())
}
