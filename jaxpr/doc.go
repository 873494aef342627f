// Package jaxpr is the intermediate representation: programs over arrays in
// single assignment form, their printer, parser, checker and evaluator, and the
// types of programs within programs (jit, cond, while, scan, custom rules …).
//
// The text is the dialect of JAX 0.10. The package knows no leaf operation: the
// vocabulary is an argument of [Parse].
package jaxpr
