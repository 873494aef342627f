package jaxpr_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/jaxpr"
)

// With the vocabulary too, every text reads, checks and prints as it was. The test logs the
// operations that the vocabulary lacks.
func TestRoundTripVocabulary(t *testing.T) {
	same := 0
	outside := map[string]int{}
	for _, g := range goldens(t) {
		text := g.Text
		j, err := jaxpr.Parse(text, prim.Vocabulary)
		if err == nil {
			err = jaxpr.Check(j)
		}
		if err != nil {
			t.Errorf("%s %s: %v", g.File, g.Name, err)
			continue
		}
		countOutside(j, outside)
		got := j.String()
		if got != text {
			t.Errorf("%s %s: not as it was (-want +got)\n%s", g.File, g.Name, cmp.Diff(strings.Split(text, "\n"), strings.Split(got, "\n")))
			continue
		}
		same++
	}
	t.Logf("%d texts print as they were", same)
	for _, n := range slices.Sorted(maps.Keys(outside)) {
		t.Logf("outside the vocabulary: %s, %d equations", n, outside[n])
	}
}

// countOutside counts the equations that are kept as text only.
func countOutside(j *jaxpr.Jaxpr, by map[string]int) {
	for _, e := range j.Eqns {
		if why, out := jaxpr.Outside(e.Prim); out {
			by[e.Prim.Name()+" ("+why+")"]++
		}
		for _, q := range jaxpr.Programs(e.Prim) {
			countOutside(q, by)
		}
	}
}
