package runtime_test

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/internal/test/golden"
	"github.com/weft-go/weft/internal/test/ircheck"
	"github.com/weft-go/weft/internal/test/race"
	"github.com/weft-go/weft/jaxpr"
)

// textRecord is a line of evals.jsonl or program_texts.jsonl: a program as JAX
// printed it, with inputs (captured constants first) and JAX's values.
type textRecord struct {
	Name, Group, Text string
	In, Out           golden.Arrays
	Exact             bool
}

// TestPrintedPrograms runs programs that JAX printed.
func TestPrintedPrograms(t *testing.T) {
	race.Values(t)
	for _, file := range []string{"jax/evals.jsonl", "jax/program_texts.jsonl"} {
		records, _ := golden.Records[textRecord](t, file)
		outside := map[string]int{}
		exact, near, hidden := 0, 0, 0
		for _, r := range records {
			j, err := jaxpr.Parse(golden.NameBlanks(r.Text), prim.Vocabulary)
			if err != nil {
				t.Errorf("%s: %v", r.Name, err)
				continue
			}
			in := r.In.Values()
			nc := len(j.Consts)
			if ircheck.HiddenConstants(j) {
				hidden++
				continue
			}
			var got []core.Value
			largest := 0.0
			if otherVectors[r.Name] {
				continue
			}
			if err := core.Catch(func() { got, largest = watch(j, in[:nc:nc], in[nc:]) }); err != nil {
				var e *core.Error
				if errors.As(err, &e) && errors.Is(err, core.ErrNoRule) && strings.Contains(e.Msg, "not in the vocabulary") {
					outside[e.Op]++
				} else {
					t.Errorf("%s: %v", r.Name, err)
				}
				continue
			}
			if len(got) != len(r.Out) {
				t.Errorf("%s: %d results, want %d", r.Name, len(got), len(r.Out))
				continue
			}
			ulps, magnitude := 0.0, 0.0
			if r.Exact && !notCorrectlyRounded(j) {
				exact++
			} else {
				near++
				ulps, magnitude = tolerance(r.Name, j, largest)
			}
			for i := range got {
				if d := golden.CompareAt(got[i], r.Out[i], ulps, magnitude); d != "" {
					t.Errorf("%s: result %d: %s", r.Name, i, d)
					break
				}
			}
		}
		var left []string
		for _, k := range slices.Sorted(maps.Keys(outside)) {
			left = append(left, fmt.Sprintf("%s %d", k, outside[k]))
		}
		t.Logf("%s: %d compared bit by bit, %d within ulps; %d with constants of inner programs, whose values no text has; outside the vocabulary: %s",
			file, exact, near, hidden, strings.Join(left, ", "))
		if exact+near == 0 {
			t.Errorf("%s: nothing was compared", file)
		}
	}
}

// otherVectors are records of decompositions whose vectors have another sign or order in
// LAPACK than here. They are unique up to that; package reference's tests compare by
// reconstruction.
var otherVectors = map[string]bool{"eigh_2": true, "svd_2": true, "eig_1": true, "schur_1": true}
