package lax_test

import (
	"math"
	"strings"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/internal/test/arraycheck"
	"github.com/weft-go/weft/lax"
)

var f64 = arraycheck.Vector64

// near requires that two arrays differ by at most 6e-15: products of factors are sums of terms up
// to 5, the largest element, and the worst product, Q·T·Qᵀ, is off by 5 ε of 5.
func near(t *testing.T, what string, got, want weft.Array) {
	t.Helper()
	arraycheck.Within(t, what, got, want, 6e-15)
}

// Factors give the matrix again.
func TestFactorizations(t *testing.T) {
	a := f64(4., 1, 2, -1, 3, 0.5, 2, 0.25, 5).Reshape(3, 3)
	h := a.Add(a.T()).Div(2.)
	eye := weft.Eye(3).AsType(weft.Float64)

	lu, pivots, perm := lax.LU(a)
	l, u := weft.Tril(lu, -1).Add(eye), weft.Triu(lu)
	near(t, "L·U", l.MatMul(u), weft.Take(a, perm, 0))
	if got := lax.LUPivotsToPermutation(pivots, 3); got.String() != perm.String() {
		t.Errorf("the exchanges %v make %v, want %v", pivots, got, perm)
	}
	if got := lax.LUPivotsToPermutation(weft.Of(int32(-2), -1, 2), 5).String(); got != "[3 4 2 0 1]" {
		t.Errorf("rows that count from the end make %s", got)
	}

	qr := lax.QR(a, lax.QRConfig{})
	near(t, "Q·R", qr[0].MatMul(qr[1]), a)
	near(t, "Qᵀ·Q", qr[0].T().MatMul(qr[0]), eye)
	packed, taus := lax.Geqrf(a)
	near(t, "Q of its reflectors", lax.HouseholderProduct(packed, taus), qr[0])
	near(t, "Q·I", lax.Ormqr(packed, taus, eye, true, false), qr[0])

	v, w := lax.Eigh(h, lax.EighConfig{})
	near(t, "V·W·Vᵀ", v.Mul(w).MatMul(v.T()), h)
	some, values := lax.Eigh(h, lax.EighConfig{Subset: [2]int{1, 2}})
	near(t, "the second eigenvalue", values, w.Index("1:2"))
	near(t, "its vector", weft.Abs(some), weft.Abs(v.Index(":, 1:2")))
	svd := lax.SVD(a, lax.SVDConfig{})
	near(t, "U·S·Vᵀ", svd[0].Mul(svd[1]).MatMul(svd[2]), a)
	part := lax.SVD(a, lax.SVDConfig{Subset: [2]int{1, 2}})
	near(t, "the second singular value", part[1], svd[1].Index("1:2"))
	near(t, "its vectors", weft.Abs(part[0].MatMul(part[2])), weft.Abs(svd[0].Index(":, 1:2").MatMul(svd[2].Index("1:2"))))
	eig := lax.Eig(a, lax.EigConfig{Right: true})
	near(t, "A·V − V·W", a.AsType(weft.Complex128).MatMul(eig[1]).Sub(eig[1].Mul(eig[0])).Real(), eye.Mul(0.))
	s, q := lax.Schur(a)
	near(t, "Q·T·Qᵀ", q.MatMul(s).MatMul(q.T()), a)
	hess, taus := lax.Hessenberg(a)
	if taus.Len() != 2 {
		t.Errorf("Hessenberg returns the numbers of reflectors %v, want 2 of them", taus)
	}
	form := weft.Triu(hess, -1) // similar to a by a unitary matrix
	near(t, "the norm of Hessenberg's form", form.Mul(form).Sum(), a.Mul(a).Sum())
	near(t, "the trace of its cube", form.MatMul(form).MatMul(form).Mul(eye).Sum(), a.MatMul(a).MatMul(a).Mul(eye).Sum())
	_, d, e, _ := lax.Tridiagonal(h, true)
	near(t, "trace", d.Sum(), h.Mul(eye).Sum())
	near(t, "Frobenius' norm", d.Mul(d).Sum().Add(e.Mul(e).Sum().Mul(2.)), h.Mul(h).Sum())

	dl, diag, du := f64(0., 1, 2), f64(4., 5, 6), f64(1., 0.5, 0)
	full := f64(4., 1, 0, 1, 5, 0.5, 0, 2, 6).Reshape(3, 3)
	x := lax.TridiagonalSolve(dl, diag, du, a)
	near(t, "T·X", full.MatMul(x), a)
	near(t, "2·A·Aᵀ − H", lax.SymmetricProduct(a, h, 2, -1), a.MatMul(a.T()).Mul(2.).Sub(h))
}

