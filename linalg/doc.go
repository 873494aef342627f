// Package linalg contains linear algebra, after jax.numpy.linalg and jax.scipy.linalg: solvers,
// factorizations, functions of matrices, and iterative methods.
//
//	x := linalg.Solve(a, b)               // NaN or infinite where a is singular
//	x, err := linalg.TrySolve(a, b)       // err names the pivot
//
// A matrix is the last two axes of an array; the axes before are batch axes, and batches of
// operands broadcast. Most functions convert integers to floats. Solvers and factorizations compute
// f16 and bf16 in f32.
//
// Failure. A program cannot stop at a singular matrix: its result is NaN or infinite there, as in
// JAX. The functions whose names begin with Try check the result and return an error, which
// matches one of [ErrSingular], [ErrNotPositiveDefinite], [ErrNotFinite], [ErrNotConverged]. They
// need known values, so they do not work on the arguments of Jit, Grad or Vmap. Shapes that do
// not match panic, as everywhere.
//
// Derivatives exist in both modes and to any order, unless a function's comment names an
// exception. Those of eigenvectors and singular vectors divide by differences of eigenvalues, and
// are NaN or infinite where two are equal.
//
// The factorizations themselves are primitives: package lax has them with all their options, and
// docs/linalg.md lists in which order each computes.
package linalg
