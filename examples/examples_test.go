// Package examples contains example programs; its test checks what they import.
package examples

import (
	"bytes"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// Examples import only packages that any module can import. Transformations that a user
// writes need no more of the library than weft, functions, custom rules and the packages
// for programs, and no more than 150 lines.
func TestImports(t *testing.T) {
	files, err := filepath.Glob("*/*.go")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	const module = "github.com/weft-go/weft"
	own := map[string]bool{"cosify": true, "mask": true, "inverse": true, "flops": true}
	allowed := []string{"", "/nn", "/special", "/custom", "/jaxpr", "/lower", "/trace"}
	for _, file := range files {
		src, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		f, err := parser.ParseFile(token.NewFileSet(), file, src, parser.ImportsOnly)
		if err != nil {
			t.Fatal(err)
		}
		small := own[filepath.Dir(file)] && !strings.HasSuffix(file, "_test.go")
		for _, imp := range f.Imports {
			path, _ := strconv.Unquote(imp.Path.Value)
			rest, ours := strings.CutPrefix(path, module)
			if rest == "/internal/test/statement" && strings.HasSuffix(file, "_test.go") {
				continue // names what the project promises; a copy of the example leaves it out
			}
			if strings.HasSuffix(path, "/internal") || strings.Contains(path, "/internal/") {
				t.Errorf("%s imports %s, which no other module can", file, path)
			}
			if small && ours && !slices.Contains(allowed, rest) {
				t.Errorf("%s imports %s; use weft, nn, special, custom, jaxpr, lower and trace only", file, path)
			}
		}
		if n := bytes.Count(src, []byte("\n")); small && n > 150 {
			t.Errorf("%s has %d lines, want at most 150", file, n)
		}
	}
}
