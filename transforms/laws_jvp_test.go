package transforms_test

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"math/cmplx"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/internal/test/primtest"
	"github.com/weft-go/weft/internal/test/race"
	"github.com/weft-go/weft/internal/test/samples"
	"github.com/weft-go/weft/internal/test/testcheck"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/transforms"
)

// undefined states which operands have no derivative although they are numbers, and
// why differences are not taken with respect to them; all of them if only is nil.
var undefined = map[string]struct {
	only func(p core.Primitive, i, n int) bool
}{
	"the initial value has no derivative":                                                    {func(_ core.Primitive, i, n int) bool { return i >= n/2 }},
	"there is no derivative in the order":                                                    {func(_ core.Primitive, i, _ int) bool { return i == 0 }},
	"there is no derivative in the shape":                                                    {func(_ core.Primitive, i, _ int) bool { return i < 2 }},
	"without a promise of unique indices there is no derivative with respect to the updates": {func(_ core.Primitive, i, _ int) bool { return i > 0 }},
}

// tangential marks the operands that differences are taken along, and states why
// not along the other floating ones.
func (x *subject) tangential() (m []bool, why string) {
	m = make([]bool, len(x.in))
	for i, a := range x.in {
		m[i] = a.DType.IsInexact()
	}
	if x.NoFD == "" {
		return m, ""
	}
	u := undefined[x.NoFD]
	for i := range m {
		m[i] = m[i] && u.only != nil && !u.only(x.Prim, i, len(m))
	}
	return m, x.NoFD
}

// tangents draws tangents for the marked operands.
func (x *subject) tangents(r *rand.Rand, m []bool) []val {
	t := make([]val, len(x.in))
	for i, a := range x.in {
		if m[i] {
			t[i] = draw(r, a, primtest.Domain{}, 1)
		}
	}
	return t
}

// subsets returns the non-empty subsets of m.
func subsets(m []bool) [][]bool {
	var out [][]bool
	for _, c := range choices(len(m)) {
		ok := true
		for i := range c {
			ok = ok && (!c[i] || m[i])
		}
		if ok {
			out = append(out, c)
		}
	}
	return out
}

// finite reports whether all numbers are finite.
func finite(c []complex128) bool {
	return !slices.ContainsFunc(c, func(z complex128) bool { return cmplx.IsNaN(z) || cmplx.IsInf(z) })
}

func largest(c []complex128) float64 {
	m := 0.0
	for _, z := range c {
		m = max(m, cmplx.Abs(z))
	}
	return m
}

// Law: the forward derivative is the limit of differences, along every choice of
// operands, and for complex numbers along complex directions. A derivative that is
// declared zero is the limit of differences that are zero.
func TestLawForwardDerivative(t *testing.T) {
	race.Values(t)
	t.Parallel()
	missing, reasons := holes{}, map[string]map[string]bool{}
	tried, zero := map[string]int{}, map[string]int{}
	seen := map[string]bool{}
	for _, x := range subjects(t) {
		r := x.generator(12)
		_, none := x.Prim.(core.NoJVP)
		m, why := x.tangential()
		if why != "" {
			if reasons[why] == nil {
				reasons[why] = map[string]bool{}
			}
			reasons[why][x.Prim.Name()] = true
		}
		if none || !slices.Contains(m, true) {
			continue
		}
		var along []bool
		if core.NamesAxes(x.Prim) {
			along = x.rows
		}
		w := newSubject(wideSample(x.Sample), along)
		if seen[w.name] || w.in[0].Size() > 1000 && len(w.in[0].Shape.Ints()) > 1 {
			continue
		}
		seen[w.name] = true
		for _, choice := range subsets(m) {
			in, dt := w.args(r, nil, 0), w.tangents(r, choice)
			var outs, touts []val
			if err := testcheck.Recover(func() { outs, touts = transforms.JVP(w.f, slices.Clone(in), slices.Clone(dt)) }); err != nil {
				if !missing.missing(err, x.Prim) {
					t.Errorf("%s along %v: %v", w.name, choice, err)
				}
				continue
			}
			if d := differAll(outs, w.f(in)); d != "" {
				t.Errorf("%s: the primal result differs: %s", w.name, d)
			}
			at := func(h float64) []val {
				args := slices.Clone(in)
				for i := range args {
					args[i] = moved(in[i], dt[i], h)
				}
				return w.f(args)
			}
			const h = 1e-3
			p1, m1, p2, m2 := at(h), at(-h), at(2*h), at(-2*h)
			for k, y := range outs {
				if !y.Aval().DType.IsInexact() {
					if touts[k] != nil {
						t.Errorf("%s: result %d of type %v has a tangent", w.name, k, y.Aval())
					}
					continue
				}
				a, b, c, d := numbers(p1[k]), numbers(m1[k]), numbers(p2[k]), numbers(m2[k])
				got := make([]complex128, len(a))
				if touts[k] != nil {
					got = numbers(touts[k])
				} else {
					zero[x.Prim.Name()]++
				}
				for e := range a {
					want := (8*(a[e]-b[e]) - (c[e] - d[e])) / (12 * h)
					if a[e] == b[e] && c[e] == d[e] { // of infinities too
						want = 0
					}
					// The differences leave h⁴ of the fifth derivative, most for asin near its ends, and
					// the rounding of the values over h.
					tol := 1e-8*max(1, cmplx.Abs(want)) + 1e-12/h*max(1, largest(a))
					if !(cmplx.Abs(got[e]-want) <= tol) {
						t.Errorf("%s along %v at %s: element %d of result %d has the tangent %v, differences give %v", w.name, choice, texts(in), e, k, got[e], want)
						break
					}
				}
				tried[x.Prim.Name()]++
			}
		}
	}
	missing.report(t)
	for _, why := range slices.Sorted(maps.Keys(reasons)) {
		t.Logf("differences are not taken: %s: %v", why, slices.Sorted(maps.Keys(reasons[why])))
	}
	t.Logf("%d primitives compared; symbolically zero: %v", len(tried), slices.Sorted(maps.Keys(zero)))
	if samples.Whole() && len(tried) < 90 {
		t.Errorf("only %d primitives were compared", len(tried))
	}
}

