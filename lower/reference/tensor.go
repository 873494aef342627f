package reference

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/lower/reference/internal/block"
)

type (
	// Tensor is an array in memory: row-major, dense, in the host's byte order. Types narrower than
	// a byte take one byte an element (signed ones sign-extended), bool is 0 or 1, complex numbers
	// are real and imaginary part, keys are uint32 words: two for a key of the default kind.
	Tensor = block.Tensor

	// Func computes the results of p. The tensors of out have p's result types and arbitrary contents, and overlap
	// none of in. Func must not retain in or out.
	Func = block.Func

	// Plan is a scalar program that is ready to run on blocks of elements.
	Plan = block.Plan
)

// NewTensor allocates an array of zeros of the given type.
func NewTensor(a core.ShapedArray) *Tensor { return block.NewTensor(a) }

// View returns t's elements as a slice of T, whose size must be that of the dtype.
func View[T any](t *Tensor) []T { return block.View[T](t) }

// PlanOf returns the compiled expansion of an elementwise primitive for operands and a result of
// the given dtypes, false if the primitive has no expansion. Plans are kept.
func PlanOf(p core.Primitive, in []core.DType, out core.DType) (*Plan, bool) {
	return block.PlanOf(p, in, out)
}

// MustPlan is PlanOf for a primitive of one operand that has an expansion.
func MustPlan(p core.Primitive, in, out core.DType) *Plan { return block.MustPlan(p, in, out) }
