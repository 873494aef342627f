package special

import (
	"math"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/custom"
	"github.com/weft-go/weft/internal/nd"
	"github.com/weft-go/weft/lax"
)

// besselI0 is I0 with the derivative I1, which is 0 at 0.
var besselI0 func(weft.Array) weft.Array

func init() {
	besselI0 = custom.JVP(
		func(x weft.Array) weft.Array { return weft.Exp(weft.Abs(x)).Mul(I0e(x)) },
		func(x, t weft.Array) (weft.Array, weft.Array) { return I0(x), t.Mul(I1(x)) },
		weft.Name("i0"))
}

// I0 returns the modified Bessel function of the first kind of order 0.
func I0(x weft.Array) weft.Array {
	x = arrays("I0", x)[0]
	return nd.WithJAXPromotion(func() weft.Array { return besselI0(x) })
}

// I0e returns e^(−|x|)·I0(x), which does not overflow.
func I0e(x weft.Array) weft.Array { return unary("I0e", prim.BesselI0e, x) }

// I1 returns the modified Bessel function of the first kind of order 1.
func I1(x weft.Array) weft.Array {
	return unary("I1", func(v core.Value) core.Value { return prim.Mul(prim.Exp(prim.Abs(v)), prim.BesselI1e(v)) }, x)
}

// I1e returns e^(−|x|)·I1(x), which does not overflow.
func I1e(x weft.Array) weft.Array { return unary("I1e", prim.BesselI1e, x) }

// maxTerms bounds recurrences and sums that are written out, term by term: the degree of SphHarm
// and the dimension of MultiGammaln.
const maxTerms = 10_000

// SphHarm returns the spherical harmonic of degree n and order m, |m| ≤ n, at the polar angle
// theta and the azimuth phi:
//
//	Y = √((2n+1)/4π · (n−m)!/(n+m)!) · P(n, m; cos theta) · e^(i·m·phi)
//
// where P is the associated Legendre function with the Condon–Shortley phase. The result is
// complex. The recurrence over the degree is that of normalized functions, which neither overflow
// nor underflow for degrees below 1000. Each step of the recurrence rounds: for degrees up to 20
// the parts of the result are within 16 units in the last place of 1. A degree above 10,000 is
// refused.
func SphHarm(n, m int, theta, phi weft.Array) weft.Array {
	const op = "SphHarm"
	if n < 0 || m < -n || m > n {
		core.FailOp(core.ErrShape, op, nil, "the order must be within ±degree (got degree %d, order %d); swap them if the order came first", n, m)
	}
	if n > maxTerms {
		core.FailOp(core.ErrShape, op, nil, "the degree is too high for a recurrence over degrees (got %d, at most %d); use a lower one", n, maxTerms)
	}
	in := arrays(op, theta, phi)
	return nd.WithJAXPromotion(func() weft.Array {
		order := max(m, -m)
		x, s := weft.Cos(in[0]), weft.Sin(in[0])
		p := weft.FullLike(x, math.Sqrt(1/(4*math.Pi)))
		for k := 1; k <= order; k++ {
			p = p.Mul(s).Mul(-math.Sqrt(float64(2*k+1) / float64(2*k)))
		}
		before := weft.ZerosLike(x)
		for l := order + 1; l <= n; l++ {
			a := math.Sqrt(float64(4*l*l-1) / float64(l*l-order*order))
			b := math.Sqrt(float64((l-1)*(l-1)-order*order) / float64(4*(l-1)*(l-1)-1))
			if l == order+1 {
				b = 0
			}
			p, before = x.Mul(p).Sub(before.Mul(b)).Mul(a), p
		}
		if m < 0 && order%2 == 1 {
			p = p.Neg()
		}
		angle := in[1].Mul(float64(m))
		return lax.Complex(p.Mul(weft.Cos(angle)), p.Mul(weft.Sin(angle)))
	})
}
