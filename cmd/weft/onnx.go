package main

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	api "github.com/weft-go/weft"
	"github.com/weft-go/weft/cmd/weft/internal/args"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/elem"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower/reference"
	"github.com/weft-go/weft/onnx"
	"github.com/weft-go/weft/runtime"
)

// Commands that read programs accept ONNX models, too.

// isONNX reports whether a file is an ONNX model: by its name, or by its first byte, the tag of the field that exporters
// write first. No text begins with it.
func isONNX(name string, head []byte) bool {
	return strings.HasSuffix(name, ".onnx") || bytes.HasPrefix(head, []byte{0x08})
}

// openONNX reads a model. If it is a named file, its weights may be in files beside it.
func openONNX(e *env, s source) (m *onnx.Model, err error) {
	defer s.file.in.Close()
	if s.name == "<stdin>" {
		m, err = onnx.Load(s.file)
	} else {
		m, err = onnx.LoadFile(s.name)
	}
	e.progress.during(e.progress.name(), nil)
	return m, err
}

func loadONNX(e *env, s source) (*jaxpr.Jaxpr, source, bool) {
	m, err := openONNX(e, s)
	var j *jaxpr.Jaxpr
	if err == nil {
		j, err = e.program(m)
	}
	if err != nil {
		if !reportUnread(e, err) {
			report(e, s, err)
		}
		return nil, s, false
	}
	return j, s, true
}

// program traces a model. Its inputs are those that --bind does not set; their sizes follow from --types, or from the
// arguments of a call. Where values decide shapes, the values of the call are used.
func (e *env) program(m *onnx.Model) (*jaxpr.Jaxpr, error) {
	m, err := bindInputs(m, e.bind)
	if err != nil {
		return nil, err
	}
	want, err := inputTypes(m)
	if err != nil {
		return nil, err
	}
	e.arguments = nil
	for _, v := range m.Inputs() {
		e.arguments = append(e.arguments, v.Name)
	}
	e.labels = e.arguments
	var avals []core.ShapedArray
	if e.refine != nil {
		avals, err = e.refine(want)
	} else {
		avals, err = args.Types(e.types, want, e.arguments, e.labels)
	}
	if err != nil {
		return nil, err
	}
	j, err := traceModel(m, avals, nil)
	if e.given == nil || !errors.Is(err, core.ErrConcrete) {
		return j, err
	}
	// At first only the values of integers and booleans, such as counts and switches, are known; then all values.
	for _, all := range []bool{false, true} {
		known := map[string]api.Array{}
		for i, a := range e.given {
			if all || !a.Aval().DType.IsFloat() {
				known[e.arguments[i]] = api.FromValue(a)
			}
		}
		if j, err = traceModel(m, avals, known); !errors.Is(err, core.ErrConcrete) {
			break
		}
	}
	return j, err
}

// traceModel returns the program of a model. All inputs of the model are inputs of the program, even if they are known.
func traceModel(m *onnx.Model, avals []core.ShapedArray, known map[string]api.Array) (*jaxpr.Jaxpr, error) {
	in := make([]api.Array, len(avals))
	var names []string
	for i, v := range m.Inputs() {
		in[i] = api.ZerosOf(avals[i].DType, avals[i].Shape.Ints()...)
		names = append(names, v.Name)
	}
	b, err := m.Bind(known)
	if err != nil {
		return nil, err
	}
	j, err := api.Jaxpr(func(in []api.Array) []api.Array {
		var free []api.Array
		for i, x := range in {
			if _, ok := known[names[i]]; !ok {
				free = append(free, x)
			}
		}
		return b.Func()(free)
	}, in)
	if err != nil {
		return nil, err
	}
	j = withNumbers(j)
	j.InNames = names
	return j, nil
}

