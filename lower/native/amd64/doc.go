// Package amd64 compiles kernels to machine code for amd64, with AVX-512 or with AVX2 and FMA.
//
// Three parts follow one another: selection writes machine instructions over virtual registers,
// allocation replaces these by registers and spill slots in one pass, and an Encoder writes bytes.
// The code is position independent, a leaf that never moves the stack pointer, and needs nothing
// of Go's runtime: package runtime/cpu maps and calls it.
package amd64
