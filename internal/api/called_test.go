package api

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// internals are public packages whose functions are mostly for other packages of the module:
// CI's deadcode step requires that tests reach them.
var internals = []string{"jaxpr", "trace"}

// standard are methods that the standard library calls.
var standard = []string{"Error", "Format", "LogValue", "String", "Unwrap"}

// Every exported function and method of the packages that users program against is used by a
// test or an example.
func TestEveryFunctionIsCalled(t *testing.T) {
	used := usedNames(t, filepath.Join("..", ".."))
	for _, dir := range public {
		if slices.Contains(internals, dir) {
			continue
		}
		files, err := parseDir(filepath.Join("..", "..", dir))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			for _, d := range f.Decls {
				fn, ok := d.(*ast.FuncDecl)
				if !ok || !fn.Name.IsExported() {
					continue
				}
				pkg, recv := f.Name.Name, receiver(fn)
				switch {
				case recv != "" && !ast.IsExported(recv):
				case recv != "" && !used["."+fn.Name.Name] && !slices.Contains(standard, fn.Name.Name):
					t.Errorf("no test or example calls %s.%s.%s", pkg, recv, fn.Name.Name)
				case recv == "" && !used[pkg+"."+fn.Name.Name]:
					t.Errorf("no test or example calls %s.%s", pkg, fn.Name.Name)
				}
			}
		}
	}
}

// usedNames returns what the tests and examples of a module name: functions as
// package.Name, and the names of all selections as .Name, for methods.
func usedNames(t *testing.T, root string) map[string]bool {
	used := map[string]bool{}
	err := filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == "testdata" || strings.HasPrefix(d.Name(), ".") && len(d.Name()) > 2) {
			return filepath.SkipDir
		}
		rel, _ := filepath.Rel(root, file)
		example := strings.HasPrefix(filepath.ToSlash(rel), "examples/") && strings.HasSuffix(file, ".go")
		if !example && !strings.HasSuffix(file, "_test.go") {
			return nil
		}
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		addNames(used, f)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return used
}

func addNames(used map[string]bool, f *ast.File) {
	packages := map[string]string{} // name in the file → name of the package
	for _, im := range f.Imports {
		name := path.Base(strings.Trim(im.Path.Value, `"`))
		if im.Name != nil {
			packages[im.Name.Name] = name
		} else {
			packages[name] = name
		}
	}
	within := strings.TrimSuffix(f.Name.Name, "_test")
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			used["."+n.Sel.Name] = true
			if x, ok := n.X.(*ast.Ident); ok && packages[x.Name] != "" {
				used[packages[x.Name]+"."+n.Sel.Name] = true
			}
		case *ast.Ident:
			used[within+"."+n.Name] = true
		}
		return true
	})
}
