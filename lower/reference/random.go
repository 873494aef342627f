package reference

import (
	"math/bits"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/lower/reference/internal/block"
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

// A key is a key of the default kind: two words, as they lie in memory.
type key = [2]uint32

// randomSeed makes keys from integers: the high and low word of 64 bits, or 0 and the integer of fewer bits, extended
// by its sign if its type has one. For keys of other kinds see seedKeys.
func randomSeed(in, out []*block.Tensor) {
	if out[0].DType != core.Key {
		seedKeys(in[0], out[0])
		return
	}
	seedWords(block.View[key](out[0]), in[0])
}

func seedWords(y []key, seeds *block.Tensor) { numericOf(seeds.DType).seeds(y, seeds) }

// randomSplit computes for each key k the keys T(k; n) for n from 0 on, where T is threefry with n as the
// counter. For keys of other kinds see splitKeys.
func randomSplit(in, out []*block.Tensor) {
	if in[0].DType != core.Key {
		splitKeys(in, out)
		return
	}
	y := block.View[key](out[0])
	n := len(y) / max(in[0].Size(), 1)
	for _, k := range block.View[key](in[0]) {
		for i := range y[:n] {
			a, b := threefry(k[0], k[1], uint32(uint64(i)>>32), uint32(i))
			y[i] = key{a, b}
		}
		y = y[n:]
	}
}

// randomFoldIn computes T(k; d) for each key k and number d, where T is threefry with d as the counter. For keys of
// other kinds see foldIntoKeys.
func randomFoldIn(in, out []*block.Tensor) {
	if in[0].DType != core.Key {
		foldIntoKeys(in, out)
		return
	}
	y := block.View[key](out[0])
	k, lk := block.Spread[key](in[0], out[0].Shape)
	d, ld := block.Spread[uint32](in[1], out[0].Shape)
	for i := range y {
		a, b := threefry(k[i][0], k[i][1], 0, d[i])
		y[i] = key{a, b}
	}
	ld.Back()
	lk.Back()
}

// randomBits draws bits for each key k: both words of T(k; n) for elements of 64 bits, else the low bits of the
// exclusive or of the words, with T as in randomSplit. For keys of other kinds see drawFromKeys.
func randomBits(in, out []*block.Tensor) {
	if in[0].DType != core.Key {
		drawFromKeys(in, out)
		return
	}
	y := out[0]
	if y.Size() == 0 {
		return
	}
	n, draw := y.Size()/in[0].Size(), numericOf(y.DType).draw
	for j, k := range block.View[key](in[0]) {
		draw(y, j*n, n, k)
	}
}

// drawBits writes the bits that k determines to n elements of y from element `at` on.
func drawBits[T block.Unsigned](y *block.Tensor, at, n int, k key) {
	v := block.View[T](y)[at : at+n]
	if block.ElementBytes[T]() == 8 {
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

func threefryWords(in, out []*block.Tensor) {
	var w [4][]uint32
	var l [4]*block.Loan
	for i, x := range in {
		w[i], l[i] = block.Spread[uint32](x, out[0].Shape)
	}
	y0, y1 := block.View[uint32](out[0]), block.View[uint32](out[1])
	for i := range y0 {
		y0[i], y1[i] = threefry(w[0][i], w[1][i], w[2][i], w[3][i])
	}
	for _, x := range l {
		x.Back()
	}
}
