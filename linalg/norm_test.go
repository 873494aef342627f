package linalg_test

import (
	"math"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/linalg"
)

// Norms of f16 are computed in f32, and a negative order measures how near 0 the nearest element is.
func TestNormsAtTheEnds(t *testing.T) {
	half := weft.Of(300., 400).AsType(weft.Float16)
	inf := math.Inf(1)
	for name, c := range map[string]struct {
		got  weft.Array
		want float64
	}{
		"Frobenius in f16":       {linalg.Norm(half.Reshape(1, 2), linalg.Frobenius), 500},
		"order 2 in f16":         {linalg.VectorNorm(half, 2), 500},
		"order 4 in f16":         {linalg.VectorNorm(half.Index("0:1"), 4), 300},
		"order -1 of infinities": {linalg.VectorNorm(weft.Of(inf, inf), -1), inf},
		"order -1 of 0":          {linalg.VectorNorm(weft.Of(0., 1), -1), 0},
		"order -1":               {linalg.VectorNorm(weft.Of(1., 1), -1), 0.5},
		"order 3 of zeros":       {linalg.VectorNorm(weft.Zeros(2), 3), 0},
	} {
		if got := c.got.Float(); got != c.want {
			t.Errorf("%s: got %v, want %v", name, got, c.want)
		}
	}
	if got := linalg.VectorNorm(half, 4).DType(); got != weft.Float16 {
		t.Errorf("order 4: got %v, want f16", got)
	}
}

// A limit of steps that a counter in 32 bits cannot reach is no limit.
func TestIterationWithoutLimit(t *testing.T) {
	double := func(x weft.Array) weft.Array { return x.Mul(2) }
	type solver = func(func(weft.Array) weft.Array, weft.Array, linalg.Iteration[weft.Array]) weft.Array
	for name, solve := range map[string]solver{"CG": linalg.CG[weft.Array], "BiCGStab": linalg.BiCGStab[weft.Array], "GMRES": linalg.GMRES[weft.Array]} {
		x := solve(double, weft.Of(2., 4), linalg.Iteration[weft.Array]{MaxIter: math.MaxInt})
		if got := x.Sub(weft.Of(1., 2)); weft.Abs(got).Gt(1e-5).Any().Bool() {
			t.Errorf("%s: got %v, want [1 2]", name, x)
		}
	}
}
