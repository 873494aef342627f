package special_test

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/internal/test/goldenfile"
	"github.com/weft-go/weft/internal/test/testcheck"
	"github.com/weft-go/weft/special"
)

// functions are the functions of testdata/values.jsonl, and by how many ulps of f64 and f32 they
// may differ from the exact value. Where scale is set, the unit is that of the largest of |y| and scale(args):
// of functions that have zeros, or whose exact formula has larger terms.
var functions = map[string]struct {
	f          func(x []weft.Array) weft.Array
	ulp, ulp32 float64
	scale      func(x []float64) float64
}{
	"Erf":           {one(special.Erf), 4, 4, nil},
	"Erfc":          {one(special.Erfc), 4, 4, nil},
	"ErfInv":        {one(special.ErfInv), 4, 4, nil},
	"Gammaln":       {one(special.Gammaln), 4, 4, atLeast1},
	"GammaSgn":      {one(special.GammaSgn), 0, 0, nil},
	"Digamma":       {one(special.Digamma), 4, 4, atLeast1},
	"Polygamma":     {pair(special.Polygamma[weft.Array, weft.Array]), 8, 4, nil},
	"Zeta":          {pair(special.Zeta[weft.Array, weft.Array]), 8, 4, nil},
	"GammaInc":      {pair(special.GammaInc[weft.Array, weft.Array]), 8, 4, nil},
	"GammaIncC":     {pair(special.GammaIncC[weft.Array, weft.Array]), 8, 4, nil},
	"BetaInc":       {func(x []weft.Array) weft.Array { return special.BetaInc(x[0], x[1], x[2]) }, 8, 4, nil},
	"BetaLn":        {pair(special.BetaLn[weft.Array, weft.Array]), 8, 4, atLeast1},
	"Beta":          {pair(special.Beta[weft.Array, weft.Array]), 8, 4, betaUnit},
	"MultiGammaln3": {one(func(x weft.Array) weft.Array { return special.MultiGammaln(x, 3) }), 8, 4, atLeast1},
	"I0":            {one(special.I0), 8, 4, nil},
	"I0e":           {one(special.I0e), 8, 4, nil},
	"I1":            {one(special.I1), 8, 4, nil},
	"I1e":           {one(special.I1e), 8, 4, nil},
	"Xlogy":         {pair(special.Xlogy[weft.Array, weft.Array]), 4, 4, nil},
	"Xlog1py":       {pair(special.Xlog1py[weft.Array, weft.Array]), 4, 4, nil},
	"Entr":          {one(special.Entr), 4, 4, nil},
	"RelEntr":       {pair(special.RelEntr[weft.Array, weft.Array]), 4, 4, func(x []float64) float64 { return x[0] }},
	"KlDiv":         {pair(special.KlDiv[weft.Array, weft.Array]), 4, 4, func(x []float64) float64 { return math.Max(x[0], x[1]) }},
	"Logit":         {one(special.Logit), 4, 4, nil},
	"Expit":         {one(special.Expit), 4, 4, nil},
	"NdTr":          {one(special.NdTr), 4, 4, nil},
	"NdTrI":         {one(special.NdTrI), 8, 4, nil},
	"LogNdTr":       {one(special.LogNdTr), 8, 4, nil},
}

func one(f func(weft.Array) weft.Array) func([]weft.Array) weft.Array {
	return func(x []weft.Array) weft.Array { return f(x[0]) }
}

func pair(f func(a, b weft.Array) weft.Array) func([]weft.Array) weft.Array {
	return func(x []weft.Array) weft.Array { return f(x[0], x[1]) }
}

func atLeast1([]float64) float64 { return 1 }

