package lower_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/internal/test/primtest"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower"
	"github.com/weft-go/weft/lower/reference"
)

// No sample of the vocabulary is left with an operation that consists of others, but those over
// named axes, also where operands are weak.
func TestExpand(t *testing.T) {
	expanded := 0
	samples := primtest.EveryType()
	for _, s := range primtest.EveryType() {
		if _, made := s.Prim.(core.Expander); made {
			s.In = slices.Clone(s.In)
			for i, a := range s.In {
				s.In[i].Weak = a.DType.IsNumber()
			}
			samples = append(samples, s)
		}
	}
	for _, s := range samples {
		_, made := s.Prim.(core.Expander)
		j := s.Jaxpr()
		var out *jaxpr.Jaxpr
		if err := core.Catch(func() { out = lower.After(j, "expand") }); err != nil {
			t.Errorf("%s of %v: %v", s.Prim.Name(), s.In, err)
			continue
		}
		if err := jaxpr.Check(out); err != nil {
			t.Errorf("%s of %v: %v", s.Prim.Name(), s.In, err)
		}
		if !made || reference.Has(s.Prim) || core.NamesAxes(s.Prim) {
			continue
		}
		expanded++
		walkEqns(lower.After(j, "sums"), func(e *jaxpr.Eqn) {
			_, made := e.Prim.(core.Expander)
			if made && !reference.Has(e.Prim) && !core.NamesAxes(e.Prim) {
				t.Errorf("%s of %v: %s is left", s.Prim.Name(), s.In, e.Prim.Name())
			}
		})
	}
	if expanded < 50 {
		t.Errorf("only %d samples were expanded", expanded)
	}
}

func walkEqns(j *jaxpr.Jaxpr, f func(*jaxpr.Eqn)) {
	for _, e := range j.Eqns {
		f(e)
		for _, inner := range jaxpr.Programs(e.Prim) {
			walkEqns(inner, f)
		}
	}
}

func TestExpandKeepsLines(t *testing.T) {
	j := parse(t, `{ lambda ; a:f32[4]. let b:f32[4] = cumlogsumexp[axis=0 reverse=False] a in (b,) }`)
	out := lower.After(j, "inline")
	if len(out.Eqns) < 2 || strings.Contains(out.String(), "cumlogsumexp") {
		t.Fatalf("got %v, want the operations that it consists of", out)
	}
	for _, e := range out.Eqns {
		if e.Site != j.Eqns[0].Site {
			t.Errorf("%s has line %v, want that of the operation", e.Prim.Name(), e.Site)
		}
	}
}
