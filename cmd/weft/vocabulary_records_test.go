package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/weft-go/weft/internal/test/golden"
	"github.com/weft-go/weft/internal/test/goldenfile"
)

// unreadable are the records that no implementation can run, with the reason.
var unreadable = map[string]string{
	"autodiff 468": "expm: the text lacks the constant of an inner program",
	"autodiff 469": "expm: the text lacks the constant of an inner program",
}

// Programs of the golden data that name scientific functions have JAX's values, derivatives and texts: 177 records. The other 119 are
// in TestScientificRecords of lax.
func TestScientificRecords(t *testing.T) {
	type record struct {
		ID            int
		Name, Text    string
		In, Consts    []json.RawMessage
		Tangents, Ct  list
		Out, Jvp, Vjp golden.Arrays
	}
	program, derived, count := filepath.Join(t.TempDir(), "p"), filepath.Join(t.TempDir(), "d"), map[string]int{}
	each := func(file string, test func(r record, name string)) {
		path := goldenfile.Path(t, "jax/"+file+".jsonl", "")
		for line := range goldenfile.Lines(t, goldenfile.OpenFile(t, path)) {
			if !golden.Scientific.Match(line) {
				continue
			}
			kind := filepath.Dir(file)
			if kind == "." {
				kind = file
			}
			count[kind]++
			var r record
			if err := json.Unmarshal(line, &r); err != nil {
				t.Fatalf("%s: %v", file, err)
			}
			if err := os.WriteFile(program, []byte(r.Text+"\n"), 0o666); err != nil {
				t.Fatal(err)
			}
			name := fmt.Sprint(file, " ", r.Name)
			if r.Name == "" {
				name = fmt.Sprint(file, " ", r.ID)
			}
			if unreadable[name] == "" {
				test(r, name)
			}
		}
	}
	agree := func(name, file, text string, in []json.RawMessage, want golden.Arrays) {
		t.Helper()
		if ok, errs := suiteAgrees(t, file, name, text, in, want); !ok {
			t.Errorf("%s: the results are not JAX's; %s\n%s", name, errs, text)
		}
	}
	for _, file := range []string{"evals", "program_texts"} {
		each(file, func(r record, name string) { agree(name, program, r.Text, r.In, r.Out) })
	}
	each("autodiff", func(r record, name string) {
		in := slices.Concat(r.Consts, r.In)
		if r.Out != nil {
			agree(name, program, r.Text, in, r.Out)
		}
		derivative := func(kind string, with list, want golden.Arrays) {
			if want == nil || with == nil {
				return
			}
			status, out, errs := weft(t, "", kind, "--ignore-custom-rules", program)
			if status != 0 {
				t.Errorf("%s: %s: %s", name, kind, errs)
				return
			}
			if err := os.WriteFile(derived, []byte(out), 0o666); err != nil {
				t.Fatal(err)
			}
			agree(name+":"+kind, derived, r.Text, slices.Concat(in, with), want)
		}
		derivative("jvp", r.Tangents, append(slices.Clone(r.Out), r.Jvp...))
		derivative("vjp", r.Ct, r.Vjp)
	})
	files, err := filepath.Glob(goldenfile.Path(t, "jax/jaxprs/*.jsonl", ""))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range files {
		each("jaxprs/"+filepath.Base(path[:len(path)-len(".jsonl")]), func(r record, name string) {
			if status, out, errs := weft(t, "", "fmt", program); status != 0 || out != r.Text+"\n" {
				t.Errorf("%s: got %s%s, want %s", name, out, errs, r.Text)
			}
		})
	}
	if want := map[string]int{"evals": 48, "program_texts": 8, "autodiff": 73, "jaxprs": 48}; fmt.Sprint(count) != fmt.Sprint(want) {
		t.Errorf("records: got %v, want %v", count, want)
	}
}

// A list is one array or several.
type list []json.RawMessage

func (l *list) UnmarshalJSON(b []byte) error {
	if b[0] == '[' {
		return json.Unmarshal(b, (*[]json.RawMessage)(l))
	}
	*l = list{append(json.RawMessage(nil), b...)}
	return nil
}
