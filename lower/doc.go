// Package lower optimizes programs before an executor compiles them, and computes what
// executors share. It is for authors of executors and passes.
//
// [Program] runs a pipeline of small passes, [Passes], over a jaxpr and memoizes the
// result in it. A lowered program computes the same bits, performs the same effects in
// the same order and fails with the same errors. Each pass takes time about linear in
// the number of equations. Nothing is optimized while a program is traced: text,
// derivatives and batches are those of the program as written.
//
// The package promises nothing before version 1.0: names and types may change in any release.
package lower
