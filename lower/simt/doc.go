// Package simt turns kernels of the kernel IR into programs of one thread for machines
// that run groups of threads at once: GPUs. It decides which threads do what, and writes
// sums and cumulative sums as shared work in their canonical orders, so that the printers
// of PTX and OpenCL C only spell statements.
//
// [Func.Run] evaluates a program with all threads of a group in step. It reports what a
// machine would not: accesses out of bounds, barriers that not all threads reach, and
// elements that two threads use between barriers while one writes.
//
// Before version 1.0 nothing here is promised to stay.
package simt
