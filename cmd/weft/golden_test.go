package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/weft-go/weft/internal/test/golden"
)

// evalRecord is a program that JAX printed, with inputs and JAX's values.
type evalRecord struct {
	Name, Text string
	In         []json.RawMessage
	Out        golden.Arrays
}

// Programs of JAX run from the command line, bits in and bits out. They are a few of the programs that package runtime
// tests; here the reading of arguments and the writing of results are tested.
func TestEvalGolden(t *testing.T) {
	data, err := os.ReadFile("testdata/evals.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "f.jaxpr")
	compared, outside := 0, 0
	for line := range strings.Lines(string(data)) {
		var r evalRecord
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(r.Text), 0o666); err != nil {
			t.Fatal(err)
		}
		var in strings.Builder
		for _, a := range r.In {
			in.Write(a)
			in.WriteByte('\n')
		}
		status, out, errs := weft(t, in.String(), "eval", "--bits", file)
		if status != done {
			if strings.Contains(errs, "cannot be run") {
				outside++ // not in the vocabulary
			} else {
				t.Errorf("%s: %s", r.Name, errs)
			}
			continue
		}
		var got golden.Arrays
		if err := json.Unmarshal([]byte("["+strings.ReplaceAll(strings.TrimSpace(out), "\n", ",")+"]"), &got); err != nil || len(got) != len(r.Out) {
			t.Errorf("%s: %d results, want %d: %v", r.Name, len(got), len(r.Out), err)
			continue
		}
		for i, g := range got {
			if d := golden.Compare(g.Value(), r.Out[i], 0, 0); d != "" {
				t.Errorf("%s: result %d: %s", r.Name, i, d)
			}
		}
		compared++
	}
	t.Logf("%d programs compared, %d outside the vocabulary", compared, outside)
	if compared == 0 {
		t.Error("nothing was compared")
	}
}
