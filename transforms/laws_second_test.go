package transforms_test

import (
	"maps"
	"math"
	"math/cmplx"
	"slices"
	"strings"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/internal/test/primtest"
	"github.com/weft-go/weft/internal/test/race"
	"github.com/weft-go/weft/internal/test/samples"
	"github.com/weft-go/weft/internal/test/testcheck"
	"github.com/weft-go/weft/transforms"
)

func containsText(err error, text string) bool { return strings.Contains(err.Error(), text) }

// tied are primitives whose samples have equal elements along an axis: there the first
// derivative is divided, and jumps.
var tied = map[string]bool{"pmax": true, "pmin": true}

// Law: the second derivative is the limit of differences of the first, and the same
// whether it is taken forward over forward, forward over reverse, or in reverse twice:
// D²⟨ȳ, f⟩(u, v).
func TestLawSecondDerivative(t *testing.T) {
	race.Values(t)
	t.Parallel()
	tried, refusals := map[string]int{}, map[string]bool{}
	seen := map[string]bool{}
	for _, x := range subjects(t) {
		r := x.generator(36)
		if _, ok := x.Prim.(core.JVPer); !ok {
			continue
		}
		if _, ok := x.Prim.(prim.ReducePrecisionP); ok {
			continue // it rounds tangents: by convention
		}
		m, _ := x.tangential()
		if !slices.Contains(m, true) {
			continue
		}
		var along []bool
		if core.NamesAxes(x.Prim) {
			along = x.rows
		}
		x = newSubject(wideSample(x.Sample), along)
		if seen[x.name] || x.in[0].Size() > 100 {
			continue
		}
		seen[x.name] = true
		in, u, v := x.args(r, nil, 0), x.tangents(r, m), x.tangents(r, m)
		inner := func(vs []val) []val { // the derivative along v
			outs, touts := transforms.JVP(x.f, slices.Clone(vs), slices.Clone(v))
			return inexactTangents(outs, touts)
		}
		err := testcheck.Recover(func() {
			first, second := transforms.JVP(inner, slices.Clone(in), slices.Clone(u))
			for k := range second {
				second[k] = orZero(second[k], first[k])
			}
			if !tied[x.Prim.Name()] {
				x.secondDifferences(t, inner, in, u, second)
			}

			ct := make([]val, 0, len(first))
			for _, y := range first {
				ct = append(ct, draw(r, y.Aval(), primtest.Domain{}, 1))
			}
			gradient := func(vs []val) []val { // of ⟨ȳ, f⟩
				outs, vjp := transforms.VJP(x.f, vs, m)
				all := make([]val, len(outs))
				k := 0
				for o, y := range outs {
					if y.Aval().DType.IsInexact() {
						all[o] = ct[k]
						k++
					}
				}
				var g []val
				for i, c := range vjp(all) {
					if m[i] {
						g = append(g, orZero(c, vs[i]))
					}
				}
				return g
			}
			var us, vs []val
			for i := range in {
				if m[i] {
					us, vs = append(us, u[i]), append(vs, v[i])
				}
			}
			g, tg := transforms.JVP(gradient, slices.Clone(in), slices.Clone(u))
			for k := range tg {
				tg[k] = orZero(tg[k], g[k])
			}
			_, vjp := transforms.VJP(gradient, slices.Clone(in), m)
			var twice []val
			for i, c := range vjp(slices.Clone(vs)) {
				if m[i] {
					twice = append(twice, orZero(c, in[i]))
				}
			}
			forward, s1 := pairing(ct, second)
			mixed, s2 := pairing(tg, vs)
			reverse, s3 := pairing(twice, us)
			if math.IsNaN(forward) && math.IsNaN(mixed) && math.IsNaN(reverse) {
				return
			}
			tol := 1e-13 * (1 + s1 + s2 + s3) // sums of as many roundings as terms: the worst is 5e-14
			if !(math.Abs(forward-mixed) <= tol) || !(math.Abs(forward-reverse) <= tol) {
				t.Errorf("%s at %s: the second derivative along two directions is %v forward, %v forward over reverse, %v in reverse twice", x.name, texts(in), forward, mixed, reverse)
			}
			tried[x.Prim.Name()]++
		})
		switch {
		case err == nil:
		case containsText(err, "differentia") && containsText(err, x.Prim.Name()), containsText(err, "derivative"):
			refusals[x.Prim.Name()+": "+err.Error()] = true
		default:
			t.Errorf("%s: %v", x.name, err)
		}
	}
	for _, s := range slices.Sorted(maps.Keys(refusals)) {
		t.Logf("refused: %s", s)
	}
	t.Logf("%d primitives: %v", len(tried), slices.Sorted(maps.Keys(tried)))
	if samples.Whole() && len(tried) < 80 {
		t.Errorf("only %d primitives were tried", len(tried))
	}
}

// secondDifferences compares tangents of tangents with differences of tangents.
func (x *subject) secondDifferences(t *testing.T, first function, in, u, second []val) {
	t.Helper()
	at := func(h float64) []val {
		args := slices.Clone(in)
		for i := range args {
			args[i] = moved(in[i], u[i], h)
		}
		return first(args)
	}
	const h = 1e-3
	p1, m1, p2, m2 := at(h), at(-h), at(2*h), at(-2*h)
	for k := range second {
		a, b, c, d, got := numbers(p1[k]), numbers(m1[k]), numbers(p2[k]), numbers(m2[k]), numbers(second[k])
		for e := range a {
			want := (8*(a[e]-b[e]) - (c[e] - d[e])) / (12 * h)
			if cmplx.IsNaN(want) && cmplx.IsNaN(got[e]) || a[e] == b[e] && c[e] == d[e] && got[e] == 0 {
				continue
			}
			// The differences leave h⁴ of the sixth derivative, most for asin near its ends, and
			// the rounding of the values over h.
			if tol := 2e-7*max(1, cmplx.Abs(want)) + 1e-12/h*max(1, largest(a)); !(cmplx.Abs(got[e]-want) <= tol) {
				t.Errorf("%s at %s along %s: element %d of second derivative %d is %v, differences of the first give %v", x.name, texts(in), texts(u), e, k, got[e], want)
				return
			}
		}
	}
}
