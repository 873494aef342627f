package weft

import (
	"slices"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/trace"
	"github.com/weft-go/weft/transforms"
)

// CustomLinearSolve returns the x with matvec(x) = b, for a linear function matvec, found by
// solve, whose derivative is a solve again. What matvec closes over is the operator, and
// may be differentiated.
//
// transposeSolve solves the transposed system: it is given the transpose of matvec. It may
// be nil; then there is no reverse mode. If matvec is its own transpose use
// [CustomSymmetricSolve]. Outside of traces solve may look at values, as long as nobody
// differentiates or maps it.
func CustomLinearSolve[X any](matvec func(X) X, b X, solve, transposeSolve func(matvec func(X) X, b X) X) X {
	const op = "CustomLinearSolve"
	functions(op, matvec, solve)
	x, _ := linearSolve(op, matvec, b, noAux(solve), noAux(transposeSolve), false)
	return x
}

// CustomSymmetricSolve returns [CustomLinearSolve] for a matvec that is its own transpose, as
// that of a symmetric matrix: solve serves both ways.
func CustomSymmetricSolve[X any](matvec func(X) X, b X, solve func(matvec func(X) X, b X) X) X {
	const op = "CustomSymmetricSolve"
	functions(op, matvec, solve)
	x, _ := linearSolve(op, matvec, b, noAux(solve), nil, true)
	return x
}

// CustomLinearSolveAux returns [CustomLinearSolve] whose solvers give a second result, which is
// not differentiated: the error that is left, say.
func CustomLinearSolveAux[X, A any](matvec func(X) X, b X, solve, transposeSolve func(matvec func(X) X, b X) (X, A)) (X, A) {
	const op = "CustomLinearSolveAux"
	functions(op, matvec, solve)
	return linearSolve(op, matvec, b, solve, transposeSolve, false)
}

func noAux[X any](solve func(func(X) X, X) X) func(func(X) X, X) (X, struct{}) {
	if solve == nil {
		return nil
	}
	return func(f func(X) X, b X) (X, struct{}) { return solve(f, b), struct{}{} }
}

func linearSolve[X, A any](op string, matvec func(X) X, b X, solve, transposeSolve func(func(X) X, X) (X, A), symmetric bool) (X, A) {
	fx, fa := formOf[X](op), formOf[A](op)
	vals, def := fx.values(op, &b)
	types := core.AvalsOf(vals)
	for k, a := range types {
		if !a.DType.IsInexact() {
			core.FailOp(core.ErrDType, op, []core.ShapedArray{a}, "b must be floating point numbers, got %s%s", a.Full(), at(fx.path(&b, k)))
		}
	}
	alike := func(what string, x X) []core.Value { return fx.alike(op, what, "b", &b, types, &x) }
	p := &jaxpr.LinearSolve{}
	p.Matvec = trace.Stage("matvec", types, func(in []core.Value) []core.Value { return alike("matvec", matvec(together[X](def, in))) })
	mv := trace.HoistAll(p.Matvec)
	if core.ActiveRecorder() == nil && !slices.ContainsFunc(slices.Concat(mv, vals), isTracer) {
		x, a := solve(matvec, b) // nothing follows
		alike("solve", x)
		return x, a
	}
	over := func(j *jaxpr.Jaxpr, consts []core.Value) func(X) X {
		return func(x X) X {
			vals, _ := fx.values(op, &x)
			return together[X](def, jaxpr.Eval(j, nil, slices.Concat(consts, vals)))
		}
	}
	var aux defOf
	solver := func(what string, solve func(func(X) X, X) (X, A), matvec func(X) X) *jaxpr.Jaxpr {
		return trace.Stage(what, types, func(in []core.Value) []core.Value {
			x, a := solve(matvec, together[X](def, in))
			extra, adef := fa.values(op, &a)
			aux = adef
			return append(alike(what, x), extra...)
		})
	}
	var vm, so, ts []core.Value
	p.Solve = solver("solve", solve, matvec)
	so = trace.HoistAll(p.Solve)
	switch {
	case symmetric:
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
