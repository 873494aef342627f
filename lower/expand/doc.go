// Package expand writes scalar programs for elementwise primitives: what each computes
// from one element of each operand, to the bit. Elementary functions are expansions of
// our own, with explicit fma. Executors evaluate the programs or translate them to code.
//
// The directory internal/gen contains the Python programs that compute coefficients. Nothing is promised
// about this package before 1.0.
package expand
