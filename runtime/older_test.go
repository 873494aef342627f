package runtime_test

import (
	"os"
	"strings"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/internal/test/golden"
	"github.com/weft-go/weft/internal/test/goldenfile"
	"github.com/weft-go/weft/jaxpr"
)

// TestOlderTexts runs programs as JAX 0.5.3 to 0.9.0 printed them, with pjit, linear= and
// other forms of their time. A text is read, passes Check and has JAX's values, or it is not
// read at all: JAX before 0.6 printed literals without types.
func TestOlderTexts(t *testing.T) {
	f, err := os.Open("testdata/older/programs.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	ran, refused := map[string]int{}, map[string]int{}
	for r := range goldenfile.Records[struct {
		Name, JAX, Text string
		In, Out         golden.Arrays
	}](t, f) {
		j, err := jaxpr.Parse(golden.NameBlanks(r.Text), prim.Vocabulary)
		if err != nil {
			if refused[r.JAX]++; r.JAX != "0.5.3" || !strings.Contains(err.Error(), "JAX before 0.6 wrote literals without types") {
				t.Errorf("%s of JAX %s: %v", r.Name, r.JAX, err)
			}
			continue
		}
		if err := jaxpr.Check(j); err != nil {
			t.Errorf("%s of JAX %s: Check: %v", r.Name, r.JAX, err)
			continue
		}
		in, n := r.In.Values(), len(j.Consts)
		var got []core.Value
		if err := core.Catch(func() { got = jaxpr.Eval(j, in[:n:n], in[n:]) }); err != nil {
			t.Errorf("%s of JAX %s: Eval: %v", r.Name, r.JAX, err)
			continue
		}
		if len(got) != len(r.Out) {
			t.Errorf("%s of JAX %s: got %d results, want %d", r.Name, r.JAX, len(got), len(r.Out))
			continue
		}
		for i, v := range got {
			if d := golden.Compare(v, r.Out[i], 8, 1); d != "" {
				t.Errorf("%s of JAX %s: result %d: %s", r.Name, r.JAX, i, d)
			}
		}
		ran[r.JAX]++
		// Printed in today's dialect it is the same program.
		if again, err := jaxpr.Parse(j.String(), prim.Vocabulary); err != nil || again.String() != j.String() {
			t.Errorf("%s of JAX %s: printed and read again: %v\n%v", r.Name, r.JAX, err, j)
		}
	}
	t.Logf("ran %v, refused %v", ran, refused)
	if ran["0.9.0"] < 80 || ran["0.6.2"] < 30 || ran["0.5.3"] == 0 && refused["0.5.3"] == 0 {
		t.Errorf("ran %v, want 80 of 0.9.0 and 30 of 0.6.2", ran)
	}
}
