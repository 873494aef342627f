package api

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Every exported name of the public packages has a sentence. Methods of primitives that an
// interface of package core describes need none, and String needs none.
func TestDocumented(t *testing.T) {
	ofPrimitives := interfaceMethods(t, "core")
	primitives := []string{"core/prim", "core/prim/hostcall", "core/prim/indexed", "core/prim/matrices", "core/prim/rng", "core/prim/windows", "jaxpr", "equinox"}
	names := 0
	for _, dir := range slices.Concat([]string{"core", "transforms", "runtime", "lower/scalar", "lower/expand", "lower/reference"}, primitives, public) {
		fset := token.NewFileSet()
		entries, err := os.ReadDir(filepath.Join("..", "..", "..", dir))
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			if e.IsDir() || !strings.HasSuffix(e.Name(), ".go") || strings.HasSuffix(e.Name(), "_test.go") {
				continue
			}
			f, err := parser.ParseFile(fset, filepath.Join("..", "..", "..", dir, e.Name()), nil, parser.ParseComments)
			if err != nil {
				t.Fatal(err)
			}
			for _, d := range f.Decls {
				for name, said := range sentences(d) {
					described := method(d) && (name == "String" || slices.Contains(primitives, dir) && ofPrimitives[name])
					if names++; !said && !described {
						t.Errorf("%s: %s has no sentence", fset.Position(d.Pos()), name)
					}
				}
			}
		}
	}
	if names < 1500 {
		t.Errorf("only %d names were looked at", names)
	}
}

func method(d ast.Decl) bool {
	f, ok := d.(*ast.FuncDecl)
	return ok && f.Recv != nil
}

// interfaceMethods returns the names of the methods of a package's interfaces.
func interfaceMethods(t *testing.T, dir string) map[string]bool {
	names := map[string]bool{}
	files, err := filepath.Glob(filepath.Join("..", "..", "..", dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(f, func(n ast.Node) bool {
			if i, ok := n.(*ast.InterfaceType); ok {
				for _, m := range i.Methods.List {
					for _, name := range m.Names {
						names[name.Name] = true
					}
				}
			}
			return true
		})
	}
	return names
}

// sentences returns the exported names that a declaration makes, and whether each
// has a comment.
func sentences(d ast.Decl) map[string]bool {
	out := map[string]bool{}
	switch d := d.(type) {
	case *ast.FuncDecl:
		if r := receiver(d); d.Name.IsExported() && (r == "" || ast.IsExported(r)) {
			out[d.Name.Name] = d.Doc != nil
		}
	case *ast.GenDecl:
		for _, s := range d.Specs {
			switch s := s.(type) {
			case *ast.TypeSpec:
				if s.Name.IsExported() {
					out[s.Name.Name] = d.Doc != nil || s.Doc != nil
				}
			case *ast.ValueSpec:
				for _, n := range s.Names {
					if n.IsExported() {
						out[n.Name] = d.Doc != nil || s.Doc != nil || s.Comment != nil
					}
				}
			}
		}
	}
	return out
}

// The comment of package weft lists each of its functions by subject, with a link.
func TestPackageCommentListsFunctions(t *testing.T) {
	root := filepath.Join("..", "..", "..")
	f, err := parser.ParseFile(token.NewFileSet(), filepath.Join(root, "doc.go"), nil, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	lines, err := Exported(root)
	if err != nil {
		t.Fatal(err)
	}
	listed, functions := f.Doc.Text(), 0
	for _, line := range lines {
		rest, ok := strings.CutPrefix(line, "func ")
		if name, _, _ := strings.Cut(rest, "("); ok && name != "" {
			name, _, _ = strings.Cut(name, "[")
			if functions++; !strings.Contains(listed, "["+name+"]") {
				t.Errorf("the comment of package weft does not list %s; add it to its subject in doc.go", name)
			}
		}
	}
	if functions < 250 {
		t.Errorf("only %d functions were found", functions)
	}
	all := strings.Join(lines, "\n")
	for _, part := range strings.Split(listed, "[")[1:] {
		name, _, _ := strings.Cut(part, "]")
		declared := "func " + name
		if method, ok := strings.CutPrefix(name, "Array."); ok {
			declared = " Array) " + method + "("
		}
		if name != "Array" && name != "core.Error" && !strings.Contains(all, declared) {
			t.Errorf("the comment of package weft lists %s, which there is not; remove it", name)
		}
	}
}
