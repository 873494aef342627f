package optim

import (
	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/internal/leaves"
	"github.com/weft-go/weft/internal/nd"
	"github.com/weft-go/weft/promote"
)

// An Optimizer changes parameters by their gradient, and its own state with them.
type Optimizer[P any] interface {
	// Update returns the parameters after a step, and advances the state.
	Update(params, grad P) P
}

func leavesOf[P any](p P) []weft.Array {
	var out []weft.Array
	for _, x := range weft.TreeLeaves(p) {
		out = append(out, x)
	}
	return out
}

// rebuild returns a tree of p's structure with the arrays xs. Leaves of type float0 stay p's.
func rebuild[P any](p P, xs []weft.Array) P {
	var live []weft.Array // without float0, which TreeMap does not pass to its function
	for i, x := range leavesOf(p) {
		if x.DType() != weft.Float0 {
			live = append(live, xs[i])
		}
	}
	i := -1
	return weft.TreeMap(func(weft.Array) weft.Array { i++; return live[i] }, p)
}

// settled runs f under jax.numpy's promotion and with broadcasting between ranks, for which the optimizers are
// written, regardless of the user's settings.
func settled(f func()) {
	weft.With(weft.Promotion(promote.JAX), func() { weft.With(weft.RankPromotion(weft.Allow), f) })
}

// active reports whether a leaf is updated: it is a float or complex, and its gradient is not
// float0.
func active(w, g weft.Array) bool { return w.DType().IsInexact() && g.DType() != weft.Float0 }

// A Mask selects leaves of a tree of parameters by their paths (.Layers[2].W) and arrays.
type Mask func(path string, x weft.Array) bool

// Matrices is the usual [Mask] of weight decay: it selects arrays of two axes or more, so no
// biases and no scales.
func Matrices(_ string, x weft.Array) bool { return x.Rank() > 1 }

// on reports for each leaf of p whether the mask selects it; a nil mask selects all.
func on[P any](m Mask, p P) []bool {
	var out []bool
	for path, x := range weft.TreeLeaves(p) {
		out = append(out, m == nil || m(path, x))
	}
	return out
}

// walk updates every active leaf: f receives the leaf's number, the leaf and the gradient,
// conjugated if complex, and returns the leaf's next value. op is the optimizer.
func walk[P any](op string, p, g P, f func(i int, w, g weft.Array) weft.Array) P {
	weft.TreeMap2(func(w, _ weft.Array) weft.Array { return w }, p, g) // fails if the structures differ
	ws, gs := leavesOf(p), leavesOf(g)
	requireFit(op, p, gs)
	settled(func() {
		for i, w := range ws {
			if !active(w, gs[i]) {
				continue
			}
			d := gs[i]
			if d.DType().IsComplex() {
				d = weft.Conj(d)
			}
			ws[i] = f(i, w, d)
		}
	})
	return rebuild(p, ws)
}

// each is walk with states that have the structure of p. f also receives the states' leaves, which
// it may replace.
func each[P any](op string, p, g P, f func(i int, w, g weft.Array, state []weft.Array) weft.Array, states ...*P) P {
	parts := make([][]weft.Array, len(states))
	for k, s := range states {
		parts[k] = leavesOf(*s)
	}
	at := make([]weft.Array, len(states))
	out := walk(op, p, g, func(i int, w, g weft.Array) weft.Array {
		for k := range parts {
			requireState(op, p, i, w, parts[k])
			at[k] = parts[k][i]
		}
		y := f(i, w, g, at)
		for k := range parts {
			parts[k][i] = at[k]
		}
		return y
	})
	for k, s := range states {
		*s = rebuild(*s, parts[k])
	}
	return out
}