func texts(vs []val) string {
	s := ""
	for _, v := range vs {
		if v == nil {
			s += "none "
			continue
		}
		s += text(v) + " "
	}
	return s
}

// epsilon returns the relative spacing of dt's numbers.
func epsilon(dt core.DType) float64 {
	switch dt.Real() {
	case core.Float64:
		return 0x1p-52
	case core.Float32:
		return 0x1p-23
	case core.Float16:
		return 0x1p-10
	case core.BFloat16:
		return 0x1p-7
	case core.Float8E5M2:
		return 0x1p-2
	}
	return 0x1p-3
}

// ownResults are the primitives whose results in types of fewer bits are not those in 64 bits, rounded, with the reason.
var ownResults = map[string]string{
	"eig":          "the order of eigenvalues and the signs of vectors depend on how many iterations the precision takes",
	"random_gamma": "random bits make other numbers in each type",
}

// Law: in types of fewer bits the derivative is that in 64 bits at the same point
// along the same direction, rounded on the way.
func TestLawForwardDerivativeOfFewBits(t *testing.T) {
	race.Values(t)
	t.Parallel()
	missing := holes{}
	tried := map[core.DType]int{}
	worst := map[core.DType]string{}
	most := map[core.DType]float64{}
	for _, x := range subjects(t) {
		r := x.generator(13)
		if _, ok := x.Prim.(core.JVPer); !ok || slices.Equal(wideAvals(x.in), x.in) || ownResults[x.Prim.Name()] != "" {
			continue
		}
		m, _ := x.tangential()
		if undefined[x.NoFD].only == nil {
			for i, a := range x.in {
				m[i] = a.DType.IsInexact()
			}
		}
		if !slices.Contains(m, true) {
			continue
		}
		var along []bool
		if core.NamesAxes(x.Prim) {
			along = x.rows
		}
		w := newSubject(wideSample(x.Sample), along)
		in, dt := x.args(r, nil, 0), x.tangents(r, m)
		var got, outs []val
		if err := testcheck.Recover(func() { outs, got = transforms.JVP(x.f, slices.Clone(in), slices.Clone(dt)) }); err != nil {
			if !missing.missing(err, x.Prim) {
				t.Errorf("%s: %v", x.name, err)
			}
			continue
		}
		wide := func(vs []val) []val {
			ws := slices.Clone(vs)
			for i, v := range vs {
				if v != nil {
					ws[i] = wideValue(v)
				}
			}
			return ws
		}
		win, wdt := wide(in), wide(dt)
		_, want := transforms.JVP(w.f, win, wdt)
		for k := range got {
			if (got[k] == nil) != (want[k] == nil) {
				t.Errorf("%s: tangent %d is %v, in 64 bits %v", x.name, k, got[k], want[k])
				continue
			}
			if got[k] == nil {
				continue
			}
			dtype := outs[k].Aval().DType
			for _, a := range x.in {
				if a.DType.IsInexact() && epsilon(a.DType) > epsilon(dtype) {
					dtype = a.DType
				}
			}
			g, v := numbers(got[k]), numbers(want[k])
			if dtype.IsMinorFloat() && largest(v) > 16 { // near the largest of the type
				continue
			}
			scale := max(largest(v), largest(numbers(outs[k])), 0.5)
			for e := range g {
				d := cmplx.Abs(g[e]-v[e]) / (scale * epsilon(dtype))
				if !finite(g[e:e+1]) || !finite(v[e:e+1]) {
					if cmplx.IsNaN(g[e]) == cmplx.IsNaN(v[e]) || dtype.IsMinorFloat() {
						continue
					}
					d = math.Inf(1)
				}
				if d > most[dtype] {
					most[dtype], worst[dtype] = d, fmt.Sprintf("%s at %s along %s: element %d of tangent %d: %v, in 64 bits %v", x.name, texts(in), texts(dt), e, k, g[e], v[e])
				}
				if d > 16 {
					t.Errorf("%s at %s along %s: element %d of tangent %d: %v, in 64 bits %v: %.1f spacings", x.name, texts(in), texts(dt), e, k, g[e], v[e], d)
					break
				}
			}
			tried[dtype]++
		}
	}
	missing.report(t)
	for dt, d := range most {
		t.Logf("%v: %d tangents, at most %.1f spacings: %s", dt, tried[dt], d, worst[dt])
	}
	if samples.Whole() && len(tried) < 6 {
		t.Errorf("compared in %d types only", len(tried))
	}
}

