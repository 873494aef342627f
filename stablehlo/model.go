package stablehlo

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower/stablehlo"
	"github.com/weft-go/weft/runtime"
)

// A Model is a loaded module. It is safe for concurrent use by multiple goroutines.
type Model struct {
	module  *stablehlo.Module
	weights map[string]weft.Array

	mu       sync.Mutex
	programs map[string]*jaxpr.Jaxpr
}

// Load reads a module. It checks the entry function: a mistake in it, or an operation
// that is not supported, is an error that names the line and column.
func Load(r io.Reader) (*Model, error) {
	if r == nil {
		return nil, &core.Error{Kind: core.ErrStatic, Op: "stablehlo.Load", Pos: core.HerePos(), Msg: "the reader is nil; open a file and pass it"}
	}
	name := ""
	if f, ok := r.(interface{ Name() string }); ok {
		name = f.Name()
	}
	module, err := stablehlo.ReadFrom(name, r)
	if err != nil {
		if stablehlo.PlaceOf(err) == nil {
			err = fmt.Errorf("stablehlo.Load: %w", err)
		}
		return nil, err
	}
	m := &Model{module: module, programs: map[string]*jaxpr.Jaxpr{}}
	main := module.Main()
	if main == nil {
		return nil, &core.Error{Kind: core.ErrParse, Op: "stablehlo.Load", Msg: "the module has no function; export one"}
	}
	if dynamic(main) {
		return m, nil
	}
	avals, err := module.Avals(main)
	if err == nil {
		_, err = m.program(main, avals)
	}
	if err != nil {
		return nil, err
	}
	return m, nil
}

func dynamic(f *stablehlo.Func) bool {
	return slices.ContainsFunc(f.Args, func(a stablehlo.Arg) bool { return a.Type.Dynamic() })
}

// options make constants of modules arrays of the reference executor.
var options = stablehlo.Options{
	Array: func(a core.ShapedArray) (core.Value, []byte) {
		x := runtime.New(a)
		return x, x.Tensor().Data
	},
	Share: func(a core.ShapedArray, data []byte) core.Value { return runtime.Shared(a, data) },
}

// program returns the program of a function for arguments of given types, and caches it.
func (m *Model) program(f *stablehlo.Func, avals []core.ShapedArray) (*jaxpr.Jaxpr, error) {
	for i := range avals {
		avals[i] = avals[i].Strong()
	}
	key := fmt.Sprint(f.Name, avals)
	m.mu.Lock()
	defer m.mu.Unlock()
	if j := m.programs[key]; j != nil {
		return j, nil
	}
	type result struct {
		p   *stablehlo.Program
		err error
	}
	r := core.Suspended(func() result {
		p, err := m.module.Program(f, avals, options)
		return result{p, err}
	})
	if r.err != nil {
		return nil, r.err
	}
	m.programs[key] = r.p.Jaxpr
	return r.p.Jaxpr, nil
}

// require refuses a Model into which no module was loaded.
func (m *Model) require(op string) {
	if m == nil || m.module == nil {
		core.FailOp(core.ErrTree, op, nil, "the Model has no module; make it with stablehlo.Load or stablehlo.Parse")
	}
}

func (m *Model) function(op, name string) *stablehlo.Func {
	m.require(op)
	f := m.module.Func(name)
	if name == "" {
		f = m.module.Main()
	}
	if f == nil {
		core.FailOp(core.ErrStatic, op, nil, "there is no function %q; there are %s", name, strings.Join(m.Functions(), ", "))
	}
	return f
}

// Functions returns the names of the module's functions, in order.
func (m *Model) Functions() []string {
	m.require("Functions")
	names := make([]string, len(m.module.Funcs))
	for i, f := range m.module.Funcs {
		names[i] = f.Name
	}
	return names
}

// Args returns the names of the arguments of a function ("" is the entry): those that the
// exporter noted, or else those in the text.
func (m *Model) Args(name string) []string {
	f := m.function("Args", name)
	names := make([]string, len(f.Args))
	for i, a := range f.Args {
		names[i] = a.Label()
	}
	return names
}

// IR returns the program of a function ("" is the entry), for the argument types that the module
// declares.
func (m *Model) IR(name string) (ir *weft.IR, err error) {
	err = core.Catch(func() {
		f := m.function("IR", name)
		avals, err := m.module.Avals(f)
		if err == nil {
			ir, err = m.program(f, avals)
		}
		if err != nil {
			panic(err)
		}
	})
	return ir, err
}

