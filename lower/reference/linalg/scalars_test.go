package linalg

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/weft-go/weft/lower/reference/internal/block"
)

// Rotations and products with scalars of real numbers have the bits of their definitions.
func TestScalarShortcuts(t *testing.T) {
	unusual := []float64{0, math.Copysign(0, -1), 1, -3, 0.1, 5e-324, -1e-310, 1e308, -1e300, math.Inf(1), math.Inf(-1), math.NaN()}
	same := func(a, b float64) bool { return math.Float64bits(a) == math.Float64bits(b) || a != a && b != b }
	f := fieldF64
	for _, a := range unusual {
		for _, b := range unusual {
			x := []float64{a}
			f.mulAll(x, f.c(b))
			if want := f.a(f.c(a).Mul(f.c(b))); !same(x[0], want) {
				t.Errorf("%v · %v: got %v, want %v", a, b, x[0], want)
			}
			if a == 0 || b == 0 {
				continue
			}
			h := block.Hypot(a, b)
			want, r := rotation{math.Abs(a) / h, b / math.Copysign(h, a)}, math.Copysign(h, a)
			if rot, got := givens(a, b); !same(got, r) || !same(rot.c, want.c) || !same(rot.s, want.s) {
				t.Errorf("givens(%v, %v): got %v %v, want %v %v", a, b, rot, got, want, r)
			}
		}
	}
}

// Complex quotients do not depend on the sign of a NaN, which differs among processors.
func TestQuotientsOfNaN(t *testing.T) {
	parts := []float64{math.NaN(), math.Inf(1), math.Inf(-1), 0, 1, -1}
	for i := range len(parts) * len(parts) * len(parts) {
		a, b, c := parts[i%6], parts[i/6%6], parts[i/36]
		quotients := func(nan float64) (x []complex128) {
			for _, d := range []complex128{complex(nan, c), complex(c, nan)} {
				q := []complex128{complex(a, b)}
				fieldC128.divide(q, d)
				x = append(x, q...)
			}
			return x
		}
		for i, x := range quotients(math.NaN()) {
			y := quotients(math.Copysign(math.NaN(), -1))[i]
			if math.Float64bits(real(x)) != math.Float64bits(real(y)) || math.Float64bits(imag(x)) != math.Float64bits(imag(y)) {
				t.Errorf("%v / (NaN and %v): got %v, and %v by −NaN", complex(a, b), c, x, y)
			}
		}
	}
}

// QR and QL take between two and two and a half iterations an eigenvalue: their shifts are Wilkinson's.
func TestTridiagonalIterations(t *testing.T) {
	const n = 60
	r := rand.New(rand.NewPCG(3, 4))
	for round := range 8 {
		d, e, zt := make([]float64, n), make([]float64, n-1), &rotator{z: make([]float64, n*n), n: n}
		for i := range d {
			d[i] = r.NormFloat64()
		}
		for i := range e {
			e[i] = r.NormFloat64()
		}
		d[0], d[n-1] = 4, 1
		if round%2 == 0 {
			d[0], d[n-1] = 1, 4
		}
		q := newTridiagonalQL(d, e, zt, n, fine)
		if q.run(); (q.dir > 0) != (round%2 == 0) {
			t.Errorf("round %d: got the direction %d from ends %v and %v", round, q.dir, d[0], d[n-1])
		}
		if used := 30*n - q.left; 2*used > 5*n {
			t.Errorf("round %d: got %d iterations, want at most %d", round, used, 5*n/2)
		}
	}
}
