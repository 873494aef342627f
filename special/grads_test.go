package special_test

import (
	"math"
	"strings"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/internal/test/arraycheck"
	"github.com/weft-go/weft/internal/test/testcheck"
	"github.com/weft-go/weft/special"
	"github.com/weft-go/weft/wefttest"
)

var f64 = arraycheck.Vector64

// xy are two operands.
type xy struct{ X, Y weft.Array }

func TestGradients(t *testing.T) {
	middle := f64(0.3, 0.8, 1.7, 4.2)
	unit := f64(0.03, 0.2, 0.55, 0.9)
	for name, c := range map[string]struct {
		f func(weft.Array) weft.Array
		x weft.Array
	}{
		"Erf": {special.Erf, middle}, "Erfc": {special.Erfc, middle}, "ErfInv": {special.ErfInv, unit},
		"Gammaln": {special.Gammaln, middle}, "Digamma": {special.Digamma, middle},
		"MultiGammaln": {func(x weft.Array) weft.Array { return special.MultiGammaln(x, 2) }, middle},
		"I0":           {special.I0, f64(-2, -0.4, 0.7, 3)}, "I0e": {special.I0e, f64(-2, -0.4, 0.7, 3)},
		"I1": {special.I1, f64(-2, -0.4, 0.7, 3)}, "I1e": {special.I1e, f64(-2, -0.4, 0.7, 3)},
		"Entr": {special.Entr, middle}, "Logit": {special.Logit, unit}, "Expit": {special.Expit, middle},
		"NdTr": {special.NdTr, f64(-3, -0.5, 1, 2)}, "NdTrI": {special.NdTrI, unit},
		"LogNdTr":   {special.LogNdTr, f64(-30, -3, 0.5, 2)},
		"LogSumExp": {func(x weft.Array) weft.Array { return special.LogSumExp(x) }, middle},
		"Polygamma": {func(x weft.Array) weft.Array { return special.Polygamma(2, x) }, middle},
		"Zeta":      {func(x weft.Array) weft.Array { return special.Zeta(3.5, x) }, middle},
		"SphHarm":   {func(x weft.Array) weft.Array { return special.SphHarm(3, 2, x, x.Mul(2)).Real() }, f64(0.5, 1, 2)},
	} {
		t.Run(name, func(t *testing.T) { wefttest.CheckGrads(t, c.f, c.x, wefttest.GradConfig{Order: 2}) })
	}
	for name, c := range map[string]struct {
		f     func(a, b weft.Array) weft.Array
		order int
	}{
		"GammaInc": {special.GammaInc[weft.Array, weft.Array], 1}, "GammaIncC": {special.GammaIncC[weft.Array, weft.Array], 1},
		"BetaLn": {special.BetaLn[weft.Array, weft.Array], 2}, "Beta": {special.Beta[weft.Array, weft.Array], 2},
		"Xlogy": {special.Xlogy[weft.Array, weft.Array], 2}, "Xlog1py": {special.Xlog1py[weft.Array, weft.Array], 2},
		"RelEntr": {special.RelEntr[weft.Array, weft.Array], 2}, "KlDiv": {special.KlDiv[weft.Array, weft.Array], 2},
	} {
		t.Run(name, func(t *testing.T) {
			wefttest.CheckGrads(t, func(p xy) weft.Array { return c.f(p.X, p.Y) }, xy{middle, f64(2.5, 0.4, 14, 6)}, wefttest.GradConfig{Order: c.order})
		})
	}
	t.Run("BetaInc", func(t *testing.T) {
		wefttest.CheckGrads(t, func(x weft.Array) weft.Array { return special.BetaInc(2.5, 1.25, x) }, unit, wefttest.GradConfig{Order: 2})
	})
}

