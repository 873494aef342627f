package api

import (
	"go/token"
	"go/types"
	"io/fs"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// inner are public packages whose functions are mostly for other packages of the module.
var inner = []string{"jaxpr", "trace"}

// standard are the methods that the standard library calls, and by which function or interface.
var standard = map[string]string{
	"Error":    "error: fmt and errors",
	"Unwrap":   "errors.Is and errors.As",
	"Format":   "fmt.Formatter",
	"String":   "fmt.Stringer",
	"LogValue": "slog.LogValuer",
}

// interfaces are those by way of which the module calls methods of the types that implement them, and where.
var interfaces = map[string]string{
	"core.Value":                  "operands and results of core.Bind",
	"core.Tracer":                 "core.Bind finds the interpreter of an operand",
	"core.Interpreter":            "core.Bind passes operations to it",
	"core.Applier":                "core.Apply1 and Apply2, core.Bind without lists",
	"core.Recorder":               "core.ActiveRecorder",
	"core.Resolver":               "core.Resolve, values of finished traces",
	"core.Primitive":              "core.AbstractOf, printers and tables",
	"core.Paramer":                "jaxpr's printer and comparison",
	"core.JVPer":                  "transforms, derivatives of leaves",
	"core.ZeroJVP":                "transforms, derivatives of leaves",
	"core.NoJVP":                  "transforms, derivatives of leaves",
	"core.Transposer":             "transforms, backward passes",
	"core.Batcher":                "transforms, batches",
	"core.Expander":               "lower, expansions",
	"core.Elementwise":            "transforms and lower, operations on elements",
	"core.Effecter":               "core.EffectsOf",
	"core.AxisNamer":              "core.AxisNamesOf",
	"core.Closureful":             "core.IsClosureful",
	"core/prim.AxisBatcher":       "core/prim, what its operations on named axes must have",
	"jaxpr.Holder":                "jaxpr.Programs",
	"jaxpr.Rebuilder":             "jaxpr's rewriting of programs within operations",
	"trace.Lookable":              "trace.Look",
	"runtime.host":                "runtime, functions of the host",
	"lower/fuse.Step":             "lower/fuse and executors, the steps of a plan",
	"lower/native.ISA":            "lower/native, what it asks of a processor",
	"lower/native.Target":         "lower/native, patterns of operations",
	"lower/native.Assembler":      "lower/native, encoding",
	"lower/native.BlockPairer":    "lower/native, a pattern of micro-kernels of wide vectors",
	"lower/native.DraftWriter":    "lower/native, targets that need no allocation of registers",
	"lower/native.MaskTarget":     "lower/native, patterns of machines with masks",
	"lower/native.MicroPatterns":  "lower/native, patterns of micro-kernels",
	"lower/native.Permuter":       "lower/native, patterns of elements within vectors",
	"lower/native.RegisterTarget": "lower/native, targets for whose registers it cares",
	"optim.Schedule":              "optim, each step",
	"promote.System":              "promote.ResultOf",
}

// others are methods whose one caller is called by way of an interface, or has one without a name.
var others = map[string]string{
	"lower/schedule.Product.LeftParts":    "runtime/cpu, the job of a product's copies",
	"lower/schedule.Product.LongElements": "runtime/cpu, the job of a product along long rows",
	"lower/schedule.Product.SamePanels":   "runtime/cpu, the job of a step on row tiles",
	"core/prim/hostcall.HostFunc.Run":     "runtime, the function of a runtime.host",
	"lower/simt.TensorCores.Runs":         "runtime/device, which answers lower/fuse's questions about a device",
	"transforms.Placed.PiecesText":        "internal/show, arrays as text",
	"trace.Recorder.StartedAt":            "core.HereSite, where a trace was started",
	"trace.Tracer.Var":                    "lower/stablehlo, names of results",
}

// Tests and examples call every exported function and method of the packages that users program
// against themselves. Those of the packages below, which others can import too, are called by
// them or by way of other functions. A method through which a type implements an interface of the
// module is called by way of the interface.
func TestEveryFunctionIsCalled(t *testing.T) {
	s := newSource(filepath.Join("..", "..", ".."))
	calls, err := s.readCalls()
	if err != nil {
		t.Fatal(err)
	}
	importable, err := importablePackages(s.root)
	if err != nil {
		t.Fatal(err)
	}
	through := s.throughInterfaces(t, importable)
	reached := calls.reached(slices.Collect(maps.Keys(through)))
	needed := map[string]bool{} // reasons for methods that nothing calls by name
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
			if why := through[full]; !called[full] || !direct(name) {
				for _, w := range why {
					needed[w] = true
				}
				if !called[full] && len(why) == 0 {
					t.Errorf("no test or example calls %s; write one, or unexport it", full)
				}
			}
		}
	}
	for full, why := range through { // methods of types that are not exported
		if name := strings.Split(path.Base(full), "."); !token.IsExported(name[1]) {
			for _, w := range why {
				needed[w] = needed[w] || interfaces[w] != ""
			}
		}
	}
	for _, list := range []map[string]string{standard, interfaces, others} {
		for name := range list {
			if !needed[name] {
				t.Errorf("no method is called by way of %s alone; remove it from the list", name)
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

// throughInterfaces returns the methods of all types of the packages that are called as the lists above state,
// each with the entries that do.
func (s *source) throughInterfaces(t *testing.T, names []string) map[string][]string {
	byMethod := map[string]map[string]*types.Interface{}
	for name := range interfaces {
		dot := strings.LastIndexByte(name, '.')
		p, err := s.Import(path.Join(modulePath, name[:dot]))
		if err != nil {
			t.Fatal(err)
		}
		o := p.Scope().Lookup(name[dot+1:])
		if o == nil {
			t.Fatalf("there is no interface %s; remove it from the list", name)
		}
		i := o.Type().Underlying().(*types.Interface)
		for m := range i.Methods() {
			if byMethod[m.Name()] == nil {
				byMethod[m.Name()] = map[string]*types.Interface{}
			}
			byMethod[m.Name()][name] = i
		}
	}
	out := map[string][]string{}
	for _, name := range names {
		p, err := s.Import(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range p.Scope().Names() {
			o, ok := p.Scope().Lookup(name).(*types.TypeName)
			if !ok || o.IsAlias() || types.IsInterface(o.Type()) {
				continue
			}
			n := types.NewPointer(o.Type())
			for m := range types.NewMethodSet(n).Methods() {
				fn := m.Obj().(*types.Func)
				full := functionName(fn)
				if standard[fn.Name()] != "" {
					out[full] = append(out[full], fn.Name())
				}
				if short := strings.TrimPrefix(strings.TrimPrefix(full, modulePath), "/"); others[short] != "" {
					out[full] = append(out[full], short)
				}
				for name, i := range byMethod[fn.Name()] {
					if types.Implements(n, i) {
						out[full] = append(out[full], name)
					}
				}
			}
		}
	}
	return out
}
