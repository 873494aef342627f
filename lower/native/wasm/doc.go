// Package wasm is the code generator's target for WebAssembly with vectors of 128 bits. The code of a
// kernel is a module, which works on the memory that it imports: the program's own, where the program is
// WebAssembly, too. Registers are locals, labels are blocks and loops, and constants follow in a custom
// section.
package wasm
