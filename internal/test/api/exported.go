package api

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/printer"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Exported lists the exported declarations of the package in a folder, one per line, sorted:
// functions and methods with their signatures, types with their exported fields, constants and
// variables by name.
func Exported(dir string) ([]string, error) {
	files, err := parseDir(dir)
	if err != nil {
		return nil, err
	}
	var out []string
	for _, f := range files {
		for _, d := range f.Decls {
			out = append(out, lines(d)...)
		}
	}
	slices.Sort(out)
	return out, nil
}

func parseDir(dir string) (files []*ast.File, err error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	fset := token.NewFileSet()
	for _, e := range entries {
		name := e.Name()
		if e.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") || otherPlatform(name) {
			continue
		}
		f, err := parser.ParseFile(fset, filepath.Join(dir, name), nil, 0)
		if err != nil {
			return nil, err
		}
		files = append(files, f)
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("%s: %w", dir, fs.ErrNotExist)
	}
	return files, nil
}

// otherPlatform reports whether a file's name ties it to a platform or kind of build.
func otherPlatform(name string) bool {
	base := strings.TrimSuffix(name, ".go")
	for _, s := range []string{"_amd64", "_arm64", "_386", "_other", "_windows", "_unix", "_linux", "_wasm", "_js"} {
		if strings.HasSuffix(base, s) {
			return true
		}
	}
	return false
}

func lines(d ast.Decl) []string {
	switch d := d.(type) {
	case *ast.FuncDecl:
		recv := receiver(d)
		if !d.Name.IsExported() || d.Recv != nil && !ast.IsExported(recv) {
			return nil
		}
		c := *d
		c.Body, c.Doc = nil, nil
		return []string{text(&c)}
	case *ast.GenDecl:
		var out []string
		for _, s := range d.Specs {
			switch s := s.(type) {
			case *ast.TypeSpec:
				if s.Name.IsExported() {
					out = append(out, "type "+typeText(s))
				}
			case *ast.ValueSpec:
				for _, n := range s.Names {
					if n.IsExported() {
						out = append(out, d.Tok.String()+" "+n.Name)
					}
				}
			}
		}
		return out
	}
	return nil
}

// receiver returns the name of a method's type.
func receiver(d *ast.FuncDecl) string {
	if d.Recv == nil {
		return ""
	}
	t := d.Recv.List[0].Type
	for {
		switch x := t.(type) {
		case *ast.StarExpr:
			t = x.X
		case *ast.IndexExpr:
			t = x.X
		case *ast.IndexListExpr:
			t = x.X
		case *ast.Ident:
			return x.Name
		default:
			return ""
		}
	}
}

// typeText returns a type with its exported fields only.
func typeText(s *ast.TypeSpec) string {
	c := *s
	c.Doc, c.Comment = nil, nil
	if st, ok := s.Type.(*ast.StructType); ok {
		fields := &ast.FieldList{}
		for _, f := range st.Fields.List {
			g := &ast.Field{Type: f.Type, Tag: f.Tag}
			for _, n := range f.Names {
				if n.IsExported() {
					g.Names = append(g.Names, ast.NewIdent(n.Name))
				}
			}
			if len(g.Names) > 0 || len(f.Names) == 0 {
				fields.List = append(fields.List, g)
			}
		}
		c.Type = &ast.StructType{Fields: fields}
	}
	return text(&c)
}

func text(n ast.Node) string {
	var b strings.Builder
	if err := printer.Fprint(&b, token.NewFileSet(), n); err != nil {
		return err.Error()
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

// Names returns the exported functions, methods (Type.Method), types, constants and variables
// of the package in a folder.
func Names(dir string) (map[string]bool, error) {
	files, err := parseDir(dir)
	if err != nil {
		return nil, err
	}
	names := map[string]bool{}
	for _, f := range files {
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				n := d.Name.Name
				if r := receiver(d); r != "" {
					n = r + "." + n
				}
				names[n] = true
			case *ast.GenDecl:
				for _, s := range d.Specs {
					switch s := s.(type) {
					case *ast.TypeSpec:
						names[s.Name.Name] = true
					case *ast.ValueSpec:
						for _, n := range s.Names {
							names[n.Name] = true
						}
					}
				}
			}
		}
	}
	return names, nil
}
