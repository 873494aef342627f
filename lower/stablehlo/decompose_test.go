package stablehlo_test

import (
	"context"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/elem"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/internal/test/primtest"
	"github.com/weft-go/weft/internal/test/testcheck"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower/stablehlo"
	"github.com/weft-go/weft/runtime"
)

// compositeEquation matches the attribute by which a composite is read as the operation that it stands for.
var compositeEquation = regexp.MustCompile(`composite_attributes = \{equation = "(?:[^"\\]|\\.)*"\}, `)

// Decompositions compute what their operations do. Programs that are written without CHLO, and read without the equations
// of composites, have the same bits, or, where they round otherwise, results as near as the operations' own errors. Calls of LAPACK are read as the primitives for which
// they were written.
func TestDecompositions(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(17, 2))
	rounded := map[string]bool{
		"exp2": true, "integer_pow": true, "reduce_sum": true, "reduce_prod": true, "igamma": true, "igammac": true,
		"igamma_grad_a": true, "random_gamma_grad": true, "regularized_incomplete_beta": true, "zeta": true,
	}
	check := stablehlo.Check{Name: "check.expect_close", ByULP: true, ULP: 1 << 62}
	worst, ran, refused := map[string]float64{}, map[string]int{}, map[string]string{}
	for k, s := range primtest.All() {
		name := s.Prim.Name()
		if unwritten[name] != "" || hasNoElements(s) {
			continue
		}
		j := equation(s.Prim, s.In)
		o := writing
		o.Missing = stablehlo.Decompose
		text, err := stablehlo.Write(j, o)
		if err != nil {
			refused[name] = err.Error()
			continue
		}
		if !strings.Contains(text, "stablehlo.composite") {
			continue
		}
		assert.NotContains(t, text, "chlo.", name)
		m, err := stablehlo.Parse(name, compositeEquation.ReplaceAllString(text, ""))
		require.NoError(t, err, text)
		p, err := m.Program(m.Main(), j.InAvals(), options)
		require.NoError(t, err, text)
		args := samples(r, s)
		want, err := runtime.Evaluate(context.Background(), runtime.Reference, j, args)
		require.NoError(t, err, name)
		got, err := runtime.Evaluate(context.Background(), runtime.Reference, p.Jaxpr, args)
		require.NoError(t, err, text)
		if usual, err := stablehlo.Write(j, writing); err == nil && usual != text && *writeTo != "" {
			writeSample(t, fmt.Sprintf("%04d_%s+decomposed", k, name), text, slices.Concat(args, want))
		}
		for i := range want {
			if !rounded[name] {
				assert.Equal(t, want[i].Tensor().Data, got[i].Tensor().Data, "%s of %v: result %d: got %v, want %v", name, s.In, i, got[i].Text(nil), want[i].Text(nil))
				continue
			}
			d := check.Compare(want[i].Aval(), got[i].Tensor().Data, want[i].Tensor().Data)
			// Sums in another order, and powers and fractions of a few roundings more; the worst is 3.3.
			limit := 4.0
			if name == "random_gamma_grad" || name == "igamma_grad_a" {
				limit = 40 // terms of both signs cancel: the worst of 1,600 draws is 33.5
			}
			if !assert.LessOrEqual(t, d.Norm, limit, "%s of %v: result %d: %v: got %v, want %v", name, s.In, i, d, got[i].Text(nil), want[i].Text(nil)) {
				continue
			}
			worst[name] = max(worst[name], d.Norm)
		}
		ran[name]++
	}
	for _, name := range slices.Sorted(maps.Keys(worst)) {
		t.Logf("%s: %d samples, within %.3g ε of the largest element", name, ran[name], worst[name])
	}
	assert.Empty(t, refused)
}

// A sum of a type that lacks 0 does not start from NaN.
func TestDecompositionSumWithoutZero(t *testing.T) {
	t.Parallel()
	x := runtime.New(core.Aval(core.Float8E8M0FNU, 3))
	for i, v := range []float64{1, 0.5, 1} {
		elem.Put(x.Tensor().Data[i:], core.FloatNumber(v), core.Float8E8M0FNU)
	}
	for _, order := range []prim.Order{prim.OrderImplied, prim.OrderLanes} {
		j := equation(prim.ReduceSumP{Axes: core.MakeDims(0), Order: order}, []core.ShapedArray{x.Aval()})
		text, err := stablehlo.Write(j, writing)
		require.NoError(t, err)
		m, err := stablehlo.Parse("", compositeEquation.ReplaceAllString(text, ""))
		require.NoError(t, err)
		p, err := m.Program(m.Main(), j.InAvals(), options)
		require.NoError(t, err, text)
		for _, j := range []*jaxpr.Jaxpr{j, p.Jaxpr} {
			y, err := runtime.Evaluate(context.Background(), runtime.Reference, j, []*runtime.Array{x})
			require.NoError(t, err)
			n, _ := elem.Get(y[0].Tensor().Data, core.Float8E8M0FNU)
			assert.Equal(t, 2.0, n.Float(), text) // 2.5, rounded once
		}
	}
}

