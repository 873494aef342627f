package custom

import (
	"slices"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/internal/leaves"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/trace"
	"github.com/weft-go/weft/transforms"
)

// LinearSolve returns the x with matvec(x) = b, for a linear function matvec, found by solve. Its
// derivative is another solve. Values that matvec closes over, such as a matrix, may be
// differentiated.
//
// transposeSolve solves the transposed system: it receives the transpose of matvec. If it is nil
// there is no reverse mode, unless [Symmetric] promises that matvec is its own transpose. Outside
// of traces solve may read values, as long as nothing is differentiated or mapped.
func LinearSolve[X any](matvec func(X) X, b X, solve, transposeSolve func(matvec func(X) X, b X) X, opts ...SolveOption) X {
	const op = "custom.LinearSolve"
	leaves.RequireNonNil(op, matvec, solve)
	x, _ := linearSolve(op, matvec, b, noAux(solve), noAux(transposeSolve), opts)
	return x
}

// LinearSolveAux is [LinearSolve] for solvers that return a second result, which is not
// differentiated, such as the remaining error.
func LinearSolveAux[X, A any](matvec func(X) X, b X, solve, transposeSolve func(matvec func(X) X, b X) (X, A), opts ...SolveOption) (X, A) {
	const op = "custom.LinearSolveAux"
	leaves.RequireNonNil(op, matvec, solve)
	return linearSolve(op, matvec, b, solve, transposeSolve, opts)
}

// A SolveOption changes how a linear system is solved.
type SolveOption interface{ solve(*solveOptions) }

type solveOptions struct{ symmetric bool }

type symmetricOption struct{}

func (symmetricOption) solve(o *solveOptions) { o.symmetric = true }

// Symmetric promises that matvec is its own transpose, such as the product with a symmetric
// matrix. Then solve also solves the transposed system, and transposeSolve is not used.
func Symmetric() SolveOption { return symmetricOption{} }

func noAux[X any](solve func(func(X) X, X) X) func(func(X) X, X) (X, struct{}) {
	if solve == nil {
		return nil
	}
	return func(f func(X) X, b X) (X, struct{}) { return solve(f, b), struct{}{} }
}

func linearSolve[X, A any](op string, matvec func(X) X, b X, solve, transposeSolve func(func(X) X, X) (X, A), opts []SolveOption) (X, A) {
	var o solveOptions
	for _, opt := range opts {
		if opt == nil {
			core.FailOp(core.ErrStatic, op, nil, "an option is nil; leave it out")
		}
		opt.solve(&o)
	}
	fx, fa := formOf[X](op), formOf[A](op)
	vals, def := fx.Values(op, &b)
	types := core.AvalsOf(vals)
	for k, a := range types {
		if !a.DType.IsInexact() {
			core.FailOp(core.ErrDType, op, []core.ShapedArray{a}, "b must contain floating point numbers (got %s%s); convert it", a.Full(), leaves.AtPath(fx.Path(&b, k)))
		}
	}
	alike := func(what string, x X) []core.Value { return fx.RequireAlike(op, what, "b", &b, types, &x) }
	p := &jaxpr.LinearSolve{}
	p.Matvec = trace.Stage("matvec", types, func(in []core.Value) []core.Value { return alike("matvec", matvec(together[X](def, in))) })
	mv := trace.HoistAll(p.Matvec)
	if core.ActiveRecorder() == nil && !slices.ContainsFunc(slices.Concat(mv, vals), isTracer) {
		x, a := solve(matvec, b) // nothing is recorded or differentiated
		alike("solve", x)
		return x, a
	}
	over := func(j *jaxpr.Jaxpr, consts []core.Value) func(X) X {
		return func(x X) X {
			vals, _ := fx.Values(op, &x)
			return together[X](def, jaxpr.Eval(j, nil, slices.Concat(consts, vals)))
		}
	}
	var aux defOf
	solver := func(what string, solve func(func(X) X, X) (X, A), matvec func(X) X) *jaxpr.Jaxpr {
		return trace.Stage(what, types, func(in []core.Value) []core.Value {
			x, a := solve(matvec, together[X](def, in))
			extra, adef := fa.Values(op, &a)
			aux = adef
			return append(alike(what, x), extra...)
		})
	}
	var vm, so, ts []core.Value
	p.Solve = solver("solve", solve, matvec)
	so = trace.HoistAll(p.Solve)
	switch {
	case o.symmetric:
		p.Vecmat, vm = p.Matvec, mv
		p.TransposeSolve = solver("solve", solve, matvec) // a program of its own, as in JAX
		ts = trace.HoistAll(p.TransposeSolve)
	case transposeSolve != nil:
		p.Vecmat = trace.Stage("vecmat", types, func(in []core.Value) []core.Value {
			_, transpose := transforms.LinearTranspose(func(x []core.Value) []core.Value {
				return jaxpr.Eval(p.Matvec, nil, slices.Concat(mv, x))
			}, types)
			out := transpose(in)
			for k := range out {
				if out[k] == nil {
					out[k] = prim.Zeros(types[k])
				}
			}
			return out
		})
		vm = trace.HoistAll(p.Vecmat)
		p.TransposeSolve = solver("transposeSolve", transposeSolve, over(p.Vecmat, vm))
		ts = trace.HoistAll(p.TransposeSolve)
	}
	p.MatvecConsts, p.VecmatConsts, p.SolveConsts, p.TransposeSolveConsts = len(mv), len(vm), len(so), len(ts)
	outs := core.Bind(p, slices.Concat(mv, vm, so, ts, vals)...)
	return together[X](def, outs[:len(vals)]), together[A](aux, outs[len(vals):])
}
