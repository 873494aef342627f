// Package prim is the vocabulary: what each leaf operation means. It is for authors of
// primitives, transformations and executors; programs call package lax or weft.
//
// A primitive is a Go type whose fields are its parameters and whose methods are its types,
// derivative, transpose, batching and text; beside it is the function that binds it.
// Operands are strict: no promotion, and elementwise operations broadcast only scalars and
// axes of size 1. The numbers are in package lower/reference, keyed by primitive.
//
// The package promises nothing before version 1.0: names and types may change in any release.
package prim
