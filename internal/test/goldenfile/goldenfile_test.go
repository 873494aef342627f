package goldenfile

import (
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// No other package reads the variable: there is one reader of golden data.
func TestOneReader(t *testing.T) {
	err := filepath.WalkDir("../../..", func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == "testdata" || d.Name() == ".git" || d.Name() == "goldenfile") {
			return filepath.SkipDir
		}
		if !strings.HasSuffix(file, ".go") {
			return nil
		}
		b, err := os.ReadFile(file)
		if strings.Contains(string(b), `env("WEFT_GOLDEN"`) {
			t.Errorf("%s reads WEFT_GOLDEN; use package goldenfile", file)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestFiles(t *testing.T) {
	whole, local := t.TempDir(), t.TempDir()
	write := func(dir, name, text string) string {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return file
	}
	write(whole, "a.jsonl", `{"N":1}`+"\n\n"+`{"N":2}`)
	subset := write(local, "a.jsonl", `{"N":3}`)
	read := func(name string) (ns []int) {
		type rec struct{ N int }
		for r := range Records[rec](t, Open(t, name, subset)) {
			ns = append(ns, r.N)
		}
		return ns
	}
	for _, c := range []struct {
		dir, name string
		want      []int
	}{
		{"", "a.jsonl", []int{3}},
		{whole, "a.jsonl", []int{1, 2}},
		{whole, "b.jsonl", []int{3}}, // not in the whole collection
	} {
		t.Setenv("WEFT_GOLDEN", c.dir)
		if got := read(c.name); !slices.Equal(got, c.want) {
			t.Errorf("%q, %s: got %v, want %v", c.dir, c.name, got, c.want)
		}
	}
	t.Setenv("WEFT_GOLDEN", "")
	b, err := io.ReadAll(OpenFS(t, "a.jsonl", os.DirFS(local), "a.jsonl"))
	if err != nil || string(b) != `{"N":3}` {
		t.Errorf("OpenFS: got %q, %v", b, err)
	}
	t.Run("without", func(t *testing.T) {
		defer func() {
			if !t.Skipped() {
				t.Error("not skipped")
			}
		}()
		Open(t, "a.jsonl", "")
	})
}
