// Package custom attaches user-defined derivatives, batching rules and transposes to functions.
//
//	log1pexp := custom.JVP(
//		func(x weft.Array) weft.Array { return weft.Log1p(weft.Exp(x)) },
//		func(x, t weft.Array) (y, dy weft.Array) { … })
//
// [JVP] and [VJP] take a function and its rules at once; a function of several arrays takes a
// struct or an array of them. [NewJVP] and [NewVJP] return a handle whose rules are set later,
// and whose functions take an argument that is not differentiated. [Root] and [LinearSolve] are
// differentiated through the equation that they solve, not through the solver.
package custom