// hasNoElements reports whether a sample has keys or numbers without bits.
func hasNoElements(s primtest.Sample) bool {
	return slices.ContainsFunc(append(slices.Clone(s.In), core.AbstractOf(s.Prim, s.In)...), func(a core.ShapedArray) bool { return a.DType.IsKey() || a.DType == core.Float0 })
}

// samples draws the operands of a sample.
func samples(r *rand.Rand, s primtest.Sample) []*runtime.Array {
	args := make([]*runtime.Array, len(s.In))
	for i, a := range s.In {
		var d primtest.Domain
		if s.Dom != nil {
			d = s.Dom[i]
		}
		args[i] = draw(r, a, d)
	}
	return args
}

// Decompositions of complex functions have zeros of the right signs, beside and on branch cuts.
func TestDecompositionZeros(t *testing.T) {
	t.Parallel()
	values := []float64{0, math.Copysign(0, -1), 0.5, -0.5, 2, -2}
	x := runtime.New(core.Aval(core.Complex128, len(values)*len(values)))
	for i, re := range values {
		for k, im := range values {
			elem.Put(x.Tensor().Data[16*(len(values)*i+k):], core.ComplexNumber(complex(re, im)), core.Complex128)
		}
	}
	for _, f := range []core.Primitive{prim.AsinP{}, prim.AcosP{}, prim.AsinhP{}, prim.AcoshP{}, prim.AtanP{}, prim.AtanhP{}, prim.SinhP{}, prim.SquareP{}, prim.ConjP{InputDType: core.Complex128}} {
		j := equation(f, []core.ShapedArray{x.Aval()})
		o := writing
		o.Missing = stablehlo.Decompose
		text, err := stablehlo.Write(j, o)
		require.NoError(t, err)
		m, err := stablehlo.Parse("", compositeEquation.ReplaceAllString(text, ""))
		require.NoError(t, err)
		p, err := m.Program(m.Main(), j.InAvals(), options)
		require.NoError(t, err)
		want, err := runtime.Evaluate(context.Background(), runtime.Reference, j, []*runtime.Array{x})
		require.NoError(t, err)
		got, err := runtime.Evaluate(context.Background(), runtime.Reference, p.Jaxpr, []*runtime.Array{x})
		require.NoError(t, err)
		assert.Equal(t, want[0].Tensor().Data, got[0].Tensor().Data, "%s: got %v, want %v", f.Name(), got[0].Text(nil), want[0].Text(nil))
	}
}

