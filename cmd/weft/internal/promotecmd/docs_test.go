package promotecmd

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the generated parts of docs/promotion.md anew")

// The output shown in docs/promotion.md is what the command prints. It stands between a line
//
//	<!-- weft promote ARGUMENTS -->
//
// and the line <!-- end -->. With > FILE before -->, it is instead the contents of a file beside the page.
func TestDocs(t *testing.T) {
	docs, err := filepath.Abs(filepath.Join("..", "..", "..", "..", "docs"))
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(docs)
	page, err := os.ReadFile("promotion.md")
	if err != nil {
		t.Fatal(err)
	}
	const begin, end = "<!-- weft promote ", "<!-- end -->"
	var out []string
	blocks, pictures := 0, 0
	shown := map[string]bool{}
	lines := strings.Split(string(page), "\n")
	for i := 0; i < len(lines); i++ {
		out = append(out, lines[i])
		args, ok := strings.CutPrefix(lines[i], begin)
		if !ok {
			continue
		}
		args = strings.TrimSuffix(args, " -->")
		args, file, picture := strings.Cut(args, " > ")
		status, text, errs := run("", strings.Fields(args)...)
		if status == mistaken || errs != "" {
			t.Errorf("weft promote %s: %s", args, errs)
		}
		if picture {
			pictures++
			shown[file] = true
			same(t, file, text)
			continue
		}
		blocks++
		if strings.Contains(args, "--format md") {
			out = append(out, strings.TrimRight(text, "\n"), end)
		} else {
			out = append(out, "```text", strings.TrimRight(text, "\n"), "```", end)
		}
		for i++; i < len(lines) && lines[i] != end; i++ {
			if strings.HasPrefix(lines[i], begin) {
				t.Fatalf("weft promote %s has no %s", args, end)
			}
		}
	}
	same(t, "promotion.md", strings.Join(out, "\n"))
	if blocks < 20 || pictures < 10 {
		t.Errorf("only %d blocks and %d pictures were looked at", blocks, pictures)
	}
	files, err := filepath.Glob("img/promotion/*.svg")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if !shown[f] {
			t.Errorf("nothing makes %s", f)
		}
	}
	for f := range shown {
		if !strings.Contains(string(page), "]("+f+")") {
			t.Errorf("%s is made and not shown", f)
		}
	}
}

// same checks that a file contains want, or writes it with -update.
func same(t *testing.T, file, want string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	got, err := os.ReadFile(file)
	if err != nil {
		t.Error(err)
		return
	}
	if string(got) != want {
		t.Errorf("docs/%s is not what the command prints; write it anew with -update", file)
	}
}
