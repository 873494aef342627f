package custom

import (
	"github.com/weft-go/weft"
	"github.com/weft-go/weft/internal/leaves"
)

// JVP returns f with a forward derivative of the user's: rule returns f's result
// and its tangent at p along t. Every derivative of the function runs the rule
// instead of looking inside f; reverse mode transposes what the rule does to t.
//
// Static fields of P (functions, slices of strings, numbers) are its
// non-differentiable arguments. Tangents of integers are float0. In a tangent that
// the rule returns, the zero Array means zero. For derivatives of higher order the rule
// must take its result from a function with the rule: see [NewJVP].
//
// Function and rule may close over values of transformations around them, but f not
// over what is being differentiated: the rule could not give the derivative.
//
// Names are what IR text shows for f and for the rule, instead of the Go functions'.
func JVP[P, O any](f func(P) O, rule func(p, t P) (O, O), names ...weft.NameOption) func(P) O {
	leaves.RequireNonNil("custom.JVP", f, rule)
	c := newCustom[P, O]("custom.JVP", f, namesOf(names, f, rule))
	return func(p P) O { return c.call(p, c.jvp(rule)) }
}

// VJP returns f with a reverse derivative of the user's: fwd returns the result of f and
// residuals, bwd maps residuals and the cotangent of the result to the cotangent
// of p. In a cotangent the zero Array means none, and so does a nil slice, map or
// pointer for all that it would hold; a residual may be the zero Array, too. Such a
// function cannot be differentiated forward.
//
// Names are what IR text shows for f, fwd and bwd, instead of the Go functions'.
func VJP[P, R, O any](f func(P) O, fwd func(P) (O, R), bwd func(R, O) P, names ...weft.NameOption) func(P) O {
	leaves.RequireNonNil("custom.VJP", f, fwd, bwd)
	c := newCustom[P, O]("custom.VJP", f, namesOf(names, f, fwd, bwd))
	prim := reverse(c, formOf[R]("custom.VJP"), func(p, _ P) (O, R) { return fwd(p) }, bwd)
	return func(p P) O { return c.call(p, prim(&p)) }
}