// betaUnit returns the size whose ulps the errors of the beta function are counted in: it is the exponential of a sum of logarithms, and rounding
// the largest of these changes it by as much.
func betaUnit(x []float64) float64 {
	a, _ := math.Lgamma(x[0])
	b, _ := math.Lgamma(x[1])
	ab, _ := math.Lgamma(x[0] + x[1])
	largest := max(1, math.Abs(a), math.Abs(b), math.Abs(ab))
	return largest * math.Exp(a+b-ab)
}

func harmonic(name string) func([]weft.Array) weft.Array {
	var part string
	var n, m int
	if _, err := fmt.Sscanf(name, "SphHarm.%s %d %d", &part, &n, &m); err != nil {
		return nil
	}
	return func(x []weft.Array) weft.Array {
		y := special.SphHarm(n, m, x[0], x[1])
		if part == "re" {
			return y.Real()
		}
		return y.Imag()
	}
}

func TestValues(t *testing.T) {
	seen := 0
	for r := range goldenfile.Records[struct {
		Name string
		Args [][]string
		Want []string
	}](t, goldenfile.OpenFile(t, "testdata/values.jsonl")) {
		seen++
		t.Run(r.Name, func(t *testing.T) {
			fn := functions[r.Name]
			if strings.HasPrefix(r.Name, "SphHarm") {
				fn.f, fn.ulp, fn.ulp32, fn.scale = harmonic(r.Name), 16, 16, atLeast1
			}
			if fn.f == nil {
				t.Fatal("not in the table")
			}
			var args [][]float64
			var x64, x32 []weft.Array
			for _, a := range r.Args {
				v := floats(t, a)
				args = append(args, v)
				x := weft.FromSlice(v, len(v))
				x64, x32 = append(x64, x), append(x32, x.AsType(weft.Float32))
			}
			want := floats(t, r.Want)
			compare(t, fn.f(x64), want, args, fn.ulp, 52, fn.scale)
			compare(t, fn.f(x32), want, args, fn.ulp32, 23, fn.scale)
		})
	}
	if seen < 40 {
		t.Errorf("testdata has %d functions, want 40 or more", seen)
	}
}

// compare requires that each element of y is within ulps of want, in the precision that the bits of the
// mantissa define.
func compare(t *testing.T, y weft.Array, want []float64, args [][]float64, ulps float64, bits int, scale func([]float64) float64) {
	t.Helper()
	got := weft.ToSlice[float64](y.AsType(weft.Float64))
	worst, at := 0.0, -1
	for i, w := range want {
		g := got[i]
		if bits == 23 && math.Abs(w) > math.MaxFloat32 {
			w = math.Copysign(math.Inf(1), w)
		}
		switch {
		case math.IsNaN(w) != math.IsNaN(g) || math.IsInf(w, 0) && g != w || math.IsInf(g, 0) && g != w:
			t.Errorf("f%d: element %d of %v is %v, want %v", bits+9+bits/52*3, i, column(args, i), g, w)
			continue
		case math.IsNaN(w) || g == w:
			continue
		}
		size := math.Abs(w)
		if scale != nil {
			if s := scale(column(args, i)); !math.IsNaN(s) && !math.IsInf(s, 0) {
				size = math.Max(size, s)
			}
		}
		if d := math.Abs(g-w) / testcheck.ULP(size, map[int]weft.DType{23: weft.Float32, 52: weft.Float64}[bits]); d > worst {
			worst, at = d, i
		}
	}
	if worst > ulps {
		t.Errorf("with %d bits: %.3g ulps at %v (got %v, want %v), the bound is %v", bits, worst, column(args, at), got[at], want[at], ulps)
	}
}

func column(args [][]float64, i int) []float64 {
	out := make([]float64, len(args))
	for k := range args {
		out[k] = args[k][i]
	}
	return out
}

func floats(t *testing.T, s []string) []float64 {
	t.Helper()
	out := make([]float64, len(s))
	for i, v := range s {
		x, err := strconv.ParseFloat(v, 64)
		if err != nil {
			t.Fatal(err)
		}
		out[i] = x
	}
	return out
}
