package transforms_test

import (
	"math"
	"math/cmplx"
	"slices"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/internal/test/primtest"
	"github.com/weft-go/weft/internal/test/race"
	"github.com/weft-go/weft/internal/test/samples"
	"github.com/weft-go/weft/internal/test/testcheck"
	"github.com/weft-go/weft/transforms"
)

// pairing returns Re Σ xᵢ·yᵢ, as cotangents pair with tangents: complex numbers are not
// conjugated. It also returns Σ |xᵢ·yᵢ|.
func pairing(xs, ys []val) (sum, scale float64) {
	for i := range xs {
		if xs[i] == nil || ys[i] == nil {
			continue
		}
		x, y := numbers(xs[i]), numbers(ys[i])
		for k := range x {
			sum += real(x[k] * y[k])
			scale += cmplx.Abs(x[k] * y[k])
		}
	}
	return sum, scale
}

// Law: reverse mode is the adjoint of forward mode, ⟨ȳ, J·ẋ⟩ = ⟨Jᵀ·ȳ, ẋ⟩, along
// every choice of operands and for every choice of results that have a cotangent.
func TestLawTranspose(t *testing.T) {
	t.Parallel()
	missing := holes{}
	tried := map[string]int{}
	seen := map[string]bool{}
	for _, x := range subjects(t) {
		r := x.generator(16)
		if _, ok := x.Prim.(core.JVPer); !ok {
			continue
		}
		if _, ok := x.Prim.(prim.ReducePrecisionP); ok {
			continue // it rounds tangents and cotangents: by convention, and not linear
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
		x = newSubject(wideSample(x.Sample), along)
		if seen[x.name] {
			continue
		}
		seen[x.name] = true
		for _, choice := range subsets(m) {
			in, dt := x.args(r, nil, 0), x.tangents(r, choice)
			var outs, touts []val
			var lin *transforms.Linear
			if err := testcheck.Recover(func() {
				outs, lin = transforms.Linearize(x.f, in, choice)
				touts = lin.Apply(slices.Clone(dt))
			}); err != nil {
				if !missing.missing(err, x.Prim) {
					t.Errorf("%s: %v", x.name, err)
				}
				continue
			}
			differentiable := make([]bool, len(outs))
			for k, y := range outs {
				differentiable[k] = y.Aval().DType.IsInexact()
			}
			for _, which := range subsets(differentiable) {
				ct := make([]val, len(outs))
				for k, y := range outs {
					if which[k] {
						ct[k] = draw(r, y.Aval(), primtest.Domain{}, 1)
					}
				}
				var back []val
				if err := testcheck.Recover(func() { back = lin.Transpose(slices.Clone(ct)) }); err != nil {
					if !missing.missing(err, x.Prim) {
						t.Errorf("%s along %v: %v", x.name, choice, err)
					}
					continue
				}
				for i, v := range back {
					if v != nil && !choice[i] {
						t.Errorf("%s along %v: operand %d has a cotangent", x.name, choice, i)
					}
					if v != nil && !v.Aval().SameType(x.in[i]) {
						t.Errorf("%s along %v: the cotangent of operand %d is %v", x.name, choice, i, v.Aval())
					}
				}
				want, scale := pairing(ct, touts)
				got, scale2 := pairing(back, dt)
				if math.IsNaN(want) && math.IsNaN(got) {
					continue
				}
				if !testcheck.Close(got, want, 1e-14*(1+scale+scale2)) { // both are sums of the same terms: the worst is 5e-15
					t.Errorf("%s along %v, cotangents %v, at %s: ⟨ȳ, J·ẋ⟩ = %v, ⟨Jᵀ·ȳ, ẋ⟩ = %v", x.name, choice, which, texts(in), want, got)
				}
				tried[x.Prim.Name()]++
			}
		}
	}
	missing.report(t)
	t.Logf("%d primitives", len(tried))
	if samples.Whole() && len(tried) < 80 {
		t.Errorf("only %d primitives were tried", len(tried))
	}
}

// Law: a gradient in few bits has the type of its operand, and its value in 64 bits,
// rounded on the way.
func TestLawTransposeOfFewBits(t *testing.T) {
	race.Values(t)
	t.Parallel()
	missing := holes{}
	tried := map[core.DType]int{}
	for _, x := range subjects(t) {
		r := x.generator(17)
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
		in := x.args(r, nil, 0)
		var outs, got, want, ct []val
		if err := testcheck.Recover(func() {
			var vjp func([]val) []val
			outs, vjp = transforms.VJP(x.f, in, m)
			ct = make([]val, len(outs))
			for k, y := range outs {
				if y.Aval().DType.IsInexact() {
					ct[k] = draw(r, y.Aval(), primtest.Domain{}, 1)
				}
			}
			got = vjp(slices.Clone(ct))
			_, vjp = transforms.VJP(w.f, wideValues(in), m)
			want = vjp(wideValues(ct))
		}); err != nil {
			if !missing.missing(err, x.Prim) {
				t.Errorf("%s: %v", x.name, err)
			}
			continue
		}
		for i := range got {
			if (got[i] == nil) != (want[i] == nil) {
				t.Errorf("%s: cotangent %d is %v, in 64 bits %v", x.name, i, got[i], want[i])
				continue
			}
			if got[i] == nil {
				continue
			}
			if !got[i].Aval().SameType(x.in[i]) {
				t.Errorf("%s: the cotangent of operand %d is %v", x.name, i, got[i].Aval())
			}
			dtype := x.in[i].DType
			for _, v := range append(slices.Clone(in), outs...) {
				if a := v.Aval(); a.DType.IsInexact() && epsilon(a.DType) > epsilon(dtype) {
					dtype = a.DType
				}
			}
			g, v := numbers(got[i]), numbers(want[i])
			if dtype.IsMinorFloat() && largest(v) > 16 {
				continue
			}
			// Sums of many cotangents cancel: their size counts, not the result's.
			scale := max(largest(v), 0.5)
			for _, o := range ct {
				if o != nil {
					scale = max(scale, largest(numbers(o)))
				}
			}
			if n := x.in[i].Size(); n > 0 {
				scale *= max(1, math.Sqrt(float64(outs[0].Aval().Size()/n)))
			}
			for e := range g {
				d := cmplx.Abs(g[e]-v[e]) / (scale * epsilon(dtype))
				if !finite(g[e:e+1]) || !finite(v[e:e+1]) {
					if cmplx.IsNaN(g[e]) == cmplx.IsNaN(v[e]) || dtype.IsMinorFloat() {
						continue
					}
					d = math.Inf(1)
				}
				if d > 16 {
					t.Errorf("%s at %s with %s: element %d of cotangent %d: %v, in 64 bits %v: %.1f spacings", x.name, texts(in), texts(ct), e, i, g[e], v[e], d)
					break
				}
			}
			tried[dtype]++
		}
	}
	missing.report(t)
	t.Logf("cotangents by type: %v", tried)
	if samples.Whole() && len(tried) < 6 {
		t.Errorf("compared in %d types only", len(tried))
	}
}

func wideValues(vs []val) []val {
	ws := slices.Clone(vs)
	for i, v := range vs {
		if v != nil {
			ws[i] = wideValue(v)
		}
	}
	return ws
}
