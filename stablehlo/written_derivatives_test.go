package stablehlo_test

import (
	"context"
	"maps"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/internal/test/primtest"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower/stablehlo"
	"github.com/weft-go/weft/runtime"
	"github.com/weft-go/weft/transforms"
)

// equationOfComposite matches the attribute by which a composite is read as the operation that it stands for.
var equationOfComposite = regexp.MustCompile(`composite_attributes = \{equation = "(?:[^"\\]|\\.)*"\}, `)

// Programs of each primitive's samples in wide floats that are written and read again have the
// derivatives that they had, forwards, backwards and mapped. Calls of LAPACK have them also without
// the equations of composites.
func TestWrittenDerivatives(t *testing.T) {
	r := rand.New(rand.NewPCG(17, 3))
	ran := map[string]int{}
	for _, s := range primtest.All() {
		if !s.Standalone() || !isWide(s) {
			continue
		}
		for i, a := range s.In {
			s.In[i] = a.Strong()
		}
		j := s.Jaxpr()
		var texts []string
		for _, missing := range []stablehlo.Missing{stablehlo.CHLO, stablehlo.Decompose} {
			text, err := stablehlo.Write(j, stablehlo.WriteOptions{Missing: missing})
			require.NoError(t, err, s.Prim.Name())
			texts = append(texts, text)
			if strings.Contains(text, `"lapack_`) && !strings.Contains(s.Jaxpr().String(), "enable_eigvec_derivs=True") {
				texts = append(texts, equationOfComposite.ReplaceAllString(text, ""))
			}
		}
		slices.Sort(texts)
		for _, text := range slices.Compact(texts) {
			m, err := stablehlo.Parse(s.Prim.Name(), text)
			require.NoError(t, err, text)
			p, err := m.Program(m.Main(), j.InAvals(), stablehlo.Options{})
			require.NoError(t, err, text)
			for _, what := range slices.Sorted(maps.Keys(derivatives)) {
				ran[what] += compareDerivatives(t, what, text, r, s, derivatives[what], j, p.Jaxpr)
			}
		}
	}
	for what := range derivatives {
		t.Logf("%s: %d programs", what, ran[what])
		assert.Greater(t, ran[what], 300, what)
	}
}

var derivatives = map[string]func(*jaxpr.Jaxpr) *jaxpr.Jaxpr{
	"jvp":            transforms.JVPProgram,
	"vjp":            transforms.VJPProgram,
	"vmap of jvp":    func(j *jaxpr.Jaxpr) *jaxpr.Jaxpr { return mapped(transforms.JVPProgram(j)) },
	"jvp of vmap":    func(j *jaxpr.Jaxpr) *jaxpr.Jaxpr { return transforms.JVPProgram(mapped(j)) },
	"jvp of the jvp": func(j *jaxpr.Jaxpr) *jaxpr.Jaxpr { return transforms.JVPProgram(transforms.JVPProgram(j)) },
}

func mapped(j *jaxpr.Jaxpr) *jaxpr.Jaxpr {
	return transforms.VmapProgram(j, make([]int, len(j.Ins)), make([]int, len(j.Outs)), 2)
}

// compareDerivatives transforms both programs and compares their results; it returns 1, or 0 if
// the primitive has no such derivative.
func compareDerivatives(t *testing.T, what, text string, r *rand.Rand, s primtest.Sample, transform func(*jaxpr.Jaxpr) *jaxpr.Jaxpr, first, again *jaxpr.Jaxpr) int {
	t.Helper()
	if core.Catch(func() { first = transform(first) }) != nil {
		return 0
	}
	if !assert.NoError(t, core.Catch(func() { again = transform(again) }), "%s of %s", what, text) {
		return 0
	}
	args := make([]*runtime.Array, len(first.Ins))
	for i, a := range first.InAvals() {
		var d primtest.Domain
		if s.Dom != nil && i < len(s.Dom) {
			d = s.Dom[i]
		}
		args[i] = runtime.New(a.Strong())
		d.Fill(r, a, args[i].Tensor().Data)
	}
	want, err := runtime.Evaluate(context.Background(), runtime.Reference, first, args)
	require.NoError(t, err, text)
	got, err := runtime.Evaluate(context.Background(), runtime.Reference, again, args)
	require.NoError(t, err, text)
	check := stablehlo.Check{Name: "check.expect_close", ByULP: true, ULP: 1 << 62}
	for i, w := range want {
		d := check.Compare(w.Aval(), got[i].Tensor().Data, w.Tensor().Data)
		if d.Norm > 64 || d.ULP > 1<<61 {
			t.Errorf("%s: result %d: got %v, want %v of\n%s", what, i, got[i].Text(nil), w.Text(nil), text)
		}
	}
	return 1
}

// isWide reports whether a sample has floats, all of 32 bits or more.
func isWide(s primtest.Sample) bool {
	has := false
	for _, a := range append(slices.Clone(s.In), core.AbstractOf(s.Prim, s.In)...) {
		switch {
		case a.DType == core.Float32 || a.DType == core.Float64 || a.DType.IsComplex():
			has = true
		case !a.DType.IsInteger() && !a.DType.IsBool():
			return false
		}
	}
	return has
}
