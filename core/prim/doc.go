// Package prim is the vocabulary: what each leaf operation means. A primitive is
// a Go type whose fields are its parameters and whose methods are its types,
// derivative, transpose, batching and text; beside it stands the function that
// binds it. Operands are strict here: no promotion, and nothing is broadcast but
// scalars and axes of size 1 in elementwise operations.
//
// Numbers are not here: package lower/kernel has them, keyed by primitive.
package prim
