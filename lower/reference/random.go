package reference

import (
	"math/bits"

	"github.com/weft-go/weft/core"
)

// threefry returns the hash of the counter (x0, x1) under the key (k0, k1): 20 rounds of
// threefry2x32.
func threefry(k0, k1, x0, x1 uint32) (uint32, uint32) {
	k2 := k0 ^ k1 ^ 0x1BD11BDA
	a, b := x0+k0, x1+k1
	a, b = fourRounds(a, b, 13, 15, 26, 6)
	a, b = a+k1, b+k2+1
	a, b = fourRounds(a, b, 17, 29, 16, 24)
	a, b = a+k2, b+k0+2
	a, b = fourRounds(a, b, 13, 15, 26, 6)
	a, b = a+k0, b+k1+3
	a, b = fourRounds(a, b, 17, 29, 16, 24)
	a, b = a+k1, b+k2+4
	a, b = fourRounds(a, b, 13, 15, 26, 6)
	return a + k2, b + k0 + 5
}

func fourRounds(a, b uint32, r0, r1, r2, r3 int) (uint32, uint32) {
	a += b
	b = bits.RotateLeft32(b, r0) ^ a
	a += b
	b = bits.RotateLeft32(b, r1) ^ a
	a += b
	b = bits.RotateLeft32(b, r2) ^ a
	a += b
	b = bits.RotateLeft32(b, r3) ^ a
	return a, b
}

// A key is the two words of a key, as they lie in memory.
type key = [2]uint32

// randomSeed makes keys of integers: high and low word of 64 bits, or 0 and the
// sign-extended integer of fewer.
func randomSeed(in, out []*Tensor) {
	if out[0].DType != core.Key {
		seedKeys(in[0], out[0])
		return
	}
	seedWords(View[key](out[0]), in[0])
}

// seedWords writes the words of each seed to y.
func seedWords(y []key, seeds *Tensor) { numericOf(seeds.DType).seeds(y, seeds) }

// randomSplit computes for each key k the keys T(k; n) for n from 0 on.
func randomSplit(in, out []*Tensor) {
	if in[0].DType != core.Key {
		splitKeys(in, out)
		return
	}
	y := View[key](out[0])
	n := len(y) / max(in[0].Size(), 1)
	for _, k := range View[key](in[0]) {
		for i := range y[:n] {
			a, b := threefry(k[0], k[1], uint32(uint64(i)>>32), uint32(i))
			y[i] = key{a, b}
		}
		y = y[n:]
	}
}

// randomFoldIn is T(k; d) for each key and number.
func randomFoldIn(in, out []*Tensor) {
	if in[0].DType != core.Key {
		foldIntoKeys(in, out)
		return
	}
	y := View[key](out[0])
	k, lk := spread[key](in[0], out[0].Shape)
	d, ld := spread[uint32](in[1], out[0].Shape)
	for i := range y {
		a, b := threefry(k[i][0], k[i][1], 0, d[i])
		y[i] = key{a, b}
	}
	ld.back()
	lk.back()
}

// randomBits draws bits for each key k: of T(k; n) both words for 64, else the low
// bits of their exclusive or.
func randomBits(in, out []*Tensor) {
	if in[0].DType != core.Key {
		drawFromKeys(in, out)
		return
	}
	y := out[0]
	if y.Size() == 0 {
		return
	}
	n, draw := y.Size()/in[0].Size(), numericOf(y.DType).draw
	for j, k := range View[key](in[0]) {
		draw(y, j*n, n, k)
	}
}

// drawBits writes the bits that k determines to n elements of y from element at on.
func drawBits[T unsigned](y *Tensor, at, n int, k key) {
	v := View[T](y)[at : at+n]
	if elementBytes[T]() == 8 {
		for i := range v {
			a, b := threefry(k[0], k[1], uint32(uint64(i)>>32), uint32(i))
			v[i] = T(uint64(a)<<32 | uint64(b))
		}
		return
	}
	for i := range v {
		a, b := threefry(k[0], k[1], uint32(uint64(i)>>32), uint32(i))
		v[i] = T(a ^ b)
	}
}

// threefryWords hashes element by element.
func threefryWords(in, out []*Tensor) {
	var w [4][]uint32
	var l [4]*loan
	for i, x := range in {
		w[i], l[i] = spread[uint32](x, out[0].Shape)
	}
	y0, y1 := View[uint32](out[0]), View[uint32](out[1])
	for i := range y0 {
		y0[i], y1[i] = threefry(w[0][i], w[1][i], w[2][i], w[3][i])
	}
	for _, x := range l {
		x.back()
	}
}

// spread returns x over the given shape: scalars and axes of size 1 repeat.
func spread[T any](x *Tensor, shape core.Dims) ([]T, *loan) {
	if x.Shape == shape {
		return View[T](x), nil
	}
	y, l := borrow[T](shape.Size())
	var bx, by [fewAxes]int
	var ba [fewAxes]axis
	sx, sy := rowMajor(bx[:0], x.Shape), rowMajor(by[:0], shape)
	axes := ba[:0]
	for i, n := range shape.All() {
		a := axis{n: n, d: sy[i]}
		if x.Rank() > 0 && x.Shape.At(i) != 1 {
			a.s = sx[i]
		}
		axes = append(axes, a)
	}
	if axes, ok := tidy(axes); ok {
		moveAs(y, View[T](x), 0, 0, axes)
	}
	return y, l
}
