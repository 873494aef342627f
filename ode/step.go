package ode

import (
	"github.com/weft-go/weft"
)

// The Dormand–Prince pair RK5(4)7M: the times of the stages and their weights, the difference of
// the solution of order 5 to that of order 4, and the solution in the middle of a step
// (Shampine's formula of order 4). The last stage's state is the solution of order 5, so that its
// derivative is the first of the next step.
var (
	nodes  = []float64{1. / 5, 3. / 10, 4. / 5, 8. / 9, 1, 1}
	stages = [][]float64{
		{1. / 5},
		{3. / 40, 9. / 40},
		{44. / 45, -56. / 15, 32. / 9},
		{19372. / 6561, -25360. / 2187, 64448. / 6561, -212. / 729},
		{9017. / 3168, -355. / 33, 46732. / 5247, 49. / 176, -5103. / 18656},
		{35. / 384, 0, 500. / 1113, 125. / 192, -2187. / 6784, 11. / 84},
	}
	lowOrder = []float64{
		35./384 - 1951./21600, 0, 500./1113 - 22642./50085, 125./192 - 451./720,
		-2187./6784 + 12231./42400, 11./84 - 649./6300, -1. / 60,
	}
	middle = []float64{
		6025192743. / 30085553152 / 2, 0, 51252292925. / 65400821598 / 2, -2691868925. / 45128329728 / 2,
		187940372067. / 1594534317056 / 2, -1776094331. / 19743644256 / 2, 11237099. / 235043384 / 2,
	}
)

func combine(weights []float64, ks []weft.Array) weft.Array {
	var sum weft.Array
	for i, w := range weights {
		switch {
		case w == 0:
		case sum.IsZero():
			sum = ks[i].Mul(w)
		default:
			sum = sum.Add(ks[i].Mul(w))
		}
	}
	return sum
}

// rungeKutta takes one step of size h from a state y with derivative dy: the next
// state and its derivative, the state in the middle, and the estimate of the error.
func rungeKutta(f func(y, t weft.Array) weft.Array, y, dy, t, h weft.Array) (next, dnext, mid, err weft.Array) {
	hy := like(h, y)
	ks := []weft.Array{dy}
	for i, weights := range stages {
		next = y.Add(combine(weights, ks).Mul(hy))
		ks = append(ks, f(next, t.Add(h.Mul(nodes[i]))))
	}
	return next, ks[6], y.Add(combine(middle, ks).Mul(hy)), combine(lowOrder, ks).Mul(hy)
}

// like returns a time as a number that the state can be multiplied with.
func like(t, y weft.Array) weft.Array { return t.AsType(real(y)) }

func real(y weft.Array) weft.DType { return y.DType().Real() }

// errorRatio returns the error of a step relative to the allowed one, in the quadratic mean.
func errorRatio(err, y, next weft.Array, c Config) weft.Array {
	allowed := weft.Maximum(weft.Abs(y), weft.Abs(next)).Mul(c.RTol).Add(c.ATol)
	return weft.Sqrt(weft.Square(weft.Abs(err).Div(allowed)).Mean())
}

// resize returns the size of the step after one of size h: a tenth below the size that the error
// would allow if it were of order 5, but at most 10·h and HMax, and at least h/5, or h if ratio is
// less than 1.
func resize(h, ratio weft.Array, c Config) weft.Array {
	least := weft.Where(ratio.Lt(1), 1., 0.2).AsType(ratio.DType())
	factor := weft.Minimum(weft.Maximum(ratio.Pow(-1./5).Mul(0.9), least), 10.)
	return bounded(h.Mul(weft.Where(ratio.Eq(0), 10., factor).AsType(h.DType())), c)
}

func bounded(h weft.Array, c Config) weft.Array { return weft.Minimum(h, c.HMax).AsType(h.DType()) }

// firstStep estimates the size of the first step: small enough that the state, and
// then the derivative, change by a hundredth (Hairer, Nørsett and Wanner, Solving
// Ordinary Differential Equations I, II.4).
func firstStep(f func(y, t weft.Array) weft.Array, y, dy, t weft.Array, c Config) weft.Array {
	allowed := weft.Abs(y).Mul(c.RTol).Add(c.ATol)
	norm := func(x weft.Array) weft.Array { return weft.Sqrt(weft.Square(weft.Abs(x).Div(allowed)).Sum()) }
	size, speed := norm(y), norm(dy)
	still := weft.LogicalOr(size.Lt(1e-5), speed.Lt(1e-5))
	h0 := weft.Where(still, 1e-6, size.Div(weft.Where(still, 1., speed)).Mul(0.01)).AsType(real(y))
	ahead := f(y.Add(dy.Mul(h0)), t.Add(h0.AsType(t.DType())))
	bend := norm(ahead.Sub(dy)).Div(h0)
	most := weft.Maximum(speed, bend)
	flat := most.Le(1e-15)
	h1 := weft.Where(flat, weft.Maximum(h0.Mul(1e-3), 1e-6), weft.Div(0.01, weft.Where(flat, 1., most)).Pow(1./5)).AsType(real(y))
	return bounded(weft.Minimum(h0.Mul(100), h1).AsType(t.DType()), c)
}
