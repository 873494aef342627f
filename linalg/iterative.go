package linalg

import (
	"math"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/custom"
	"github.com/weft-go/weft/internal/leaves"
	"github.com/weft-go/weft/internal/nd"
	"github.com/weft-go/weft/lax"
)

// Iteration configures [CG], [BiCGStab] and [GMRES]. Its zero value starts at 0 and stops where
// the norm of the residual is at most 1e-5 times that of the right side.
type Iteration[X any] struct {
	Tol, Atol    float64   // stop where the norm of the residual is at most max(Tol·|b|, Atol); 0 and 0: Tol is 1e-5
	MaxIter      int       // the most steps, of GMRES the most restarts; 0: ten times the number of unknowns
	Restart      int       // of GMRES: how many directions are kept; 0: 20
	Precondition func(X) X // approximates the inverse; nil: the identity
	Guess        *X        // the first x; nil: 0
}

// CG returns an x with a(x) = b by conjugate gradients, for a linear function a that is symmetric
// (or Hermitian) and positive definite. x and b are trees of arrays. The derivative is another
// solve, also with respect to arrays that a closes over. All of x is NaN if b or a result of a is not
// finite.
func CG[X any](a func(X) X, b X, c Iteration[X]) X {
	for _, v := range weft.TreeLeaves(b) {
		if v.DType().IsComplex() { // the transpose of a Hermitian function is its conjugate
			return iterate("CG", a, b, c, conjugateGradients)
		}
	}
	return iterate("CG", a, b, c, conjugateGradients, custom.Symmetric())
}

// BiCGStab returns an x with a(x) = b by stabilized biconjugate gradients, for any regular linear
// function a.
func BiCGStab[X any](a func(X) X, b X, c Iteration[X]) X {
	return iterate("BiCGStab", a, b, c, biconjugateGradients)
}

// GMRES returns an x with a(x) = b by generalized minimal residuals with restarts, for any
// regular linear function a. It keeps Restart + 1 vectors in memory.
func GMRES[X any](a func(X) X, b X, c Iteration[X]) X {
	return iterate("GMRES", a, b, c, minimalResiduals)
}

// vectorSystem is a linear system a(x) = b over vectors, which are flattened trees, with the
// preconditioner m.
type vectorSystem struct {
	a, m     func(weft.Array) weft.Array
	b, x     weft.Array
	limit    weft.Array // of the squared norm of the residual
	steps, k int
}

func iterate[X any](op string, a func(X) X, b X, c Iteration[X], solve func(vectorSystem) weft.Array, opts ...custom.SolveOption) X {
	leaves.RequireNonNil(op, a)
	if c.Tol < 0 || c.Atol < 0 || c.MaxIter < 0 || c.Restart < 0 {
		core.FailOp(core.ErrStatic, op, nil, "an option is negative (%v, %v, %d, %d); pass 0 for its default", c.Tol, c.Atol, c.MaxIter, c.Restart)
	}
	if c.Tol == 0 && c.Atol == 0 {
		c.Tol = 1e-5
	}
	c = checkSystem(op, &a, b, c)
	run := func(guess *X) func(func(X) X, X) X {
		return func(a func(X) X, b X) X {
			return nd.WithJAXPromotion(func() X {
				flat, back := weft.Ravel(b)
				if flat.Size() == 0 {
					return b
				}
				unit := unitOf(flat)
				over := func(f func(X) X) func(weft.Array) weft.Array {
					return func(v weft.Array) weft.Array {
						y, _ := weft.Ravel(f(back(v)))
						return y
					}
				}
				s := vectorSystem{a: over(a), m: func(v weft.Array) weft.Array { return v }, b: flat.Div(unit), x: weft.ZerosLike(flat), steps: c.MaxIter, k: c.Restart}
				if c.Precondition != nil {
					s.m = over(c.Precondition)
				}
				if guess != nil {
					start, _ := weft.Ravel(*guess)
					s.x = start.Div(unit)
				}
				if s.steps == 0 {
					s.steps = 10 * flat.Size()
				}
				s.steps = min(s.steps, math.MaxInt32) // what counts them is an i32
				if s.k == 0 {
					s.k = 20
				}
				s.k = max(1, min(s.k, flat.Size()))
				s.limit = weft.Maximum(squared(s.b).Mul(c.Tol*c.Tol), weft.Square(weft.Div(c.Atol, weft.Abs(unit))))
				return back(solve(s).Mul(unit))
			})
		}
	}
	return custom.LinearSolve(a, b, run(c.Guess), run(nil), opts...)
}

