package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	api "github.com/weft-go/weft"
	"github.com/weft-go/weft/cmd/weft/internal/args"
	"github.com/weft-go/weft/cmd/weft/internal/input"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower/reference"
	"github.com/weft-go/weft/lower/stablehlo"
	"github.com/weft-go/weft/runtime"
)

// Commands that read programs accept StableHLO modules, too.

// isModule reports whether a file is a StableHLO module: by its name, or by how it begins.
func isModule(name string, head []byte) bool {
	text := bytes.TrimSpace(head)
	switch {
	case len(text) == 0:
		return false
	case strings.HasSuffix(name, ".mlir"), strings.HasSuffix(name, ".mlirbc"), stablehlo.HasBytes(head):
		return true
	}
	for _, begin := range []string{"module", "func.func", "//", "#", "{-#"} {
		if bytes.HasPrefix(text, []byte(begin)) {
			return true
		}
	}
	return false
}

// moduleFile is the file of a module or of an ONNX model. It is read once, in pieces.
type moduleFile struct {
	io.Reader
	in *input.Reader
}

// Size returns how many bytes the file has, 0 if that is not known.
func (f *moduleFile) Size() int64 { return f.in.Size() }

// moduleOptions make the constants of modules arrays in the host's memory.
var moduleOptions = stablehlo.Options{
	Array: func(a core.ShapedArray) (core.Value, []byte) {
		x := runtime.New(a)
		return x, x.Tensor().Data
	},
	Share: func(a core.ShapedArray, data []byte) core.Value { return runtime.Shared(a, data) },
}

// loadModule reads a module and returns the program of its function that --func names, or else of its entry.
func loadModule(e *env, s source) (*jaxpr.Jaxpr, source, bool) {
	defer s.file.in.Close()
	m, err := stablehlo.ReadFrom(s.name, s.file)
	e.progress.during(e.progress.name(), nil)
	if reportUnread(e, err) {
		return nil, s, false
	}
	if err == nil {
		s.module = m
		var j *jaxpr.Jaxpr
		if j, err = moduleProgram(e, m); err == nil {
			return j, s, true
		}
	}
	reportModule(e, s, err)
	return nil, s, false
}

func moduleProgram(e *env, m *stablehlo.Module) (*jaxpr.Jaxpr, error) {
	f := m.Main()
	if e.function != "" {
		f = m.Func(e.function)
	}
	if f == nil {
		var names []string
		for _, f := range m.Funcs {
			names = append(names, f.Name)
		}
		return nil, fmt.Errorf("there is no function %q; there are %s", e.function, strings.Join(names, ", "))
	}
	e.arguments, e.labels = nil, nil
	for _, a := range f.Args {
		e.arguments, e.labels = append(e.arguments, a.Name), append(e.labels, a.Label())
	}
	avals, err := moduleTypes(e, m, f)
	if err != nil {
		return nil, err
	}
	p, err := m.Program(f, avals, moduleOptions)
	if err != nil {
		return nil, err
	}
	return p.Jaxpr, nil
}

// moduleTypes returns the types of a function's arguments. Those of unknown sizes follow from
// --types, or from the arguments of a call.
func moduleTypes(e *env, m *stablehlo.Module, f *stablehlo.Func) ([]core.ShapedArray, error) {
	if !stablehlo.IsDynamic(f) {
		return m.Avals(f)
	}
	want, err := m.OpenAvals(f)
	if err != nil {
		return nil, err
	}
	if e.refine != nil {
		return e.refine(want)
	}
	return args.Types(e.types, want, e.arguments, e.labels)
}

// reportUnread reports whether err is an error of reading a file, and not of the text that was read. If so, it prints
// err, which names the file.
func reportUnread(e *env, err error) bool {
	var c *core.Error
	if err == nil || errors.As(err, &c) {
		return false
	}
	fmt.Fprintf(e.err, "weft: %v\n", err)
	return true
}

// reportModule writes an error with its line and column, and the line, if they are known.
func reportModule(e *env, s source, err error) {
	at := stablehlo.PlaceOf(err)
	if at == nil && s.module != nil {
		at = s.module.PlaceOf(err)
	}
	c, ok := err.(*core.Error)
	if at == nil || !ok {
		fmt.Fprintf(e.err, "%s: %v\n", s.name, err)
		return
	}
	d := *c
	d.Pos, d.Err = "", nil
	d.Msg = inCommandsWords(d.Msg)
	fmt.Fprintf(e.err, "%s:%s: %v\n", s.name, at.String(), &d)
	if c := at.Caret(); c != "" {
		fmt.Fprintln(e.err, c)
	}
}

