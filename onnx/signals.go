package onnx

import (
	"math"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/fft"
	"github.com/weft-go/weft/lax"
)

var signals = map[string]operator{
	"DFT": dft, "STFT": stft, "MelWeightMatrix": melWeights,
	"HannWindow":     raised(0.5, 0.5, 0),
	"HammingWindow":  raised(25.0/46, 21.0/46, 0),
	"BlackmanWindow": raised(0.42, 0.5, 0.08),
}

// complexOf returns complex numbers whose real and, perhaps, imaginary parts lie along the last axis of x.
func (n *node) complexOf(x weft.Array) weft.Array {
	switch x.Dim(-1) {
	case 1:
		re := x.Squeeze(-1)
		return lax.Complex(re, weft.ZerosLike(re))
	case 2:
		parts := weft.Split(x, x.Rank()-1, 1, 1)
		return lax.Complex(parts[0].Squeeze(-1), parts[1].Squeeze(-1))
	}
	n.fail(core.ErrShape, "the operand is %v, want 1 (real) or 2 (complex) parts along the last axis; add that axis", x.Shape())
	return x
}

func parts(z weft.Array) weft.Array { return weft.Stack(-1, z.Real(), z.Imag()) }

func dft(n *node) []weft.Array {
	x := n.x(0)
	t := x.DType()
	if wide(t) != t {
		x = x.AsType(weft.Float32)
	}
	at := n.int("axis", 1)
	if n.version >= 20 {
		at = -2
		if n.has(2) {
			at = n.knownOne(2)
		}
	}
	axis := n.axis(at, x.Rank())
	if axis == x.Rank()-1 {
		n.fail(core.ErrAxis, "the last axis is that of the parts of complex numbers; transform along another one")
	}
	inverse, onesided := n.int("inverse", 0) != 0, n.int("onesided", 0) != 0
	length := x.Dim(axis)
	if inverse && onesided {
		length = 2 * (x.Dim(axis) - 1)
	}
	if n.has(1) {
		length = n.knownOne(1)
	}
	resize := func(z weft.Array, size int) weft.Array {
		widths := make([][3]int, z.Rank())
		widths[axis] = [3]int{0, size - z.Dim(axis), 0}
		return lax.Pad(z, weft.Scalar(0).AsType(z.DType()), widths...)
	}
	switch {
	case inverse && onesided:
		z := n.complexOf(x)
		full := fft.Config{Sizes: []int{length}}.IRFFT(z, axis)
		return one(full.AsType(t).ExpandDims(-1))
	case inverse:
		return one(parts(fft.IFFT(resize(n.complexOf(x), length), axis)).AsType(t))
	case onesided && x.Dim(-1) == 1:
		return one(parts(fft.RFFT(resize(x.Squeeze(-1), length), axis)).AsType(t))
	}
	z := fft.FFT(resize(n.complexOf(x), length), axis)
	if onesided {
		z = lax.SliceInDim(z, 0, length/2+1, 1, axis)
	}
	return one(parts(z).AsType(t))
}

func stft(n *node) []weft.Array {
	x, step := n.x(0), n.knownOne(1)
	length := 0
	window := n.input(2)
	if !window.IsZero() {
		length = window.Dim(0)
	}
	if n.has(3) {
		length = n.knownOne(3)
	}
	if x.Rank() == 2 {
		x = x.ExpandDims(-1)
	}
	if length < 1 || step < 1 || length > x.Dim(1) {
		n.fail(core.ErrShape, "frames of %d in steps of %d do not fit a signal of %d; use shorter frames and a positive step", length, step, x.Dim(1))
	}
	frames := (x.Dim(1)-length)/step + 1
	at := weft.Iota(weft.Int64, 0, frames, length).Mul(step).Add(weft.Iota(weft.Int64, 1, frames, length))
	y := weft.Take(x, at, 1) // batch, frames, length, parts
	if !window.IsZero() {
		y = y.Mul(window.Reshape(1, 1, length, 1))
	}
	z := fft.FFT(n.complexOf(y), 2)
	if n.int("onesided", 1) != 0 {
		z = lax.SliceInDim(z, 0, length/2+1, 1, 2)
	}
	return one(parts(z).AsType(x.DType()))
}

// raised makes an operator of a window a − b·cos(2πk/n) + c·cos(4πk/n). n is the size of a periodic window,
// and one less for others.
func raised(a, b, c float64) operator {
	return func(n *node) []weft.Array {
		size := n.knownOne(0)
		if size < 0 {
			n.fail(core.ErrShape, "the window has %d elements; the size must not be negative", size)
		}
		period := float64(size)
		if n.int("periodic", 1) == 0 {
			period--
		}
		out := make([]float64, size)
		for k := range out {
			out[k] = a - b*math.Cos(2*math.Pi*float64(k)/period) + c*math.Cos(4*math.Pi*float64(k)/period)
		}
		return one(weft.FromSlice(out, size).AsType(n.dtype("output_datatype", weft.Float32)))
	}
}

// melWeights returns triangular filters whose corners are at equal distances on the mel scale.
func melWeights(n *node) []weft.Array {
	bins, length := n.knownOne(0), n.knownOne(1)
	value := func(i int) weft.Array { return n.x(i).Reshape().AsType(weft.Float64) }
	mel := func(f weft.Array) weft.Array { return weft.Log10(f.Div(700.0).Add(1.0)).Mul(2595.0) }
	lo := mel(value(3))
	step := mel(value(4)).Sub(lo).Div(float64(bins + 2))
	f := weft.Pow(10.0, weft.Iota(weft.Float64, 0, bins+2).Mul(step).Add(lo).Div(2595.0)).Sub(1.0).Mul(700.0)
	corners := weft.Floor(f.Mul(float64(length + 1)).Div(value(2)))
	corner := func(i int) weft.Array { return corners.Index(weft.R(i, i+bins)) }
	from, centre, to := corner(0), corner(1), corner(2)
	j := weft.Iota(weft.Float64, 0, length/2+1, bins)
	zero, one1 := weft.ZerosLike(j), weft.OnesLike(j)
	apart := func(a, b weft.Array) weft.Array { return weft.Maximum(b.Sub(a), 1.0) }
	up := weft.Where(j.Ge(from).And(j.Le(centre)), j.Sub(from).Div(apart(from, centre)), zero)
	up = weft.Where(from.Eq(centre).And(j.Eq(centre)), one1, up)
	down := weft.Where(j.Ge(centre).And(j.Lt(to)), to.Sub(j).Div(apart(centre, to)), zero)
	y := weft.Where(j.Ge(centre).And(j.Lt(to)), down, up)
	return one(y.AsType(n.dtype("output_datatype", weft.Float32)))
}
