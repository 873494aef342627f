package random_test

import (
	"math"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/internal/test/goldenfile"
	"github.com/weft-go/weft/random"
)

// Derivatives of samples with respect to their shape parameters agree with JAX's. The unit is an ulp of the derivative, but at least of 1, since
// the sines that the test adds up lose the digits of large samples.
func TestGradientsOfGammaSamples(t *testing.T) {
	samplers := map[string]func(k random.Key, p []weft.Array) weft.Array{
		"Gamma":     func(k random.Key, p []weft.Array) weft.Array { return random.Gamma(k, p[0], 6) },
		"LogGamma":  func(k random.Key, p []weft.Array) weft.Array { return random.LogGamma(k, p[0], 6) },
		"Beta":      func(k random.Key, p []weft.Array) weft.Array { return random.Beta(k, p[0], p[1], 6) },
		"Dirichlet": func(k random.Key, p []weft.Array) weft.Array { return random.Dirichlet(k, p[0]) },
		"StudentT":  func(k random.Key, p []weft.Array) weft.Array { return random.StudentT(k, p[0], 6) },
		"ChiSquare": func(k random.Key, p []weft.Array) weft.Array { return random.ChiSquare(k, p[0], 6) },
	}
	seen := 0
	for r := range goldenfile.Records[struct {
		Name, Dtype   string
		Params, Grads [][]float64
	}](t, goldenfile.OpenFile(t, "testdata/gradients.jsonl")) {
		seen++
		dt, eps := weft.Float64, 0x1p-52
		if r.Dtype == "float32" {
			dt, eps = weft.Float32, 0x1p-23
		}
		var params []weft.Array
		for _, p := range r.Params {
			params = append(params, weft.FromSlice(p, len(p)).AsType(dt))
		}
		grads := weft.Grad(func(p []weft.Array) weft.Array {
			return weft.Sin(samplers[r.Name](random.New(7), p)).Sum()
		})(params)
		worst := 0.0
		for i, g := range grads {
			for k, v := range weft.ToSlice[float64](g.AsType(weft.Float64)) {
				want := r.Grads[i][k]
				worst = math.Max(worst, math.Abs(v-want)/(eps*math.Max(1, math.Abs(want))))
			}
		}
		bound := 64.0
		if dt == weft.Float32 {
			bound = 32
		}
		if !(worst <= bound) {
			t.Errorf("%s in %v: %.3g ulps from JAX, the bound is %v", r.Name, dt, worst, bound)
		}
	}
	if seen != 12 {
		t.Errorf("testdata has %d gradients, want 12", seen)
	}
}

// A side of the triangle without width does not spoil the derivatives with respect to the ends: the samples are between left
// and right in proportion.
func TestGradientsOfTriangular(t *testing.T) {
	for _, mode := range []float64{-1, 2} {
		sum := func(ends []weft.Array) weft.Array {
			m := ends[0].Mul((2 - mode) / 3).Add(ends[1].Mul((mode + 1) / 3))
			return random.Triangular(random.New(3), ends[0], m, ends[1], 50).Sum()
		}
		at := []weft.Array{weft.Scalar(-1.).AsType(weft.Float64), weft.Scalar(2.).AsType(weft.Float64)}
		g := weft.Grad(sum)(at)
		// Left + (right − left)·v for numbers v without derivative: both derivatives together are the number of samples.
		left, right, value := g[0].Float(), g[1].Float(), sum(at).Float()
		if !(math.Abs(left+right-50) < 1e-10) || !(math.Abs(2*right-left-value) < 1e-10) {
			t.Errorf("mode %v: the derivatives are %v and %v, the sum %v; want them to add up to 50, and 2·right − left to the sum", mode, left, right, value)
		}
	}
}
