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
	"github.com/weft-go/weft/internal/golden"
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
	for _, file := range []string{"jax/evals.jsonl", "jax/program_texts.jsonl"} {
		records, _ := golden.Records[textRecord](t, file)
		outside := map[string]int{}
		exact, near := 0, 0
		for _, r := range records {
			j, err := jaxpr.Parse(r.Text, prim.Vocabulary)
			if err != nil {
				t.Errorf("%s: %v", r.Name, err)
				continue
			}
			in := r.In.Values()
			nc := len(j.Consts)
			var got []core.Value
			if err := core.Catch(func() { got = jaxpr.Eval(j, in[:nc:nc], in[nc:]) }); err != nil {
				var e *core.Error
				if errors.As(err, &e) && errors.Is(err, core.ErrNoRule) && strings.Contains(e.Msg, "cannot be evaluated") {
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
			ulps, scale := 0.0, 0.0
			if r.Exact {
				exact++
			} else {
				near++
				ulps, scale = tolerance(r.Name, j)
			}
			for i := range got {
				if d := golden.Compare(got[i], r.Out[i], ulps, scale); d != "" {
					t.Errorf("%s: result %d: %s", r.Name, i, d)
					break
				}
			}
		}
		var left []string
		for _, k := range slices.Sorted(maps.Keys(outside)) {
			left = append(left, fmt.Sprintf("%s %d", k, outside[k]))
		}
		t.Logf("%s: %d compared bit by bit, %d within ulps; outside the vocabulary: %s", file, exact, near, strings.Join(left, ", "))
		if exact+near == 0 {
			t.Errorf("%s: nothing was compared", file)
		}
	}
}
