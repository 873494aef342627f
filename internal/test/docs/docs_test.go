package docs

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"strings"
	"testing"
)

// A block of Go behind "```go run" is the body of a function: all blocks of all pages are compiled together and run. What stands behind
// "// prints: " must be among what they print.
func TestCode(t *testing.T) {
	root, err := filepath.Abs(filepath.Join("..", "..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("there is no go command")
	}
	pages, err := filepath.Glob(filepath.Join(root, "docs", "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	var bodies, names []string
	for _, page := range append(pages, filepath.Join(root, "README.md")) {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		blocks := strings.Split(string(text), "```go run\n")
		for i, b := range blocks[1:] {
			body, _, ok := strings.Cut(b, "\n```")
			if !ok {
				t.Fatalf("%s: block %d does not end", page, i)
			}
			bodies = append(bodies, body)
			names = append(names, fmt.Sprintf("%s, block %d", filepath.Base(page), i+1))
		}
	}
	if len(bodies) < 4 {
		t.Fatalf("only %d blocks", len(bodies))
	}
	var src strings.Builder
	src.WriteString("package main\n\nimport (\n")
	all := strings.Join(bodies, "\n")
	for name, path := range map[string]string{
		"context": "context", "time": "time", "fmt": "fmt", "log": "log", "errors": "errors", "strings": "strings",
		"weft": "github.com/weft-go/weft", "lax": "github.com/weft-go/weft/lax", "promote": "github.com/weft-go/weft/promote",
		"core": "github.com/weft-go/weft/core", "jaxpr": "github.com/weft-go/weft/jaxpr",
		"ode": "github.com/weft-go/weft/ode", "nn": "github.com/weft-go/weft/nn", "special": "github.com/weft-go/weft/special", "fft": "github.com/weft-go/weft/fft", "linalg": "github.com/weft-go/weft/linalg", "stats": "github.com/weft-go/weft/stats", "custom": "github.com/weft-go/weft/custom", "math": "math", "random": "github.com/weft-go/weft/random",
		"optim": "github.com/weft-go/weft/optim", "data": "github.com/weft-go/weft/data",
		"bytes": "bytes", "json": "encoding/json", "http": "net/http", "httptest": "net/http/httptest",
	} {
		if name == "fmt" || regexp.MustCompile(`\b`+name+`\.[A-Z]`).MatchString(all) {
			fmt.Fprintf(&src, "\t%q\n", path)
		}
	}
	src.WriteString(")\n\nfunc main() {\n")
	for i, b := range bodies {
		fmt.Fprintf(&src, "\tfmt.Println(%q)\n\tfunc() {\n%s\n\t}()\n", "== "+names[i], b)
	}
	src.WriteString("}\n")
	dir, err := os.MkdirTemp(root, ".docs-*") // within the module, and no package of ./...
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	if err := os.WriteFile(filepath.Join(dir, "main.go"), []byte(src.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("go", "run", "-tags", buildTags(), "./"+filepath.Base(dir))
	cmd.Dir = root
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s\n%s", err, out, numbered(src.String()))
	}
	t.Logf("%d blocks\n%s", len(bodies), out)
	for _, page := range append(pages, filepath.Join(root, "README.md")) {
		checkPrinted(t, page, string(out))
	}
}

// buildTags returns the tags that the test was built with: the program has the same executors to
// select.
func buildTags() string {
	info, _ := debug.ReadBuildInfo()
	if info == nil {
		return ""
	}
	for _, s := range info.Settings {
		if s.Key == "-tags" {
			return s.Value
		}
	}
	return ""
}

// checkPrinted checks that what a page states a line prints, behind "// prints: ", was printed.
func checkPrinted(t *testing.T, page, out string) {
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if _, want, ok := strings.Cut(line, "// prints: "); ok && !strings.Contains(out, strings.TrimSpace(want)) {
			t.Errorf("%s: nothing printed %s", filepath.Base(page), want)
		}
	}
}

func numbered(s string) string {
	var b strings.Builder
	n := 0
	for line := range strings.Lines(s) {
		n++
		fmt.Fprintf(&b, "%4d %s", n, line)
	}
	return b.String()
}
