package optim

import (
	"github.com/weft-go/weft"
)

// LBFGSConfig configures [LBFGS]. Rate must be set.
type LBFGSConfig struct {
	Rate   Schedule // 1 is the right rate near a minimum
	Memory int      // steps that are stored; 0: 10
}

// LBFGS steps against the gradient times an estimate of the inverse Hessian, made from the last
// steps and changes of the gradient (Liu and Nocedal, 1989). The gradients must be those of one
// function, not of batches. It follows Rate, without a line search: [Minimize] searches.
type LBFGS[P any] struct {
	Config      LBFGSConfig
	Last, Grad  P          // parameters and gradient of the step before
	Moved, Bent P          // changes of parameters and gradients, oldest first, along a first axis
	Weights     weft.Array // of each step, 1 / (change of the gradient · change of the parameters), or 0
	Step        weft.Array // steps done
}

// NewLBFGS returns the state before the first step.
func NewLBFGS[P any](p P, c LBFGSConfig) LBFGS[P] {
	requireRate("NewLBFGS", c.Rate)
	if c.Memory < 1 {
		c.Memory = 10
	}
	stacked := weft.TreeMap(func(w weft.Array) weft.Array {
		if !w.DType().IsInexact() {
			return weft.ZerosOf(weft.Int32)
		}
		return weft.ZerosOf(w.DType(), append([]int{c.Memory}, w.Shape()...)...)
	}, p)
	return LBFGS[P]{Config: c, Last: zeros(p, false), Grad: zeros(p, false), Moved: stacked, Bent: stacked, Weights: weft.ZerosOf(wideOf(p), c.Memory), Step: start()}
}

// wideOf returns the type in which inner products over all leaves are computed: the widest type of
// the leaves, at least f32.
func wideOf[P any](p P) weft.DType {
	for _, x := range weft.TreeLeaves(p) {
		if x.DType().IsInexact() && x.DType().Real().Bits() == 64 {
			return weft.Float64
		}
	}
	return weft.Float32
}

// Update returns the parameters after a step.
func (o *LBFGS[P]) Update(p, g P) P {
	requireNonNil("LBFGS.Update", o)
	rate := rateAt("LBFGS", o.Config.Rate, o.Step)
	wide := o.Weights.DType()
	var ws, gs []weft.Array // of the leaves that take part
	var at []int
	last, grad, moved, bent := leavesOf(o.Last), leavesOf(o.Grad), leavesOf(o.Moved), leavesOf(o.Bent)
	walk("LBFGS", p, g, func(i int, w, g weft.Array) weft.Array {
		requireState("LBFGS", p, i, w, last)
		at, ws, gs = append(at, i), append(ws, w), append(gs, g)
		return w
	})
	if len(at) == 0 {
		return p
	}
	steps := make([]weft.Array, len(at))
	settled(func() {
		begun := o.Step.Gt(0)
		dot := func(x, y []weft.Array) weft.Array { return innerProduct(x, y, wide) }
		dw, dg := make([]weft.Array, len(at)), make([]weft.Array, len(at))
		for k, i := range at {
			dw[k] = weft.Where(begun, ws[k].Sub(last[i]), 0)
			dg[k] = weft.Where(begun, gs[k].Sub(grad[i]), 0)
		}
		curve := dot(dg, dw)
		weight := weft.Where(curve.Eq(0), 0, weft.Div(1., weft.Where(curve.Eq(0), 1, curve)))
		push := func(old, x weft.Array) weft.Array { return weft.Concat(0, old.Index("1:"), x.ExpandDims(0)) }
		for k, i := range at {
			moved[i], bent[i] = push(moved[i], dw[k]), push(bent[i], dg[k])
			last[i], grad[i] = ws[k], gs[k]
		}
		o.Weights = push(o.Weights, weight)

		size := dot(dg, dg)
		scale := weft.Where(size.Gt(0), curve.Div(weft.Where(size.Gt(0), size, 1)), 1)
		// Before it is multiplied by Rate, the first step has at most the length 1.
		scale = weft.Where(begun, scale, atMostOne(dot(gs, gs)))
		copy(steps, twoLoops(gs, pick(moved, at), pick(bent, at), o.Weights, scale, dot))
		for k := range steps {
			steps[k] = descend(ws[k], steps[k], rate)
		}
	})
	next(&o.Step)
	o.Last, o.Grad, o.Moved, o.Bent = rebuild(o.Last, last), rebuild(o.Grad, grad), rebuild(o.Moved, moved), rebuild(o.Bent, bent)
	out := leavesOf(p)
	for k, i := range at {
		out[i] = steps[k]
	}
	return rebuild(p, out)
}

// atMostOne returns the factor that shortens a vector with the given sum of squares to length 1;
// it is 1 for a shorter vector.
func atMostOne(squares weft.Array) weft.Array {
	return weft.Div(1., weft.Sqrt(weft.Maximum(squares, 1)))
}

func pick(xs []weft.Array, at []int) []weft.Array {
	out := make([]weft.Array, len(at))
	for k, i := range at {
		out[k] = xs[i]
	}
	return out
}

// innerProduct returns the real part of Σ conj(x)·y over all leaves.
func innerProduct(xs, ys []weft.Array, wide weft.DType) weft.Array {
	sum := weft.ZerosOf(wide)
	for k, x := range xs {
		sum = sum.Add(weft.Conj(x).Mul(ys[k]).Real().AsType(wide).Sum())
	}
	return sum
}

// twoLoops returns the inverse Hessian's estimate times the gradient (Nocedal and Wright, algorithm
// 7.4). The memory is the first axis of moved, bent and weights, oldest first.
func twoLoops(g, moved, bent []weft.Array, weights, scale weft.Array, dot func(x, y []weft.Array) weft.Array) []weft.Array {
	type memory struct {
		Moved, Bent   []weft.Array
		Weight, Alpha weft.Array
	}
	past := memory{moved, bent, weights, weft.ZerosLike(weights)}
	add := func(x []weft.Array, by weft.Array, y []weft.Array) []weft.Array {
		out := make([]weft.Array, len(x))
		for k := range x {
			out[k] = x[k].Add(y[k].Mul(by.AsType(x[k].DType().Real()))).AsType(x[k].DType())
		}
		return out
	}
	q, alphas := weft.Scan(func(q []weft.Array, m memory) ([]weft.Array, weft.Array) {
		alpha := m.Weight.Mul(dot(m.Moved, q))
		return add(q, alpha.Neg(), m.Bent), alpha
	}, g, past, weft.Reverse())
	for k := range q {
		q[k] = q[k].Mul(scale.AsType(q[k].DType().Real()))
	}
	past.Alpha = alphas
	q, _ = weft.Scan(func(q []weft.Array, m memory) ([]weft.Array, struct{}) {
		beta := m.Weight.Mul(dot(m.Bent, q))
		return add(q, m.Alpha.Sub(beta), m.Moved), struct{}{}
	}, q, past)
	return q
}
