// Package opencl prints kernels of the kernel IR as OpenCL C, which the driver of a
// device compiles. The text computes the bits of the reference: nothing is contracted,
// flushed or approximated, given a device that divides and takes square roots with
// correct rounding and has a fused multiply-add.
//
// Before version 1.0 anything in this package may change.
package opencl
