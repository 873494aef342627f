// Package simt turns kernels of the kernel IR into programs of one thread for machines
// that run groups of threads at once: GPUs. It decides which threads do what, and writes
// sums and cumulative sums as shared work in their canonical orders, so that the printers
// of PTX and OpenCL C only spell statements.
//
// Before version 1.0 anything in this package may change.
package simt
