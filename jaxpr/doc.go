// Package jaxpr is the intermediate representation: programs over arrays in single
// assignment form, their printer, parser, checker and evaluator, and the types of programs
// within programs (jit, cond, while, scan, custom rules …). It is for programs that inspect,
// store or rewrite what weft.Jaxpr returns.
//
// The text is the dialect of JAX 0.10, byte for byte: [Parse] reads it, [Jaxpr.String] and
// [Jaxpr.Text] write it. [Check] validates a program, [Eval] evaluates it through core.Bind, a
// [Builder] constructs one, [DCE] and [Substitute] rewrite it (lower.Inline inlines calls), and
// [Diff] compares two. [Jaxpr.HTML], [Jaxpr.DOT] and [Stats] are other views. The package
// contains no leaf operation: the vocabulary is an argument of Parse, and Parse reads an
// operation outside of it as [Opaque].
//
// The package promises nothing before version 1.0: names and types may change in any release.
package jaxpr
