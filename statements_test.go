package weft_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/weft-go/weft/internal/test/statement"
)

// Each acceptance statement is shown by the assertions of a test that calls statement.Shows
// with its id.
func TestEveryStatementIsTested(t *testing.T) {
	shown := map[string][]string{} // id → tests
	for file, f := range testFiles(t) {
		for _, d := range f.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || fn.Body == nil {
				continue
			}
			calls, err := statementCalls(fn)
			if err != nil {
				t.Errorf("%s: %s: %v", file, fn.Name.Name, err)
			}
			for _, id := range calls {
				shown[id] = append(shown[id], file+":"+fn.Name.Name)
			}
		}
	}
	for _, family := range slices.Sorted(maps.Keys(statement.Families)) {
		for i := range statement.Families[family] {
			id := fmt.Sprintf("%s-%d", family, i+1)
			if len(shown[id]) == 0 {
				t.Errorf("no test calls statement.Shows with %s", id)
			}
			t.Logf("%-5s %s", id, strings.Join(shown[id], " "))
		}
	}
}

// testFiles returns the parsed test files of the module by path.
func testFiles(t *testing.T) map[string]*ast.File {
	files := map[string]*ast.File{}
	err := filepath.WalkDir(".", func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == "testdata" || strings.HasPrefix(d.Name(), ".") && file != ".") {
			return filepath.SkipDir
		}
		if !strings.HasSuffix(file, "_test.go") {
			return nil
		}
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		files[filepath.ToSlash(file)] = f
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// statementCalls returns the ids that a test passes to statement.Shows. It returns an error
// for an argument that is no literal, and for a test without any other assertion.
func statementCalls(fn *ast.FuncDecl) (ids []string, err error) {
	asserts := false
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		if isSelector(call.Fun, "statement", "Shows") {
			id, what, ok := literals(call.Args[1:])
			if !ok {
				err = fmt.Errorf("statement.Shows: id and description must be literals")
			} else if e := statement.Check(id, what); e != nil {
				err = e
			}
			ids = append(ids, id)
			return false
		}
		asserts = asserts || isAssertion(call)
		return true
	})
	if len(ids) > 0 && !asserts && err == nil {
		err = fmt.Errorf("calls statement.Shows and asserts nothing")
	}
	return ids, err
}

func isSelector(e ast.Expr, x, name string) bool {
	s, ok := e.(*ast.SelectorExpr)
	if !ok || s.Sel.Name != name {
		return false
	}
	id, ok := s.X.(*ast.Ident)
	return ok && id.Name == x
}

// isAssertion reports whether a call can fail a test: t.Error, t.Fatal and the like, or a
// helper that receives t.
func isAssertion(call *ast.CallExpr) bool {
	if s, ok := call.Fun.(*ast.SelectorExpr); ok && slices.Contains([]string{"Error", "Errorf", "Fatal", "Fatalf"}, s.Sel.Name) {
		return true
	}
	return slices.ContainsFunc(call.Args, func(a ast.Expr) bool {
		id, ok := a.(*ast.Ident)
		return ok && id.Name == "t"
	})
}

// literals returns the values of two string literals.
func literals(args []ast.Expr) (a, b string, ok bool) {
	var s [2]string
	if len(args) != len(s) {
		return "", "", false
	}
	for i, e := range args {
		lit, ok := e.(*ast.BasicLit)
		if !ok || lit.Kind != token.STRING {
			return "", "", false
		}
		v, err := strconv.Unquote(lit.Value)
		if err != nil {
			return "", "", false
		}
		s[i] = v
	}
	return s[0], s[1], true
}

func TestStatementCalls(t *testing.T) {
	for _, c := range []struct{ body, ids, err string }{
		{`statement.Shows(t, "P-9", "sums of three commute"); t.Error()`, "P-9", ""},
		{`statement.Shows(t, "P-9", "sums of three commute"); check(t, 1)`, "P-9", ""},
		{`statement.Shows(t, "P-9", "sums of three commute"); f(1)`, "P-9", "asserts nothing"},
		{`statement.Shows(t, "P-41", "sums of three commute"); t.Error()`, "P-41", "unknown id"},
		{`statement.Shows(t, "P-9", ""); t.Error()`, "P-9", "too short"},
		{`statement.Shows(t, id, "sums of three commute"); t.Error()`, "", "literals"},
		{`// P-9: a comment shows nothing
			t.Error()`, "", ""},
	} {
		f, err := parser.ParseFile(token.NewFileSet(), "", "package p\nfunc TestX(t *testing.T) {\n"+c.body+"\n}", 0)
		if err != nil {
			t.Fatal(err)
		}
		ids, err := statementCalls(f.Decls[0].(*ast.FuncDecl))
		if got := strings.Join(ids, " "); got != c.ids || (err == nil) != (c.err == "") || err != nil && !strings.Contains(err.Error(), c.err) {
			t.Errorf("%s: got %q, %v; want %q, %q", c.body, got, err, c.ids, c.err)
		}
	}
}
