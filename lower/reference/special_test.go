package reference

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/internal/test/goldenfile"
	"github.com/weft-go/weft/internal/test/testcheck"
	"github.com/weft-go/weft/lower/reference/internal/block"
	"github.com/weft-go/weft/lower/reference/special"
)

// specials are the primitives of testdata/special.txt.
var specials = map[string]core.Primitive{
	"P": prim.IgammaP{}, "Q": prim.IgammacP{}, "G": prim.IgammaGradAP{}, "B": prim.RegularizedIncompleteBetaP{},
	"Z": prim.ZetaP{}, "I0": prim.BesselI0eP{}, "I1": prim.BesselI1eP{},
}

// evaluate returns a special function of scalars in a dtype.
func evaluate(t *testing.T, p core.Primitive, dt core.DType, v ...float64) float64 {
	in := make([]*block.Tensor, len(v))
	for i, x := range v {
		in[i] = block.NewTensor(core.Aval(dt))
		block.Store(in[i], []float64{x})
	}
	e, _ := block.ElementsAs[float64](apply(t, p, in...)[0])
	return e[0]
}

// slowly are the functions that compute in sums of two f64 what primitives of f64 compute faster.
var slowly = map[string]func(v []float64) float64{
	"P": func(v []float64) float64 { return special.Igamma(v[0], v[1], false) },
	"Q": func(v []float64) float64 { return special.Igamma(v[0], v[1], true) },
	"B": func(v []float64) float64 { return special.Betainc(v[0], v[1], v[2]) },
}

func numbers(t *testing.T, words []string) []float64 {
	t.Helper()
	v := make([]float64, len(words))
	for i, w := range words {
		x, err := strconv.ParseFloat(w, 64)
		if err != nil {
			t.Fatal(err)
		}
		v[i] = x
	}
	return v
}

// Special functions are within 1 ulp of mpmath's values in f64; Bessel functions, which are scalar
// programs, within 2, and incomplete functions, whose series and fractions are of f64 (see special/fast.go), within 3.
func TestSpecialFunctions(t *testing.T) {
	worst := map[string]float64{}
	for line := range goldenfile.Lines(t, goldenfile.OpenFile(t, "testdata/special.txt")) {
		words := strings.Fields(string(line))
		v := numbers(t, words[1:])
		want := v[len(v)-1]
		got := evaluate(t, specials[words[0]], core.Float64, v[:len(v)-1]...)
		ulps := math.Abs(got-want) / testcheck.ULP(want, core.Float64)
		limit := 1.0
		if words[0][0] == 'I' {
			limit = 2
		}
		if f := slowly[words[0]]; f != nil {
			limit = 3
			if slow := f(v[:len(v)-1]); !testcheck.Alike(slow, want, 0x1p-52) {
				t.Errorf("%s: sums of two f64 are %v", line, slow)
			}
		}
		if !(ulps <= limit) {
			t.Errorf("%s: got %v, %.1f ulps off", line, got, ulps)
		}
		worst[words[0]] = max(worst[words[0]], ulps)
	}
	if len(worst) != len(specials) {
		t.Errorf("got values of %d functions, want %d", len(worst), len(specials))
	}
	t.Logf("largest errors in ulps: %v", worst)
}

// Incomplete functions of tiny, huge and very different parameters are within an ulp.
func TestIncompleteFunctions(t *testing.T) {
	for line := range goldenfile.Lines(t, goldenfile.OpenFile(t, "testdata/incomplete.txt")) {
		words := strings.Fields(string(line))
		v := numbers(t, words[1:])
		args, want := v[:len(v)-1], v[len(v)-1]
		limit := testcheck.ULP(want, core.Float64)
		if got := slowly[words[0]](args); !(math.Abs(got-want) <= limit) {
			t.Errorf("%s: got %v, %.1f ulps off", line, got, math.Abs(got-want)/limit)
		}
		// Arguments that are not extreme have the bound of TestSpecialFunctions.
		if got := evaluate(t, specials[words[0]], core.Float64, args...); !(math.Abs(got-want) <= 3*limit) {
			t.Errorf("%s: the primitive is %v, %.1f ulps off", line, got, math.Abs(got-want)/limit)
		}
	}
}

