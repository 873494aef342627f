package vocabulary

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func generate(t *testing.T, source string) (string, error) {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "op.go"), []byte("package prim\n"+source), 0o666); err != nil {
		t.Fatal(err)
	}
	b, err := Generate(dir, "prim")
	return string(b), err
}

func TestGenerate(t *testing.T) {
	got, err := generate(t, `
type SinP struct{ unary[floating] }
func (SinP) Name() string { return "sin" }
type PowP struct{ Y int }
func (PowP) Name() string { return "pow" }
func (PowP) read(r *R) P { return PowP{r.Int("y")} }

// FoldP folds.
//
//prim:word fold-add FoldP{Add}
//prim:word fold FoldP{}
type FoldP struct{ By int }
func (p FoldP) Name() string { return names[p.By] }
func (p FoldP) read(r *R) P { return p }

//prim:word -
type FoldByP struct{ F int }
func (FoldByP) Name() string { return "fold" }

type Config struct{ X int }
`)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"sin":      rule.Word(SinP{}),`, `"pow":      PowP{}.read,`, `"fold":     FoldP{}.read,`, `"fold-add": FoldP{Add}.read,`} {
		if !strings.Contains(got, want) {
			t.Errorf("no line %s in\n%s", want, got)
		}
	}
	if n := strings.Count(got, ",\n"); n != 4 {
		t.Errorf("got %d words, want 4:\n%s", n, got)
	}
}

func TestGenerateErrors(t *testing.T) {
	for source, want := range map[string]string{
		"type AP struct{ X int }\nfunc (AP) Name() string { return \"a\" }":                                                      "op.go:2:6: AP has parameters and no method read",
		"\ntype AP struct{}\nfunc (p AP) Name() string { return names[p] }":                                                      "op.go:3:6: AP has no word",
		"type AP struct{}\nfunc (AP) Name() string { return \"a\" }\ntype BP struct{}\nfunc (BP) Name() string { return \"a\" }": "op.go:4:6: the word a of BP is that of AP (op.go:2:6)",
		"type AP struct{ Shared }\ntype Shared struct{ X int }\nfunc (AP) Name() string { return \"a\" }":                        "op.go:2:6: AP has parameters and no method read",
	} {
		if _, err := generate(t, source); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s:\ngot error %v, want %s", source, err, want)
		}
	}
}
