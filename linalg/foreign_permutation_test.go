package linalg_test

import (
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/lax"
	"github.com/weft-go/weft/linalg"
)

// Factors whose permutation is not that of LU give NaN for rows out of range, or an error of the package.
func TestForeignPermutations(t *testing.T) {
	f := linalg.LU(weft.FromSlice([]float64{4, 1, 2, 1, 5, 3, 2, 3, 6}, 3, 3))
	b := weft.Of(1., 2, 3).AsType(weft.Float64)
	for _, c := range []struct {
		name        string
		permutation weft.Array
		err         error
	}{
		{"huge", weft.Of(int32(math.MinInt32), math.MaxInt32, 0), nil},
		{"short", weft.Of(int32(0), 1), core.ErrShape},
		{"long", weft.Of(int32(0), 1, 2, 3), core.ErrShape},
		{"batched", weft.Zeros(2, 3).AsType(weft.Int32), core.ErrShape},
		{"floats", weft.Of(float32(0), 1, 2), core.ErrDType},
	} {
		g := f
		g.Permutation = c.permutation
		x, err := weft.Try(func() weft.Array { return linalg.LUSolve(g, b) })
		if !errors.Is(err, c.err) {
			t.Errorf("%s: error is %v, want %v", c.name, err, c.err)
		}
		if err == nil && !math.IsNaN(x.Index(2).Float()) {
			t.Errorf("%s: got %v, want NaN", c.name, x)
		}
	}
}

// Exchanges with rows out of range read the nearest row and write nothing there. The results are those of JAX 0.10.2.
func TestForeignPivots(t *testing.T) {
	for _, c := range []struct {
		pivots []int32
		want   []int32
	}{
		{[]int32{5, -1, 100}, []int32{3, 3, 1, 1}}, {[]int32{2, -3, 1}, []int32{2, 0, 1, 3}}, {[]int32{1, 2, 7}, []int32{1, 2, 3, 3}},
		{[]int32{-100, 3, math.MaxInt32}, []int32{0, 3, 1, 1}}, {[]int32{math.MinInt32, 1, 2}, []int32{0, 1, 2, 3}},
	} {
		got := weft.ToSlice[int32](lax.LUPivotsToPermutation(weft.FromSlice(c.pivots, 3), 4))
		if !slices.Equal(got, c.want) {
			t.Errorf("%v: got %v, want %v", c.pivots, got, c.want)
		}
	}
}
