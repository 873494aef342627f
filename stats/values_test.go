package stats_test

import (
	"math"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/internal/test/goldenfile"
	"github.com/weft-go/weft/internal/test/testcheck"
	"github.com/weft-go/weft/stats"
	"github.com/weft-go/weft/wefttest"
)

// distributions are the types of testdata/values.jsonl.
var distributions = map[string]any{
	"Norm": stats.Norm{}, "Expon": stats.Expon{}, "Laplace": stats.Laplace{}, "Logistic": stats.Logistic{}, "Uniform": stats.Uniform{},
	"Beta": stats.Beta{}, "Gamma": stats.Gamma{}, "Chi2": stats.Chi2{}, "T": stats.T{},
	"Bernoulli": stats.Bernoulli{}, "Binom": stats.Binom{}, "Geom": stats.Geom{}, "Poisson": stats.Poisson{},
	"MultivariateNormal": stats.MultivariateNormal{}, "Dirichlet": stats.Dirichlet{}, "Multinomial": stats.Multinomial{},
	"GaussianKDE": stats.GaussianKDE{},
}

// methods are SciPy's names.
var methods = map[string]string{
	"logpdf": "LogPDF", "pdf": "PDF", "logpmf": "LogPMF", "pmf": "PMF", "cdf": "CDF", "logcdf": "LogCDF", "sf": "SF", "logsf": "LogSF", "ppf": "PPF",
}

type values struct {
	Shape []int
	Data  []string
}

func (v values) array(t *testing.T) weft.Array {
	t.Helper()
	x := make([]float64, len(v.Data))
	for i, s := range v.Data {
		f, err := strconv.ParseFloat(s, 64)
		if err != nil {
			t.Fatal(err)
		}
		x[i] = f
	}
	return weft.FromSlice(x, v.Shape...)
}

func TestValues(t *testing.T) {
	seen := map[string]bool{}
	for r := range goldenfile.Records[struct {
		Name, Method string
		Params       map[string]values
		X, Y         values
	}](t, goldenfile.OpenFile(t, "testdata/values.jsonl")) {
		d, ok := distributions[r.Name]
		if !ok {
			t.Fatalf("no distribution %s", r.Name)
		}
		seen[r.Name+"."+methods[r.Method]] = true
		v := reflect.New(reflect.TypeOf(d)).Elem()
		for name, p := range r.Params {
			v.FieldByName(name).Set(reflect.ValueOf(p.array(t)))
		}
		method := v.MethodByName(methods[r.Method]).Interface().(func(weft.Array) weft.Array)
		x, want := r.X.array(t), r.Y.array(t)
		got := method(x)
		check(t, r.Name+"."+methods[r.Method], got, want, x, weft.Float64)
		y := weft.Jit(method)(x)
		if r.Method != "ppf" && !same(y, got) {
			t.Errorf("%s.%s: Jit has other bits", r.Name, r.Method)
		}
		// Also in f32, where the points and parameters of SciPy's values are numbers of f32.
		if r.Method != "ppf" && !strings.HasPrefix(r.Name, "Multi") && r.Name != "Dirichlet" && r.Name != "GaussianKDE" {
			for i := range v.NumField() {
				if a, ok := v.Field(i).Interface().(weft.Array); ok && !a.IsZero() {
					v.Field(i).Set(reflect.ValueOf(a.AsType(weft.Float32)))
				}
			}
			method = v.MethodByName(methods[r.Method]).Interface().(func(weft.Array) weft.Array)
			check(t, r.Name+"."+methods[r.Method], method(x.AsType(weft.Float32)).AsType(weft.Float64), want, x, weft.Float32)
		}
	}
	for name, d := range distributions { // every method has values
		for i := range reflect.TypeOf(d).NumMethod() {
			if m := name + "." + reflect.TypeOf(d).Method(i).Name; !seen[m] {
				t.Errorf("testdata has no values of %s", m)
			}
		}
	}
}

func same(a, b weft.Array) bool {
	return wefttest.Difference(a, b, wefttest.Tolerance{Exact: true}) == ""
}

// underflows are the results in f32 that are −∞, as JAX's are: the logarithm of a probability that f32 does not have.
var underflows = map[string]float64{"Gamma.LogSF": -187.9426648467866}

// check requires that each element w is exact but for 5·ε·(1 + |log |w||): the last operation is an exponential or a
// logarithm, of an argument as large as that logarithm and rounded by some ε. The worst are 4.0 of these in f64 (Binom.LogPMF,
// whose three terms cancel) and 2.7 in f32; most are within 1. Below the normal numbers one step counts.
func check(t *testing.T, name string, got, want, x weft.Array, dt weft.DType) {
	t.Helper()
	if got.Size() != want.Size() {
		t.Errorf("%v %s: got the shape %v, want %v", dt, name, got.Shape(), want.Shape())
		return
	}
	eps, step := testcheck.ULP(1, dt), testcheck.ULP(0, dt)
	g := weft.ToSlice[float64](got)
	for i, w := range weft.ToSlice[float64](want) {
		if dt == weft.Float32 && w != 0 && w == underflows[name] {
			w = math.Inf(-1)
		}
		distance := 0.
		if w != 0 && !math.IsInf(w, 0) {
			distance = 5*eps*(1+math.Abs(math.Log(math.Abs(w))))*math.Abs(w) + step
		}
		if !testcheck.Close(g[i], w, distance) {
			t.Errorf("%v %s of %v: element %d is %v, want %v within %.2g", dt, name, x, i, g[i], w, distance)
		}
	}
}

// The CDF of the quantile of a probability is that probability.
func TestQuantilesInvertCDF(t *testing.T) {
	q := f64(1e-12, 0.01, 0.3, 0.5, 0.77, 0.999)
	loc, scale := num(0), num(3) // a location other than 0 would round quantiles near it
	for name, back := range map[string]weft.Array{
		"Norm":     stats.Norm{loc, scale}.CDF(stats.Norm{loc, scale}.PPF(q)),
		"Expon":    stats.Expon{loc, scale}.CDF(stats.Expon{loc, scale}.PPF(q)),
		"Laplace":  stats.Laplace{loc, scale}.CDF(stats.Laplace{loc, scale}.PPF(q)),
		"Logistic": stats.Logistic{loc, scale}.CDF(stats.Logistic{loc, scale}.PPF(q)),
		"Uniform":  stats.Uniform{loc, scale}.CDF(stats.Uniform{loc, scale}.PPF(q)),
	} {
		check(t, name+".CDF(PPF(q))", back, q, q, weft.Float64) // a quantile that is rounded changes its probability as check allows
	}
}