// Call runs the entry function on its arguments, without those that are bound.
func (m *Model) Call(args ...weft.Array) (out []weft.Array, err error) {
	err = core.Catch(func() { out = m.Func("")(args) })
	return out, err
}

// Func returns a function of the module ("" is the entry) as a Go function of its arguments,
// without those that are bound. It can be passed to Grad, Vmap, Jit and Scan. Like all traced
// code it panics with [core.Error] where the arguments do not match.
//
// Errors of transformations name lines of the module while the Model or the function is
// reachable. Later they do so while it is one of the last modules in use: the texts of 4 MiB of
// modules are kept, without long constants.
func (m *Model) Func(name string) func([]weft.Array) []weft.Array {
	f := m.function("Func", name)
	return func(args []weft.Array) []weft.Array {
		in := m.arguments(f, args)
		j, err := m.program(f, core.AvalsOf(in))
		if err != nil {
			panic(err)
		}
		outs := core.Bind(&jaxpr.Jit{Fn: f.Name, Jaxpr: j}, in...)
		arrays := make([]weft.Array, len(outs))
		for i, v := range outs {
			arrays[i] = weft.FromValue(v)
		}
		return arrays
	}
}

// arguments returns args with the bound weights inserted where f takes them.
func (m *Model) arguments(f *stablehlo.Func, args []weft.Array) []core.Value {
	in := make([]core.Value, 0, len(f.Args))
	rest := args
	for _, a := range f.Args {
		if w, ok := m.weights[a.Label()]; ok {
			in = append(in, w.Value())
			continue
		}
		if len(rest) == 0 {
			core.FailOp(core.ErrTree, f.Name, nil, "takes %s, got %d; argument %q is missing", core.Count(len(f.Args)-m.bound(f), "argument"), len(args), a.Label())
		}
		if rest[0].IsZero() {
			core.FailOp(core.ErrTree, f.Name, nil, "argument %q contains no array; set it", a.Label())
		}
		in = append(in, rest[0].Value())
		rest = rest[1:]
	}
	if len(rest) > 0 {
		core.FailOp(core.ErrTree, f.Name, nil, "takes %s (got %d); pass one for each input", core.Count(len(f.Args)-m.bound(f), "argument"), len(args))
	}
	return in
}

func (m *Model) bound(f *stablehlo.Func) int {
	n := 0
	for _, a := range f.Args {
		if _, ok := m.weights[a.Label()]; ok {
			n++
		}
	}
	return n
}

// Bind returns the model with arguments of its entry bound to weights by name: see [Model.Args].
// order, if given, names the leading arguments, as torch's export lists them with the module. A
// weight that names no argument is an error.
func (m *Model) Bind(weights map[string]weft.Array, order ...string) (*Model, error) {
	if err := core.Catch(func() { m.require("Bind") }); err != nil {
		return nil, err
	}
	f := m.module.Main()
	b := &Model{module: m.module, programs: map[string]*jaxpr.Jaxpr{}, weights: maps.Clone(m.weights)}
	if b.weights == nil {
		b.weights = map[string]weft.Array{}
	}
	names := m.Args("")
	if len(order) > len(names) {
		return nil, &core.Error{Kind: core.ErrTree, Op: "Bind", Pos: core.HerePos(), Msg: fmt.Sprintf("%d names are given for %s", len(order), core.Count(len(names), "argument"))}
	}
	at := map[string]int{}
	for i, a := range f.Args { // names in the text yield to those that the exporter noted
		at[a.Name] = i
	}
	for i, n := range names {
		at[n] = i
	}
	for i, n := range order {
		at[n] = i
	}
	for _, name := range slices.Sorted(maps.Keys(weights)) {
		i, ok := at[name]
		if !ok {
			return nil, &core.Error{Kind: core.ErrTree, Op: "Bind", Pos: core.HerePos(), Msg: fmt.Sprintf("no argument is called %q; there are %s", name, strings.Join(names, ", "))}
		}
		w := weights[name]
		if w.IsZero() {
			return nil, &core.Error{Kind: core.ErrTree, Op: "Bind", Pos: core.HerePos(), Msg: fmt.Sprintf("the weight %q contains no array; give one", name)}
		}
		if a, ok := f.Args[i].Type.Aval(); ok && !a.SameType(w.Value().Aval()) {
			return nil, &core.Error{Kind: core.Mismatch(a, w.Value().Aval()), Op: "Bind", Pos: core.HerePos(), Msg: fmt.Sprintf("the weight %q is %v, the argument %v", name, w.Value().Aval(), a)}
		}
		b.weights[names[i]] = w
	}
	return b, nil
}
