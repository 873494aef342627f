// Package promote decides which type an operation of several types computes in.
//
// It is an engine, not a table. A promotion [System] is a value: a [Graph] of
// types whose edges mean "promotes to", the join of two types being their least
// common upper bound; or a table of cells where no such graph exists; or a rule
// where the values or the order of operands matter. The engine computes the
// joins; [Check] proves or refutes the laws of a lattice and names the
// counterexamples. At run time each system of this package has one table, built
// once.
//
// Promotion looks at types only, never at values, with one exception that is
// kept for its history: NumPy before version 2 ([NumPy1]).
//
// The package imports core and nothing else of Weft.
package promote
