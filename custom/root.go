package custom

import (
	"errors"
	"slices"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/internal/leaves"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/trace"
	"github.com/weft-go/weft/transforms"
)

// Root returns an x with f(x) = 0, found by solve from a guess. Its derivative, with respect to
// the values that f closes over, is that of the implicit function: solve is never differentiated.
//
// solve receives f and the guess. tangentSolve receives the derivative of f at the root, a linear
// function g, and y, and returns the x with g(x) = y; for scalars
//
//	func(g func(weft.Array) weft.Array, y weft.Array) weft.Array {
//		return y.Div(g(weft.OnesLike(y)))
//	}
//
// and for many unknowns a [LinearSolve]. tangentSolve must be differentiable in y. f returns a tree of the
// form and types of x. Outside of traces solve may read values.
func Root[X any](f func(X) X, guess X, solve func(f func(X) X, guess X) X, tangentSolve func(g func(X) X, y X) X) X {
	leaves.RequireNonNil("custom.Root", f, solve, tangentSolve)
	x, _ := customRoot("custom.Root", f, guess, func(f func(X) X, x X) (X, struct{}) { return solve(f, x), struct{}{} }, tangentSolve)
	return x
}

// RootAux is [Root] for a solve that returns a second result, which is not differentiated, such
// as the number of iterations.
func RootAux[X, A any](f func(X) X, guess X, solve func(f func(X) X, guess X) (X, A), tangentSolve func(g func(X) X, y X) X) (X, A) {
	leaves.RequireNonNil("custom.RootAux", f, solve, tangentSolve)
	return customRoot("custom.RootAux", f, guess, solve, tangentSolve)
}

// root is a root to be found: its functions over leaves, and how many values each of them closes over.
type root struct {
	f, tangentSolve *jaxpr.Jaxpr // constants, x → f(x); constants, x, y → f'(x)⁻¹ y
	solve           func(consts, guess []core.Value) []core.Value
	nf, ns, nt, n   int // the numbers of constants of f, solve and tangentSolve, and of leaves of x
}