// Derivatives at the ends of a function's domain are those of its limit or of JAX.
func TestGradientsAtEdges(t *testing.T) {
	inf := math.Inf(1)
	for _, c := range []struct {
		name string
		f    func(weft.Array) weft.Array
		x    float64
		want float64
	}{
		{"Xlogy(x, 2) at 0", func(x weft.Array) weft.Array { return special.Xlogy(x, 2.) }, 0, math.Ln2},
		{"Xlogy(0, y) at 1", func(y weft.Array) weft.Array { return special.Xlogy(0., y) }, 1, 0},
		{"Xlog1py(x, 1) at 0", func(x weft.Array) weft.Array { return special.Xlog1py(x, 1.) }, 0, math.Ln2},
		{"Entr at 0", special.Entr, 0, inf},
		{"I0 at 0", special.I0, 0, 0},
		{"I1 at 0", special.I1, 0, 0.5},
		{"NdTr at −100", special.NdTr, -100, 0},
		{"NdTr at 100", special.NdTr, 100, 0},
		{"LogNdTr at 100", special.LogNdTr, 100, 0},
		{"LogNdTr at −1000", special.LogNdTr, -1000, 1000.00099999800001},
		{"BetaLn(x, 1) at 10", func(x weft.Array) weft.Array { return special.BetaLn(x, 1.) }, 10, -0.1},
		{"BetaLn(x, 10) at 10", func(x weft.Array) weft.Array { return special.BetaLn(x, 10.) }, 10, -0.7187714031754280},
		{"RelEntr(0, y) at 1", func(y weft.Array) weft.Array { return special.RelEntr(0., y) }, 1, 0},
		{"Logit at ½", special.Logit, 0.5, 4},
	} {
		g := weft.Grad(c.f)(weft.Scalar(c.x).AsType(weft.Float64)).Float()
		// One rounding of what is written here and one or two of the rule's; 0.6 ε was measured.
		if math.IsNaN(g) || !testcheck.Close(g, c.want, 2*0x1p-52*math.Abs(c.want)) {
			t.Errorf("the derivative of %s is %v, want %v", c.name, g, c.want)
		}
	}
}

// The derivative of LogNdTr has the digits of its type, also where the probability and its density have none.
func TestLogNdTrSlopeInTail(t *testing.T) {
	for _, c := range []struct{ x, want float64 }{ // φ(x)/Φ(x) by mpmath
		{-5, 5.18650396712584212}, {-9.99, 10.0881877771438396}, {-10.5, 10.5935839261323783}, {-19.9, 19.9500006143020198}, {-30, 30.033259667433677}, {-100, 100.009998000999261},
		{-1000, 1000.00099999800001}, {-5000, 5000.000199999984}, {-1e5, 1e5 + 1e-5}, {-1e15, 1e15}, {-1e30, 1e30}, {math.Inf(-1), math.Inf(1)},
	} {
		for dt, eps := range map[weft.DType]float64{weft.Float32: 0x1p-23, weft.Float64: 0x1p-52} {
			x := f64(c.x).AsType(dt).Reshape()
			// Outside of the tail the argument of an exponential is x²/2 less another such number.
			tol := 4 * eps
			if c.x > -20 && (dt == weft.Float64 || c.x > -10) {
				tol += eps * c.x * c.x / 2
			}
			if dt == weft.Float32 {
				tol += eps // of the argument, which is rounded
			}
			if g := weft.Grad(special.LogNdTr)(x).Float(); !testcheck.Alike(g, c.want, tol) {
				t.Errorf("%v: the derivative of LogNdTr at %v is %v, want %v within %.2g", dt, c.x, g, c.want, tol*c.want)
			}
		}
	}
}

func TestTypes(t *testing.T) {
	if y := special.Xlogy(2, weft.Of[float32](1, 2)); y.DType() != weft.Float32 || y.Weak() {
		t.Errorf("Xlogy(2, f32) is %v, want f32", y.DType())
	}
	if y := special.BetaLn(weft.Of[int32](2, 3), weft.Of[float32](1).AsType(weft.BFloat16)); y.DType() != weft.BFloat16 {
		t.Errorf("BetaLn(i32, bf16) is %v, want bf16", y.DType())
	}
	if y := special.GammaInc(weft.Ones(3, 1), weft.Ones(4)); y.Dim(0) != 3 || y.Dim(1) != 4 {
		t.Errorf("GammaInc(f32[3,1], f32[4]) has the shape %v, want [3 4]", y.Shape())
	}
}

func TestRefusals(t *testing.T) {
	for want, f := range map[string]func() weft.Array{
		"MultiGammaln: the dimension must be positive (got 0); pass 1 or more":                                 func() weft.Array { return special.MultiGammaln(f64(1), 0) },
		"SphHarm: the order must be within ±degree (got degree 2, order 3); swap them if the order came first": func() weft.Array { return special.SphHarm(2, 3, f64(1), f64(1)) },
		"Xlogy: takes real numbers, got c64[]; take Real, Imag or Abs of it":                                   func() weft.Array { return special.Xlogy(1., weft.Scalar(complex64(1))) },
	} {
		if _, err := weft.Try(f); err == nil || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	if _, err := weft.Try(func() weft.Array { return special.GammaInc(f64(1, 2), f64(1, 2, 3)) }); err == nil {
		t.Error("GammaInc(f64[2], f64[3]): got no error")
	}
}
