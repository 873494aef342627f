// Package core defines the protocol between values and transformations: [Value],
// [Interpreter], [Primitive], and [Bind], the one function between them. It is for authors
// of primitives, transformations and executors; programs import package weft.
//
// Each value refers to its interpreter, and each goroutine records which transformations
// are active on it. Evaluation, differentiation, vectorization and staging are
// implementations of one small interface. [Bind] dispatches a primitive to the youngest
// interpreter among its operands' and the goroutine's. The package contains no operation,
// no promotion and no shape rule, and imports no other package of the module.
//
// The package promises nothing before version 1.0: names and types may change in any release.
package core
