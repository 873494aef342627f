package product

import (
	"math"

	"github.com/weft-go/weft/lower/reference/internal/block"
	"github.com/weft-go/weft/lower/scalar"
)

// DotChunk is the length of a chunk in the canonical order of dot and conv. The K products of an
// element of the result are taken in row-major order of the contracted axes, in chunks: each chunk is
// one chain of fused multiply-adds from +0, and the chunks' results are added to +0 from left to
// right, so that the sum is never −0. The last chunk may be short. Sums of f16, bf16 and smaller
// floats are computed in f32 and rounded once. A product (a + bi)(c + di) of complex numbers takes
// four fused multiply-adds: re = fma(a, c, re), then re = fma(−b, d, re) for the real part,
// im = fma(a, d, im), then im = fma(b, c, im) for the imaginary part. Integers wrap; for bools it is
// the or of ands.
const DotChunk = 128

// A DotKernel adds the chunks of a · b[j·k : (j+1)·k] to c[j], for all j of c and k = len(a). A product of many
// chunks may be computed by several calls, of whole chunks each.
type DotKernel[A any] func(c, a, b []A)

// mulAdd returns x·y + z in f64: the product is exact, the sum rounded.
func mulAdd(x, y, z float32) float64 { return float64(float64(x)*float64(y)) + float64(z) }

// twice reports whether rounding the f64 that mulAdd returned to f32 might round twice:
// if it lies midway between two f32 or is subnormal as one. Then scalar.FMA32 rounds once
// instead. Zeros are common, and right in f64.
func twice(s float64) bool {
	b := math.Float64bits(s)
	return b&(1<<29-1) == 1<<28 || b<<1-1 < (1023-126)<<53-1
}

func DotF32(c, a, b []float32) {
	k := len(a)
	j := 0
	for ; j+4 <= len(c); j += 4 {
		dotF32x4(c[j:j+4:j+4], a, b[j*k:(j+1)*k], b[(j+1)*k:(j+2)*k], b[(j+2)*k:(j+3)*k], b[(j+3)*k:(j+4)*k])
	}
	for ; j < len(c); j++ {
		c[j] = dot1F32(c[j], a, b[j*k:(j+1)*k])
	}
	block.Canon(c)
}

// dotF32x4 computes four results, whose chains do not wait for each other.
func dotF32x4(c, a, b0, b1, b2, b3 []float32) {
	t0, t1, t2, t3 := c[0], c[1], c[2], c[3]
	for lo := 0; lo < len(a); lo += DotChunk {
		hi := min(lo+DotChunk, len(a))
		x := a[lo:hi]
		y0, y1, y2, y3 := b0[lo:hi], b1[lo:hi], b2[lo:hi], b3[lo:hi]
		y0, y1, y2, y3 = y0[:len(x)], y1[:len(x)], y2[:len(x)], y3[:len(x)]
		var s0, s1, s2, s3 float32
		for i, v := range x {
			u0, u1, u2, u3 := mulAdd(v, y0[i], s0), mulAdd(v, y1[i], s1), mulAdd(v, y2[i], s2), mulAdd(v, y3[i], s3)
			if twice(u0) || twice(u1) || twice(u2) || twice(u3) {
				s0, s1, s2, s3 = scalar.FMA32(v, y0[i], s0), scalar.FMA32(v, y1[i], s1), scalar.FMA32(v, y2[i], s2), scalar.FMA32(v, y3[i], s3)
				continue
			}
			s0, s1, s2, s3 = float32(u0), float32(u1), float32(u2), float32(u3)
		}
		t0, t1, t2, t3 = t0+s0, t1+s1, t2+s2, t3+s3
	}
	c[0], c[1], c[2], c[3] = t0, t1, t2, t3
}

// dot1F32 adds the dot product of a and b to t. It computes four chunks at once, which do not wait for each other.
func dot1F32(t float32, a, b []float32) float32 {
	b = b[:len(a)]
	for len(a) >= 4*DotChunk {
		x0, x1, x2, x3 := a[:DotChunk], a[DotChunk:2*DotChunk], a[2*DotChunk:3*DotChunk], a[3*DotChunk:4*DotChunk]
		y0, y1, y2, y3 := b[:DotChunk], b[DotChunk:2*DotChunk], b[2*DotChunk:3*DotChunk], b[3*DotChunk:4*DotChunk]
		var s0, s1, s2, s3 float32
		for i := range DotChunk {
			u0, u1, u2, u3 := mulAdd(x0[i], y0[i], s0), mulAdd(x1[i], y1[i], s1), mulAdd(x2[i], y2[i], s2), mulAdd(x3[i], y3[i], s3)
			if twice(u0) || twice(u1) || twice(u2) || twice(u3) {
				s0, s1, s2, s3 = scalar.FMA32(x0[i], y0[i], s0), scalar.FMA32(x1[i], y1[i], s1), scalar.FMA32(x2[i], y2[i], s2), scalar.FMA32(x3[i], y3[i], s3)
				continue
			}
			s0, s1, s2, s3 = float32(u0), float32(u1), float32(u2), float32(u3)
		}
		t = t + s0
		t = t + s1
		t = t + s2
		t = t + s3
		a, b = a[4*DotChunk:], b[4*DotChunk:]
	}
	for len(a) > 0 {
		n := min(DotChunk, len(a))
		var s float32
		y := b[:n]
		for i, v := range a[:n] {
			s = scalar.FMA32(v, y[i], s)
		}
		t += s
		a, b = a[n:], b[n:]
	}
	return t
}

