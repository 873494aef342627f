package stats_test

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/internal/test/goldenfile"
	"github.com/weft-go/weft/internal/test/testcheck"
)

// A corner is a method of a distribution at the corners of its domain. JAX has JAX's values where their class differs from SciPy's.
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

// exactCorners returns the exact values of corners at which SciPy's are wrong, of testdata/exact.jsonl.
func exactCorners(t *testing.T) map[string]float64 {
	t.Helper()
	values := map[string]float64{}
	for r := range goldenfile.Records[struct {
		Name, Method, X, Want string
		Params                map[string]string
	}](t, goldenfile.OpenFile(t, "testdata/exact.jsonl")) {
		p := map[string]float64{}
		for name, s := range r.Params {
			p[name] = parse(t, s)
		}
		values[cornerKey(r.Name, r.Method, p, parse(t, r.X))] = parse(t, r.Want)
	}
	return values
}

func cornerKey(name, method string, p map[string]float64, x float64) string {
	return fmt.Sprint(name, " ", method, " ", p, " ", x)
}

// Values are of SciPy's class, and finite ones are near SciPy's, whose own errors are up to 1e-9 at corners; TestAccuracy compares
// with exact ones. Where SciPy is wrong, they are near exact ones. Deviations are listed.
func TestCorners(t *testing.T) {
	used, exact := map[int]bool{}, exactCorners(t)
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
			key := cornerKey(r.Name, r.Method, p, x[i])
			if truth, ok := exact[key]; ok {
				delete(exact, key)
				if w == truth {
					t.Errorf("%s: SciPy is right; remove it from exact.jsonl", key)
				}
				w = truth
			}
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
			if !excused {
				t.Errorf("%s.%s %v of %v is %v, want %v (JAX: %v)", r.Name, r.Method, p, x[i], g, w, r.JAX[strconv.Itoa(i)])
			}
		}
	}
	for key := range exact {
		t.Errorf("%s is in exact.jsonl and no corner", key)
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
	least := testcheck.ULP(0, weft.Float64)
	lost := 0.
	if w < -700 && w > -746 {
		lost = least / math.Exp(w) // the logarithm of a number that has lost digits
	}
	return testcheck.Close(g, w, 1e-9*math.Abs(w)*(1+math.Abs(math.Log(math.Abs(w)))/1e3)+least+lost)
}

// A deviation is a set of corners of distributions whose values are others than SciPy's and JAX's.
type deviation struct {
	distributions, why string
	where              func(p map[string]float64, x, got, want float64) bool
}

var deviations = []deviation{
	{"Gamma Chi2 Beta Binom", "NaN where a shape or N is ∞: no density has such a limit", func(p map[string]float64, _, got, _ float64) bool {
		return max(p["A"], p["DF"], p["N"]) > math.MaxFloat64 && math.IsNaN(got)
	}},
	{"Geom", "the limit of P = 0, as JAX's LogPMF", func(p map[string]float64, _, got, want float64) bool {
		return p["P"] == 0 && !math.IsNaN(got) && math.IsNaN(want)
	}},
	{"Geom", "NaN where P is no probability, or where P is 0 at ∞", func(p map[string]float64, _, got, _ float64) bool {
		return !(p["P"] > 0 && p["P"] <= 1) && math.IsNaN(got)
	}},
	{"Geom", "the certain first success has the number 1", func(p map[string]float64, _, got, _ float64) bool { return p["P"] > 0.9 && got == 1 }},
	{"Poisson Geom", "no chance of ∞ events", func(_ map[string]float64, x, got, _ float64) bool {
		return math.IsInf(x, 1) && (got == 0 || math.IsInf(got, -1))
	}},
	{"Beta", "terms of 46 cancel to 1e-10", func(p map[string]float64, x, got, want float64) bool {
		return p["A"] == 0.5 && x == 1e-20 && testcheck.Close(got, want, 1e-14)
	}},
}