func customRoot[X, A any](op string, f func(X) X, guess X, solve func(func(X) X, X) (X, A), tangentSolve func(func(X) X, X) X) (X, A) {
	fx, fa := formOf[X](op), formOf[A](op)
	vals, def := fx.Values(op, &guess)
	types := core.AvalsOf(vals)
	alike := func(what string, x X) []core.Value { return fx.RequireAlike(op, what, "the guess", &guess, types, &x) }
	r := root{n: len(vals)}
	recording := core.ActiveRecorder() != nil
	r.f = trace.Stage(leaves.FuncName(f), types, func(in []core.Value) []core.Value { return alike("the function", f(together[X](def, in))) })
	fconsts := trace.HoistAll(r.f)
	r.nf = len(fconsts)

	var aux defOf
	search := func(f func(X) X, x []core.Value) []core.Value {
		y, a := solve(f, together[X](def, x))
		extra, adef := fa.Values(op, &a)
		aux = adef
		return append(alike("solve", y), extra...)
	}
	over := func(j *jaxpr.Jaxpr, consts []core.Value) func(X) X {
		return func(x X) X {
			vals, _ := fx.Values(op, &x)
			return together[X](def, jaxpr.Eval(j, nil, slices.Concat(consts, vals)))
		}
	}
	if !recording && !slices.ContainsFunc(slices.Concat(fconsts, vals), isTracer) {
		outs := search(f, vals) // nothing is recorded or differentiated
		stopped(outs)
		return together[X](def, outs[:r.n]), together[A](aux, outs[r.n:])
	}
	// solve may close over traced values: they have no part in the derivative. If it reads values
	// and they are concrete, it runs without a trace.
	var sconsts []core.Value
	var program *jaxpr.Jaxpr
	err := core.Catch(func() {
		program = trace.Stage(leaves.FuncName(solve), types, func(in []core.Value) []core.Value { return search(f, in) })
	})
	switch {
	case err == nil:
		sconsts = trace.HoistAll(program)
		r.solve = func(consts, guess []core.Value) []core.Value {
			return jaxpr.Eval(program, nil, slices.Concat(consts[r.nf:r.nf+r.ns], guess))
		}
	case !recording && errors.Is(err, core.ErrConcrete):
		r.solve = func(consts, guess []core.Value) []core.Value { return search(over(r.f, consts[:r.nf]), guess) }
	default:
		panic(err)
	}
	r.ns = len(sconsts)

	r.tangentSolve = trace.Stage(leaves.FuncName(tangentSolve), slices.Concat(types, tangentTypes(types)), func(in []core.Value) []core.Value {
		// The program of f: calling f again would double the calls at each level of nested roots.
		_, lin := transforms.Linearize(func(x []core.Value) []core.Value { return jaxpr.Eval(r.f, nil, slices.Concat(fconsts, x)) }, in[:r.n], haveTangents(types))
		g := func(x X) X {
			outs := lin.Apply(alike("the argument of the derivative", x))
			for k := range outs {
				if outs[k] == nil {
					outs[k] = prim.Zeros(types[k].Tangent())
				}
			}
			return together[X](def, outs)
		}
		return alike("tangentSolve", tangentSolve(g, together[X](def, in[r.n:])))
	})
	tconsts := trace.HoistAll(r.tangentSolve)
	r.nt = len(tconsts)

	call := &jaxpr.CustomJVP{Fn: "_custom_root", RuleName: "_root_jvp",
		F: func(in []core.Value) []core.Value {
			nc := len(in) - r.n
			return r.solve(in[:nc], in[nc:])
		},
	}
	call.Rule = func(in, t []core.Value) (outs, touts []core.Value) {
		outs = core.Bind(call, in...) // with its rule: the root's derivative has one, too
		return outs, append(r.tangents(in, t, outs[:r.n]), make([]core.Value, len(outs)-r.n)...)
	}
	outs := core.Bind(call, slices.Concat(fconsts, sconsts, tconsts, vals)...)
	return together[X](def, outs[:r.n]), together[A](aux, outs[r.n:])
}

// tangents returns the derivative of the root: from f(x(m), m) = 0 follows
// ∂f/∂x · dx = −∂f/∂m · dm.
func (r *root) tangents(in, t, x []core.Value) []core.Value {
	m, dm := in[:r.nf], t[:r.nf]
	_, rhs := transforms.JVP(func(m []core.Value) []core.Value { return jaxpr.Eval(r.f, nil, slices.Concat(m, x)) }, m, slices.Clone(dm))
	some := false
	for k := range rhs {
		if rhs[k] == nil {
			rhs[k] = prim.Zeros(x[k].Aval().Tangent())
		} else {
			rhs[k], some = prim.Neg(rhs[k]), true
		}
	}
	if !some {
		return make([]core.Value, len(x))
	}
	consts := in[r.nf+r.ns : r.nf+r.ns+r.nt]
	return jaxpr.Eval(r.tangentSolve, nil, slices.Concat(consts, x, rhs))
}

// stopped makes traced values constants for derivatives. Values of type float0 already are.
func stopped(vs []core.Value) {
	for k, v := range vs {
		if isTracer(v) && v.Aval().DType != core.Float0 {
			vs[k] = prim.StopGradient(v)
		}
	}
}

func isTracer(v core.Value) bool {
	_, ok := v.(core.Tracer)
	return ok
}

func tangentTypes(types []core.ShapedArray) []core.ShapedArray {
	out := make([]core.ShapedArray, len(types))
	for k, a := range types {
		out[k] = a.Tangent()
	}
	return out
}

func haveTangents(types []core.ShapedArray) []bool {
	out := make([]bool, len(types))
	for k, a := range types {
		out[k] = a.DType.IsInexact()
	}
	return out
}