func DotF64(c, a, b []float64) {
	k := len(a)
	j := 0
	for ; j+4 <= len(c); j += 4 {
		dotF64x4(c[j:j+4:j+4], a, b[j*k:(j+1)*k], b[(j+1)*k:(j+2)*k], b[(j+2)*k:(j+3)*k], b[(j+3)*k:(j+4)*k])
	}
	for ; j < len(c); j++ {
		c[j] = dot1F64(c[j], a, b[j*k:(j+1)*k])
	}
	block.Canon(c)
}

func dotF64x4(c, a, b0, b1, b2, b3 []float64) {
	t0, t1, t2, t3 := c[0], c[1], c[2], c[3]
	for lo := 0; lo < len(a); lo += DotChunk {
		hi := min(lo+DotChunk, len(a))
		x := a[lo:hi]
		y0, y1, y2, y3 := b0[lo:hi], b1[lo:hi], b2[lo:hi], b3[lo:hi]
		y0, y1, y2, y3 = y0[:len(x)], y1[:len(x)], y2[:len(x)], y3[:len(x)]
		var s0, s1, s2, s3 float64
		for i, v := range x {
			s0 = math.FMA(v, y0[i], s0)
			s1 = math.FMA(v, y1[i], s1)
			s2 = math.FMA(v, y2[i], s2)
			s3 = math.FMA(v, y3[i], s3)
		}
		t0, t1, t2, t3 = t0+s0, t1+s1, t2+s2, t3+s3
	}
	c[0], c[1], c[2], c[3] = t0, t1, t2, t3
}

func dot1F64(t float64, a, b []float64) float64 {
	for len(a) > 0 {
		n := min(DotChunk, len(a))
		var s float64
		y := b[:n]
		for i, v := range a[:n] {
			s = math.FMA(v, y[i], s)
		}
		t += s
		a, b = a[n:], b[n:]
	}
	return t
}

func DotC64(c, a, b []complex64) {
	k := len(a)
	for j := range c {
		y := b[j*k : (j+1)*k]
		tr, ti := real(c[j]), imag(c[j])
		for lo := 0; lo < k; lo += DotChunk {
			var re, im float32
			for i := lo; i < min(lo+DotChunk, k); i++ {
				p, q := a[i], y[i]
				re = scalar.FMA32(real(p), real(q), re)
				re = scalar.FMA32(-imag(p), imag(q), re)
				im = scalar.FMA32(real(p), imag(q), im)
				im = scalar.FMA32(imag(p), real(q), im)
			}
			tr += re
			ti += im
		}
		c[j] = complex(tr, ti)
	}
	block.Canon(c)
}

func DotC128(c, a, b []complex128) {
	k := len(a)
	for j := range c {
		y := b[j*k : (j+1)*k]
		tr, ti := real(c[j]), imag(c[j])
		for lo := 0; lo < k; lo += DotChunk {
			var re, im float64
			for i := lo; i < min(lo+DotChunk, k); i++ {
				p, q := a[i], y[i]
				re = math.FMA(real(p), real(q), re)
				re = math.FMA(-imag(p), imag(q), re)
				im = math.FMA(real(p), imag(q), im)
				im = math.FMA(imag(p), real(q), im)
			}
			tr += re
			ti += im
		}
		c[j] = complex(tr, ti)
	}
	block.Canon(c)
}

// DotInt serves unsigned integers too: both kinds wrap to the same bits.
func DotInt(c, a, b []int64) {
	k := len(a)
	for j := range c {
		t := c[j]
		y := b[j*k : (j+1)*k]
		for i, v := range a {
			t += v * y[i]
		}
		c[j] = t
	}
}

func DotBool(c, a, b []int64) {
	k := len(a)
	for j := range c {
		t := c[j]
		y := b[j*k : (j+1)*k]
		for i, v := range a {
			t |= v & y[i]
		}
		c[j] = t
	}
}
