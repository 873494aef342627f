// Package legalize replaces operations that devices have no kernels for by operations that they
// have, with the same bits: reductions, windows, sorts and scatters by programs, windows of many
// positions, products and folds of complex numbers, changes of type between sizes, operations on
// empty arrays. Fourier transforms become kernels ([Fourier]).
//
// The passes of package lower expand operations for which not even the reference executor has kernels, for
// every executor. The operations here have kernels there: native code calls them on the same memory, but a
// device would copy operands to the host and results back.
package legalize
