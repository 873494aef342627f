package onnx

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	format "github.com/weft-go/weft/lower/onnx"
	"github.com/weft-go/weft/lower/reference"
	"github.com/weft-go/weft/runtime"
)

// Save writes a function as an ONNX model of operators of version 21, which ONNX Runtime and
// others run, and [Load] reads. The arguments are those of a call of f; only the types of arrays
// matter. Arrays that f closes over are stored with the model as weights:
//
//	err := onnx.Save(file, func(x weft.Array) weft.Array { return model.Apply(params, x) }, x)
//
// The model's inputs are the arrays of the arguments, named after their fields: arg0, or
// arg0.Layers[0].W. Its outputs are called out0, out1, and so on. [Names], after the arguments, names
// them otherwise. Sizes are those of the arguments. Instead of a function with arguments, f may be a
// program, a *weft.IR.
//
// Maxima over windows of floats become MaxPool, which in ONNX Runtime passes over NaN in f32, and
// returns the least finite number for a window of −∞.
//
// Operations that ONNX cannot express, such as complex numbers, factorizations of matrices and
// calls of the host, are an error that names the operation and the line that wrote it.
func Save(w io.Writer, f any, args ...any) error {
	if w == nil || f == nil {
		return &core.Error{Kind: core.ErrStatic, Op: "onnx.Save", Pos: core.HerePos(), Msg: "the writer or the function is nil; pass both"}
	}
	var names *savedNames
	if n := len(args); n > 0 {
		if o, ok := args[n-1].(savedNames); ok {
			names, args = &o, args[:n-1]
		}
	}
	ir, ok := f.(*weft.IR)
	switch {
	case !ok:
		var err error
		if ir, err = weft.Jaxpr(f, args...); err != nil {
			return fmt.Errorf("onnx.Save: %w", err)
		}
	case ir == nil || len(args) > 0:
		return &core.Error{Kind: core.ErrStatic, Op: "onnx.Save", Pos: core.HerePos(), Msg: fmt.Sprintf("a program has its arguments' types (got %d arguments); pass a program that is not nil alone", len(args))}
	}
	if names == nil {
		names = &savedNames{in: slices.Clone(ir.InNames)}
		for i, name := range names.in {
			if strings.HasPrefix(name, "[") { // of a single argument that is a list
				names.in[i] = "arg0" + name
			}
		}
	} else if err := names.check(ir); err != nil {
		return err
	}
	ir = &weft.IR{Consts: ir.Consts, ConstVals: ir.ConstVals, Ins: ir.Ins, Eqns: ir.Eqns, Outs: ir.Outs, InNames: names.in}
	m, err := format.Write(ir, elements, names.out...)
	if err != nil {
		return fmt.Errorf("onnx.Save: %w", err)
	}
	data, err := format.Marshal(m)
	if err != nil {
		return fmt.Errorf("onnx.Save: %w", err)
	}
	_, err = w.Write(data)
	return err
}

type savedNames struct{ in, out []string }

// Names names the inputs and outputs of a model that is written, in the order of the arguments' and
// the results' arrays. It is the last argument of [Save]. A model that was loaded thus keeps the names
// that its users know:
//
//	err := onnx.Save(file, model.Func(), []weft.Array{x}, onnx.Names([]string{"x"}, []string{"y"}))
func Names(inputs, outputs []string) any {
	return savedNames{slices.Clone(inputs), slices.Clone(outputs)}
}

// check refuses names that are not one for each input and output of a program, all different.
func (n *savedNames) check(ir *weft.IR) error {
	problem := ""
	seen := map[string]bool{}
	if len(n.in) != len(ir.Ins) || len(n.out) != len(ir.Outs) {
		problem = fmt.Sprintf("the program has %s and %s (got %d and %d names)", core.Count(len(ir.Ins), "input"), core.Count(len(ir.Outs), "output"), len(n.in), len(n.out))
	}
	for _, name := range slices.Concat(n.in, n.out) {
		if name == "" || seen[name] {
			problem = fmt.Sprintf("the name %q is empty or occurs twice", name)
		}
		seen[name] = true
	}
	if problem == "" {
		return nil
	}
	return &core.Error{Kind: core.ErrStatic, Op: "onnx.Names", Pos: core.HerePos(), Msg: problem + "; give each input and output a name of its own"}
}

// elements returns a copy of the elements of a concrete array, which may be donated while the
// model is written. It reports false for other values.
func elements(v core.Value) ([]byte, bool) {
	a, ok := v.(*runtime.Array)
	if !ok {
		return nil, false
	}
	var data []byte
	a.Read("onnx.Save", func(t *reference.Tensor) { data = slices.Clone(t.Data) })
	return data, true
}
