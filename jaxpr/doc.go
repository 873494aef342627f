// Package jaxpr is the intermediate representation: programs over arrays in
// single assignment form, their printer, parser, checker and evaluator, and the
// types of programs within programs (jit, cond, while, scan, custom rules …).
//
// The text is the dialect of JAX 0.10, byte for byte: [Parse] reads it,
// [Jaxpr.String] and [Jaxpr.Text] write it. [Check] says whether a program is
// right, [Eval] runs it through core.Bind, a [Builder] writes one, [DCE], [Inline]
// and [Substitute] rewrite it, [Diff] compares two; [Jaxpr.HTML], [Jaxpr.DOT] and
// [Stats] are other views. The package knows no leaf operation: the vocabulary is an
// argument of Parse, and what it lacks is kept as [Opaque].
package jaxpr
