// Package native runs machine code: it places code in executable memory, calls it, reports
// what the processor has, and keeps worker threads ready.
//
// Memory is never writable and executable through one mapping. On Linux and amd64 code is
// written through one mapping of a memory file and executed through another; where that is
// refused, and on other systems and processors, pages are written first and made executable
// afterwards. Where that is refused too, Load returns an error and the caller runs programs some
// other way.
//
// Code is a leaf: it receives a pointer in RDI or X0 and never moves the stack pointer. On amd64
// it leaves RBP, MXCSR and the direction flag alone and clears the upper halves of vector
// registers before it returns; on arm64 it leaves X18, X28, X29 and X30 alone.
//
// In js/wasm code is a WebAssembly module whose instance works on the program's own memory.
package native