func TestSpecialCorners(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	for _, c := range []struct {
		name string
		in   []float64
		want float64
	}{
		{"P", []float64{0, 0}, nan}, {"P", []float64{0, 1}, 1}, {"P", []float64{1, 0}, 0}, {"P", []float64{1, inf}, 1},
		{"P", []float64{inf, 1}, 0}, {"P", []float64{inf, inf}, nan}, {"P", []float64{-1, 1}, nan}, {"P", []float64{1, -1}, nan},
		{"P", []float64{1e10, 1e10}, 0.5000013298076014}, {"P", []float64{1e300, 2e300}, 1}, {"Q", []float64{1e300, 2e300}, 0},
		{"Q", []float64{0, 1}, 0}, {"Q", []float64{1, 0}, 1}, {"Q", []float64{5e-324, 1}, 0}, {"P", []float64{5e-324, 5e-324}, 1},
		{"B", []float64{0, 0, 0.5}, nan}, {"B", []float64{0, 1, 0.5}, 1}, {"B", []float64{1, 0, 0.5}, 0}, {"B", []float64{1, inf, 0.5}, 1},
		{"B", []float64{2, 3, 0}, 0}, {"B", []float64{2, 3, 1}, 1}, {"B", []float64{2, 3, 1.5}, nan}, {"B", []float64{-1, 3, 0.5}, nan},
		{"B", []float64{1, 1, 5e-324}, 5e-324},
		{"Z", []float64{1, 2}, inf}, {"Z", []float64{0.5, 2}, nan}, {"Z", []float64{2, 0}, inf}, {"Z", []float64{2, -3}, inf},
		{"Z", []float64{2.5, -3.5}, nan}, {"Z", []float64{2, -0.5}, 8.934802200544679}, {"Z", []float64{2, inf}, 0}, {"Z", []float64{inf, 2}, 0},
		{"Z", []float64{2, -1e300}, inf}, {"Z", []float64{3, -1e6 - 0.5}, nan}, {"Z", []float64{1000, 1e-300}, inf},
		{"I0", []float64{0}, 1}, {"I0", []float64{inf}, 0}, {"I0", []float64{nan}, nan}, {"I0", []float64{5e-324}, 1},
		{"I1", []float64{0}, 0}, {"I1", []float64{-inf}, 0}, {"I1", []float64{1e-320}, 5e-321}, {"I1", []float64{nan}, nan},
		{"G", []float64{1, 0}, 0}, {"G", []float64{0, 1}, nan}, {"G", []float64{1, inf}, 0},
	} {
		got := evaluate(t, specials[c.name], core.Float64, c.in...)
		if got != c.want && !(got != got && c.want != c.want) {
			t.Errorf("%s%v: got %v, want %v", c.name, c.in, got, c.want)
		}
	}
}

// Parameters whose powers or factors alone are out of range have results all the same. Those of ζ are of 50 digits.
func TestSpecialFunctionsFarOut(t *testing.T) {
	for _, c := range []struct {
		p    core.Primitive
		args []float64
		want float64
	}{
		{prim.ZetaP{}, []float64{2, 1e200}, 1e-200},
		{prim.ZetaP{}, []float64{2, math.MaxFloat64}, 0x1p-1024},
		{prim.ZetaP{}, []float64{3, 1e100}, 5e-201},
		{prim.ZetaP{}, []float64{1.5, math.MaxFloat64}, 1.4916681462400413e-154},
		{prim.ZetaP{}, []float64{1 + 0x1p-16, math.MaxFloat64}, 64830.047072680376},
		{prim.ZetaP{}, []float64{12, 0x1p100}, 0},
		{prim.ZetaP{}, []float64{math.MaxFloat64, math.MaxFloat64}, 0},
		{prim.ZetaP{}, []float64{math.MaxFloat64, 10}, 0},
		{prim.ZetaP{}, []float64{math.MaxFloat64, 0.5}, math.Inf(1)},
		{prim.ZetaP{}, []float64{math.MaxFloat64, -1.5}, math.Inf(1)},
		{prim.ZetaP{}, []float64{1e20, 1.5}, 0},
		{prim.ZetaP{}, []float64{0x1p52, 1 + 0x1p-52}, 1 / math.E},
		{prim.IgammaP{}, []float64{math.MaxFloat64, 1e308}, 0},
		{prim.IgammaP{}, []float64{math.MaxFloat64, math.MaxFloat64}, 0.5},
		{prim.IgammacP{}, []float64{0x1p1000, 0x1.0000000000001p1000}, 0},
		{prim.IgammacP{}, []float64{0x1p1000, 1e5}, 1},
		{prim.RegularizedIncompleteBetaP{}, []float64{1e100, 1e100, 0.5}, 0.5},
		{prim.RegularizedIncompleteBetaP{}, []float64{math.MaxFloat64, math.MaxFloat64, 0.5}, 0.5},
		{prim.RegularizedIncompleteBetaP{}, []float64{math.MaxFloat64, math.MaxFloat64, 0.5 + 0x1p-53}, 1},
		{prim.RegularizedIncompleteBetaP{}, []float64{1e300, 1e301, 0.5}, 1},
		{prim.RegularizedIncompleteBetaP{}, []float64{1e300, 2, 0.5}, 0},
		{prim.RegularizedIncompleteBetaP{}, []float64{2, math.MaxFloat64, 0.5}, 1},
		{prim.RegularizedIncompleteBetaP{}, []float64{1, 1e300, 1e-300}, 1 - 1/math.E},
		{prim.RegularizedIncompleteBetaP{}, []float64{1, math.MaxFloat64, 0x1p-1024}, 1 - 1/math.E},
		{prim.RegularizedIncompleteBetaP{}, []float64{5e-324, 5e-324, 0.5}, 0.5},
		{prim.RegularizedIncompleteBetaP{}, []float64{1e300, 1e-300, 1 - 0x1p-53}, 0},
		{prim.RegularizedIncompleteBetaP{}, []float64{1, 1e-20, 0.75}, 2e-20 * math.Ln2},
		{prim.IgammacP{}, []float64{1e-310, 1}, 2.19383934395520e-311},
		{prim.IgammaP{}, []float64{0x1p-61, 5e-324}, 1 - 3*0x1p-53},
	} {
		if got := evaluate(t, c.p, core.Float64, c.args...); !testcheck.Alike(got, c.want, 0x1p-52) {
			t.Errorf("%s%v: got %v, want %v", c.p.Name(), c.args, got, c.want)
		}
	}
}