// checkModules checks the modules of a file: every function whose shapes are known must be one that
// weft can run, and the check operations of an entry without arguments must hold.
func checkModules(e *env, s source, quiet bool) (ok bool) {
	defer s.file.in.Close()
	ms, err := stablehlo.ReadAllFrom(s.name, s.file)
	e.progress.during(e.progress.name(), nil)
	if reportUnread(e, err) {
		return false
	}
	if err != nil {
		reportModule(e, s, err)
		return false
	}
	if len(ms) == 0 {
		fmt.Fprintf(e.err, "%s: there is no function\n", s.name)
		return false
	}
	functions, checks, equations, failed := 0, 0, 0, 0
	for _, m := range ms {
		main := m.Main()
		for _, f := range m.Funcs {
			options := moduleOptions
			options.Checks = f == main && len(f.Args) == 0
			avals, err := m.Avals(f)
			if err != nil {
				if stablehlo.IsDynamic(f) { // shapes are known only in a call
					continue
				}
				reportModule(e, s, err)
				return false
			}
			if f != main && m.Calls(f) {
				continue // it is checked where it is called
			}
			p, err := m.Program(f, avals, options)
			if err == nil {
				err = jaxpr.Check(p.Jaxpr)
			}
			if err != nil {
				reportModule(e, s, err)
				return false
			}
			functions++
			equations += jaxpr.Stats(p.Jaxpr).Equations
			checks += len(p.Checks)
			bad, err := runModuleChecks(p)
			if err != nil {
				reportModule(e, s, err)
				return false
			}
			for _, b := range bad {
				fmt.Fprintf(e.err, "%s:%s: %s\n", s.name, b.at.String(), b.what)
			}
			failed += len(bad)
		}
	}
	if failed > 0 {
		fmt.Fprintf(e.err, "%s: FAIL, %d of %s\n", s.name, failed, count(checks, "check"))
		return false
	}
	if !quiet {
		fmt.Fprintf(e.out, "%s: ok, %s in %s, %s\n", s.name, count(equations, "equation"), count(functions, "function"), count(checks, "check"))
	}
	return true
}

type failedCheck struct {
	at   *stablehlo.Place
	what string
}

func runModuleChecks(p *stablehlo.Program) (bad []failedCheck, err error) {
	if len(p.Checks) == 0 {
		return nil, nil
	}
	out, err := runtime.Evaluate(context.Background(), runtime.Reference, p.Jaxpr, nil)
	if err != nil {
		return nil, err
	}
	for i, c := range p.Checks {
		got, want := out[p.Results+2*i], out[p.Results+2*i+1]
		got.Read("check", func(a *reference.Tensor) {
			want.Read("check", func(b *reference.Tensor) {
				if d := c.Compare(a.ShapedArray, a.Data, b.Data); d.Index >= 0 {
					bad = append(bad, failedCheck{c.Place, fmt.Sprintf("%s: %v", c.Name, d)})
				}
			})
		})
	}
	return bad, nil
}

// named moves words of the form name=argument to the positions of the module's arguments with these names. The other
// words take the remaining positions in order.
func (e *env) named(words []string) ([]string, error) {
	place := map[string]int{}
	for i, n := range e.arguments {
		place[n] = i
	}
	for i, n := range e.labels {
		place[n] = i
	}
	out := make([]string, 0, len(words))
	given := map[int]string{}
	for _, w := range words {
		name, value, ok := strings.Cut(w, "=")
		i, known := place[name]
		if !ok || !known {
			out = append(out, w)
			continue
		}
		if _, twice := given[i]; twice {
			return nil, fmt.Errorf("the argument %s is given twice; write it once", name)
		}
		given[i] = value
	}
	if len(given) == 0 {
		return words, nil
	}
	all := make([]string, 0, len(e.arguments))
	for i, n := range e.arguments {
		switch v, ok := given[i]; {
		case ok:
			all = append(all, v)
		case len(out) > 0:
			all, out = append(all, out[0]), out[1:]
		default:
			if n != e.labels[i] {
				n += " (" + e.labels[i] + ")"
			}
			return nil, fmt.Errorf("the argument %s is missing; write name=value, or the values in order", n)
		}
	}
	return append(all, out...), nil
}

// writeResults writes results to a folder, as 0.npy, 1.npy, …. Results of types that NumPy lacks are written as
// 0.safetensors, ….
func writeResults(dir string, out []*runtime.Array) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	for i, a := range out {
		name, x := fmt.Sprint(i), api.FromValue(a)
		err := writeResult(filepath.Join(dir, name+".npy"), func(w io.Writer) error { return api.SaveNpy(w, x) })
		if errors.Is(err, core.ErrDType) {
			err = writeResult(filepath.Join(dir, name+".safetensors"), func(w io.Writer) error { return api.Save(w, map[string]api.Array{name: x}) })
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// writeResult writes a file. It leaves none after an error.
func writeResult(path string, save func(w io.Writer) error) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	err = save(f)
	if e := f.Close(); err == nil {
		err = e
	}
	if err != nil {
		os.Remove(path)
	}
	return err
}
