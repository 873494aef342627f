// Package fuzzgen makes random programs from bytes and says what they mean.
//
// A [Program] is a tree of functions over arrays: leaf operations, and wrappers (jit,
// grad, vmap, scan, custom rules, …) around functions that may close over variables of
// the functions around them. [Generate] reads one from bytes. [Program.Run] evaluates
// one by loops over single numbers and nested dual numbers: an implementation that
// shares nothing with package transforms, so that both can be compared. Every number
// carries a bound of the rounding errors that any honest evaluation may make, so that
// the comparison is as sharp as the program allows. Run also predicts which programs
// must be refused, and why.
package fuzzgen
