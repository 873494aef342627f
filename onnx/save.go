package onnx

import (
	"fmt"
	"io"
	"slices"

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
// arg0.Layers[0].W. Its outputs are called out0, out1, and so on. Sizes are those of the
// arguments. Instead of a function with arguments, f may be a program, a *weft.IR.
//
// Operations that ONNX cannot express, such as complex numbers, factorizations of matrices and
// calls of the host, are an error that names the operation and the line that wrote it.
func Save(w io.Writer, f any, args ...any) error {
	if w == nil || f == nil {
		return &core.Error{Kind: core.ErrStatic, Op: "onnx.Save", Pos: core.HerePos(), Msg: "the writer or the function is nil; pass both"}
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
	m, err := format.Write(ir, elements)
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