// Law: what declares that it cannot be differentiated refuses by name, forward and in reverse, and accepts tangents that are nil.
func TestLawNoDerivative(t *testing.T) {
	refused := map[string]bool{}
	for _, x := range subjects(t) {
		r := x.generator(14)
		p, ok := x.Prim.(core.NoJVP)
		m := make([]bool, len(x.in))
		for i, a := range x.in {
			m[i] = a.DType.IsInexact()
		}
		if !ok || !slices.Contains(m, true) {
			continue
		}
		if p.NoJVP() == "" {
			t.Errorf("%s does not state why it has no derivative", x.name)
		}
		in, dt := x.args(r, nil, 0), x.tangents(r, m)
		for what, f := range map[string]func(){
			"JVP": func() { transforms.JVP(x.f, in, dt) },
			"VJP": func() { transforms.VJP(x.f, in, m) },
		} {
			var e *core.Error
			err := testcheck.Recover(f)
			if (holes{}).missing(err, x.Prim) {
				continue
			}
			if !errors.As(err, &e) || !errors.Is(err, core.ErrNoRule) || e.Op != x.Prim.Name() {
				t.Errorf("%s: %s must refuse by name, returns %v", x.name, what, err)
			}
		}
		refused[x.Prim.Name()] = true
	}
	t.Logf("refuse: %v", slices.Sorted(maps.Keys(refused)))
	if len(refused) == 0 {
		t.Error("nothing was tried")
	}
}

// Law: linearizing is differentiating: the same primal results, and along any
// direction the same tangents to the bit.
func TestLawLinearize(t *testing.T) {
	t.Parallel()
	n := 0
	for _, x := range subjects(t) {
		r := x.generator(15)
		m := make([]bool, len(x.in))
		for i, a := range x.in {
			m[i] = a.DType.IsInexact()
		}
		if _, ok := x.Prim.(core.JVPer); !ok || !slices.Contains(m, true) {
			continue
		}
		m, why := x.tangential()
		if why != "" && !slices.Contains(m, true) {
			continue
		}
		in, dt := x.args(r, nil, 0), x.tangents(r, m)
		err := testcheck.Recover(func() {
			outs, touts := transforms.JVP(x.f, slices.Clone(in), slices.Clone(dt))
			louts, lin := transforms.Linearize(x.f, in, m)
			if d := differAll(louts, outs); d != "" {
				t.Errorf("%s: results: %s", x.name, d)
			}
			if d := differAll(lin.Apply(slices.Clone(dt)), touts); d != "" {
				t.Errorf("%s at %s along %s: tangents: %s", x.name, texts(in), texts(dt), d)
			}
			if err := jaxpr.Check(lin.Jaxpr()); err != nil {
				t.Errorf("%s: the linear program: %v", x.name, err)
			}
			n++
		})
		if err != nil && !(holes{}).missing(err, x.Prim) {
			t.Errorf("%s: %v", x.name, err)
		}
	}
	t.Logf("%d linearized", n)
}
