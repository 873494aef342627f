package special_test

import (
	"math"
	"slices"
	"strconv"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/internal/test/goldenfile"
	"github.com/weft-go/weft/internal/test/testcheck"
)

// A corner is a function at the corners of its domain in one type. JAX has JAX's values where their class differs from SciPy's.
type corner struct {
	Name, DType string
	Args        [][]string
	Want        []string
	JAX         map[string]string
}

// A value is of the class that SciPy states: NaN, ±∞, zero with its sign, or another number, which is within the function's bound.
func TestCorners(t *testing.T) {
	seen := map[string]bool{}
	for r := range goldenfile.Records[corner](t, goldenfile.OpenFile(t, "testdata/corners.jsonl")) {
		seen[r.Name] = true
		t.Run(r.Name+" "+r.DType, func(t *testing.T) {
			fn, dt := functions[r.Name], weft.Float64
			if fn.f == nil {
				t.Fatal("not in the table")
			}
			ulps := fn.ulp
			if r.DType == "float32" {
				dt, ulps = weft.Float32, fn.ulp32
			}
			var args [][]float64
			var x []weft.Array
			for _, a := range r.Args {
				v := floats(t, a)
				args, x = append(args, v), append(x, weft.FromSlice(v, len(v)).AsType(dt))
			}
			got, want := weft.ToSlice[float64](fn.f(x).AsType(weft.Float64)), floats(t, r.Want)
			for i, w := range want {
				at := column(args, i)
				if unchecked(r.Name, at) {
					continue
				}
				jax, differs := r.JAX[strconv.Itoa(i)]
				for _, d := range deviations {
					switch {
					case d.name != r.Name || !d.where(at):
					case d.want != nil:
						w = d.want(at)
					case differs:
						w = floats(t, []string{jax})[0]
					}
				}
				allowed := ulps * cornerUnit(r.Name, at, w, dt)
				underflows := max(math.Abs(w), math.Abs(got[i])) <= ulps*testcheck.ULP(0, dt)
				if g := got[i]; class(g) != class(w) && (!underflows || w == 0 && g == 0) || !math.IsInf(w, 0) && !testcheck.Close(g, w, allowed) {
					t.Errorf("%s%v is %v, want %v within %.3g (JAX: %v)", r.Name, at, g, w, allowed, jax)
				}
			}
		})
	}
	for name := range functions {
		if !seen[name] {
			t.Errorf("testdata has no corners of %s", name)
		}
	}
}

// class names what kind of number x is.
func class(x float64) string {
	switch {
	case math.IsNaN(x):
		return "NaN"
	case math.IsInf(x, 0) || x == 0:
		return strconv.FormatFloat(x, 'g', -1, 64)
	}
	return "finite"
}

// cornerUnit returns the size of an ulp of a result w at the arguments at. Beyond 10^±30 it counts |log w| times: the result is the
// exponential of as large a number, rounded once. A polygamma function of an order n > 3 is a product of n factors.
func cornerUnit(name string, at []float64, w float64, dt weft.DType) float64 {
	size := math.Abs(w)
	if scale := functions[name].scale; scale != nil {
		if s := scale(at); s > size && !math.IsInf(s, 0) {
			size = s
		}
	}
	unit := testcheck.ULP(size, dt)
	if far := math.Abs(math.Log(math.Abs(w))); far > 69 && !math.IsInf(w, 0) && w != 0 {
		unit *= far
	}
	if name == "Polygamma" && at[0] > 3 {
		unit *= at[0]
	}
	return unit
}

// A deviation is a set of corners of a function whose values are others than SciPy's.
type deviation struct {
	name, why string
	where     func(x []float64) bool
	want      func(x []float64) float64 // nil: JAX's value
}

func negativeZero(x []float64) bool { return x[len(x)-1] == 0 && math.Signbit(x[len(x)-1]) }

func hasNaN(x []float64) bool { return slices.ContainsFunc(x, math.IsNaN) }

func hasNegative(x []float64) bool { return slices.ContainsFunc(x, math.Signbit) }

func constant(v float64) func([]float64) float64 { return func([]float64) float64 { return v } }

// deviations are all deviations, by function. Where JAX's value is of SciPy's class, want states the value.
var deviations = []deviation{
	{"ErfInv", "odd: JAX keeps the sign of a zero", negativeZero, nil},
	{"I1", "odd: JAX keeps the sign of a zero", negativeZero, nil},
	{"I1e", "odd: JAX keeps the sign of a zero", negativeZero, nil},
	{"Gammaln", "∞ at −∞ in C99 and JAX", func(x []float64) bool { return math.IsInf(x[0], -1) }, nil},
	{"BetaInc", "the lower end of the integral keeps the sign of a zero", func(x []float64) bool {
		return negativeZero(x) && min(x[0], x[1]) > 0 && !math.IsInf(max(x[0], x[1]), 1)
	}, constant(math.Copysign(0, -1))},
	{"BetaInc", "½ by symmetry, where SciPy is 5 ε off", func(x []float64) bool { return x[0] == 1e5 && x[1] == 1e5 && x[2] == 0.5 }, constant(0.5)},
	{"GammaInc", "the limit for large orders, where SciPy is NaN", func(x []float64) bool { return x[0] > 1e300 && x[1] > 0 && x[1] <= 1e5 }, constant(0)},
	{"GammaIncC", "the limit for large orders, where SciPy is NaN", func(x []float64) bool { return x[0] > 1e300 && x[1] > 0 && x[1] <= 1e5 }, constant(1)},
	{"GammaInc", "mpmath's value, where SciPy is 30 ulps off", func(x []float64) bool { return x[0] == 1e-10 && x[1] == 5e-324 }, constant(0.9999999256137171)},
	{"GammaInc", "mpmath's value, where SciPy is above 1", func(x []float64) bool { return x[0] < 1e-300 && x[0] > 0 && x[1] == 5e-324 }, constant(1)},
	{"GammaIncC", "mpmath's subnormal value, where SciPy is 0", func(x []float64) bool { return x[0] < 1e-300 && x[0] > 0 && x[1] == 10 }, constant(1.3874344344e-313)},
	{"Polygamma", "a subnormal trigamma is 0 in JAX", func(x []float64) bool { return x[0] == 1 && x[1] == math.MaxFloat64 }, nil},
	{"Zeta", "NaN propagates, as in C99", hasNaN, constant(math.NaN())},
	{"Zeta", "the limit of q^(−s) at s = ∞", func(x []float64) bool { return math.IsInf(x[0], 1) && x[1] > 1 }, constant(0)},
	{"BetaLn", "NaN propagates, as in C99", hasNaN, constant(math.NaN())},
	{"Beta", "NaN propagates, as in C99", hasNaN, constant(math.NaN())},
	{"BetaLn", "the limit, −∞, where an operand is ∞", func(x []float64) bool { return min(x[0], x[1]) > 0 && math.IsInf(max(x[0], x[1]), 1) }, constant(math.Inf(-1))},
	{"Beta", "the limit, 0, where an operand is ∞", func(x []float64) bool { return min(x[0], x[1]) > 0 && math.IsInf(max(x[0], x[1]), 1) }, constant(0)},
}

// unchecked reports whether a corner is left out: JAX has no values of negative numbers by SciPy's analytic continuation.
func unchecked(name string, x []float64) bool {
	return (name == "Beta" || name == "BetaLn") && hasNegative(x)
}
