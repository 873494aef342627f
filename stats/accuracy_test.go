package stats_test

import (
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/internal/test/goldenfile"
	"github.com/weft-go/weft/internal/test/testcheck"
	"github.com/weft-go/weft/wefttest"
)

// terms are, by distribution, the sums of the sizes of the terms of a log density, which cancel in part. v has the point and the parameters.
var terms = map[string]func(v []float64) float64{
	"Beta":    func(v []float64) float64 { return -v[1]*math.Log(v[0]) - v[2]*math.Log1p(-v[0]) },
	"Gamma":   func(v []float64) float64 { return v[0] + v[1]*math.Abs(math.Log(v[0])) },
	"Chi2":    func(v []float64) float64 { return (v[0] + v[1]*math.Abs(math.Log(v[0]/2))) / 2 },
	"Binom":   func(v []float64) float64 { return -v[0]*math.Log(v[2]) - (v[1]-v[0])*math.Log1p(-v[2]) },
	"Poisson": func(v []float64) float64 { return v[1] + v[0]*math.Abs(math.Log(v[1])) },
}

// Methods are within 4 units of exact values in f32 and 8 in f64, at random points and parameters. A unit is an ulp of the exact value, for log
// densities an ulp of the sum of the sizes of their terms and at least of 1. For other methods it counts 1 + |log |y|| times, for densities at
// least 1 plus that sum: they end in an exponential or a logarithm of a rounded argument. The errors are in testdata/accuracy.tsv, of which
// docs/accuracy.md is made; -update writes that file.
func TestAccuracy(t *testing.T) {
	var lines strings.Builder
	for r := range goldenfile.Records[struct {
		Name, Method, DType string
		Params              map[string][]string
		X                   []string
		Want                [][]string
	}](t, goldenfile.OpenFile(t, "testdata/accuracy.jsonl.gz")) {
		method := methods[r.Method]
		f, bound := testcheck.Figure{Name: "stats." + r.Name + "." + method, DType: weft.Float64}, 8.
		if r.DType == "float32" {
			f.DType, bound = weft.Float32, 4
		}
		var at [][]float64
		read := func(list []string) weft.Array {
			v := make([]float64, len(list))
			for i, s := range list {
				v[i] = parse(t, s)
			}
			at = append(at, v)
			return weft.FromSlice(v, len(v)).AsType(f.DType)
		}
		d := reflect.New(reflect.TypeOf(distributions[r.Name])).Elem()
		x := read(r.X)
		for i := range d.NumField() {
			if list, ok := r.Params[d.Type().Field(i).Name]; ok {
				d.Field(i).Set(reflect.ValueOf(read(list)))
			}
		}
		y := d.MethodByName(method).Interface().(func(weft.Array) weft.Array)(x)
		got := weft.ToSlice[float64](y.AsType(weft.Float64))
		for i, parts := range r.Want {
			want, rest := parse(t, parts[0]), 0.
			if len(parts) == 2 {
				rest = parse(t, parts[1])
			}
			var where []float64
			for _, v := range at {
				where = append(where, v[i])
			}
			term := 0.
			if densities := []string{"logpdf", "pdf", "logpmf", "pmf"}; terms[r.Name] != nil && slices.Contains(densities, r.Method) {
				term = terms[r.Name](where)
			}
			unit := testcheck.ULP(want, f.DType)
			switch {
			case slices.Contains([]string{"logpdf", "logpmf"}, r.Method):
				unit = testcheck.ULP(max(1, math.Abs(want), term), f.DType)
			case want != 0:
				unit *= 1 + max(math.Abs(math.Log(math.Abs(want))), term)
			}
			f.Add(math.Abs(got[i]-want-rest)/unit, where...)
		}
		if worst, at := f.Max(); !(worst <= bound) {
			t.Errorf("%s of %v: %.3g units at %v, the bound is %v", f.Name, f.DType, worst, at, bound)
		}
		lines.WriteString(f.Line())
	}
	wefttest.Golden(t, "accuracy.tsv", lines.String())
}
