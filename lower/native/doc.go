// Package native compiles kernels to machine code, as far as that does not depend on the processor.
//
// Three parts follow one another: selection writes instructions over virtual registers, allocation replaces
// these by registers and spill slots in one pass, and an assembler writes bytes. A [Target] writes the
// operations of the scalar IR and the accesses to memory; a [Model] states which registers exist and which
// choices pay. Together they are an [ISA], such as those of package native/amd64.
//
// Dense work runs on micro-kernels, written by hand over the same instructions in fixed registers: a
// [MicroKernel] states loops, chains and updates, [MicroPatterns] the vector operations of a target and the
// inner loop of its tiles. Micro-kernels read their arguments from structs, which are the same on every
// processor.
//
// Control flow is structured. A label is the end of a block, to which jumps go forwards, or the start of a
// loop, to which jumps within the loop go back. A branch contains its comparison.
//
// The code is position independent, a leaf that never moves the stack pointer, and needs nothing
// of Go's runtime: package runtime/cpu maps and calls it.
package native
