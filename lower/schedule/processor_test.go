package schedule

import "testing"

// Processors as runtime/cpu describes them.
var (
	avx512  = Processor{Threads: 1, Vector: 64, Registers: 32, Wide: 2, Rate: 90, Statement: 0.023}
	amx     = Processor{Threads: 1, Vector: 64, Registers: 32, Wide: 2, Rate: 90, Statement: 0.023, Dots: true, Matrices: func() bool { return true }}
	avx2    = Processor{Threads: 1, Vector: 32, Registers: 15, Wide: 4, Rate: 45, Statement: 0.046}
	simd128 = Processor{Threads: 1, Vector: 16, Registers: 15, Wide: 3, Early: true, Rate: 22, Statement: 0.15}
)

// Register tiles leave room for the vectors of B and the elements of A.
func TestTileRows(t *testing.T) {
	for _, c := range []struct {
		name string
		m    Processor
		e    Element
		vecs int
		want int
	}{
		{"f32, one vector", avx512, F32, 1, 16},
		{"f32, two vectors", avx512, F32, 2, 14},
		{"f32, four vectors", avx512, F32, 4, 6},
		{"f32, a row of B in memory", avx512, F32, 16, 1},
		{"f32, more sums than registers", avx512, F32, 31, 0},
		{"f32, two vectors of AVX2", avx2, F32, 2, 6},
		{"i32, two vectors of AVX2", avx2, I32, 2, 5},
		{"i64, two vectors of AVX2", avx2, I64, 2, 4},
		{"i64, two vectors", avx512, I64, 2, 14},
		{"i64, more vectors than registers", avx2, I64, 8, 0},
		{"f32, a vector, elements of A at once", simd128, F32, 1, 7},
		{"f32, two vectors, elements of A at once", simd128, F32, 2, 4},
		{"f32, three vectors, elements of A at once", simd128, F32, 3, 3},
		{"i32, two vectors, elements of A at once", simd128, I32, 2, 4},
		{"i64, two vectors, elements of A at once", simd128, I64, 2, 3},
		{"pairs of bf16", avx512, BF16Pair, 2, 14},
		{"pairs of i16", avx2, I16Pair, 2, 5},
	} {
		if got := c.m.TileRows(c.e, c.vecs); got != c.want {
			t.Errorf("%s: got %d rows, want %d", c.name, got, c.want)
		}
	}
}
