// Package express replaces operations that devices have no kernels for by operations that
// they have, with the same bits: programs within
// reductions and sorts, operations on empty arrays, windows of many positions.
package express
