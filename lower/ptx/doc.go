// Package ptx prints kernels of the kernel IR as PTX, which NVIDIA's driver compiles.
// The text computes the bits of the reference: every operation on floats states its
// rounding, so that nothing is contracted, and none is approximate or flushes
// subnormal numbers. Only products and attentions on tensor cores have other bits;
// package simt states bounds of their errors.
//
// Package ptxeval parses, checks and evaluates such text without a GPU.
//
// Before version 1.0 anything in this package may change.
package ptx
