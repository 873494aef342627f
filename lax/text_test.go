package lax_test

import (
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/internal/test/golden"
	"github.com/weft-go/weft/internal/test/goldenfile"
	"github.com/weft-go/weft/internal/test/jax"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/trace"
)

// staged traces a record's program. What the reader does not support is an error of
// type jax.Unknown.
func staged(t *testing.T, r record) (j *jaxpr.Jaxpr, err error) {
	bits := 32
	if r.X64 {
		bits = 64
	}
	var in []core.ShapedArray
	for _, s := range r.InAvals {
		in = append(in, golden.Aval(t, s))
	}
	err = jax.Catch(r.Name, func() {
		weft.With(weft.DefaultBits(bits), func() {
			f := jax.Program(r.Source, r.InTree)
			if r.Group == "collectives" {
				f = withAxis(f)
			}
			j = trace.Stage("f", in, func(vs []core.Value) []core.Value { return jax.Values(f(jax.Arrays(vs)...)) })
		})
	})
	return j, err
}

// aProgram returns a function that returns the program of a record's source, nil if it uses what the reader does not support.
func aProgram(t *testing.T) func(record) program {
	return func(r record) program {
		if _, err := staged(t, r); errors.As(err, new(jax.Unknown)) {
			return nil
		}
		return func(x ...array) []array { return jax.Program(r.Source, r.InTree)(x...) }
	}
}

// leastTexts is how many programs of a group must print JAX's text, where that is not 15 or all. In rng the other programs use rng_bit_generator,
// in binary random_gamma_grad, which JAX writes as a loop.
var leastTexts = map[string]int{"control": 50, "forms": 60, "calls": 25, "custom": 12, "layout": 20, "straight": 47, "rng": 13, "linalg": 24}

// Every program of the golden groups that the reader can express prints JAX's text.
func TestTextOfGoldenPrograms(t *testing.T) {
	total, same := 0, 0
	for _, group := range strings.Fields("unary binary ternary convert shape reduce indexing window dot conv linalg rng more collectives straight forms layout calls control custom seeds") {
		cannot := map[string][]string{}
		n, of := 0, 0
		for _, r := range records(t, group) {
			if r.Level != "lax" {
				continue
			}
			of++
			want := r.Text
			if r.Plain != "" {
				want = r.Plain
			}
			j, err := staged(t, r)
			if _, ok := err.(jax.Unknown); ok {
				cannot[err.Error()] = append(cannot[err.Error()], r.Name)
				continue
			}
			if err != nil {
				t.Errorf("%s/%s: %v\n%s", group, r.Name, err, r.Source)
				continue
			}
			if got := j.String(); got != want {
				t.Errorf("%s/%s\n%s\ngot\n%s\nwant\n%s", group, r.Name, r.Source, got, want)
				continue
			}
			n++
		}
		if least, ok := leastTexts[group]; goldenfile.Whole() {
			if !ok {
				least = min(of, 15)
			}
			require.GreaterOrEqual(t, n, least, "programs of group %s", group)
		}
		total, same = total+of, same+n
		t.Logf("%-12s %3d of %3d", group, n, of)
		for _, why := range slices.Sorted(maps.Keys(cannot)) {
			t.Logf("    %s: %v", why, cannot[why])
		}
	}
	t.Logf("%d of %d programs print JAX's text", same, total)
	if goldenfile.Whole() {
		require.GreaterOrEqual(t, same, 880, "the others need functions that the reader does not have")
	} else {
		require.GreaterOrEqual(t, same, 300)
	}
}
