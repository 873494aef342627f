// Package weft turns plain Go functions over arrays into programs, and transforms
// them: Jit stages, Grad, JVP and VJP differentiate, Vmap vectorizes, in any
// nesting.
//
// Operators are methods, mathematics is functions, transformations keep the
// function's type:
//
//	func loss(p Line, x, y weft.Array) weft.Array {
//		return weft.Square(x.Mul(p.W).Add(p.B).Sub(y)).Mean()
//	}
//
//	step := weft.Jit(func(p Line, x, y weft.Array) (Line, weft.Array) { … })
//
// An [Array] is a concrete array or a value of a transformation that is under
// way; programs treat both alike. What is closed over is neither
// differentiated nor mapped.
//
// Mistakes panic with *[core.Error], which names the user's line, the operands'
// types and the fix; functions that return an error return it instead, and
// [Try] catches it.
package weft
