// Package cpu is the native executor: it compiles programs to machine code for this
// processor and runs them without cgo. Importing package weft registers it; nothing
// else is needed.
//
// A program becomes a plan of fused kernels (package lower/fuse), each kernel becomes
// machine code (package lower/native). What has no code runs on the reference executor,
// equation by equation. The results have the reference executor's bits, unless the program allows
// [runtime.Fast] products.
//
// There is an executor for each instruction set: "avx512" and "avx2" on amd64, "neon" on arm64,
// "simd128" of WebAssembly in js/wasm. The environment variable WEFT_EXECUTOR selects one.
// WEFT_THREADS bounds the threads.
//
// On other processors, where the system refuses executable memory, and under the build
// tag purego, programs run on the reference executor.
//
// Before version 1.0 anything in this package may change.
package cpu
