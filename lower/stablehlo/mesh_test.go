package stablehlo_test

import (
	"strings"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/internal/test/golden"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower/stablehlo"
	"github.com/weft-go/weft/runtime"
	_ "github.com/weft-go/weft/transforms"
)

// meshRecord is a line of shard.jsonl: a program over a mesh, as JAX printed it and as it wrote it for XLA.
type meshRecord struct {
	Name, Text, StableHLO string
	In, Out               golden.Arrays
}

func evaluate(t *testing.T, what string, j *jaxpr.Jaxpr, r meshRecord) []core.Value {
	t.Helper()
	var out []core.Value
	if err := core.Catch(func() { out = jaxpr.Eval(j, j.ConstVals, r.In.Values()) }); err != nil {
		t.Errorf("%s: %s: %v", r.Name, what, err)
	}
	return out
}

// Modules over meshes, as JAX writes them, have its results; so have what we write of its programs and
// read back.
func TestMeshes(t *testing.T) {
	records, _ := golden.Records[meshRecord](t, "jax/shard.jsonl")
	read, written := 0, 0
	for _, r := range records {
		if r.StableHLO == "" || len(r.Out) == 0 {
			continue
		}
		program := func(what, text string) *jaxpr.Jaxpr {
			m, err := stablehlo.Parse(r.Name, text)
			if err != nil {
				t.Errorf("%s: %s: %v", r.Name, what, err)
				return nil
			}
			types, err := m.Avals(m.Main())
			if err != nil {
				t.Errorf("%s: %s: %v", r.Name, what, err)
				return nil
			}
			p, err := m.Program(m.Main(), types, options)
			if err != nil {
				t.Errorf("%s: %s: %v\n%s", r.Name, what, err, text)
				return nil
			}
			return p.Jaxpr
		}
		j := program("JAX's module", r.StableHLO)
		if j == nil {
			continue
		}
		got := evaluate(t, "JAX's module", j, r)
		for i := range got {
			if d := golden.Compare(got[i], r.Out[i], 4, golden.Largest(r.Out[i])); d != "" {
				t.Errorf("%s: result %d: %s", r.Name, i, d)
			}
		}
		read++
		text, err := stablehlo.Write(j, stablehlo.WriteOptions{Bytes: constantBytes})
		if err != nil {
			t.Errorf("%s: %v", r.Name, err)
			continue
		}
		if strings.Contains(r.StableHLO, "sdy.manual_computation") != strings.Contains(text, "sdy.manual_computation") {
			t.Errorf("%s: the mesh is lost:\n%s", r.Name, text)
		}
		back := program("what is written", text)
		if back == nil {
			continue
		}
		again := evaluate(t, "what is written", back, r)
		for i := range again {
			if d := golden.Compare(again[i], r.Out[i], 4, golden.Largest(r.Out[i])); d != "" {
				t.Errorf("%s: result %d of what is written: %s", r.Name, i, d)
			}
		}
		written++
	}
	if read == 0 || read != written {
		t.Errorf("%d modules were read, %d written", read, written)
	}
	t.Logf("%d modules", read)
}

func constantBytes(v core.Value) ([]byte, bool) {
	a, ok := v.(*runtime.Array)
	if !ok {
		return nil, false
	}
	return a.Tensor().Data, true
}
