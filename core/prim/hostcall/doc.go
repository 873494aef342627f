// Package hostcall contains the primitives that call Go functions while a program runs: callbacks and
// debug prints. See package prim.
package hostcall

//go:generate go run ../../../internal/test/vocabulary/generate
