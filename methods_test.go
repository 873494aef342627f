package weft_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"
)

// Each method of Array calls the packages under internal/ that implement it: its body is one simple
// statement without function literals.
func TestArrayMethodsAreOneStatement(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	checked := 0
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, file, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range f.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || !isArrayMethod(fn) {
				continue
			}
			checked++
			if why := moreThanOneStatement(fn.Body); why != "" {
				t.Errorf("%v: the body of Array.%s %s, want one call of a package under internal/", fset.Position(fn.Pos()), fn.Name.Name, why)
			}
		}
	}
	if checked < 70 {
		t.Errorf("got %d methods of Array, want at least 70", checked)
	}
}

// isArrayMethod reports whether the receiver of a function is an Array or a *Array.
func isArrayMethod(fn *ast.FuncDecl) bool {
	if fn.Recv == nil {
		return false
	}
	recv := fn.Recv.List[0].Type
	if p, ok := recv.(*ast.StarExpr); ok {
		recv = p.X
	}
	name, ok := recv.(*ast.Ident)
	return ok && name.Name == "Array"
}

// moreThanOneStatement returns in what a body exceeds one simple statement; "" if it does not.
func moreThanOneStatement(body *ast.BlockStmt) (why string) {
	if n := len(body.List); n != 1 {
		return "has other than one statement"
	}
	switch body.List[0].(type) {
	case *ast.ReturnStmt, *ast.ExprStmt, *ast.AssignStmt:
	default:
		return "is a compound statement"
	}
	ast.Inspect(body, func(n ast.Node) bool {
		if _, ok := n.(*ast.FuncLit); ok {
			why = "has a function literal"
		}
		return why == ""
	})
	return why
}

func TestMoreThanOneStatement(t *testing.T) {
	for src, want := range map[string]string{
		"return f(x)":         "",
		"f(x)":                "",
		"y := f(x); return y": "has other than one statement",
		"if x { f(x) }":       "is a compound statement",
		"return g(func() int { f(x); return 1 })": "has a function literal",
	} {
		f, err := parser.ParseFile(token.NewFileSet(), "", "package p\nfunc (x Array) M() { "+src+" }", 0)
		if err != nil {
			t.Fatal(err)
		}
		fn := f.Decls[0].(*ast.FuncDecl)
		if got := moreThanOneStatement(fn.Body); got != want || !isArrayMethod(fn) {
			t.Errorf("%s: got %q, want %q", src, got, want)
		}
	}
}
