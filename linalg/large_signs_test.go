package linalg_test

import (
	"fmt"
	"math/cmplx"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/internal/test/goldenfile"
	"github.com/weft-go/weft/lax"
)

// largeMatrix returns the matrix of testdata/large_signs.py.
func largeMatrix(m, n, seed int) weft.Array {
	x := make([]float64, m*n)
	for i := range x {
		seed = (seed*1103515245 + 12345) % (1 << 31)
		x[i] = float64((seed>>16)%1024-512) / 64
	}
	return weft.FromSlice(x, m, n)
}

// The signs and phases of vectors of more than 25 rows are those of LAPACK's methods of divide and conquer.
func TestSignsOfLargeVectors(t *testing.T) {
	lines := 0
	for r := range goldenfile.Records[struct {
		F, Dtype  string
		Upper     bool
		Shape, At []int
		Re, Im    []float64
	}](t, goldenfile.OpenFile(t, "testdata/large_signs.jsonl")) {
		lines++
		dt := map[string]weft.DType{"float32": weft.Float32, "float64": weft.Float64, "complex64": weft.Complex64, "complex128": weft.Complex128}[r.Dtype]
		m, n := r.Shape[0], r.Shape[1]
		a := largeMatrix(m, n, 1)
		if dt.IsComplex() {
			a = a.Add(largeMatrix(m, n, 2).Mul(1i))
		}
		var vectors []weft.Array
		if r.F == "eigh" {
			v, _ := lax.Eigh(a.AsType(dt), lax.EighConfig{Upper: r.Upper})
			vectors = append(vectors, v)
		} else {
			out := lax.SVD(a.AsType(dt), lax.SVDConfig{})
			vectors = append(vectors, out[0], out[2].T())
		}
		var got []complex128
		for _, v := range vectors {
			got = append(got, weft.ToSlice[complex128](v.AsType(weft.Complex128))...)
		}
		k := min(m, n)
		for i, at := range r.At {
			want := complex(r.Re[i], 0)
			if r.Im != nil {
				want = complex(r.Re[i], r.Im[i])
			}
			row := at
			if i >= k { // a right vector follows all rows of the left ones
				row += m
			}
			if g := got[row*k+i%k]; cmplx.Abs(g-want) > 0.002 {
				t.Errorf("%s: element %d of vector %d is %v, want %v", fmt.Sprint(r.F, " ", r.Dtype, " ", r.Shape, " upper ", r.Upper), at, i, g, want)
			}
		}
	}
	if lines != 44 {
		t.Errorf("got %d lines, want 44", lines)
	}
}
