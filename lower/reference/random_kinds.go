package reference

import (
	"math/bits"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim/rng"
	"github.com/weft-go/weft/lower/reference/internal/block"
)

// An rbgKey is the four words of a key of kind rbg or urbg.
type rbgKey = [4]uint32

// philoxBlock returns words 4n … 4n+3 that XLA's Philox generator draws from the state k:
// a key of 64 bits and the low half of the counter, whose upper half is the key.
func philoxBlock(k rbgKey, n int) [4]uint32 {
	key, low := uint64(k[1])<<32|uint64(k[0]), uint64(k[3])<<32|uint64(k[2])
	low, carry := bits.Add64(low, uint64(n), 0)
	high := key + carry
	return rng.Philox4x32(k[0], k[1], [4]uint32{uint32(low), uint32(low >> 32), uint32(high), uint32(high >> 32)})
}

// seedKeys computes keys of a kind other than the default one.
func seedKeys(seeds, out *block.Tensor) {
	words, l := block.Borrow[key](seeds.Size())
	defer l.Back()
	seedWords(words, seeds)
	for i, s := range words {
		switch out.DType {
		case core.KeyPhilox2x32:
			block.View[uint32](out)[i], _ = rng.Philox2x32(0, s[0], s[1])
		case core.KeyPhilox4x32:
			w := rng.Philox4x32(0, 0, [4]uint32{s[0], s[1]})
			block.View[key](out)[i] = key{w[0], w[1]}
		default:
			block.View[rbgKey](out)[i] = rbgKey{s[0], s[1], s[0], s[1]}
		}
	}
}

// splitKeys computes n new keys for each key. Each half of an rbg key splits like a key of
// the default kind. All new urbg keys come from the first key: every tenth block that it
// draws.
func splitKeys(in, out []*block.Tensor) {
	n := out[0].Size() / max(in[0].Size(), 1)
	for i := range out[0].Size() {
		from, hi, lo := i/max(n, 1), uint32(uint64(i%n)>>32), uint32(i%n)
		switch in[0].DType {
		case core.KeyPhilox2x32:
			block.View[uint32](out[0])[i], _ = rng.Philox2x32(block.View[uint32](in[0])[from], hi, lo)
		case core.KeyPhilox4x32:
			k := block.View[key](in[0])[from]
			w := rng.Philox4x32(k[0], k[1], [4]uint32{0, 0, hi, lo})
			block.View[key](out[0])[i] = key{w[0], w[1]}
		case core.KeyURBG:
			block.View[rbgKey](out[0])[i] = philoxBlock(block.View[rbgKey](in[0])[0], 10*i)
		default:
			block.View[rbgKey](out[0])[i] = halves(block.View[rbgKey](in[0])[from], hi, lo)
		}
	}
}

// halves hashes a counter under both halves of a key.
func halves(k rbgKey, hi, lo uint32) rbgKey {
	a, b := threefry(k[0], k[1], hi, lo)
	c, d := threefry(k[2], k[3], hi, lo)
	return rbgKey{a, b, c, d}
}

// foldIntoKeys combines each key with a number. A key of kind urbg is combined, by
// exclusive or, with a block drawn from the key that the first of all numbers seeds.
func foldIntoKeys(in, out []*block.Tensor) {
	d, ld := block.Spread[uint32](in[1], out[0].Shape)
	defer ld.Back()
	switch y := out[0]; y.DType {
	case core.KeyPhilox2x32:
		k, lk := block.Spread[uint32](in[0], y.Shape)
		defer lk.Back()
		for i := range k {
			block.View[uint32](y)[i], _ = rng.Philox2x32(k[i], 0, d[i])
		}
	case core.KeyPhilox4x32:
		k, lk := block.Spread[key](in[0], y.Shape)
		defer lk.Back()
		for i := range k {
			w := rng.Philox4x32(k[i][0], k[i][1], [4]uint32{3: d[i]})
			block.View[key](y)[i] = key{w[0], w[1]}
		}
	default:
		k, lk := block.Spread[rbgKey](in[0], y.Shape)
		defer lk.Back()
		at, la := block.Spread[int64](positions(in[1].Shape), y.Shape)
		defer la.Back()
		for i := range k {
			if y.DType == core.KeyRBG {
				block.View[rbgKey](y)[i] = halves(k[i], 0, d[i])
				continue
			}
			first := block.View[uint32](in[1])[0]
			w := philoxBlock(rbgKey{0, first, 0, first}, 10*int(at[i])+9)
			for j := range w {
				w[j] ^= k[i][j]
			}
			block.View[rbgKey](y)[i] = w
		}
	}
}

// positions returns an array of the given shape whose elements are their own row-major
// positions.
func positions(shape core.Dims) *block.Tensor {
	t := block.NewTensor(core.ShapedArray{Shape: shape, DType: core.Int64})
	for i, v := 0, block.View[int64](t); i < len(v); i++ {
		v[i] = int64(i)
	}
	return t
}

// drawFromKeys draws bits from keys of a kind other than the default one. For rbg and urbg
// it draws all bits from the first key.
func drawFromKeys(in, out []*block.Tensor) {
	y := out[0]
	if y.Size() == 0 {
		return
	}
	n := y.Size() / in[0].Size()
	for i := range y.Size() {
		hi, lo := uint32(uint64(i%n)>>32), uint32(i%n)
		var w, folded uint64
		switch in[0].DType {
		case core.KeyPhilox2x32:
			a, b := rng.Philox2x32(block.View[uint32](in[0])[i/n], hi, lo)
			w, folded = uint64(a)<<32|uint64(b), uint64(a^b)
		case core.KeyPhilox4x32:
			k := block.View[key](in[0])[i/n]
			x := rng.Philox4x32(k[0], k[1], [4]uint32{hi, lo})
			w, folded = uint64(x[0])<<32|uint64(x[1]), uint64(x[0]^x[1]^x[2]^x[3])
		default:
			k := block.View[rbgKey](in[0])[0]
			if y.DType == core.Uint64 {
				x := philoxBlock(k, i/2)
				w = uint64(x[2*(i%2)+1])<<32 | uint64(x[2*(i%2)])
			} else {
				folded = uint64(philoxBlock(k, i/4)[i%4])
			}
		}
		if y.DType == core.Uint64 {
			folded = w
		}
		storeBits(y, i, folded)
	}
}
