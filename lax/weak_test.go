package lax_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/weft-go/weft/internal/test/goldenfile"
	"github.com/weft-go/weft/internal/test/jax"
)

// weakRecord is a program about weak types, with the types of its results.
type weakRecord struct {
	Name, Group, Source, Args, Error string
	OutAvals                         []string `json:"out_avals"`
}

func weakRecords(t *testing.T) (rs []weakRecord) {
	t.Helper()
	return slices.Collect(goldenfile.Records[weakRecord](t, goldenfile.Open(t, "jax/weak.jsonl", "testdata/weak.jsonl")))
}

// Weak marks go through loops, branches, calls, batches and derivatives as JAX's do.
func TestWeakTypesOfPrograms(t *testing.T) {
	groups := []string{"while", "scan", "cond", "jit", "custom", "vmap", "ad"}
	n, of, byRule := 0, 0, 0
	for _, r := range weakRecords(t) {
		if !slices.Contains(groups, r.Group) {
			continue
		}
		of++
		rec := record{Name: r.Name, Source: r.Source}
		if r.Args != "" {
			rec.InAvals = strings.Split(r.Args, ", ")
		}
		j, err := staged(t, rec)
		if _, ok := err.(jax.Unknown); ok {
			t.Logf("%s: %v", r.Name, err)
			continue
		}
		n++
		if r.Error != "" {
			require.Error(t, err, "%s\n%s", r.Name, r.Source)
			continue
		}
		if err != nil && strings.Contains(err.Error(), "does not fit") {
			byRule++ // an untyped constant that the operand's type cannot hold is refused
			continue
		}
		if err != nil {
			t.Errorf("%s: %v\n%s", r.Name, err, r.Source)
			continue
		}
		var got []string
		for _, a := range j.OutAvals() {
			got = append(got, a.Full())
		}
		if !slices.Equal(got, r.OutAvals) {
			t.Errorf("%s: got %v, want %v\n%s\n%s", r.Name, got, r.OutAvals, r.Source, j)
		}
	}
	t.Logf("%d of %d programs, %d of them refused by rule", n, of, byRule)
	require.LessOrEqual(t, byRule, 1)
	require.GreaterOrEqual(t, n, 15)
}