// Decompositions of special functions agree with the functions at corners, too: zeros,
// infinities, NaN, both sides of where their methods change.
func TestDecompositionCorners(t *testing.T) {
	t.Parallel()
	values := []float64{math.NaN(), math.Inf(-1), -3, -2.5, -1, -1e-3, 0, 1e-3, 0.25, 0.5, 0.999, 1, 1.5, 2, 7, 8.5, 30, 200, math.Inf(1)}
	// A result w is an exponential of rounded logarithms. It may be off by 4 ε of |w|·(1 + |log |w||), and of those terms of
	// the logarithms that cancel. Functions of scalar programs have the same bits.
	lgamma := func(x float64) float64 { y, _ := math.Lgamma(x); return math.Abs(y) }
	// powers is the size of the terms of the logarithm of xᵃ·e⁻ˣ/Γ(a + 1). The continued fraction that it multiplies takes
	// dozens of rounded steps: it may be off by twice as much, and its slope, the difference of two fractions, by eight times.
	powers := func(a, x float64) float64 {
		return 1 + math.Abs(a*math.Log(x)) + x + lgamma(a+1)
	}
	for _, c := range []struct {
		prim      core.Primitive
		operands  int
		cancelled func(x []float64, w float64) float64 // the largest term that cancels; nil: the bits are the same
	}{
		{prim.LgammaP{}, 1, nil}, {prim.DigammaP{}, 1, nil}, {prim.ErfP{}, 1, nil}, {prim.ErfcP{}, 1, nil}, {prim.ErfInvP{}, 1, nil},
		{prim.BesselI0eP{}, 1, nil}, {prim.BesselI1eP{}, 1, nil}, {prim.AsinP{}, 1, nil}, {prim.AcoshP{}, 1, nil}, {prim.AtanhP{}, 1, nil},
		{prim.SinhP{}, 1, nil}, {prim.NextafterP{}, 2, nil}, {prim.PolygammaP{}, 2, nil},
		{prim.IgammaP{}, 2, func(x []float64, w float64) float64 {
			if x[1] > max(1, x[0]) { // 1 − Q
				w = 1
			}
			return 2 * powers(x[0], x[1]) * w
		}},
		{prim.IgammacP{}, 2, func(x []float64, w float64) float64 {
			if x[1] <= max(1, x[0]) { // 1 − P
				w = 1
			}
			return 2 * powers(x[0], x[1]) * w
		}},
		{prim.IgammaGradAP{}, 2, func(x []float64, w float64) float64 { return 8 * powers(x[0], x[1]) * math.Abs(w) }},
		{prim.RandomGammaGradP{}, 2, func(x []float64, w float64) float64 { return 8 * powers(x[0], x[1]) * math.Abs(w) }},
		{prim.ZetaP{}, 2, func(x []float64, _ float64) float64 {
			if x[1] >= 0 {
				return 0
			}
			return math.Pow(math.Abs(x[1]-math.Round(x[1])), -x[0]) // the terms beside the pole change sign
		}},
		{prim.RegularizedIncompleteBetaP{}, 3, func(x []float64, _ float64) float64 {
			return max(1, lgamma(x[0]), lgamma(x[1]), lgamma(x[0]+x[1]))
		}},
	} {
		values := values
		if c.operands == 2 {
			values = append(slices.Clone(values), 1000, 1e250)
		}
		n := 1
		for range c.operands {
			n *= len(values)
		}
		args, avals := make([]*runtime.Array, c.operands), make([]core.ShapedArray, c.operands)
		for k := range args {
			avals[k] = core.Aval(core.Float64, n)
			args[k] = runtime.New(avals[k])
			at := func(i int) float64 {
				for range k {
					i /= len(values)
				}
				return values[i%len(values)]
			}
			for i := range n {
				elem.Put(args[k].Tensor().Data[8*i:], core.FloatNumber(at(i)), core.Float64)
			}
		}
		j := equation(c.prim, avals)
		o := writing
		o.Missing = stablehlo.Decompose
		text, err := stablehlo.Write(j, o)
		require.NoError(t, err)
		m, err := stablehlo.Parse("", compositeEquation.ReplaceAllString(text, ""))
		require.NoError(t, err)
		p, err := m.Program(m.Main(), avals, options)
		require.NoError(t, err)
		want, err := runtime.Evaluate(context.Background(), runtime.Reference, j, args)
		require.NoError(t, err)
		got, err := runtime.Evaluate(context.Background(), runtime.Default(), p.Jaxpr, args) // fractions take many rounds
		require.NoError(t, err)
		wrong := 0
		for i := range n {
			number := func(x *runtime.Array) float64 {
				v, _ := elem.Get(x.Tensor().Data[8*i:], core.Float64)
				return v.Float()
			}
			at := make([]float64, len(args))
			for k, a := range args {
				at[k] = number(a)
			}
			g, w, distance := number(got[0]), number(want[0]), 0.
			if c.cancelled != nil && w != 0 && !math.IsInf(w, 0) {
				distance = 4 * 0x1p-52 * max(math.Abs(w)*(1+math.Abs(math.Log(math.Abs(w)))), c.cancelled(at, w))
			}
			if !testcheck.Close(g, w, distance) {
				if wrong++; wrong < 6 {
					t.Errorf("%s%v is %v, want %v within %.2g", c.prim.Name(), at, g, w, distance)
				}
			}
		}
	}
}

// A composite for an operation of CHLO is read as the operation. One of another version, or with other attributes, is read
// as its decomposition.
func TestCompositesOfCHLO(t *testing.T) {
	const text = `func.func @main(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<2xf32>, tensor<2xi32>) {
  %0 = stablehlo.composite "chlo.erf" %x {decomposition = @erf, version = 1 : i32} : (tensor<4xf32>) -> tensor<4xf32>
  %1:2 = stablehlo.composite "chlo.top_k" %x {composite_attributes = {k = 2 : i64}, decomposition = @top, version = 1 : i32} : (tensor<4xf32>) -> (tensor<2xf32>, tensor<2xi32>)
  return %0, %1#0, %1#1 : tensor<4xf32>, tensor<2xf32>, tensor<2xi32>
}
func.func private @erf(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.tanh %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func private @top(%x: tensor<4xf32>) -> (tensor<2xf32>, tensor<2xi32>) {
  %0 = stablehlo.slice %x [0:2] : (tensor<4xf32>) -> tensor<2xf32>
  %1 = stablehlo.iota dim = 0 : tensor<2xi32>
  return %0, %1 : tensor<2xf32>, tensor<2xi32>
}
`
	program := func(text string) string {
		m, err := stablehlo.Parse("", text)
		require.NoError(t, err)
		p, err := m.Program(m.Main(), []core.ShapedArray{core.Aval(core.Float32, 4)}, options)
		require.NoError(t, err)
		return p.Jaxpr.String()
	}
	assert.Regexp(t, `= erf .*\n.*= top_k\[`, program(text))
	newer := program(strings.ReplaceAll(text, "version = 1", "version = 2"))
	assert.Contains(t, newer, "= tanh")
	assert.Contains(t, newer, "= slice[")
	assert.Contains(t, program(strings.ReplaceAll(text, "{k = 2 : i64}", "{k = 2 : i64, least = true}")), "= slice[")
	assert.Contains(t, program(strings.ReplaceAll(text, `"chlo.erf"`, `"my.erf"`)), "= tanh")
}
