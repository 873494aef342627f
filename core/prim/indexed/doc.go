// Package indexed contains the primitives that move elements to or from positions which a program
// computes: gather, scatter, dynamic slices, sorting. See package prim.
package indexed

//go:generate go run ../../../internal/test/vocabulary/generate
