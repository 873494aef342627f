package equinox_test

import (
	"strings"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/internal/test/golden"
	"github.com/weft-go/weft/internal/test/goldenfile"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower"
)

// Programs of testdata/solves.py have JAX's results, and derivatives and batches of the plain ones are those that JAX's
// programs compute: to 1e-4 of the largest element, as solvers stop there.
func TestLineaxIterations(t *testing.T) {
	type record struct {
		ID, Text string
		In, Out  golden.Arrays
	}
	type function = func(in []weft.Array) []weft.Array
	plain := map[string]function{}
	count := map[string]int{}
	for r := range goldenfile.Records[record](t, goldenfile.OpenFile(t, "testdata/solves.jsonl.gz")) {
		j, err := jaxpr.Parse(r.Text, prim.Vocabulary)
		if err == nil {
			err = jaxpr.Check(j)
		}
		if err != nil {
			t.Errorf("%s: %v", r.ID, err)
			continue
		}
		if again, err := jaxpr.Parse(j.String(), prim.Vocabulary); err != nil || jaxpr.Diff(j, again) != "" {
			t.Errorf("%s: its text does not come back: %v", r.ID, err)
		}
		j = lower.Inline(j, lower.Inlining{Custom: true}) // the texts lack the rules
		run := func(in []weft.Array) []weft.Array {
			return arrays(jaxpr.Eval(j, nil, values(in)))
		}
		name, kind, _ := strings.Cut(r.ID, ".")
		if count[kind]++; kind == "" {
			plain[name] = run
		}
		f := plain[name]
		both := func(in []weft.Array) []weft.Array {
			y, d := weft.ValueAndGrad(func(in []weft.Array) weft.Array { return f(in)[0] })(in)
			return append([]weft.Array{y}, d...)
		}
		ours := map[string]function{
			"grad": both, "batch": weft.Vmap(both),
			"vectors": func(in []weft.Array) []weft.Array {
				return weft.Vmap(func(b weft.Array) []weft.Array { return f([]weft.Array{in[0], b}) })(in[1])
			},
		}
		for what, f := range map[string]function{"the text": run, "ours": ours[kind]} {
			if f == nil {
				continue
			}
			got := f(arrays(r.In.Values()))
			for i, w := range r.Out {
				if d := golden.Compare(got[i].Value(), w, 1024, 1); d != "" {
					t.Errorf("%s, %s, result %d: %s", r.ID, what, i, d)
				}
			}
		}
	}
	if count[""] < 20 || count["grad"] < 15 || count["batch"] < 15 || count["vectors"] < 20 {
		t.Errorf("tried %v", count)
	}
}

func arrays(vs []core.Value) []weft.Array {
	out := make([]weft.Array, len(vs))
	for i, v := range vs {
		out[i] = weft.FromValue(v)
	}
	return out
}

func values(xs []weft.Array) []core.Value {
	out := make([]core.Value, len(xs))
	for i, x := range xs {
		out[i] = x.Value()
	}
	return out
}
