// Package fuse translates a lowered program into a plan: kernels in the kernel IR,
// equations that are left to the reference executor, and the memory of what they read
// and write.
//
// Equations are fused element by element: a chain of elementwise operations, the
// movement of elements before them and the reductions of its rows are one kernel.
// Movement (broadcast, transpose, slice, …) becomes index maps of the accesses. A value
// is written to memory where the caller or a fallback reads it, and where another kernel
// reads it unless computing it again costs no more than reading it. Loops over a few
// numbers become one kernel that carries them in registers.
//
// Translation takes time linear in the number of equations. Kernels compute the
// reference executor's bits.
//
// The package promises no stable interface before version 1.0.
package fuse
