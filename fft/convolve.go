package fft

import (
	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/internal/nd"
)

// Mode selects the part of a convolution that is returned.
type Mode uint8

// The parts: the elements where the arrays overlap at all; of these the middle ones, as many as the
// first array has; those where the arrays overlap fully.
const (
	Full Mode = iota
	Same
	Valid
)

// Convolve returns the sums of x[i]·y[k−i] for each k, over all axes, as products of spectra. It
// takes a time proportional to n·log n. Each element has an error relative to the largest ones:
// for short y, and where small sums beside large ones must be accurate, use a direct convolution.
func Convolve(x, y weft.Array, mode Mode) weft.Array {
	const op = "Convolve"
	a, b := nd.ValueOf(op, x), nd.ValueOf(op, y)
	a, b = nd.FloatingPair(op, a, b)
	s, u := a.Aval().Shape, b.Aval().Shape
	if s.Len() != u.Len() || s.Len() == 0 {
		core.FailOp(core.ErrShape, op, core.AvalsOf([]core.Value{a, b}), "%v and %v must have the same number of axes, 1 or more; reshape one of them", a.Aval().Full(), b.Aval().Full())
	}
	if mode > Valid {
		core.FailOp(core.ErrStatic, op, nil, "there is no mode %d; pass fft.Full, fft.Same or fft.Valid", mode)
	}
	if mode == Valid && !covers(s, u) {
		if !covers(u, s) {
			core.FailOp(core.ErrShape, op, core.AvalsOf([]core.Value{a, b}), "neither of %v and %v covers the other along every axis, as Valid requires; use Full or Same", a.Aval().Full(), b.Aval().Full())
		}
		a, b, s, u = b, a, u, s
	}
	real := !a.Aval().DType.IsComplex()
	c := Config{}
	var axes, lo, n []int
	for k := range s.Len() {
		p, q := s.At(k), u.At(k)
		if p == 0 || q == 0 {
			core.FailOp(core.ErrShape, op, core.AvalsOf([]core.Value{a, b}), "axis %d of %v or %v is empty; pass elements", k, a.Aval().Full(), b.Aval().Full())
		}
		axes = append(axes, k)
		c.Sizes = append(c.Sizes, fastLength(p+q-1))
		switch mode {
		case Same:
			lo, n = append(lo, (q-1)/2), append(n, p)
		case Valid:
			lo, n = append(lo, q-1), append(n, p-q+1)
		default:
			lo, n = append(lo, 0), append(n, p+q-1)
		}
	}
	forward, inverse := prim.FFTForward, prim.FFTInverse
	if real {
		forward, inverse = prim.FFTReal, prim.FFTRealInverse
	}
	ya := c.transform(op, weft.FromValue(a), forward, axes)
	yb := c.transform(op, weft.FromValue(b), forward, axes)
	v := c.transform(op, weft.FromValue(prim.Mul(ya.Value(), yb.Value())), inverse, axes).Value()
	for k := range axes {
		v = prim.SliceAxis(v, k, lo[k], lo[k]+n[k], 1)
	}
	if dt := a.Aval().DType; v.Aval().DType != dt {
		v = prim.Convert(v, dt, false)
	}
	return weft.FromValue(v)
}

// covers reports whether no axis of s is shorter than that of u.
func covers(s, u core.Dims) bool {
	for k := range s.Len() {
		if s.At(k) < u.At(k) {
			return false
		}
	}
	return true
}

// fastLength returns the least number ≥ n that has no prime factors but 2, 3 and 5.
func fastLength(n int) int {
	for ; ; n++ {
		m := n
		for _, p := range []int{2, 3, 5} {
			for m%p == 0 {
				m /= p
			}
		}
		if m == 1 {
			return n
		}
	}
}
