package stats_test

import (
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/internal/goldenfile"
	"github.com/weft-go/weft/internal/testcheck"
)

// A corner is a method of a distribution at the corners of its domain. JAX has the values of another class than SciPy's.
type corner struct {
	Name, Method string
	Params       map[string]string
	X, Want      []string
	JAX          map[string]string
}

func parse(t *testing.T, s string) float64 {
	t.Helper()
	f, err := strconv.ParseFloat(s, 64)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// Values are of SciPy's class, and finite ones are near SciPy's, whose own errors are up to 1e-9 at corners; TestValues compares
// with exact ones. Deviations are listed.
func TestCorners(t *testing.T) {
	used := map[int]bool{}
	for r := range goldenfile.Records[corner](t, goldenfile.OpenFile(t, "testdata/corners.jsonl")) {
		v := reflect.New(reflect.TypeOf(distributions[r.Name])).Elem()
		p := map[string]float64{}
		for name, s := range r.Params {
			p[name] = parse(t, s)
			v.FieldByName(name).Set(reflect.ValueOf(num(p[name])))
		}
		method := v.MethodByName(methods[r.Method]).Interface().(func(weft.Array) weft.Array)
		x := make([]float64, len(r.X))
		for i, s := range r.X {
			x[i] = parse(t, s)
		}
		got := weft.ToSlice[float64](method(weft.FromSlice(x, len(x))))
		for i, s := range r.Want {
			w, g := parse(t, s), got[i]
			jax, differs := r.JAX[strconv.Itoa(i)]
			if near(g, w) {
				continue
			}
			excused := false
			for k, d := range deviations {
				if !slices.Contains(strings.Fields(d.distributions), r.Name) || !d.where(p, x[i], g, w) {
					continue
				}
				excused, used[k] = true, true
				break
			}
			if !excused && !(differs && near(g, parse(t, jax))) {
				t.Errorf("%s.%s %v of %v is %v, want %v (JAX: %v)", r.Name, r.Method, p, x[i], g, w, jax)
			}
		}
	}
	for k, d := range deviations {
		if !used[k] {
			t.Errorf("no corner of %s deviates: %s", d.distributions, d.why)
		}
	}
}

func near(g, w float64) bool {
	if w == 0 || math.IsInf(w, 0) || math.IsNaN(w) {
		return g == w || math.IsNaN(g) && math.IsNaN(w)
	}
	return testcheck.Close(g, w, 1e-9*math.Abs(w)*(1+math.Abs(math.Log(math.Abs(w)))/1e3)+testcheck.ULP(0, weft.Float64))
}

// A deviation is a set of corners of distributions whose values are others than SciPy's and JAX's.
type deviation struct {
	distributions, why string
	where              func(p map[string]float64, x, got, want float64) bool
}

// tiny reports whether got, or its exponential, is a tiny number, and want is 0 or its logarithm.
func tiny(got, want float64) bool {
	return want == 0 && math.Abs(got) < 1e-300 || math.IsInf(want, -1) && got > -746 && got < -700
}

var deviations = []deviation{
	{"Gamma Chi2 Beta Binom", "NaN where a shape or N is ∞: no density has such a limit", func(p map[string]float64, _, got, _ float64) bool {
		return max(p["A"], p["DF"], p["N"]) > math.MaxFloat64 && math.IsNaN(got)
	}},
	{"Expon Gamma Chi2 Logistic Poisson Binom", "tiny probabilities, where SciPy's are 0", func(_ map[string]float64, _, got, want float64) bool { return tiny(got, want) }},
	{"Laplace", "logarithms of probabilities that are too small for numbers, where SciPy's are −∞", func(_ map[string]float64, _, got, want float64) bool {
		return math.IsInf(want, -1) && !math.IsInf(got, 0) && got < -700
	}},
	{"Geom", "the limit of P = 0, as JAX's LogPMF", func(p map[string]float64, _, got, want float64) bool {
		return p["P"] == 0 && !math.IsNaN(got) && math.IsNaN(want)
	}},
	{"Geom", "accurate logarithms of probabilities near 1, where SciPy's are 0", func(p map[string]float64, k, got, want float64) bool {
		return want == 0 && k >= 1 && near(got, -math.Pow(1-p["P"], k))
	}},
	{"Geom", "NaN where P is no probability, or where P is 0 at ∞", func(p map[string]float64, _, got, _ float64) bool {
		return !(p["P"] > 0 && p["P"] <= 1) && math.IsNaN(got)
	}},
	{"Geom", "the certain first success has the number 1", func(p map[string]float64, _, got, _ float64) bool { return p["P"] > 0.9 && got == 1 }},
	{"Poisson", "no chance of ∞ events", func(_ map[string]float64, x, got, _ float64) bool {
		return math.IsInf(x, 1) && (got == 0 || math.IsInf(got, -1))
	}},
	{"Binom", "k·log(N·P) − log k! − N·P, of which SciPy loses log k! and parts of log N", func(p map[string]float64, k, got, _ float64) bool {
		gamma, _ := math.Lgamma(k + 1)
		return p["N"] == 1e15 && p["P"] <= 1e-20 && near(got, k*(math.Log(p["P"]*1e35)-20*math.Ln10)-gamma-1e15*p["P"]) // the logarithm of a normal number
	}},
	{"Beta", "SciPy's density overflows, or is 0, for tiny shapes and points", func(p map[string]float64, x, got, want float64) bool {
		return (p["A"] <= 1e-300 || x < 1e-300) && (math.IsInf(want, 1) || want == 0) && got > 0 && !math.IsInf(got, 1)
	}},
	{"Beta", "−log x/10³⁰⁰ and less, where SciPy's SF and LogCDF of subnormal numbers are 0", func(p map[string]float64, x, got, want float64) bool {
		return p["A"] == 1e-300 && x < 1e-300 && (want == 0 && got < 0 && got > -1.1e-290 || math.IsInf(want, -1) && got < -667 && got > -685)
	}},
	{"Beta", "the density at the mean, √(1e20/π), where SciPy's terms of 1e20 cancel", func(p map[string]float64, x, got, _ float64) bool {
		const log = 23.146633167575702
		return p["A"] == 1e20 && p["B"] == 1e20 && x == 0.5 && (near(got, log) || near(got, math.Exp(log)))
	}},
	{"Poisson", "1/√(2π·10³⁰⁰), where SciPy's terms of 1e302 cancel", func(p map[string]float64, x, got, _ float64) bool {
		const log = -346.30670248231151
		return p["Mu"] == 1e300 && x == 1e300 && (near(got, log) || near(got, math.Exp(log)))
	}},
	{"Beta", "terms of 46 cancel to 1e-10", func(p map[string]float64, x, got, want float64) bool {
		return p["A"] == 0.5 && x == 1e-20 && testcheck.Close(got, want, 1e-14)
	}},
	{"Beta", "2·√x/B(½, 3), where SciPy loses digits of the root of the least number", func(p map[string]float64, x, got, _ float64) bool {
		return p["A"] == 0.5 && x == 5e-324 && (math.Abs(got) > 4.1676e-162 && math.Abs(got) < 4.1677e-162 || got < -371 && got > -372)
	}},
}
