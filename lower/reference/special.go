package reference

import (
	"math"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
)

// Special functions without a fixed number of steps are computed element by element in sums of
// two f64 (dd), rounded once, for all types: so f32 is rounded correctly but for rare cases, and f64
// nearly so. Incomplete functions first try incomplete_fast.go, within 8 ulps of f64; other types round its results,
// or those of incomplete_quick.go where all numbers as near round alike.

// elementwiseAll applies f to the elements of operands that are spread to the result's shape.
func elementwiseAll(y *Tensor, in []*Tensor, f func(x []float64) float64) {
	if y.Size() == 0 {
		return
	}
	cols := make([][]float64, len(in))
	for k, x := range in {
		wide, l := elementsAs[float64](x)
		t := &Tensor{ShapedArray: fieldF64.tensorOf(wide, 1, len(wide)).ShapedArray.WithShape(x.Shape)}
		t.Data = fieldF64.tensorOf(wide, 1, len(wide)).Data
		e, ls := spread[float64](t, y.Shape)
		cols[k] = e
		defer l.back()
		defer ls.back()
	}
	out, lo := borrow[float64](y.Size())
	defer lo.back()
	args := make([]float64, len(in))
	for i := range out {
		for k, c := range cols {
			args[k] = c[i]
		}
		out[i] = f(args)
	}
	store(&fieldF64, y, out)
}

// regularized computes igamma or igammac. Results of narrower types are those of f64, rounded once.
func regularized(y *Tensor, in []*Tensor, upper bool) {
	narrow := y.DType != core.Float64
	elementwiseAll(y, in, func(v []float64) float64 {
		if narrow {
			if y, ok := quickIgamma(v[0], v[1], upper); ok {
				return y
			}
		}
		if y, ok := fastIgamma(v[0], v[1], upper); ok {
			return y
		}
		return igamma(v[0], v[1], upper)
	})
}

// specialRows are the kernels of special functions.
var specialRows = []row{
	on(func(_ prim.IgammaP, in, out []*Tensor) {
		regularized(out[0], in, false)
	}),
	on(func(_ prim.IgammacP, in, out []*Tensor) {
		regularized(out[0], in, true)
	}),
	on(func(_ prim.IgammaGradAP, in, out []*Tensor) {
		elementwiseAll(out[0], in, func(v []float64) float64 { return igammaGrad(v[0], v[1], false) })
	}),
	on(func(_ prim.RandomGammaGradP, in, out []*Tensor) {
		elementwiseAll(out[0], in, func(v []float64) float64 { return igammaGrad(v[0], v[1], true) })
	}),
	on(func(_ prim.RegularizedIncompleteBetaP, in, out []*Tensor) {
		narrow := out[0].DType != core.Float64
		elementwiseAll(out[0], in, func(v []float64) float64 {
			if narrow {
				if y, ok := quickBetainc(v[0], v[1], v[2]); ok {
					return y
				}
			}
			if y, ok := fastBetainc(v[0], v[1], v[2]); ok {
				return y
			}
			return betainc(v[0], v[1], v[2])
		})
	}),
	on(func(_ prim.ZetaP, in, out []*Tensor) {
		elementwiseAll(out[0], in, func(v []float64) float64 { return hurwitz(v[0], v[1]) })
	}),
}

var (
	ddLn2      = dd{0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56}
	ddHalfL2Pi = dd{0x1.d67f1c864beb5p-1, -0x1.65b5a1b7ff5dfp-55} // ½·log 2π
	// ddLn2Rest is what ddLn2 lacks.
	ddLn2Rest = 0x1.7b57a079a1934p-111
)

