package runtime_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/internal/test/golden"
	"github.com/weft-go/weft/internal/test/goldenfile"
	"github.com/weft-go/weft/trace"
)

// cumlogsumexp of corner cases is JAX's: NaN, infinities and zeros are the same, ordinary numbers
// within 2 ulps, which is what log1p of the expansion may be off.
func TestCornersOfCumlogsumexp(t *testing.T) {
	type record struct {
		ID          int
		DType, Case string
		Params      struct {
			Axis    int
			Reverse bool
		}
		In  golden.Arrays
		Jit json.RawMessage
	}
	n := 0
	for r := range goldenfile.Records[*record](t, goldenfile.OpenFile(t, "testdata/cumlogsumexp_corners.jsonl")) {
		n++
		in := r.In.Values()
		p := prim.CumlogsumexpP{Cumulation: prim.Cumulation{Axis: r.Params.Axis, Reverse: r.Params.Reverse}}
		if len(r.Jit) == 0 { // JAX refuses it, too
			if err := core.Catch(func() { core.Bind1(p, in...) }); err == nil {
				t.Errorf("%d: cumlogsumexp of %s: got no error, want one, as in JAX", r.ID, r.DType)
			}
			continue
		}
		var want golden.Arrays
		if err := json.Unmarshal([]byte("["+string(r.Jit)+"]"), &want); err != nil || len(want) == 0 {
			t.Fatalf("%d: %v: %s", r.ID, err, r.Jit)
		}
		if d := golden.CompareAt(core.Bind1(p, in...), want[0], 2, 0); d != "" {
			t.Errorf("%d: cumlogsumexp of %s, %s: %s", r.ID, r.DType, r.Case, d)
		}
	}
	if n != 72 {
		t.Errorf("got %d records, want 72", n)
	}
}

// Integers are refused where the operation is written, not where the program is compiled.
func TestCumlogsumexpOfIntegers(t *testing.T) {
	in := []core.ShapedArray{core.Aval(core.Int32, 3)}
	err := core.Catch(func() {
		trace.Stage("f", in, func(in []core.Value) []core.Value { return []core.Value{prim.Cumlogsumexp(in[0], 0, false)} })
	})
	if err == nil || !strings.Contains(err.Error(), "cumlogsumexp: logarithms of sums are of floating or complex numbers, got i32[3]") {
		t.Errorf("got %v, want a refusal of i32[3]", err)
	}
}
