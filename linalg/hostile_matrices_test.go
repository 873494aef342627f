package linalg_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/internal/test/samples"
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

// For every matrix every function ends: eagerly with a result or an error of the package, staged with a result.
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
			linalg.PInv(a), linalg.Lstsq(a, b).X, linalg.MatrixRank(a), linalg.Expm(a), linalg.Sqrtm(a)}
	})
	chosen := samples.Named(t, 15)
	for round := range rounds {
		dt := []weft.DType{weft.Float32, weft.Float64, weft.Complex64, weft.Complex128}[r.IntN(4)]
		n := r.IntN(9)
		if r.IntN(10) == 0 {
			n = 30 + r.IntN(10)
		}
		a, b := hostile(r, dt, n, n), hostile(r, dt, n, 2)
		if !chosen(fmt.Sprint(round)) {
			continue
		}
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
		_, err = linalg.TryLstsq(a, b)
		known("TryLstsq", a, err)
		for _, y := range staged(a, b) {
			y.Shape()
		}
	}
}

// Norms of empty matrices are 0, or errors where they are the least of several values; condition numbers of singular matrices are infinite, as in
// NumPy.
func TestNormsAtTheEdge(t *testing.T) {
	empty := weft.ZerosOf(weft.Float64, 0, 3)
	for _, order := range []linalg.Order{linalg.Frobenius, linalg.Nuclear, linalg.Spectral, linalg.MaxColumnSum, linalg.MaxRowSum} {
		if got := linalg.Norm(empty, order).Float(); got != 0 {
			t.Errorf("norm %d of no elements: got %v, want 0", order, got)
		}
	}
	inf := math.Inf(1)
	zero, ones := weft.ZerosOf(weft.Float64, 2, 2), weft.OnesOf(weft.Float64, 3, 3)
	notNumber := f64(math.NaN(), 1, 1, 2).Reshape(2, 2)
	for _, c := range []struct {
		a     weft.Array
		order linalg.Order
		want  float64
	}{
		{ones, linalg.MaxColumnSum, inf}, {ones, linalg.Frobenius, inf}, {zero, linalg.Spectral, inf}, {zero, linalg.MaxRowSum, inf},
		{notNumber, linalg.MaxColumnSum, math.NaN()}, {notNumber, linalg.Spectral, math.NaN()},
	} {
		if got := linalg.Cond(c.a, c.order).Float(); got != c.want && !(math.IsNaN(got) && math.IsNaN(c.want)) {
			t.Errorf("condition %d of %v: got %v, want %v", c.order, c.a, got, c.want)
		}
	}
	for want, f := range map[string]func(){
		"Norm: f64[0,3] has no elements, so none is the least; take another norm": func() { linalg.Norm(empty, linalg.LeastSpectral) },
		"Cond: f64[0,3] has no elements":                                          func() { linalg.Cond(empty, linalg.Spectral) },
		"MatrixPower: takes square matrices, got f64[0,3]":                        func() { linalg.MatrixPower(empty, -2) },
	} {
		if _, err := weft.Try(func() int { f(); return 0 }); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	if got := linalg.MatrixPower(weft.Eye(2), math.MinInt); !got.Equal(weft.Eye(2)) {
		t.Errorf("the least power of the identity is %v", got)
	}
}
