// Package transforms holds the transformations: forward derivatives, reverse mode
// as linearization followed by transposition, and vectorization. Each is an
// interpreter of primitives, and a function from programs to programs made with
// that interpreter. Leaf operations bring their rules; the rules of programs within
// programs (jit, cond, while, scan, remat, custom rules) stand here.
package transforms
