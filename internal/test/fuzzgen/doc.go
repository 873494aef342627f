// Package fuzzgen makes random programs from bytes and computes what they mean.
//
// A [Program] is a tree of functions over arrays: leaf operations, and wrappers (jit, grad, vmap,
// scan, custom rules, …) around functions that may close over variables of the functions around
// them. [Generate] reads one from bytes. [Program.Run] evaluates one by loops over single numbers
// and nested dual numbers: an implementation that shares nothing with package transforms, so that
// both can be compared. Every number carries a bound on the rounding errors of any honest
// evaluation, so that the comparison is as sharp as the program allows. Run also finds the
// reasons for which a program may be refused. It does not predict whether it is refused. If it is
// not, its numbers are compared, except those of a rule that closes over what is differentiated,
// whose derivative is not known.
//
// Programs are in ast.go, what they use in free.go. The files gen….go write them. The
// interpreter begins in run.go: array.go, leaf.go, move.go and combine.go evaluate
// operations on numbers with bounds, dual.go and slope.go differentiate them, wrap.go and
// the files of the wrappers evaluate those. What may be refused follows from
// frame.go, level.go, marks.go and taker.go: which functions are being recorded and
// differentiated, what went through a loop, and which level runs the rule of a call of a
// function with rules.
package fuzzgen