// withNumbers returns j with captured scalars replaced by literals, so that its text contains their values.
func withNumbers(j *jaxpr.Jaxpr) *jaxpr.Jaxpr {
	out := &jaxpr.Jaxpr{ConstVals: []core.Value{}, Ins: j.Ins}
	numbers := map[jaxpr.Atom]jaxpr.Atom{}
	for i, v := range j.Consts {
		if a, ok := j.ConstVals[i].(*runtime.Array); ok && v.Type.Rank() == 0 && (v.Type.DType.IsNumber() || v.Type.DType.IsBool()) {
			a.Read("weft", func(t *reference.Tensor) {
				n, _ := elem.Get(t.Data, v.Type.DType)
				numbers[v] = core.Lit(n, v.Type.DType)
			})
			continue
		}
		out.Consts, out.ConstVals = append(out.Consts, v), append(out.ConstVals, j.ConstVals[i])
	}
	replaced := func(atoms []jaxpr.Atom) []jaxpr.Atom {
		atoms = slices.Clone(atoms)
		for i, a := range atoms {
			if n, ok := numbers[a]; ok {
				atoms[i] = n
			}
		}
		return atoms
	}
	for _, e := range j.Eqns {
		f := *e
		f.Ins = replaced(e.Ins)
		out.Eqns = append(out.Eqns, &f)
	}
	out.Outs = replaced(j.Outs)
	return out
}

// inputTypes returns the types of a model's inputs; unknown sizes are [args.Open].
func inputTypes(m *onnx.Model) ([]core.ShapedArray, error) {
	var out []core.ShapedArray
	for _, v := range m.Inputs() {
		if !v.Known {
			return nil, fmt.Errorf("input %v states no rank; export the model with shapes", v)
		}
		dims := make([]int, len(v.Dims))
		for i, d := range v.Dims {
			if dims[i] = d.Size; d.Size < 0 {
				dims[i] = args.Open
			}
		}
		out = append(out, core.ShapedArray{DType: v.DType, Shape: core.MakeDims(dims...)})
	}
	return out, nil
}

// binds implements the flag --bind, which may be repeated.
func (e *env) binds(word string) error {
	e.bind = append(e.bind, word)
	return nil
}

// bindInputs binds inputs to the values in words of the form name=value.
func bindInputs(m *onnx.Model, words []string) (*onnx.Model, error) {
	values := map[string]api.Array{}
	want, err := inputTypes(m)
	if err != nil || len(words) == 0 {
		return m, err
	}
	for _, w := range words {
		name, value, ok := strings.Cut(w, "=")
		i := slices.IndexFunc(m.Inputs(), func(v onnx.Value) bool { return v.Name == name })
		switch {
		case !ok:
			return nil, fmt.Errorf("--bind %s has no =; write name=value", w)
		case i < 0:
			return nil, fmt.Errorf("--bind %s: no input is called %s; inputs are %v", w, name, m.Inputs())
		}
		a, err := args.Read([]string{value}, want[i:i+1])
		if err != nil {
			return nil, fmt.Errorf("--bind %s: %w", w, err)
		}
		values[name] = api.FromValue(a[0])
	}
	return m.Bind(values)
}

// checkONNX loads a model, which refuses unknown operators, and traces it if all sizes of its inputs are known.
func checkONNX(e *env, s source, quiet bool) bool {
	m, err := openONNX(e, s)
	if err != nil {
		if !reportUnread(e, err) {
			report(e, s, err)
		}
		return false
	}
	sizes := ""
	want, err := inputTypes(m)
	open := func(a core.ShapedArray) bool { return a.Shape.Has(args.Open) }
	if err == nil && !slices.ContainsFunc(want, open) {
		var j *jaxpr.Jaxpr
		if j, err = traceModel(m, want, nil); err == nil {
			sizes = ", " + count(jaxpr.Stats(j).Equations, "equation")
			err = jaxpr.Check(j)
		}
		if err != nil && !errors.Is(err, core.ErrConcrete) { // shapes that depend on arguments are known only in a call
			report(e, s, err)
			return false
		}
	}
	if !quiet {
		fmt.Fprintf(e.out, "%s: ok%s, from %s to %s\n", s.name, sizes, valuesText(m.Inputs()), valuesText(m.Outputs()))
	}
	return true
}

func valuesText(vs []onnx.Value) string {
	texts := make([]string, len(vs))
	for i, v := range vs {
		texts[i] = v.String()
	}
	if len(texts) == 0 {
		return "nothing"
	}
	return strings.Join(texts, ", ")
}
