package docs

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	span      = regexp.MustCompile("`[^`\n]+`")
	qualified = regexp.MustCompile(`(?:^|[^.\w/"])([a-z]\w*)\.([A-Z]\w*)(?:\.([A-Z]\w*))?`)
)

// What pages name in a sentence as a member of a package, weft.Grad, or as a method of an array, x.Sum,
// exists.
func TestNamesInSentencesExist(t *testing.T) {
	root, all := pages(t)
	known := map[string]map[string]bool{} // of a package: names, and members of its types
	for name, path := range packages {
		if dir, ok := strings.CutPrefix(path, module); ok {
			known[name] = declared(t, filepath.Join(root, dir))
		}
	}
	for name, dir := range map[string]string{"image": "image", "tree": "tree", "trace": "trace", "wefttest": "wefttest", "prim": "core/prim", "indexed": "core/prim/indexed", "matrices": "core/prim/matrices", "windows": "core/prim/windows", "rng": "core/prim/rng", "hostcall": "core/prim/hostcall", "runtime": "runtime", "equinox": "equinox"} {
		known[name] = declared(t, filepath.Join(root, dir))
	}
	looked := 0
	for page := range all {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		prose := fence.ReplaceAllString(string(text), "")
		switch filepath.Base(page) {
		case "numpy.md": // its names are looked at where it is written
			continue
		case "for-jax-users.md": // the first cell of a row has other libraries' names
			prose = regexp.MustCompile(`(?m)^\|[^|]*\|`).ReplaceAllString(prose, "|")
		}
		for _, code := range span.FindAllString(prose, -1) {
			for _, m := range qualified.FindAllStringSubmatch(code, -1) {
				in := m[1]
				if in == "x" || in == "y" {
					in, m[3] = "weft", m[2]
					m[2] = "Array"
				}
				names, ok := known[in]
				if !ok {
					continue
				}
				looked++
				if !names[m[2]] {
					t.Errorf("%s: %s: package %s has no %s", filepath.Base(page), code, in, m[2])
				} else if m[3] != "" && !names["."+m[3]] {
					t.Errorf("%s: %s: nothing in package %s has a member %s", filepath.Base(page), code, in, m[3])
				}
			}
		}
	}
	if looked < 300 {
		t.Errorf("only %d names were looked at", looked)
	}
}

// declared returns the names of a package, and after a period those of methods and fields.
func declared(t *testing.T, dir string) map[string]bool {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%s: %d files, %v", dir, len(files), err)
	}
	names := map[string]bool{}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncDecl:
				if n.Recv != nil {
					names["."+n.Name.Name] = true
				} else {
					names[n.Name.Name] = true
				}
				return false
			case *ast.TypeSpec:
				names[n.Name.Name] = true
			case *ast.ValueSpec:
				for _, id := range n.Names {
					names[id.Name] = true
				}
			case *ast.Field:
				for _, id := range n.Names {
					names["."+id.Name] = true
				}
			}
			return true
		})
	}
	return names
}
