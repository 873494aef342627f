package equinox

import (
	"math"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/core/prim/indexed"
	"github.com/weft-go/weft/core/prim/matrices"
)

// The iterations stop, correct and count as in Lineax, so that they return the same results.

func zero() weft.Array { return weft.Scalar(int32(0)) }

func filled(x weft.Array, v float64) weft.Array { return weft.FullLike(x, v) }

// cgCarry is the state of CG: the last step, the solution, the residual r, the direction, the
// product of r with the preconditioned r, and the number of steps.
type cgCarry struct{ Step, Y, R, P, Gamma, N weft.Array }

func (s krylov) conjugateGradients() (x, reason weft.Array, stats []weft.Array) {
	r := s.b.Sub(s.a(s.y0))
	p := s.m(r)
	last := weft.While(func(c cgCarry) weft.Array {
		return c.Gamma.Gt(0).And(c.N.Lt(s.most)).And(s.unconverged(c.R, c.Step, c.Y))
	}, func(c cgCarry) cgCarry {
		ap := s.a(c.P)
		inner := ap.Dot(c.P)
		alpha := c.Gamma.Div(inner)
		alpha = weft.Where(weft.Abs(inner).Gt(weft.Abs(c.Gamma).Mul(100*s.rcond)), alpha, filled(alpha, math.NaN()))
		step := c.P.Mul(alpha)
		y, n := c.Y.Add(step), c.N.Add(1)
		stable := func() weft.Array { return s.b.Sub(s.a(y)) }
		cheap := func() weft.Array { return c.R.Sub(ap.Mul(alpha)) }
		var r weft.Array
		switch s.every {
		case 0:
			r = cheap()
		case 1:
			r = stable()
		default: // every example of a batch computes it anew at the same steps
			of := weft.FromValue(core.Bind(unvmapP{"max"}, n.Value())[0])
			r = weft.Cond(of.Rem(s.every).Eq(0), stable, cheap)
		}
		z := s.m(r)
		gamma := z.Dot(r)
		return cgCarry{step, y, r, z.Add(c.P.Mul(gamma.Div(c.Gamma))), gamma, n}
	}, cgCarry{filled(s.y0, math.Inf(1)), s.y0, r, p, p.Dot(r), zero()})
	if x = last.Y; s.negative {
		x = x.Neg()
	}
	return x, s.reason(last.N), []weft.Array{last.N}
}

type bicgCarry struct{ Y, R, Alpha, Omega, Rho, P, V, Step, N weft.Array }

func (s krylov) biconjugateGradients() (x, reason weft.Array, stats []weft.Array) {
	r0 := s.b.Sub(s.a(s.y0))
	broken := func(c bicgCarry) weft.Array {
		is := func(v weft.Array) weft.Array {
			if s.exact {
				return v.Eq(0)
			}
			return v.Lt(1e-16)
		}
		return is(c.Omega).Or(is(c.Alpha)).Or(is(c.Rho))
	}
	none := weft.ZerosLike(s.b)
	one := weft.OnesOf(s.b.DType())
	last := weft.While(func(c bicgCarry) weft.Array {
		return broken(c).Not().And(s.unconverged(c.R, c.Step, c.Y)).And(c.N.Lt(s.most))
	}, func(c bicgCarry) bicgCarry {
		rho := r0.Dot(c.R)
		beta := rho.Div(c.Rho).Mul(c.Alpha.Div(c.Omega))
		p := c.R.Add(c.P.Sub(c.V.Mul(c.Omega)).Mul(beta))
		x := s.m(p)
		v := s.a(x)
		alpha := rho.Div(r0.Dot(v))
		half := c.R.Sub(v.Mul(alpha))
		z := s.m(half)
		t := s.a(z)
		omega := half.Dot(t).Div(t.Dot(t))
		step := x.Mul(alpha).Add(z.Mul(omega))
		return bicgCarry{c.Y.Add(step), half.Sub(t.Mul(omega)), alpha, omega, rho, p, v, step, c.N.Add(1)}
	}, bicgCarry{s.y0, r0, one, one, one, none, none, filled(s.y0, math.Inf(1)), zero()})
	reason = where(broken(last).And(s.unconverged(last.R, last.Step, last.Y)), breakdown, s.reason(last.N))
	return last.Y, reason, []weft.Array{last.N}
}

type gmresCarry struct{ Y, R, Broken, WasBroken, Step, Least, N, Stagnant weft.Array }

