package prim_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/weft-go/weft/core/prim/primtest"
)

// Every primitive that this package declares has a sample: what has none is held to
// no law.
func TestEveryPrimitiveHasASample(t *testing.T) {
	sampled := map[string]bool{}
	for _, s := range primtest.All() {
		p := reflect.TypeOf(s.Prim)
		if p.Kind() == reflect.Pointer {
			p = p.Elem()
		}
		sampled[p.Name()] = true
	}
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	declared := 0
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range f.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || fn.Recv == nil || fn.Name.Name != "Name" {
				continue
			}
			r := fn.Recv.List[0].Type
			if p, ok := r.(*ast.StarExpr); ok {
				r = p.X
			}
			name, ok := r.(*ast.Ident)
			if !ok || !name.IsExported() {
				continue
			}
			declared++
			if !sampled[name.Name] {
				t.Errorf("%s: primitive %s has no sample: add one in primtest", file, name.Name)
			}
		}
	}
	if declared < 100 {
		t.Errorf("only %d primitives were found", declared)
	}
}
