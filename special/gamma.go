package special

import (
	"math"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/internal/nd"
	"github.com/weft-go/weft/internal/stirling"
)

// Gammaln returns the logarithm of the absolute value of the gamma function.
func Gammaln(x weft.Array) weft.Array { return unary("Gammaln", prim.Lgamma, x) }

// GammaSgn returns the sign of the gamma function: 1 or −1, NaN at negative integers and −∞.
// At ±0 it is the sign of the zero.
func GammaSgn(x weft.Array) weft.Array {
	x = arrays("GammaSgn", x)[0]
	return nd.WithJAXPromotion(func() weft.Array {
		floor := weft.Floor(x)
		odd := weft.Mod(floor, 2).Ne(0)
		sign := weft.Where(odd, -1., 1.)
		pole := x.Lt(0).And(floor.Eq(x))
		sign = weft.Where(x.Gt(0), 1., weft.Where(pole, math.NaN(), sign))
		return weft.Where(x.Eq(0), weft.Copysign(1., x), weft.Where(weft.IsNaN(x), x, sign)).AsType(x.DType())
	})
}

// Digamma returns the derivative of Gammaln.
func Digamma(x weft.Array) weft.Array { return unary("Digamma", prim.Digamma, x) }

// Polygamma returns the derivative of order n of Digamma at x; n is a whole number ≥ 0.
func Polygamma[N, X weft.Operand](n N, x X) weft.Array {
	return bindAll("Polygamma", prim.PolygammaP{}, n, x)
}

// Zeta returns Hurwitz's zeta function Σ (q + k)^(−s) over k = 0, 1, …; Riemann's is Zeta(s, 1.).
func Zeta[S, Q weft.Operand](s S, q Q) weft.Array { return bindAll("Zeta", prim.ZetaP{}, s, q) }

// GammaInc returns the regularized lower incomplete gamma function
// P(a, x) = ∫₀ˣ t^(a−1)·e^(−t) dt / Γ(a).
func GammaInc[A, X weft.Operand](a A, x X) weft.Array {
	return bindAll("GammaInc", prim.IgammaP{}, a, x)
}

// GammaIncC returns 1 − GammaInc(a, x), accurate where that is small.
func GammaIncC[A, X weft.Operand](a A, x X) weft.Array {
	return bindAll("GammaIncC", prim.IgammacP{}, a, x)
}

// BetaInc returns the regularized incomplete beta function
// I_x(a, b) = ∫₀ˣ t^(a−1)·(1−t)^(b−1) dt / Beta(a, b).
func BetaInc[A, B, X weft.Operand](a A, b B, x X) weft.Array {
	return bindAll("BetaInc", prim.RegularizedIncompleteBetaP{}, a, b, x)
}

// BetaLn returns log |Beta(a, b)|. For positive operands whose sum exceeds 4, Stirling's series
// replaces differences of logarithms; an operand that is too small for it is increased first.
func BetaLn[A, B weft.Operand](a A, b B) weft.Array {
	in := arrays("BetaLn", a, b)
	return nd.WithJAXPromotion(func() weft.Array {
		p, q := weft.Minimum(in[0], in[1]), weft.Maximum(in[0], in[1])
		large, above := p.Ge(stirling.Min), p.Gt(0).And(p.Add(q).Gt(4))
		finite := weft.IsFinite(q)
		// Operands of branches that are not chosen are replaced, so that their derivatives are
		// finite.
		pl, ql := weft.Where(large, p, stirling.Min), weft.Where(large.And(finite), q, stirling.Min)
		ratio := pl.Div(ql)
		both := weft.Log(ql).Mul(-0.5).Add(0.5 * math.Log(2*math.Pi)).
			Add(pl.Sub(0.5).Mul(weft.Log(ratio).Sub(weft.Log1p(ratio)))).Sub(ql.Mul(weft.Log1p(ratio))).
			Add(stirling.Tail(pl).Add(stirling.Tail(ql)).Sub(stirling.Tail(pl.Add(ql))))
		// log Γ(q) − log Γ(p + q). Where q is small, it is this difference for q + n, plus
		// log Π (1 + p/(q + k)) over k < n, with n = stirling.Min.
		part, whole := weft.Where(large.Or(above.Not()), 1., p), weft.Where(above.And(finite), q, stirling.Min)
		short := whole.Lt(stirling.Min)
		base := weft.Where(short, whole, stirling.Min)
		product := weft.OnesLike(part)
		for k := range stirling.Min {
			product = product.Mul(part.Div(base.Add(float64(k))).Add(1))
		}
		whole = weft.Where(short, whole.Add(stirling.Min), whole)
		fall := part.Mul(weft.Scalar(1.).Sub(weft.Log(whole.Add(part)))).Sub(whole.Sub(0.5).Mul(weft.Log1p(part.Div(whole)))).
			Add(stirling.Tail(whole).Sub(stirling.Tail(whole.Add(part))))
		one := fall.Add(weft.Where(short, weft.Log(product), 0.)).Add(Gammaln(part))
		ps, qs := weft.Where(above, 1., p), weft.Where(above, 1., q)
		other := Gammaln(ps).Add(Gammaln(qs)).Sub(Gammaln(ps.Add(qs)))
		y := weft.Where(large, both, weft.Where(above, one, other))
		y = weft.Where(above.And(q.Eq(math.Inf(1))), math.Inf(-1), y)
		return weft.Where(p.Eq(0), weft.Where(weft.IsNaN(q), q, math.Inf(1)), y)
	})
}

// Beta returns Γ(a)·Γ(b)/Γ(a+b).
func Beta[A, B weft.Operand](a A, b B) weft.Array {
	in := arrays("Beta", a, b)
	return nd.WithJAXPromotion(func() weft.Array {
		sign := GammaSgn(in[0]).Mul(GammaSgn(in[1])).Mul(GammaSgn(in[0].Add(in[1])))
		return sign.Mul(weft.Exp(BetaLn(in[0], in[1])))
	})
}

// MultiGammaln returns the logarithm of the multivariate gamma function of dimension d:
// d·(d−1)/4·log π + Σ Gammaln(a − k/2) over k = 0 … d−1. A dimension above
// 10,000 is refused.
func MultiGammaln(a weft.Array, d int) weft.Array {
	const op = "MultiGammaln"
	if d < 1 {
		core.FailOp(core.ErrShape, op, nil, "the dimension must be positive (got %d); pass 1 or more", d)
	}
	if d > maxTerms {
		core.FailOp(core.ErrShape, op, nil, "the dimension is too high for a sum over dimensions (got %d, at most %d); use a lower one", d, maxTerms)
	}
	x := arrays(op, a)[0]
	return nd.WithJAXPromotion(func() weft.Array {
		sum := Gammaln(x).Add(float64(d*(d-1)) / 4 * math.Log(math.Pi))
		for k := 1; k < d; k++ {
			sum = sum.Add(Gammaln(x.Sub(float64(k) / 2)))
		}
		return sum
	})
}
