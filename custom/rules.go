package custom

import (
	"github.com/weft-go/weft"
	"github.com/weft-go/weft/internal/leaves"
)

// JVP returns f with a user-defined forward derivative: rule returns f's result and its tangent
// at p along t. Every derivative of the function runs the rule instead of looking inside f;
// reverse mode transposes the rule as a linear function of t.
//
// Static fields of P (functions, slices of strings, numbers) are its
// non-differentiable arguments. Tangents of integers are float0. In a tangent that
// the rule returns, the zero Array means zero. For derivatives of higher order the rule
// must compute its result with a function that has the rule itself: see [NewJVP].
//
// Function and rule may close over values of transformations around them. f must not close over
// values that are being differentiated, because the rule cannot return that derivative.
//
// Names are shown in IR text for f and for the rule, instead of the Go functions' names.
func JVP[P, O any](f func(P) O, rule func(p, t P) (O, O), names ...weft.NameOption) func(P) O {
	leaves.RequireNonNil("custom.JVP", f, rule)
	c := newCustom[P, O]("custom.JVP", f, namesOf(names, f, rule))
	return func(p P) O { return c.call(p, c.jvp(rule)) }
}

// VJP returns f with a user-defined reverse derivative: fwd returns the result of f and
// residuals, bwd maps residuals and the cotangent of the result to the cotangent of p. In a
// cotangent the zero Array means zero, and so does a nil slice, map or pointer for all arrays
// that it would hold. A residual may be the zero Array, too. The function cannot be
// differentiated forward.
//
// Names are shown in IR text for f, fwd and bwd, instead of the Go functions' names.
func VJP[P, R, O any](f func(P) O, fwd func(P) (O, R), bwd func(R, O) P, names ...weft.NameOption) func(P) O {
	leaves.RequireNonNil("custom.VJP", f, fwd, bwd)
	c := newCustom[P, O]("custom.VJP", f, namesOf(names, f, fwd, bwd))
	prim := reverse(c, formOf[R]("custom.VJP"), func(p, _ P) (O, R) { return fwd(p) }, bwd)
	return func(p P) O { return c.call(p, prim(&p)) }
}
