// Package matrices contains the primitives on batches of matrices that are more than products:
// factorizations, eigenvalues, singular values, triangular and tridiagonal systems. See package prim.
package matrices

//go:generate go run ../../../internal/test/vocabulary/generate