// requireFit refuses a gradient that does not have its parameter's shape and type: a gradient
// that broadcasts would change the parameter's shape.
func requireFit[P any](op string, p P, gs []weft.Array) {
	i := -1
	for path, w := range weft.TreeLeaves(p) {
		i++
		if !active(w, gs[i]) {
			continue
		}
		a, b := w.Value().Aval(), gs[i].Value().Aval()
		switch {
		case a.Shape != b.Shape:
			core.FailOp(core.ErrShape, op, []core.ShapedArray{a, b}, "the gradient%s is %v, the parameter %v; give a gradient of its shape, as weft.Grad does%s",
				leaves.AtPath(path), b.Full(), a.Full(), summed(a, b))
		case a.DType != b.DType:
			core.FailOp(core.ErrDType, op, []core.ShapedArray{a, b}, "the gradient%s is %v, the parameter %v; convert the gradient with AsType", leaves.AtPath(path), b.Full(), a.Full())
		}
	}
}

// requireState refuses a state that has no leaf i, or whose leaf i does not have the shape of the parameter w: it
// would broadcast.
func requireState[P any](op string, p P, i int, w weft.Array, part []weft.Array) {
	a := w.Value().Aval()
	if i >= len(part) {
		core.FailOp(core.ErrTree, op, []core.ShapedArray{a}, "the state has fewer leaves than the parameters; make the optimizer with optim.New%s from these", op)
	}
	if s := part[i].Value().Aval(); s.Shape != a.Shape {
		paths := pathsOf(p)
		core.FailOp(core.ErrShape, op, []core.ShapedArray{s, a}, "the state%s is %v, the parameter %v; make the optimizer with optim.New%s from these parameters", leaves.AtPath(paths[i]), s.Full(), a.Full(), op)
	}
}

func pathsOf[P any](p P) (paths []string) {
	for path := range weft.TreeLeaves(p) {
		paths = append(paths, path)
	}
	return paths
}

// summed returns what to do about a gradient that consists of one for each example of a batch; "" for others.
func summed(w, g core.ShapedArray) string {
	if g.Rank() > w.Rank() && g.Shape.Slice(g.Rank()-w.Rank(), g.Rank()) == w.Shape {
		return "; of a gradient for each example of a batch take the mean over the first axis"
	}
	return ""
}

// zeros returns a state of zeros of p's structure. If it holds squares, those of complex leaves are
// real. Leaves that are neither floats nor complex get a scalar that nothing reads.
func zeros[P any](p P, squares bool) P {
	return weft.TreeMap(func(w weft.Array) weft.Array {
		dt := w.DType()
		if !dt.IsInexact() {
			return weft.ZerosOf(weft.Int32)
		}
		if squares {
			dt = dt.Real()
		}
		return weft.ZerosOf(dt, w.Shape()...)
	}, p)
}

// descend returns w − rate·u, in w's type.
func descend(w, u, rate weft.Array) weft.Array {
	return w.Sub(u.Mul(rate.AsType(w.DType().Real()))).AsType(w.DType())
}

// root returns √x for a sum of squares x, with the derivative 0 where x is 0.
func root(x weft.Array) weft.Array { return weft.FromValue(nd.RootOfSquares(x.Value())) }

// divisor returns √v + ε for a mean of squares v. Where both are 0 it is 1: the gradient that is
// divided by it is 0, too.
func divisor(v weft.Array, eps float64) weft.Array {
	if vanishes(eps, v.DType()) {
		return weft.Sqrt(positive(v))
	}
	return root(v).Add(eps)
}

func positive(x weft.Array) weft.Array { return weft.Where(x.Eq(0), 1, x) }

// vanishes reports whether eps is 0 in a type: in f16 the usual 1e-8 is.
func vanishes(eps float64, dt weft.DType) bool {
	return eps == 0 || dt == weft.Float16 && eps <= 0x1p-25
}

// square returns |g|², real.
func square(g weft.Array) weft.Array {
	if g.DType().IsComplex() {
		return weft.Square(g.Real()).Add(weft.Square(g.Imag()))
	}
	return weft.Square(g)
}
