// Package reference computes the results of primitives, to the bit, in pure Go. It contains
// arrays in memory (Tensor), an evaluator that runs the scalar programs of package
// lower/expand block by block, and the canonical loops of everything that is not
// elementwise. One table finds the kernel of a primitive by the primitive's Go type.
// Nothing is promised about this package before 1.0.
package reference
