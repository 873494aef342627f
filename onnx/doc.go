// Package onnx loads ONNX models: a file becomes a function of arrays, which is called, jitted,
// differentiated and mapped over a batch like any Go function of arrays.
//
//	model, err := onnx.LoadFile("model.onnx")
//	out, err := model.Call(x)
//
//	predict := weft.Jit(model.Func())
//	y := predict([]weft.Array{x})[0]
//
// Shapes are those of the call: a model with dynamic sizes is traced once for each size. Values
// that depend on shapes alone are computed while the model is traced, and are not part of the
// program. An input whose value decides a shape, or which branch exists, must be known then: pass
// it to [Model.Bind], or call the model without Jit.
//
// [Save] goes the other way: it writes a function as a model, for ONNX Runtime and others.
//
// The operators of ai.onnx of versions 1 to 28 are supported, except those of strings, sequences,
// optionals, maps and training. A model with other operators is refused when it is loaded, by an error
// that names all of them.
package onnx
