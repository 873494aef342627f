package rng

import (
	"math/bits"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/core/prim/internal/rule"
)

// The hashes of JAX's keys of other kinds. Operands are u32 words: those of the key, then those of
// the counter. Scalars and axes of size 1 are spread. Salmon, Moraes, Dror, Shaw, "Parallel random
// numbers: as easy as 1, 2, 3" (2011).

// Threefry4x32P is the Threefry hash of 20 rounds on four words: operands are four words of the
// key and four of the counter.
type Threefry4x32P struct{}

// Philox2x32P is the Philox hash of 10 rounds on two words: operands are one word of the key and
// two of the counter.
type Philox2x32P struct{}

// Philox4x32P is the Philox hash of 10 rounds on four words: operands are two words of the key
// and four of the counter.
type Philox4x32P struct{}

func (Threefry4x32P) Name() string { return "threefry4x32" }

func (Philox2x32P) Name() string { return "philox2x32" }

func (Philox4x32P) Name() string { return "philox4x32" }

// hashed requires n operands of u32 and returns the types of results.
func hashed(in []core.ShapedArray, n, results int) []core.ShapedArray {
	rule.Operands(in, n)
	for _, a := range in {
		if a.DType != core.Uint32 {
			core.Failf(core.ErrDType, "takes u32 words, got %v; convert them", a.Full())
		}
	}
	out := make([]core.ShapedArray, results)
	for i := range out {
		out[i] = core.ShapedArray{Shape: rule.SpreadShapes(in), DType: core.Uint32}
	}
	return out
}

func (Threefry4x32P) Abstract(in []core.ShapedArray) []core.ShapedArray { return hashed(in, 8, 4) }

func (Philox2x32P) Abstract(in []core.ShapedArray) []core.ShapedArray { return hashed(in, 3, 2) }

func (Philox4x32P) Abstract(in []core.ShapedArray) []core.ShapedArray { return hashed(in, 6, 4) }

func (Threefry4x32P) ZeroJVP() {}

func (Philox2x32P) ZeroJVP() {}

func (Philox4x32P) ZeroJVP() {}

func (Threefry4x32P) Elementwise() {}

func (Philox2x32P) Elementwise() {}

func (Philox4x32P) Elementwise() {}

func word32(n uint32) core.Value { return core.Lit(core.UintNumber(uint64(n)), core.Uint32) }

// Expand returns the cipher in arithmetic of u32.
func (Threefry4x32P) Expand(in []core.Value) []core.Value {
	k := [5]core.Value{in[0], in[1], in[2], in[3]}
	k[4] = prim.Xor(prim.Xor(prim.Xor(prim.Xor(k[0], k[1]), k[2]), k[3]), word32(0x1BD11BDA))
	var x [4]core.Value
	for i := range x {
		x[i] = prim.Add(in[4+i], k[i])
	}
	rotations := [8][2]uint32{{10, 26}, {11, 21}, {13, 27}, {23, 5}, {6, 20}, {17, 11}, {25, 10}, {18, 20}}
	mix := func(a, b core.Value, r uint32) (core.Value, core.Value) {
		a = prim.Add(a, b)
		return a, prim.Xor(prim.Or(prim.ShiftLeft(b, word32(r)), prim.ShiftRightLogical(b, word32(32-r))), a)
	}
	for round := range 20 {
		r := rotations[round%8]
		x[0], x[1] = mix(x[0], x[1], r[0])
		x[2], x[3] = mix(x[2], x[3], r[1])
		x[1], x[3] = x[3], x[1]
		if s := round/4 + 1; round%4 == 3 {
			for i := range x {
				x[i] = prim.Add(x[i], k[(s+i)%5])
			}
			x[3] = prim.Add(x[3], word32(uint32(s)))
		}
	}
	return x[:]
}

// The multipliers of Philox: on two words, and on the first and the third of four. philoxKey0 and
// philoxKey1 are added to the first and the second word of the key before each round but the
// first.
const (
	philoxTwo   = 0xD256D193
	philoxFirst = 0xD2511F53
	philoxThird = 0xCD9E8D57

	philoxRounds = 10
	philoxKey0   = 0x9E3779B9
	philoxKey1   = 0xBB67AE85
)

// Philox2x32 is [Philox2x32P] of one key and one counter.
func Philox2x32(k, x, y uint32) (uint32, uint32) {
	for range philoxRounds {
		hi, lo := bits.Mul32(philoxTwo, x)
		x, y = hi^y^k, lo
		k += philoxKey0
	}
	return x, y
}

// Expand returns the rounds in arithmetic of u32.
func (Philox2x32P) Expand(in []core.Value) []core.Value {
	k, x, y := in[0], in[1], in[2]
	for round := range philoxRounds {
		if round > 0 {
			k = prim.Add(k, word32(philoxKey0))
		}
		hi, lo := multiplyWords(x, philoxTwo)
		x, y = prim.Xor(prim.Xor(hi, k), y), lo
	}
	return []core.Value{x, y}
}

// Philox4x32 is [Philox4x32P] of one key and one counter.
func Philox4x32(k0, k1 uint32, x [4]uint32) [4]uint32 {
	for range philoxRounds {
		h0, l0 := bits.Mul32(philoxFirst, x[0])
		h1, l1 := bits.Mul32(philoxThird, x[2])
		x = [4]uint32{h1 ^ x[1] ^ k0, l1, h0 ^ x[3] ^ k1, l0}
		k0, k1 = k0+philoxKey0, k1+philoxKey1
	}
	return x
}

// Expand returns the rounds in arithmetic of u32.
func (Philox4x32P) Expand(in []core.Value) []core.Value {
	k0, k1 := in[0], in[1]
	x := [4]core.Value{in[2], in[3], in[4], in[5]}
	for round := range philoxRounds {
		if round > 0 {
			k0, k1 = prim.Add(k0, word32(philoxKey0)), prim.Add(k1, word32(philoxKey1))
		}
		h0, l0 := multiplyWords(x[0], philoxFirst)
		h1, l1 := multiplyWords(x[2], philoxThird)
		x = [4]core.Value{prim.Xor(prim.Xor(h1, x[1]), k0), l1, prim.Xor(prim.Xor(h0, x[3]), k1), l0}
	}
	return x[:]
}

func multiplyWords(x core.Value, m uint32) (hi, lo core.Value) {
	w := prim.BroadcastInDim(word32(m), x.Aval().Shape, core.Dims{})
	return prim.MulHi(x, w), prim.Mul(x, w)
}
