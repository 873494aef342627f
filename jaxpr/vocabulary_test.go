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

// With the vocabulary too every text reads, checks and prints as it was. NumPy's
// integers print as plain ones, so texts that have some are compared with those
// that have not, where JAX returns both. Logged is what is not in the vocabulary.
func TestRoundTripVocabulary(t *testing.T) {
	same := 0
	outside := map[string]int{}
	numpy := 0
	for _, g := range goldens(t) {
		text := g.text()
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
		if strings.Contains(text, "np.int64(") {
			numpy++
			again, err := jaxpr.Parse(got, prim.Vocabulary)
			if err != nil {
				t.Errorf("%s %s: %v", g.File, g.Name, err)
			} else if s := again.String(); s != got {
				t.Errorf("%s %s: printed twice it differs\n%s", g.File, g.Name, cmp.Diff(strings.Split(got, "\n"), strings.Split(s, "\n")))
			}
			continue
		}
		if got != text {
			t.Errorf("%s %s: not as it was (-want +got)\n%s", g.File, g.Name, cmp.Diff(strings.Split(text, "\n"), strings.Split(got, "\n")))
			continue
		}
		same++
	}
	t.Logf("%d texts print as they were; %d with NumPy integers print the same twice", same, numpy)
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
