package special_test

import (
	"math"
	"strings"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/internal/test/goldenfile"
	"github.com/weft-go/weft/internal/test/testcheck"
	"github.com/weft-go/weft/wefttest"
)

// Functions are within their bounds of exact values at random arguments of each type. The errors are in testdata/accuracy.tsv, of which
// docs/accuracy.md is made; -update writes that file. They are in ulps of the exact value; for functions with zeros or larger terms they are in
// ulps of the size that the table of functions states.
func TestAccuracy(t *testing.T) {
	var lines strings.Builder
	for r := range goldenfile.Records[struct {
		Name, DType string
		Args, Want  [][]string
	}](t, goldenfile.OpenFile(t, "testdata/accuracy.jsonl.gz")) {
		fn := functions[r.Name]
		if strings.HasPrefix(r.Name, "SphHarm") {
			fn.f, fn.ulp, fn.ulp32, fn.scale = harmonic(r.Name), 16, 16, atLeast1
		}
		f := testcheck.Figure{Name: "special." + r.Name, DType: weft.Float64}
		bound := fn.ulp
		if r.DType == "float32" {
			f.DType, bound = weft.Float32, fn.ulp32
		}
		var args [][]float64
		var x []weft.Array
		for _, a := range r.Args {
			v := floats(t, a)
			args, x = append(args, v), append(x, weft.FromSlice(v, len(v)).AsType(f.DType))
		}
		got := weft.ToSlice[float64](fn.f(x).AsType(weft.Float64))
		for i, parts := range r.Want {
			want := append(floats(t, parts), 0)
			size := math.Abs(want[0])
			if fn.scale != nil {
				size = max(size, fn.scale(column(args, i)))
			}
			f.Add(math.Abs(got[i]-want[0]-want[1])/testcheck.ULP(size, f.DType), column(args, i)...)
		}
		if worst, at := f.Max(); !(worst <= bound) {
			t.Errorf("%s of %v: %.3g ulps at %v, the bound is %v", r.Name, f.DType, worst, at, bound)
		}
		lines.WriteString(f.Line())
	}
	wefttest.Golden(t, "accuracy.tsv", lines.String())
}