func (s krylov) minimalResiduals() (x, reason weft.Array, stats []weft.Array) {
	s.restart = min(s.restart, s.n)
	last := weft.While(func(c gmresCarry) weft.Array {
		// A breakdown ends the loop one step later: if the system is solved, that step is small, as unconverged requires.
		more := c.WasBroken.Not().And(c.Stagnant.Lt(s.stagnant)).And(s.unconverged(c.R, c.Step, c.Y)).And(c.N.Lt(s.most))
		return more.Or(c.N.Eq(0))
	}, func(c gmresCarry) gmresCarry {
		first := weft.FromValue(core.Bind(unvmapP{"any"}, c.N.Eq(0).Value())[0])
		type step struct{ Y, Step, Broken weft.Array }
		next := weft.Cond(first, func() step { // only the residual
			return step{c.Y, filled(c.Y, math.Inf(1)), weft.Scalar(false)}
		}, func() step {
			d, broken := s.krylovStep(c.R)
			return step{c.Y.Add(d), d, broken}
		})
		r := s.m(s.b.Sub(s.a(next.Y)))
		length := s.length(r)
		stagnant := weft.Where(length.Sub(c.Least).Lt(0), zero(), c.Stagnant.Add(1))
		return gmresCarry{next.Y, r, next.Broken, c.Broken, next.Step, weft.Minimum(length, c.Least), c.N.Add(1), stagnant}
	}, gmresCarry{
		s.y0, weft.ZerosLike(s.b), weft.Scalar(false), weft.Scalar(false), filled(s.y0, math.Inf(1)),
		weft.FullLike(weft.ZerosOf(s.b.DType()), math.Inf(1)), zero(), zero(),
	})
	reason = where(last.Stagnant.Ge(s.stagnant), stagnation, s.reason(last.N))
	reason = where(last.WasBroken.And(s.unconverged(last.R, last.Step, last.Y)), breakdown, reason)
	return last.Y, reason, []weft.Array{last.N}
}

type arnoldiCarry struct{ Basis, Coefficients, Broken, N weft.Array }

// krylovStep returns the step that makes the residual r least, and whether a further direction was lacking.
func (s krylov) krylovStep(r weft.Array) (d, broken weft.Array) {
	k := s.restart
	epsilon := filled(weft.ZerosOf(r.DType()), core.DType(r.DType()).Epsilon())
	unit, length, none := normalized(r, epsilon)
	basis := weft.Concat(1, unit.Reshape(s.n, 1), weft.ZerosOf(r.DType(), s.n, k))
	c := weft.While(func(c arnoldiCarry) weft.Array {
		return c.N.Lt(k).And(c.Broken.Not())
	}, func(c arnoldiCarry) arnoldiCarry {
		column := func(n weft.Array) []value { return []value{zero().Value(), n.Value()} }
		old := indexed.DynamicSlice(c.Basis.Value(), column(c.N), core.MakeDims(s.n, 1))
		v := s.m(s.a(weft.FromValue(old).Reshape(s.n)))
		along := v.MatMul(c.Basis)
		rest := v.Sub(c.Basis.MatMul(along))
		unit, length, broken := normalized(rest, euclidean(v).Mul(epsilon))
		next := c.N.Add(1)
		basis := indexed.DynamicUpdateSlice(c.Basis.Value(), unit.Reshape(s.n, 1).Value(), column(next))
		row := indexed.DynamicUpdateSlice(along.Value(), length.Reshape(1).Value(), []value{next.Value()})
		row = indexed.DynamicUpdateSlice(c.Coefficients.Value(), prim.Reshape(row, core.MakeDims(1, k+1)), []value{c.N.Value(), zero().Value()})
		return arnoldiCarry{weft.FromValue(basis), weft.FromValue(row), broken, next}
	}, arnoldiCarry{basis, weft.Eye(k, k+1).AsType(r.DType()), none, zero()})
	rhs := weft.Concat(0, length.Reshape(1), weft.ZerosOf(r.DType(), k))
	packed, taus := matrices.Geqrf(c.Coefficients.T().Value())
	qr := solveP{&solve{solver: "QR", state: &node{kids: []*node{nil, {name: "Static", aux: "[False]"}}}}}
	z, _ := qr.compute([]value{packed, taus}, rhs.Value())
	return c.Basis.Index(weft.All, weft.R(0, k)).MatMul(weft.FromValue(z)), c.Broken
}

// normalized returns x divided by its length, the length, and whether that is below least; unit is then 0.
func normalized(x, least weft.Array) (unit, length, broken weft.Array) {
	length = euclidean(x)
	broken = length.Lt(least)
	return x.Div(weft.Where(broken, filled(length, math.Inf(1)), length)), length, broken
}
