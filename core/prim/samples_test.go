package prim_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/core/prim/primtest"
	"github.com/weft-go/weft/jaxpr"
)

// what names a sample in a failure.
func what(s primtest.Sample) string {
	types := make([]string, len(s.In))
	for i, a := range s.In {
		types[i] = a.Full()
	}
	return fmt.Sprintf("%+v of %s", s.Prim, strings.Join(types, " "))
}

func TestEveryWordHasASample(t *testing.T) {
	var missing []string
	seen := map[string]bool{}
	for _, s := range primtest.All() {
		seen[s.Prim.Name()] = true
	}
	for name := range prim.Vocabulary {
		if !seen[name] {
			missing = append(missing, name)
		}
	}
	slices.Sort(missing)
	assert.Empty(t, missing, "primitives without a sample in core/prim/primtest")
}

func TestEverySampleHasAWord(t *testing.T) {
	for _, s := range primtest.All() {
		assert.Contains(t, prim.Vocabulary, s.Prim.Name())
	}
}

func TestEverySampleHasTypes(t *testing.T) {
	for _, s := range primtest.All() {
		var out []core.ShapedArray
		err := core.Catch(func() { out = core.AbstractOf(s.Prim, s.In) })
		if !assert.NoError(t, err, what(s)) {
			continue
		}
		for _, a := range out {
			assert.GreaterOrEqual(t, a.Size(), 0, what(s))
		}
		assert.True(t, s.Dom == nil || len(s.Dom) == len(s.In), "%s: one domain an operand", what(s))
	}
}

// A primitive states what its derivative is, or that it is zero, or why there is none;
// and how it works on a batch.
func TestEveryPrimitiveDeclaresItsRules(t *testing.T) {
	for _, s := range primtest.All() {
		p := s.Prim
		_, jvp := p.(core.JVPer)
		_, zero := p.(core.ZeroJVP)
		_, none := p.(core.NoJVP)
		n := 0
		for _, has := range []bool{jvp, zero, none} {
			if has {
				n++
			}
		}
		assert.Equal(t, 1, n, "%s must have one of JVP, ZeroJVP and NoJVP", p.Name())
		if len(s.In) == 0 {
			continue // nothing that could be mapped
		}
		_, each := p.(core.Elementwise)
		_, batch := p.(core.Batcher)
		assert.NotEqual(t, each, batch, "%s must be Elementwise or have Batch", p.Name())
	}
}

// Equal primitives are equal Go values: they can be keys.
func TestPrimitivesAreKeys(t *testing.T) {
	for _, s := range primtest.All() {
		m := map[core.Primitive]bool{}
		require.NotPanics(t, func() { m[s.Prim] = true }, what(s))
		assert.True(t, m[s.Prim])
	}
}

// program returns the program of one equation.
func program(s primtest.Sample) *jaxpr.Jaxpr {
	j := &jaxpr.Jaxpr{}
	e := jaxpr.Eqn{Prim: s.Prim}
	for _, a := range s.In {
		v := jaxpr.NewVar(a.Strong())
		j.Ins = append(j.Ins, v)
		e.Ins = append(e.Ins, v)
	}
	for _, a := range core.AbstractOf(s.Prim, s.In) {
		v := jaxpr.NewVar(a.Strong())
		e.Outs = append(e.Outs, v)
		j.Outs = append(j.Outs, v)
	}
	j.Eqns = []*jaxpr.Eqn{&e}
	return j
}

// What is printed reads back as the same primitive and prints the same again.
func TestSamplesReadBack(t *testing.T) {
	for _, s := range primtest.All() {
		text := program(s).String()
		j, err := jaxpr.Parse(text, prim.Vocabulary)
		if !assert.NoError(t, err, text) {
			continue
		}
		if assert.Len(t, j.Eqns, 1, text) {
			assert.Equal(t, text, j.String())
			if h, ok := s.Prim.(interface{ Host() *prim.HostFunc }); ok {
				// Of a Go function a text has the name.
				assert.Equal(t, h.Host().Name, j.Eqns[0].Prim.(interface{ Host() *prim.HostFunc }).Host().Name)
			} else if len(jaxpr.Programs(s.Prim)) == 0 {
				assert.Equal(t, s.Prim, j.Eqns[0].Prim, text)
			}
		}
	}
}