// A transform and its inverse give the array again, and the first element is the sum.
func TestFourierTransforms(t *testing.T) {
	x := f64(1., 2, -3, 0.5, 7)
	c := x.AsType(weft.Complex128)
	f := lax.FFT(c, lax.FFTForward, 5)
	near(t, "the inverse", lax.FFT(f, lax.FFTInverse, 5).Real(), x)
	near(t, "the first element", f.Index(0).Real(), x.Sum())
	half := lax.FFT(x, lax.FFTReal, 5)
	near(t, "the half spectrum", half.Real(), f.Index(":3").Real())
	near(t, "the real inverse", lax.FFT(half, lax.FFTRealInverse, 5), x)
}

// Special functions have the values of tables.
func TestSpecialFunctions(t *testing.T) {
	v := func(x float64) weft.Array { return f64(x) }
	for what, c := range map[string]struct {
		got  weft.Array
		want float64
	}{
		"P(1, 2)":          {lax.Igamma(v(1), v(2)), 1 - math.Exp(-2)},
		"Q(1, 2)":          {lax.Igammac(v(1), v(2)), math.Exp(-2)},
		"I_.25(2, 3)":      {lax.Betainc(v(2), v(3), v(0.25)), 0.26171875},
		"zeta(2, 1)":       {lax.Zeta(v(2), v(1)), math.Pi * math.Pi / 6},
		"i0e(0)":           {lax.BesselI0e(v(0)), 1},
		"i1e(0)":           {lax.BesselI1e(v(0)), 0},
		"dP/da(1, 2)":      {lax.IgammaGradA(v(1), v(2)), derivative(func(a float64) weft.Array { return lax.Igamma(v(a), v(2)) })},
		"dx/da at P(1, 2)": {lax.RandomGammaGrad(v(1), v(2)), -derivative(func(a float64) weft.Array { return lax.Igamma(v(a), v(2)) }) / math.Exp(-2)},
	} {
		bound := 0x1p-52 * math.Abs(c.want)
		if strings.HasPrefix(what, "d") { // 18 times 2⁻⁵² over 12 steps of 1e-3, over e⁻²
			bound = 4e-12
		}
		if d := math.Abs(c.got.Index(0).Float() - c.want); !(d <= bound) {
			t.Errorf("%s is %v, want %v", what, c.got, c.want)
		}
	}
}

// derivative returns the slope of a function at 1.
func derivative(f func(a float64) weft.Array) float64 {
	const h = 1e-3
	at := func(a float64) float64 { return f(a).Index(0).Float() }
	return (8*(at(1+h)-at(1-h)) - (at(1+2*h) - at(1-2*h))) / (12 * h)
}

// Fourier transforms convert integers and floats first, and refuse unknown kinds.
func TestFFTOperands(t *testing.T) {
	if got := lax.FFT(weft.Of(1, 2, 4), lax.FFTForward, 3); got.DType() != weft.Complex64 || got.Index(0).Complex() != 7 {
		t.Errorf("the transform of integers is %v of %v, want a first element of 7", got, got.DType())
	}
	if got := lax.FFT(weft.Of(1, 2, 4), lax.FFTReal, 3); got.DType() != weft.Complex64 || got.Size() != 2 {
		t.Errorf("the half spectrum of integers is %v of %v", got, got.DType())
	}
	for want, f := range map[string]func() weft.Array{
		"fft: there is no transform 9; pass one of the constants, as lax.FFTForward":               func() weft.Array { return lax.FFT(f64(1, 2), 9, 2) },
		"fft: the transform of real numbers takes f32 or f64, got c128[2]; convert it first":       func() weft.Array { return lax.FFT(lax.FFT(f64(1, 2), lax.FFTForward, 2), lax.FFTReal, 2) },
		"the last axes of c128[2] do not fit the lengths (5,) (got (2,), want (5,)); pad or slice": func() weft.Array { return lax.FFT(f64(1, 2), lax.FFTForward, 5) },
	} {
		if _, err := weft.Try(f); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}
