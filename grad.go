package weft

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/internal/leaves"
	"github.com/weft-go/weft/internal/nd"
	"github.com/weft-go/weft/runtime"
	"github.com/weft-go/weft/transforms"
)

// Grad returns the gradient of f, a function from parameters to a real scalar. The gradient has
// the type of the parameters. Leaves that cannot be differentiated (integers, truth values,
// fields tagged frozen) have a gradient of type float0 and their shape.
//
// f has one parameter: Grad(loss)(w, x) does not compile, and the compiler reports that it cannot
// infer P. Pass the data of a loss by a closure, as in
//
//	weft.Grad(func(w weft.Array) weft.Array { return loss(w, x) })(w)
//
// and put several parameters into a struct, a slice or an array.
//
// For a complex parameter x+iy the gradient of f is ∂f/∂x − i·∂f/∂y: descend along its conjugate.
func Grad[P any](f func(P) Array) func(P) P {
	leaves.RequireNonNil("Grad", f)
	fm := formOf[P]("Grad")
	return func(p P) P {
		_, g := valueAndGrad("Grad", fm, func(p P) (Array, []core.Value) { return f(p), nil }, p)
		return g
	}
}

// ValueAndGrad returns a function that computes both f and its gradient.
func ValueAndGrad[P any](f func(P) Array) func(P) (Array, P) {
	leaves.RequireNonNil("ValueAndGrad", f)
	fm := formOf[P]("ValueAndGrad")
	return func(p P) (Array, P) {
		out, g := valueAndGrad("ValueAndGrad", fm, func(p P) (Array, []core.Value) { return f(p), nil }, p)
		return FromValue(out[0]), g
	}
}

// GradAux is [Grad] for a function that also returns a second result, which is not
// differentiated.
func GradAux[P, X any](f func(P) (Array, X)) func(P) (P, X) {
	g := valueAndGradAux("GradAux", f)
	return func(p P) (P, X) {
		_, grad, x := g(p)
		return grad, x
	}
}

// ValueAndGradAux is [ValueAndGrad] for a function that also returns a second result, which is
// not differentiated.
func ValueAndGradAux[P, X any](f func(P) (Array, X)) func(P) (Array, P, X) {
	return valueAndGradAux("ValueAndGradAux", f)
}

// GradAt returns the gradient of f at p. The parameters come first, so that f can be written as a
// function literal.
func GradAt[P any](p P, f func(P) Array) P {
	leaves.RequireNonNil("GradAt", f)
	_, g := valueAndGrad("GradAt", formOf[P]("GradAt"), func(p P) (Array, []core.Value) { return f(p), nil }, p)
	return g
}

// ValueAndGradAt returns f(p) and the gradient of f at p.
func ValueAndGradAt[P any](p P, f func(P) Array) (Array, P) {
	leaves.RequireNonNil("ValueAndGradAt", f)
	out, g := valueAndGrad("ValueAndGradAt", formOf[P]("ValueAndGradAt"), func(p P) (Array, []core.Value) { return f(p), nil }, p)
	return FromValue(out[0]), g
}

func valueAndGradAux[P, X any](op string, f func(P) (Array, X)) func(P) (Array, P, X) {
	leaves.RequireNonNil(op, f)
	fm, fx := formOf[P](op), formOf[X](op)
	return func(p P) (Array, P, X) {
		var rebuild func([]core.Value) X
		out, g := valueAndGrad(op, fm, func(p P) (Array, []core.Value) {
			y, x := f(p)
			vals, def := fx.Returned(op, "the function", &x)
			rebuild = func(vs []core.Value) X { return together[X](def, vs) }
			return y, vals
		}, p)
		return FromValue(out[0]), g, rebuild(out[1:])
	}
}

// valueAndGrad differentiates the first result of f; the others are carried along.
func valueAndGrad[P any](op string, fm form[P], f func(P) (Array, []core.Value), p P) ([]core.Value, P) {
	vals, def := fm.Values(op, &p)
	active := fm.Differentiable(op, &p, vals)
	outs, vjp := transforms.VJP(func(in []core.Value) []core.Value {
		var aux []core.Value
		y := leaves.Invoke(op, fm, def, func(p P) (y Array) { y, aux = f(p); return y }, in)
		scalarResult(op, y)
		return append([]core.Value{y.Value()}, aux...)
	}, vals, active)
	cts := make([]core.Value, len(outs))
	cts[0] = prim.Num(outs[0].Aval().Tangent(), 1)
	grads := vjp(cts)
	if runtime.Current().DebugGradients {
		dependent(op, vals, active, grads)
	}
	return outs, gradient[P](def, vals, active, grads)
}

// dependent refuses a gradient that is zero because the result depends on none of the parameters.
func dependent(op string, vals []core.Value, active []bool, grads []core.Value) {
	var asked []core.ShapedArray
	for i, v := range vals {
		if active[i] && grads[i] != nil {
			return
		}
		if active[i] {
			asked = append(asked, v.Aval())
		}
	}
	core.FailOp(core.ErrNoRule, op, asked, "the result depends on none of the parameters (%s), so the gradient is zero; use the function's own parameter inside of it, not a variable from outside", nd.List(asked))
}

// scalarResult refuses a result that is not a real scalar of a floating type.
func scalarResult(op string, y Array) {
	if y.IsZero() {
		core.FailOp(core.ErrTree, op, nil, "the function returned the zero Array, which has no value; return an array")
	}
	a := y.aval()
	switch {
	case a.Rank() != 0:
		core.FailOp(core.ErrShape, op, []core.ShapedArray{a}, "the function must give a scalar, got %s; take its Sum or Mean, or use Jacrev or VJP", a.Full())
	case a.DType.IsComplex():
		core.FailOp(core.ErrDType, op, []core.ShapedArray{a}, "the function must give a real number, got %s; take Real, Imag or Abs of it, or use VJP", a.Full())
	case !a.DType.IsFloat():
		core.FailOp(core.ErrDType, op, []core.ShapedArray{a}, "the function must give a floating point number, got %s, which has no derivative; convert it with AsType, or leave the comparison or rounding out", a.Full())
	}
}

// gradient rebuilds a gradient from cotangents: nil becomes zeros, and inactive leaves become
// float0.
func gradient[P any](def defOf, vals []core.Value, active []bool, cts []core.Value) P {
	for i, v := range vals {
		switch {
		case !active[i]:
			cts[i] = nd.NoTangent(v.Aval())
		case cts[i] == nil:
			cts[i] = prim.Zeros(v.Aval().Tangent())
		}
	}
	return together[P](def, cts)
}
