package custom

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/internal/leaves"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/trace"
)

// LinearCall returns f(r, x), a function that is linear in x, with a user-defined transpose:
// transpose maps r and a cotangent of the result to the cotangent of x, and must be linear in it.
// Reverse mode uses it instead of transposing f. Both functions are traced. Derivatives with
// respect to r and to values that the functions close over are those of f.
func LinearCall[R, X, Y any](f func(r R, x X) Y, transpose func(r R, ct Y) X, r R, x X) Y {
	const op = "custom.LinearCall"
	leaves.RequireNonNil(op, f, transpose)
	fr, fx, fy := formOf[R](op), formOf[X](op), formOf[Y](op)
	res, rdef := fr.Values(op, &r)
	vals, xdef := fx.Values(op, &x)
	n := len(res)
	name, tname := leaves.FuncName(f), leaves.FuncName(transpose)
	var y Y
	callee := trace.Stage(name, core.AvalsOf(append(res[:n:n], vals...)), func(in []core.Value) []core.Value {
		y = f(together[R](rdef, in[:n]), together[X](xdef, in[n:]))
		outs, _ := fy.Values(op, &y)
		return outs
	})
	outs, ydef := fy.Flatten(&y)
	avals := core.AvalsOf(res)
	for _, v := range outs {
		a := v.Aval()
		if !a.DType.IsInexact() {
			core.FailOp(core.ErrDType, op, []core.ShapedArray{a}, "the function must return floating point numbers to be linear (got %s); convert its result", a.Full())
		}
		avals = append(avals, a.Tangent())
	}
	for i, v := range vals {
		if a := v.Aval(); !a.DType.IsInexact() {
			core.FailOp(core.ErrDType, op, []core.ShapedArray{a}, "the function cannot be linear in %s%s; make floating point numbers of it, or pass it with what the function is not linear in", a.Full(), leaves.AtPath(fx.Path(&x, i)))
		}
	}
	back := trace.Stage(tname, avals, func(in []core.Value) []core.Value {
		g := transpose(together[R](rdef, in[:n]), together[Y](ydef, in[n:]))
		cts, wrong := fx.Fit(&x, &g)
		if wrong != "" {
			core.FailOp(core.ErrCustomRule, op, nil, "the transpose %s must return the structure of the function's linear argument; %s", tname, wrong)
		}
		for k, ct := range cts {
			if ct == nil {
				cts[k] = prim.Zeros(vals[k].Aval().Tangent())
			} else if wrong := wrongTangent(vals[k].Aval(), ct); wrong != "" {
				core.FailOp(core.ErrCustomRule, op, []core.ShapedArray{vals[k].Aval(), ct.Aval()}, "the transpose %s returns %s for the function's argument %s%s; it must be %s",
					tname, ct.Aval().Full(), vals[k].Aval().Full(), leaves.AtPath(fx.Path(&x, k)), wrong)
			}
		}
		return cts
	})
	programs := []*jaxpr.Jaxpr{callee, back}
	consts := trace.Unite(programs)
	p := &jaxpr.LinearCall{Fn: name, TransposeName: tname, Jaxpr: programs[0], Transposed: programs[1], NumRes: len(consts) + n}
	return together[Y](ydef, core.Bind(p, append(append(consts, res...), vals...)...))
}
