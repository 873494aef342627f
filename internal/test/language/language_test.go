// Package language checks the form of doc comments and of messages. It contains only tests.
package language

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
)

const root = "../../.."

// goFiles returns the parsed Go files of the module by path.
func goFiles(t *testing.T) (*token.FileSet, map[string]*ast.File) {
	fset, files := token.NewFileSet(), map[string]*ast.File{}
	err := filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		hidden := strings.HasPrefix(d.Name(), ".") && file != root
		if d.IsDir() && (hidden || d.Name() == "testdata" || d.Name() == "language") {
			return filepath.SkipDir
		}
		if d.IsDir() || !strings.HasSuffix(file, ".go") {
			return nil
		}
		file = filepath.ToSlash(file)
		files[file], err = parser.ParseFile(fset, file, nil, parser.ParseComments|parser.SkipObjectResolution)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return fset, files
}

// The comment of an exported function begins with its name.
func TestCommentsBeginWithTheName(t *testing.T) {
	fset, files := goFiles(t)
	n := 0
	for file, f := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		for _, d := range f.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || fn.Doc == nil || !fn.Name.IsExported() {
				continue
			}
			n++
			if first, _, _ := strings.Cut(fn.Doc.Text(), " "); first != fn.Name.Name {
				t.Errorf("%s: the comment of %s begins with %q; begin it with the name", fset.Position(fn.Doc.Pos()), fn.Name.Name, first)
			}
		}
	}
	if n < 1500 {
		t.Errorf("only %d comments were found", n)
	}
}
