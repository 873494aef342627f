package api

import (
	"go/types"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// inner are public packages whose functions are mostly for other packages of the module.
var inner = []string{"jaxpr", "trace"}

// standard are methods that the standard library calls.
var standard = []string{"Error", "Format", "GoString", "LogValue", "String", "Unwrap", "Is", "MarshalText", "UnmarshalText"}

// Tests and examples call every exported function and method of the packages that users program
// against themselves. Those of the packages below, which others can import too, are called by
// them or by way of other functions. A method through which a type implements an interface of the
// module is called by way of the interface.
func TestEveryFunctionIsCalled(t *testing.T) {
	s := newSource(filepath.Join("..", ".."))
	calls, err := s.readCalls()
	if err != nil {
		t.Fatal(err)
	}
	importable, err := importablePackages(s.root)
	if err != nil {
		t.Fatal(err)
	}
	through := s.throughInterfaces(t, importable, calls.Named)
	reached := calls.reached(through)
	functions := 0
	for _, name := range importable {
		p, err := s.Import(name)
		if err != nil {
			t.Fatal(err)
		}
		called := reached
		if direct(name) {
			called = calls.Tests
		}
		for _, fn := range exportedFunctions(p) {
			functions++
			full := functionName(fn)
			if !called[full] && !slices.Contains(through, full) {
				t.Errorf("no test or example calls %s; write one, or unexport it", full)
			}
		}
	}
	if functions < 2500 {
		t.Errorf("only %d functions were found", functions)
	}
}

// direct reports whether users program against a package.
func direct(name string) bool {
	rel := strings.TrimPrefix(strings.TrimPrefix(name, modulePath), "/")
	return slices.Contains(public, max(rel, ".")) && !slices.Contains(inner, rel)
}

// importablePackages returns the import paths of the packages of the module that others can import.
func importablePackages(root string) (names []string, err error) {
	err = filepath.WalkDir(root, func(dir string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		if slices.Contains([]string{"testdata", "internal", "examples", "cmd", "bench"}, d.Name()) || strings.HasPrefix(d.Name(), ".") && dir != root {
			return filepath.SkipDir
		}
		if files, _ := filepath.Glob(filepath.Join(dir, "*.go")); len(files) > 0 {
			rel, err := filepath.Rel(root, dir)
			if err != nil {
				return err
			}
			names = append(names, path.Join(modulePath, filepath.ToSlash(rel)))
		}
		return nil
	})
	return names, err
}

// exportedFunctions returns the exported functions of a package and the exported methods of its
// exported types.
func exportedFunctions(p *types.Package) (out []*types.Func) {
	for _, name := range p.Scope().Names() {
		switch o := p.Scope().Lookup(name).(type) {
		case *types.Func:
			if o.Exported() {
				out = append(out, o)
			}
		case *types.TypeName:
			n, ok := o.Type().(*types.Named)
			if !ok || !o.Exported() || o.IsAlias() {
				continue
			}
			for m := range n.Methods() {
				if m.Exported() {
					out = append(out, m)
				}
			}
		}
	}
	return out
}

// throughInterfaces returns the methods of all types of the packages that implement an interface
// of the packages or of the standard library, or whose name is in one that is written out where it
// is used.
func (s *source) throughInterfaces(t *testing.T, names []string, writtenOut map[string]bool) []string {
	interfaces := map[string][]*types.Interface{} // by their methods
	var named []types.Type
	for _, name := range names {
		p, err := s.Import(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range p.Scope().Names() {
			o, ok := p.Scope().Lookup(name).(*types.TypeName)
			if !ok || o.IsAlias() {
				continue
			}
			if i, ok := o.Type().Underlying().(*types.Interface); ok {
				for m := range i.Methods() {
					interfaces[m.Name()] = append(interfaces[m.Name()], i)
				}
			} else {
				named = append(named, types.NewPointer(o.Type()))
			}
		}
	}
	var out []string
	for _, n := range named {
		set := types.NewMethodSet(n)
		for m := range set.Methods() {
			fn := m.Obj().(*types.Func)
			if slices.Contains(standard, fn.Name()) || writtenOut[fn.Name()] ||
				slices.ContainsFunc(interfaces[fn.Name()], func(i *types.Interface) bool { return types.Implements(n, i) }) {
				out = append(out, functionName(fn))
			}
		}
	}
	return out
}