// checkSystem refuses a right side of integers and a guess of another type. It makes a and the
// preconditioner fail if they return a value of another type than their argument.
func checkSystem[X any](op string, a *func(X) X, b X, c Iteration[X]) Iteration[X] {
	form := leaves.Of[X](op, weft.FromValue)
	vals, _ := form.Values(op, &b)
	types := core.AvalsOf(vals)
	for k, t := range types {
		if !t.DType.IsInexact() {
			core.FailOp(core.ErrDType, op, []core.ShapedArray{t}, "b must contain floating point numbers (got %s%s); convert it", t.Full(), leaves.AtPath(form.Path(&b, k)))
		}
	}
	checked := func(what string, f func(X) X) func(X) X {
		return func(x X) X {
			y := f(x)
			form.RequireAlike(op, what, "its argument", &x, types, &y)
			return y
		}
	}
	*a = checked("the function", *a)
	if c.Precondition != nil {
		c.Precondition = checked("Precondition", c.Precondition)
	}
	if c.Guess != nil {
		form.RequireAlike(op, "Guess", "b", &b, types, c.Guess)
	}
	return c
}

// unitOf returns the largest absolute value of b if it is so large or small that squares may overflow or underflow,
// else 1. The linear system is solved for b divided by it.
func unitOf(b weft.Array) weft.Array {
	exponent := 40
	switch b.DType() {
	case weft.Float64, weft.Complex128:
		exponent = 300
	case weft.Float16:
		exponent = 4
	}
	size := weft.Abs(b).Max()
	far := size.Gt(math.Ldexp(1, exponent)).Or(size.Lt(math.Ldexp(1, -exponent)).And(size.Gt(0)))
	return weft.Where(far.And(weft.IsFinite(size)), size, 1.).AsType(b.DType())
}

// solution returns x, or NaN where the residual is not finite.
func (s vectorSystem) solution(x, residual weft.Array) weft.Array {
	return weft.Where(weft.IsFinite(squared(residual)), x, math.NaN())
}

// squared returns the squared norm of a vector, and inner the product Σ conj(xᵢ)·yᵢ.
func squared(x weft.Array) weft.Array  { return weft.Square(weft.Abs(x)).Sum() }
func inner(x, y weft.Array) weft.Array { return weft.Conj(x).Mul(y).Sum() }

// quotient returns x/y, and 0 where y is 0: a direction that vanished.
func quotient(x, y weft.Array) weft.Array {
	zero := y.Eq(0)
	return weft.Where(zero, 0., x.Div(weft.Where(zero, 1., y)))
}

// cgState is the state between two steps of conjugate gradients: the solution, the residual, the direction, the product of
// the residual with its preconditioned form, the number of steps.
type cgState struct{ X, R, P, Gamma, K weft.Array }

func conjugateGradients(s vectorSystem) weft.Array {
	r := s.b.Sub(s.a(s.x))
	z := s.m(r)
	first := cgState{s.x, r, z, inner(r, z), weft.Scalar(int32(0))}
	last := weft.While(
		func(t cgState) weft.Array { return squared(t.R).Gt(s.limit).And(t.K.Lt(s.steps)) },
		func(t cgState) cgState {
			ap := s.a(t.P)
			alpha := quotient(t.Gamma, inner(t.P, ap))
			x, r := t.X.Add(t.P.Mul(alpha)), t.R.Sub(ap.Mul(alpha))
			z := s.m(r)
			gamma := inner(r, z)
			return cgState{x, r, z.Add(t.P.Mul(quotient(gamma, t.Gamma))), gamma, t.K.Add(1)}
		}, first)
	return s.solution(last.X, last.R)
}

type bicgState struct{ X, R, P, V, Rho, Alpha, Omega, K weft.Array }

