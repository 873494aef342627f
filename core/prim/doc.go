// Package prim is the vocabulary: what each leaf operation means. It is for authors of
// primitives, transformations and executors; programs call package lax or weft.
//
// A primitive is a Go type whose fields are its parameters and whose methods are its types,
// derivative, transpose, batching and text; beside it is the function that binds it.
// Operands are strict: no promotion, and elementwise operations broadcast only scalars and
// axes of size 1. The numbers are in package lower/reference, keyed by primitive.
//
// The package contains the operations with which the rules of others are written: elementwise
// operations, changes of shape, reductions and scans, products, Fourier transforms, placement, and
// the collectives along named axes. Those that no rule here needs are in packages of their own:
//
//	indexed    gather, scatter, dynamic slices, sorting
//	windows    convolutions and reductions under windows
//	matrices   factorizations, eigenvalues, systems of equations
//	rng        random bits and what is drawn from them
//	hostcall   callbacks and debug prints
//
// A file vocabulary.go in each of these packages lists its operations, as go generate finds them,
// for the parser. A type without parameters needs no more than its Name for that; one with
// parameters has a method read, which reads them. Vocabulary is the words of this package; the
// others register theirs with the parser, so a program that imports one of them can read its words.
//
// The packages promise nothing before version 1.0: names and types may change in any release.
package prim

//go:generate go run ../../internal/test/vocabulary/generate