// exp returns e^a; 0 and ∞ out of range.
func (a dd) exp() dd {
	if !(a.hi > -800) {
		if math.IsNaN(a.hi) {
			return a
		}
		return dd{}
	}
	if a.hi > 800 {
		return dd{math.Inf(1), 0}
	}
	n := math.RoundToEven(a.hi / ddLn2.hi)
	r := a.sub(ddLn2.mulFloat(n)).addFloat(-times(n, ddLn2Rest))
	r = dd{r.hi / 512, r.lo / 512}
	// e^r − 1 by Taylor's series, then squared nine times: (1 + s)² − 1 is 2·s + s².
	s := r.divFloat(9).addFloat(1)
	for k := 8; k >= 2; k-- {
		s = s.mul(r).divFloat(float64(k)).addFloat(1)
	}
	s = s.mul(r)
	for range 9 {
		s = dd{2 * s.hi, 2 * s.lo}.add(s.mul(s))
	}
	s = s.addFloat(1)
	return dd{math.Ldexp(s.hi, int(n)), math.Ldexp(s.lo, int(n))}
}

// log returns the logarithm of a positive a.
func (a dd) log() dd {
	if a.hi <= 0 || math.IsInf(a.hi, 1) || math.IsNaN(a.hi) {
		switch {
		case a.hi == 0:
			return dd{math.Inf(-1), 0}
		case a.hi > 0:
			return dd{a.hi, 0}
		}
		return dd{math.NaN(), 0}
	}
	m, e := math.Frexp(a.hi)
	if m < math.Sqrt2/2 {
		m, e = 2*m, e-1
	}
	lo := math.Ldexp(a.lo, -e)
	y := dd{m, lo}
	l := atanhTwice(y.addFloat(-1).div(y.addFloat(1)))
	return l.add(ddLn2.mulFloat(float64(e)).addFloat(times(float64(e), ddLn2Rest)))
}

// log1p returns log(1 + x), exact near zero.
func log1p(x dd) dd {
	if math.Abs(x.hi) > 0.3 {
		return x.addFloat(1).log()
	}
	return atanhTwice(x.div(x.addFloat(2)))
}

// atanhTwice returns 2·atanh z for |z| ≤ 0.18.
func atanhTwice(z dd) dd {
	w := z.mul(z)
	s := dd{}
	for k := 22; k >= 1; k-- {
		s = s.add(quotientOf(1, float64(2*k+1))).mul(w)
	}
	s = s.addFloat(1).mul(z)
	return dd{2 * s.hi, 2 * s.lo}
}

// sqrt returns the root of a positive a.
func (a dd) sqrt() dd {
	if a.hi <= 0 {
		return dd{}
	}
	s := math.Sqrt(a.hi)
	r := a.sub(productOf(s, s))
	return fastSum(s, r.hi/(2*s))
}

// stirlingSteps are B₂ₖ/(2k·(2k − 1)).
var stirlingSteps = []dd{
	quotientOf(1, 12), quotientOf(-1, 360), quotientOf(1, 1260), quotientOf(-1, 1680), quotientOf(1, 1188),
	quotientOf(-691, 360360), quotientOf(1, 156), quotientOf(-3617, 122400), quotientOf(43867, 244188),
	quotientOf(-174611, 125400), quotientOf(77683, 5796), quotientOf(-236364091, 1506960),
}

// lgamma is log Γ(a) for a > 0: by Stirling's series from 40 on.
func (a dd) lgamma() dd {
	shift := dd{1, 0}
	for a.hi < 40 {
		shift = shift.mul(a)
		a = a.addFloat(1)
	}
	s := a.stirlingRest().add(ddHalfL2Pi)
	l := a.log()
	s = s.add(a.addFloat(-0.5).mul(l)).sub(a)
	if shift.hi != 1 {
		s = s.sub(shift.log())
	}
	return s
}

// stirlingRest returns log Γ(a) − (a − ½)·log a + a − ½·log 2π by Stirling's series.
func (a dd) stirlingRest() dd {
	w := dd{1, 0}.div(a)
	z := w.mul(w)
	s := dd{}
	for k := len(stirlingSteps) - 1; k >= 0; k-- {
		s = s.mul(z).add(stirlingSteps[k])
	}
	return s.mul(w)
}

