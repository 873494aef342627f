package lax

import (
	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/core/prim/rng"
)

// Functions of random keys, arrays of dtype key<fry>. For an array of keys they return an array of
// results.

// RandomSeed makes keys from integers.
func RandomSeed[T weft.Operand](seed T) weft.Array { return wrap(rng.RandomSeed(value(seed))) }

// RandomWrap makes keys from pairs of u32 words, which lie along the last axis.
func RandomWrap(words weft.Array) weft.Array { return wrap(prim.RandomWrap(words.Value())) }

// RandomUnwrap returns the two u32 words of keys, along a new last axis.
func RandomUnwrap(key weft.Array) weft.Array { return wrap(prim.RandomUnwrap(key.Value())) }

// RandomSplit derives an array of new keys, of the given shape, from a key.
func RandomSplit(key weft.Array, shape ...int) weft.Array {
	return wrap(rng.RandomSplit(key.Value(), core.MakeDims(shape...)))
}

// RandomFoldIn derives a new key from a key and a u32 number.
func RandomFoldIn[T weft.Operand](key weft.Array, data T) weft.Array {
	return wrap(rng.RandomFoldIn(key.Value(), value(data)))
}

// RandomBits draws unsigned integers of 8, 16, 32 or 64 bits.
func RandomBits(key weft.Array, bitWidth int, shape ...int) weft.Array {
	return wrap(rng.RandomBits(key.Value(), bitWidth, core.MakeDims(shape...)))
}

// RandomClone returns the key itself; the check for reused keys treats it as a new one.
func RandomClone(key weft.Array) weft.Array { return wrap(rng.RandomClone(key.Value())) }

// Threefry2x32 hashes the counter (x0, x1) under the key (k0, k1): all are u32.
func Threefry2x32(k0, k1, x0, x1 weft.Array) (y0, y1 weft.Array) {
	a, b := rng.Threefry2x32(k0.Value(), k1.Value(), x0.Value(), x1.Value())
	return wrap(a), wrap(b)
}
