package linalg_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/lax"
	"github.com/weft-go/weft/linalg"
)

// hostile returns n × m numbers of a kind that factorizations find hard.
func hostile(r *rand.Rand, dt weft.DType, n, m int) weft.Array {
	kind := r.IntN(8)
	draw := func() float64 {
		switch kind {
		case 0:
			return math.Float64frombits(r.Uint64()) // any bits, also NaN and ∞
		case 1:
			return []float64{0, 1, -1, math.Inf(1), math.NaN(), math.Copysign(0, -1)}[r.IntN(6)]
		case 2:
			return math.Ldexp(r.NormFloat64(), -1060+r.IntN(60)) // subnormal
		case 3:
			return math.Ldexp(r.NormFloat64(), 1015+r.IntN(9)) // near overflow
		case 4:
			return float64(r.IntN(2)) // often singular
		case 5:
			return math.Ldexp(1, r.IntN(2000)-1000) // graded
		case 6:
			return 0
		}
		return r.NormFloat64()
	}
	x := make([]float64, n*m)
	for i := range x {
		x[i] = draw()
		if dt.Real() == weft.Float32 && kind != 0 {
			x[i] = math.Copysign(1, x[i]) * math.Sqrt(math.Abs(x[i])) // within the range of f32, mostly
		}
	}
	a := weft.FromSlice(x, n, m)
	if !dt.IsComplex() {
		return a.AsType(dt)
	}
	y := make([]float64, n*m)
	for i := range y {
		y[i] = draw()
	}
	return lax.Complex(a, weft.FromSlice(y, n, m)).AsType(dt)
}

// Of every matrix, every function ends, eagerly with a result or an error of the package, and staged with a result.
func TestHostileMatrices(t *testing.T) {
	r := rand.New(rand.NewPCG(19, 5))
	rounds := 150
	if testing.Short() {
		rounds = 30
	}
	known := func(name string, a weft.Array, err error) {
		if err != nil && !errors.Is(err, linalg.ErrSingular) && !errors.Is(err, linalg.ErrNotPositiveDefinite) && !errors.Is(err, linalg.ErrNotFinite) && !errors.Is(err, linalg.ErrNotConverged) {
			t.Errorf("%s of %v: unexpected error %v", name, a, err)
		}
	}
	staged := weft.Jit(func(a, b weft.Array) []weft.Array {
		w, v := linalg.Eigh(a)
		u, s, vh := linalg.SVD(a)
		q, rr := linalg.QR(a)
		c, cv := linalg.Eig(a)
		sign, logdet := linalg.SlogDet(a)
		tt, z := lax.Schur(a)
		return []weft.Array{linalg.Solve(a, b), linalg.Cholesky(a), linalg.Inv(a), w, v, u, s, vh, q, rr, c, cv, sign, logdet, tt, z,
			linalg.PInv(a, 0), linalg.Lstsq(a, b, 0).X, linalg.MatrixRank(a, 0), linalg.Expm(a), linalg.Sqrtm(a)}
	})
	for range rounds {
		dt := []weft.DType{weft.Float32, weft.Float64, weft.Complex64, weft.Complex128}[r.IntN(4)]
		n := r.IntN(9)
		if r.IntN(10) == 0 {
			n = 30 + r.IntN(10)
		}
		a, b := hostile(r, dt, n, n), hostile(r, dt, n, 2)
		_, err := linalg.TrySolve(a, b)
		known("TrySolve", a, err)
		_, err = linalg.TryInv(a)
		known("TryInv", a, err)
		_, err = linalg.TryCholesky(a)
		known("TryCholesky", a, err)
		_, err = linalg.TryTriangularSolve(a, b, linalg.Triangle{Lower: true})
		known("TryTriangularSolve", a, err)
		_, _, err = linalg.TryEigh(a)
		known("TryEigh", a, err)
		_, _, err = linalg.TryEig(a)
		known("TryEig", a, err)
		_, _, _, err = linalg.TrySVD(a)
		known("TrySVD", a, err)
		_, err = linalg.TryLstsq(a, b, 0)
		known("TryLstsq", a, err)
		for _, y := range staged(a, b) {
			y.Shape()
		}
	}
}
