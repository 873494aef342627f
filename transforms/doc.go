// Package transforms implements the transformations: forward derivatives, reverse mode as
// linearization followed by transposition, and vectorization. It is for authors of further
// transformations; programs call weft.Grad, weft.JVP and weft.Vmap.
//
// Each transformation is an interpreter of primitives, and a function from jaxprs to jaxprs
// made with that interpreter. The rules of leaf operations are methods of the primitives; the
// rules of programs within programs (jit, cond, while, scan, remat, custom rules) are here.
//
// The package promises nothing before version 1.0: names and types may change in any release.
package transforms
