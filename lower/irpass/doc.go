// Package irpass rewrites kernels of package ir as kernels that compute the same bits. Its passes
// know nothing of programs and plans.
//
//   - [Fold] computes operations on constants.
//   - [Hoist] moves statements out of loops.
//   - [DropCanon] lets arithmetic read NaNs as they are.
//   - [Split] divides long loops into kernels of their parts.
//   - [Segment] divides loops where comparisons of their axes change.
//   - [Boxes] divides grids likewise.
//   - [Shifted] shortens exponentials of numbers less the greatest of them.
//   - [Reciprocals] keeps quotients of constants from subnormal results.
//   - [Quotients] divides many numbers by one with few divisions.
package irpass