// digamma returns Γ'(a)/Γ(a) for a > 0.
func (a dd) digamma() dd {
	sum := dd{}
	for a.hi < 40 {
		sum = sum.add(dd{1, 0}.div(a))
		a = a.addFloat(1)
	}
	w := dd{1, 0}.div(a)
	z := w.mul(w)
	s := dd{}
	for k := len(stirlingSteps) - 1; k >= 0; k-- {
		s = s.mul(z).add(stirlingSteps[k].mulFloat(float64(2*k + 1)))
	}
	s = s.mul(z)
	half := dd{w.hi / 2, w.lo / 2}
	return a.log().sub(half).sub(s).sub(sum)
}

// eulerMaclaurin are B₂ₖ/(2k)!.
var eulerMaclaurin = []dd{
	quotientOf(1, 12), quotientOf(-1, 720), quotientOf(1, 30240), quotientOf(-1, 1209600), quotientOf(1, 47900160),
	quotientOf(-691, 1307674368000), quotientOf(1, 74724249600), quotientOf(-3617, 10670622842880000),
	quotientOf(43867, 5109094217170944000), quotientOf(-174611, 802857662698291200000),
	quotientOf(77683, 14101100039391805440000), quotientOf(-236364091, 1693824136731743669452800000),
}

// hurwitzTerms bounds the terms that ζ(s, q) of a negative q takes one by one.
const hurwitzTerms = 100000

// hurwitzFar is the q from which ζ(s, q) is its first term for large q.
const hurwitzFar = 0x1p100

// hurwitzTail returns q^(1 − s)/(s − 1) as one exponential, since q^(−s) alone may be too small for a number. The next term of
// ζ(s, q) is (s − 1)/(2q) of it, below 2^-97 unless the result is zero, as it is from s = 12 on.
func hurwitzTail(s, q float64) float64 {
	t := sumOf(s, -1)
	return dd{q, 0}.log().mul(t).add(t.log()).neg().exp().value()
}

// hurwitz returns ζ(s, q) = Σ (q + k)^(−s): NaN for s < 1, ∞ for s = 1 and at the poles; for other negative q
// NaN unless s is a whole number.
func hurwitz(s, q float64) float64 {
	whole := s == math.Floor(s)
	switch {
	case math.IsNaN(s) || math.IsNaN(q) || s < 1:
		return math.NaN()
	case s == 1:
		return math.Inf(1)
	case q <= 0 && q == math.Floor(q):
		return math.Inf(1)
	case q < 0 && (!whole || q < -hurwitzTerms):
		return math.NaN()
	case math.IsInf(q, 1):
		return 0
	case math.IsInf(s, 1):
		switch {
		case q < 1:
			return math.Inf(1)
		case q == 1:
			return 1
		}
		return 0
	}
	s = min(s, 0x1p1000) // products with larger s would overflow; its powers are alike
	if q >= hurwitzFar {
		return hurwitzTail(s, q)
	}
	power := func(y dd) dd {
		v := y
		if y.hi < 0 {
			v = y.neg()
		}
		p := v.log().mulFloat(-s).exp()
		if y.hi < 0 && math.Mod(s, 2) != 0 {
			p = p.neg()
		}
		return p
	}
	sum, y := dd{}, dd{q, 0}
	for k := 0; k < 12 || y.hi < 12; k++ {
		p := power(y)
		if math.IsInf(p.hi, 0) {
			return p.hi
		}
		sum = sum.add(p)
		y = sumOf(q, float64(k+1))
		if k > 0 && y.hi > 1 && math.Abs(p.hi) <= times(math.Abs(sum.hi), 0x1p-120) {
			return sum.value()
		}
	}
	w := dd{1, 0}.div(y)
	z := w.mul(w)
	tail := y.div(sumOf(s, -1)).addFloat(0.5)
	rise := w.mulFloat(s)
	for j, b := range eulerMaclaurin {
		tail = tail.add(rise.mul(b))
		rise = rise.mul(sumOf(s, float64(2*j+1))).mul(sumOf(s, float64(2*j+2))).mul(z)
	}
	return sum.add(power(y).mul(tail)).value()
}
