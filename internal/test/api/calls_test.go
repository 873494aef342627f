package api

import (
	"go/ast"
	"go/build"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

const modulePath = "github.com/weft-go/weft"

// A source type-checks the packages of the module from their files.
type source struct {
	root     string
	fset     *token.FileSet
	std      types.Importer
	packages map[string]*types.Package
}

func newSource(root string) *source {
	s := &source{root: root, fset: token.NewFileSet(), packages: map[string]*types.Package{}}
	s.std = importer.ForCompiler(s.fset, "source", nil)
	return s
}

// fromStandard are the packages of the standard library whose types and generic functions
// pass values of the module on. Other packages count as empty: nothing in them has a method
// of the module, and checking them takes seconds.
var fromStandard = []string{"cmp", "errors", "io", "iter", "maps", "slices", "sort", "strings", "sync", "sync/atomic", "unsafe"}

// Import returns the package with the exported declarations of its files.
func (s *source) Import(name string) (*types.Package, error) {
	if p := s.packages[name]; p != nil {
		return p, nil
	}
	dir, ok := s.dir(name)
	if !ok {
		if slices.Contains(fromStandard, name) {
			return s.std.Import(name)
		}
		p := types.NewPackage(name, path.Base(name))
		p.MarkComplete()
		s.packages[name] = p
		return p, nil
	}
	files, err := s.parse(dir, func(name string) bool { return !strings.HasSuffix(name, "_test.go") })
	if err != nil {
		return nil, err
	}
	p := s.check(name, files, nil)
	s.packages[name] = p
	return p, nil
}

// dir returns the folder of a package of the module.
func (s *source) dir(name string) (string, bool) {
	rest, ok := strings.CutPrefix(name, modulePath)
	if !ok || rest != "" && rest[0] != '/' {
		return "", false
	}
	return filepath.Join(s.root, filepath.FromSlash(rest)), true
}

// parse reads the files of a folder that are built on this platform and that want selects.
func (s *source) parse(dir string, want func(name string) bool) (files []*ast.File, err error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		if e.IsDir() || !strings.HasSuffix(e.Name(), ".go") || !want(e.Name()) {
			continue
		}
		if ok, err := build.Default.MatchFile(dir, e.Name()); err != nil || !ok {
			continue
		}
		f, err := parser.ParseFile(s.fset, filepath.Join(dir, e.Name()), nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		files = append(files, f)
	}
	return files, nil
}

// check type-checks files, with the bodies of their functions if info is not nil. Errors are
// expected, since most of the standard library is left out.
func (s *source) check(name string, files []*ast.File, info *types.Info) *types.Package {
	c := types.Config{Importer: s, IgnoreFuncBodies: info == nil, Error: func(error) {}, FakeImportC: true}
	p, _ := c.Check(name, s.fset, files, info)
	return p
}

// A calls contains what the functions of the module call or pass on as values, as path.Func and
// path.Type.Method.
type calls struct {
	Tests map[string]bool     // by tests and examples themselves
	From  map[string][]string // by each function; under "" what runs when a package is initialized
}

// reached returns what tests and examples call themselves or by way of other functions, those
// of others among them.
func (c *calls) reached(others []string) map[string]bool {
	reached := map[string]bool{}
	var visit func(names []string)
	visit = func(names []string) {
		for _, n := range names {
			if !reached[n] {
				reached[n] = true
				visit(c.From[n])
			}
		}
	}
	visit(slices.Collect(maps.Keys(c.Tests)))
	visit(c.From[""])
	visit(others)
	return reached
}

// readCalls type-checks the packages of the module with their tests.
func (s *source) readCalls() (*calls, error) {
	c := &calls{Tests: map[string]bool{}, From: map[string][]string{}}
	err := filepath.WalkDir(s.root, func(dir string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		if d.Name() == "testdata" || strings.HasPrefix(d.Name(), ".") && dir != s.root {
			return filepath.SkipDir
		}
		rel, err := filepath.Rel(s.root, dir)
		if err != nil {
			return err
		}
		name := path.Join(modulePath, filepath.ToSlash(rel))
		files, err := s.parse(dir, func(string) bool { return true })
		if err != nil {
			return err
		}
		var within, outside []*ast.File
		for _, f := range files {
			if s.isTest(f) && strings.HasSuffix(f.Name.Name, "_test") {
				outside = append(outside, f)
			} else {
				within = append(within, f)
			}
		}
		s.collect(c, name, within)
		s.collect(c, name+"_test", outside)
		return nil
	})
	return c, err
}

// isTest reports whether a file is a test or part of an example.
func (s *source) isTest(f *ast.File) bool {
	file := s.fset.Position(f.Package).Filename
	rel, _ := filepath.Rel(s.root, file)
	return strings.HasSuffix(file, "_test.go") || strings.HasPrefix(filepath.ToSlash(rel), "examples/")
}

// collect adds the calls of a package.
func (s *source) collect(c *calls, name string, files []*ast.File) {
	if len(files) == 0 {
		return
	}
	info := &types.Info{Uses: map[*ast.Ident]types.Object{}, Defs: map[*ast.Ident]types.Object{}}
	s.check(name, files, info)
	for _, f := range files {
		test := s.isTest(f)
		for _, d := range f.Decls {
			from := ""
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Name.Name != "init" {
				if o, ok := info.Defs[fn.Name].(*types.Func); ok {
					from = functionName(o)
				}
			}
			ast.Inspect(d, func(n ast.Node) bool {
				id, ok := n.(*ast.Ident)
				if !ok {
					return true
				}
				if fn, ok := info.Uses[id].(*types.Func); ok {
					if test {
						c.Tests[functionName(fn)] = true
					}
					c.From[from] = append(c.From[from], functionName(fn))
				}
				return true
			})
		}
	}
}

// functionName returns path.Func or path.Type.Method.
func functionName(fn *types.Func) string {
	if fn.Pkg() == nil {
		return fn.Name()
	}
	name := strings.TrimSuffix(fn.Pkg().Path(), "_test") + "."
	if r := fn.Signature().Recv(); r != nil {
		t := types.Unalias(r.Type())
		if p, ok := t.(*types.Pointer); ok {
			t = types.Unalias(p.Elem())
		}
		if n, ok := t.(*types.Named); ok {
			name += n.Obj().Name() + "."
		}
	}
	return name + fn.Name()
}
