package equinox

import (
	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
)

// lsmrCarry is the state of LSMR: vectors, numbers of the bidiagonalization and of the two
// rotations, and numbers from which the norms of the residual and of A, and A's condition, are estimated.
type lsmrCarry struct {
	X, U, V, H, HBar                                  weft.Array
	N, Stop                                           weft.Array
	Alpha, Beta, ZetaBar, AlphaBar, Rho, RhoBar, C, S weft.Array
	BetaDD, BetaD, RhoD, TauTilde, ThetaTilde         weft.Array
	Zeta, Delta, NormA2, MaxRho, MinRho, Condition    weft.Array
	NormR, NormAR                                     weft.Array
}

// The reasons why LSMR stopped: the system is solved, the least-squares problem is solved, A seems singular, or there were
// too many steps.
const (
	stopSolved = 1 + iota
	stopLeast
	stopCondition
	stopSteps
)

// leastSquares is LSMR without damping.
func (s krylov) leastSquares() (x, reason weft.Array, stats []weft.Array) {
	number := func(v float64) weft.Array { return filled(weft.ZerosOf(s.b.DType()), v) }
	nonzero := func(v weft.Array) weft.Array { return weft.Where(v.Eq(0), number(1), v) }
	_, largest, _ := core.DType(s.b.DType()).Limits()
	u := s.b.Sub(s.a(s.y0))
	normB, beta := s.length(s.b), s.length(u)
	some := beta.Ne(0)
	u = weft.Where(some, u.Div(nonzero(beta)), u)
	v := weft.Where(some, s.at(u), weft.ZerosLike(s.y0))
	alpha := s.length(v)
	v = v.Div(nonzero(alpha))
	stop := where(beta.Eq(0), stopSolved, where(alpha.Eq(0), stopLeast, zero()))
	last := weft.While(func(c lsmrCarry) weft.Array { return c.Stop.Eq(0) }, func(c lsmrCarry) lsmrCarry {
		n := c.N.Add(1)
		// the next β, u, α, v: βu = Av − αu, αv = Aᵀu − βv
		u := c.U.Mul(c.Alpha.Neg()).Add(s.a(c.V))
		beta := s.length(u)
		some := beta.Ne(0)
		unit := u.Div(nonzero(beta))
		v := c.V.Mul(beta.Neg()).Add(s.at(unit))
		alpha := s.length(v)
		v = v.Div(nonzero(alpha))
		u, v, alpha = weft.Where(some, unit, u), weft.Where(some, v, c.V), weft.Where(some, alpha, c.Alpha)

		turn, sine, alphaHat := givens(c.AlphaBar, number(0))
		cos, sin, rho := givens(alphaHat, beta)
		theta, alphaBar := sin.Mul(alpha), cos.Mul(alpha)
		thetaBar, temp := c.S.Mul(rho), c.C.Mul(rho)
		cosBar, sinBar, rhoBar := givens(temp, theta)
		zeta, zetaBar := cosBar.Mul(c.ZetaBar), sinBar.Neg().Mul(c.ZetaBar)

		hBar := c.HBar.Mul(thetaBar.Mul(rho).Div(c.Rho.Mul(c.RhoBar)).Neg()).Add(c.H)
		x := c.X.Add(hBar.Mul(zeta.Div(rho.Mul(rhoBar))))
		h := c.H.Mul(theta.Div(rho).Neg()).Add(v)

		acute, check := turn.Mul(c.BetaDD), sine.Neg().Mul(c.BetaDD)
		betaHat, betaDD := cos.Mul(acute), sin.Neg().Mul(acute)
		cosTilde, sinTilde, rhoTilde := givens(c.RhoD, thetaBar)
		thetaTilde, rhoD := sinTilde.Mul(rhoBar), cosTilde.Mul(rhoBar)
		betaD := sinTilde.Neg().Mul(c.BetaD).Add(cosTilde.Mul(betaHat))
		tau := c.Zeta.Sub(c.ThetaTilde.Mul(c.TauTilde)).Div(rhoTilde)
		tauD := zeta.Sub(thetaTilde.Mul(tau)).Div(rhoD)
		delta := c.Delta.Add(weft.Square(check))
		normR := weft.Sqrt(delta.Add(weft.Square(betaD.Sub(tauD))).Add(weft.Square(betaDD)))

		normA2 := c.NormA2.Add(weft.Square(beta))
		normA := weft.Sqrt(normA2)
		normA2 = normA2.Add(weft.Square(alpha))
		maxRho := weft.Maximum(c.MaxRho, c.RhoBar)
		minRho := weft.Where(n.Gt(1), weft.Minimum(c.MinRho, c.RhoBar), c.MinRho)
		condition := weft.Maximum(maxRho, temp).Div(weft.Minimum(minRho, temp))
		normAR := weft.Abs(zetaBar)

		solved := normA.Mul(s.length(x)).Add(normB).Mul(s.rtol).Add(s.atol)
		least := normA.Mul(normR).Mul(s.rtol).Add(s.atol)
		stop := where(n.Ge(s.most), stopSteps, c.Stop)
		stop = where(condition.Gt(s.conlim), stopCondition, stop)
		stop = where(normAR.Lt(least), stopLeast, stop)
		stop = where(normR.Lt(solved), stopSolved, stop)
		return lsmrCarry{
			X: x, U: u, V: v, H: h, HBar: hBar, N: n, Stop: stop, Alpha: alpha, Beta: beta, ZetaBar: zetaBar, AlphaBar: alphaBar, Rho: rho,
			RhoBar: rhoBar, C: cosBar, S: sinBar, BetaDD: betaDD, BetaD: betaD, RhoD: rhoD, TauTilde: tau, ThetaTilde: thetaTilde,
			Zeta: zeta, Delta: delta, NormA2: normA2, MaxRho: maxRho, MinRho: minRho, Condition: condition, NormR: normR, NormAR: normAR,
		}
	}, lsmrCarry{
		X: s.y0, U: u, V: v, H: v, HBar: weft.ZerosLike(s.y0), N: zero(), Stop: stop, Alpha: alpha, Beta: beta, ZetaBar: alpha.Mul(beta),
		AlphaBar: alpha, Rho: number(1), RhoBar: number(1), C: number(1), S: number(0), BetaDD: beta, BetaD: number(0), RhoD: number(1),
		TauTilde: number(0), ThetaTilde: number(0), Zeta: number(0), Delta: number(0), NormA2: weft.Square(alpha), MaxRho: number(0),
		MinRho: number(largest.Float()), Condition: number(1), NormR: beta, NormAR: alpha.Mul(beta),
	})
	reason = where(last.Stop.Lt(stopCondition), successful, s.reason(last.N))
	reason = where(last.Stop.Eq(stopCondition), illConditioned, reason)
	return last.X, reason, []weft.Array{
		last.Condition, last.Stop, weft.Sqrt(last.NormA2), last.NormAR, last.NormR, s.length(last.X), last.N,
	}
}

// givens returns the rotation that takes (a, b) to (r, 0): its cosine, its sine, and r.
func givens(a, b weft.Array) (c, s, r weft.Array) {
	one, none := filled(a, 1), filled(a, 0)
	nonzero := func(v weft.Array) weft.Array { return weft.Where(v.Eq(0), one, v) }
	long := weft.Abs(b).Gt(weft.Abs(a))
	short := weft.Where(long, a, b)
	side := weft.Where(long, b, a)
	tau := short.Div(nonzero(side))
	main := weft.Sign(side).Div(weft.Sqrt(weft.Square(tau).Add(1)))
	other := main.Mul(tau)
	c, s = weft.Where(long, other, main), weft.Where(long, main, other)
	r = side.Div(nonzero(main))
	aZero, bZero := a.Eq(0), b.Eq(0)
	choose := func(onB, onA, else_ weft.Array) weft.Array {
		return weft.Where(bZero, onB, weft.Where(aZero, onA, else_))
	}
	return choose(weft.Sign(a), none, c), choose(none, weft.Sign(b), s), choose(weft.Abs(a), weft.Abs(b), r)
}
