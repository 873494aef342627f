// Package scalar defines the scalar IR: programs that compute one element of a result
// from one element of each operand. A program is a list of typed instructions in SSA
// form. A Builder writes it, Check verifies it, and String prints it.
//
// Each operation is defined to the bit, apart from the bits of a NaN that arithmetic
// produces; every target implements each operation exactly. The package also contains the
// arithmetic behind the definitions: fma of f32, saturating conversions, the small floats.
//
// Package lower/expand writes such programs for primitives, and package lower/reference
// evaluates them block by block. Nothing is promised about this package before 1.0.
package scalar
