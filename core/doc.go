// Package core is the protocol on which Weft stands: values, interpreters and
// the one function between them.
//
// A value knows its interpreter, and a goroutine knows which transformations it
// is inside of. Evaluation, differentiation, vectorization and staging are all
// interpreters: one small interface. [Bind] hands a primitive to the youngest
// interpreter that has a claim on it. The package knows no operation, no
// promotion and no shape rule, and imports nothing of Weft.
package core
