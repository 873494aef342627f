package main

import "github.com/weft-go/weft"

// The inputs are those of the peers' programs: linear congruential generators.

// fill returns n numbers in [−1, 1).
func fill(n int, seed uint32) []float32 {
	v := make([]float32, n)
	s := seed*2654435761 + 12345
	for i := range v {
		s = s*1664525 + 1013904223
		v[i] = float32(s>>8)/float32(1<<23) - 1
	}
	return v
}

// fillInts returns n indices in [0, limit).
func fillInts(n, limit int, seed uint64) []int32 {
	v := make([]int32, n)
	s := seed*2654435761 + 12345
	for i := range v {
		s = s*6364136223846793005 + 1442695040888963407
		v[i] = int32((s >> 33) % uint64(limit))
	}
	return v
}

// dev returns an array of f32: the generator's numbers times scale.
func dev(seed uint32, scale float32, dims ...int) weft.Array {
	n := 1
	for _, d := range dims {
		n *= d
	}
	v := fill(n, seed)
	for i := range v {
		v[i] *= scale
	}
	return weft.FromSlice(v, dims...)
}

// later returns a function that calls dev; laterOf also converts the array to a type.
func later(seed uint32, scale float32, dims ...int) func() weft.Array {
	return func() weft.Array { return dev(seed, scale, dims...) }
}

func laterOf(dt weft.DType, seed uint32, scale float32, dims ...int) func() weft.Array {
	return func() weft.Array { return dev(seed, scale, dims...).AsType(dt) }
}

// oneHot returns n rows of k zeros with a one at an index of the generator.
func oneHot(n, k int) weft.Array {
	v := make([]float32, n*k)
	for i, j := range fillInts(n, k, 99) {
		v[i*k+int(j)] = 1
	}
	return weft.FromSlice(v, n, k)
}

func devs(first uint32, scale float32, dims [][]int) []weft.Array {
	ps := make([]weft.Array, len(dims))
	for i, d := range dims {
		ps[i] = dev(first+uint32(i), scale, d...)
	}
	return ps
}

// biasFree returns parameters whose vectors are 0.
func biasFree(first uint32, dims [][]int) []weft.Array {
	ps := devs(first, 0.05, dims)
	for i, d := range dims {
		if len(d) == 1 {
			ps[i] = weft.Zeros(d...)
		}
	}
	return ps
}
