// Package stablehlo loads models that other frameworks export as StableHLO. A model's
// functions are Go functions of arrays: call them, differentiate them, map them over a
// batch.
//
//	f, err := os.Open("model.mlir")
//	model, err := stablehlo.Load(f)
//	out, err := model.Call(x)
//
//	predict := model.Func("main")
//	loss := func(p []weft.Array) weft.Array { return predict(p)[0].Sum() }
//	grads := weft.Grad(loss)([]weft.Array{w, b, x})
//
// JAX exports with jax.export.export(f)(…).mlir_module() or jax.jit(f).lower(…).as_text().
package stablehlo