func biconjugateGradients(s vectorSystem) weft.Array {
	r0 := s.b.Sub(s.a(s.x))
	one := weft.OnesLike(r0.Sum())
	zero := weft.ZerosLike(r0)
	first := bicgState{s.x, r0, zero, zero, one, one, one, weft.Scalar(int32(0))}
	last := weft.While(
		func(t bicgState) weft.Array {
			broken := t.Rho.Eq(0).Or(t.Omega.Eq(0)).Or(weft.IsFinite(t.Rho).Not())
			return squared(t.R).Gt(s.limit).And(t.K.Lt(s.steps)).And(broken.Not())
		},
		func(t bicgState) bicgState {
			rho := inner(r0, t.R)
			beta := quotient(rho, t.Rho).Mul(quotient(t.Alpha, t.Omega))
			p := t.R.Add(t.P.Sub(t.V.Mul(t.Omega)).Mul(beta))
			ph := s.m(p)
			v := s.a(ph)
			alpha := quotient(rho, inner(r0, v))
			half := t.R.Sub(v.Mul(alpha))
			sh := s.m(half)
			u := s.a(sh)
			omega := quotient(inner(u, half), inner(u, u))
			return bicgState{t.X.Add(ph.Mul(alpha)).Add(sh.Mul(omega)), half.Sub(u.Mul(omega)), p, v, rho, alpha, omega, t.K.Add(1)}
		}, first)
	return s.solution(last.X, last.R)
}

// minimalResiduals restarts from the x with the least residual within the space of the last
// Restart directions, which are orthogonalized twice.
func minimalResiduals(s vectorSystem) weft.Array {
	type state struct{ X, R, K weft.Array }
	last := weft.While(
		func(t state) weft.Array { return squared(t.R).Gt(s.limit).And(t.K.Lt(s.steps)) },
		func(t state) state {
			x := t.X.Add(s.correction(t.R))
			return state{x, s.b.Sub(s.a(x)), t.K.Add(1)}
		}, state{s.x, s.b.Sub(s.a(s.x)), weft.Scalar(int32(0))})
	return s.solution(last.X, last.R)
}

// correction returns M·V·y, where V are orthonormal vectors that span r, A·M·r, … and y makes the
// residual least.
func (s vectorSystem) correction(r weft.Array) weft.Array {
	n, k := r.Size(), s.k
	beta := weft.Sqrt(squared(r)).AsType(r.DType())
	type basis struct{ V, H weft.Array } // V: k+1 rows; H: k columns of k+1 as rows
	start := basis{weft.ZerosOf(r.DType(), k+1, n).At(0).Set(quotient(r, beta.BroadcastTo(n))), weft.ZerosOf(r.DType(), k, k+1)}
	eps := epsilon(r)
	b := weft.ForI(k, func(i weft.Array, t basis) basis {
		w := s.a(s.m(t.V.Index(i)))
		size := weft.Sqrt(squared(w))
		h := weft.ZerosOf(r.DType(), k+1)
		for range 2 {
			c := weft.Conj(t.V).MatMul(w)
			w, h = w.Sub(c.MatMul(t.V)), h.Add(c)
		}
		norm := weft.Sqrt(squared(w))
		norm = weft.Where(norm.Le(size.Mul(eps)), 0., norm).AsType(r.DType())
		h = h.At(i.Add(1)).Set(norm)
		return basis{t.V.At(i.Add(1)).Set(quotient(w, norm.BroadcastTo(n))), t.H.At(i).Set(h)}
	}, start)
	rhs := weft.ZerosOf(r.DType(), k+1).At(0).Set(beta)
	// Directions that vanished have zero columns: the triangular factor has a zero there, which
	// becomes 1.
	out := lax.QR(b.H.T(), lax.QRConfig{})
	q, upper := out[0], out[1]
	d := weft.Abs(weft.Diagonal(upper))
	gone := d.Le(d.Max().Mul(math.Sqrt(float64(k)) * eps))
	upper = weft.Where(gone.ExpandDims(-1).Or(gone), weft.Eye(k), upper).AsType(r.DType())
	right := weft.Where(gone, 0., adjoint(q).MatMul(rhs))
	y := lax.TriangularSolve(upper, right, lax.TriangularConfig{LeftSide: true})
	return s.m(y.MatMul(b.V.Index(weft.R(0, k))))
}
