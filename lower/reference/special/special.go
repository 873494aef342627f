package special

import (
	"math"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/lower/reference/internal/block"
)

// Special functions without a fixed number of steps are computed element by element in sums of
// two f64 (dd), rounded once, for all types: so f32 is rounded correctly but for rare cases, and f64
// nearly so. Incomplete functions first try incomplete_fast.go, within 8 ulps of f64; other types round its results,
// or those of incomplete_quick.go where all numbers as near round alike.

// elementwiseAll applies f to the elements of operands that are spread to the result's shape.
func elementwiseAll(y *block.Tensor, in []*block.Tensor, f func(x []float64) float64) {
	if y.Size() == 0 {
		return
	}
	cols := make([][]float64, len(in))
	for k, x := range in {
		wide, l := block.ElementsAs[float64](x)
		e, ls := block.SpreadElements(wide, x.Shape, y.Shape)
		cols[k] = e
		defer l.Back()
		defer ls.Back()
	}
	out, lo := block.Borrow[float64](y.Size())
	defer lo.Back()
	args := make([]float64, len(in))
	for i := range out {
		for k, c := range cols {
			args[k] = c[i]
		}
		out[i] = f(args)
	}
	block.Store(y, out)
}

// regularized computes igamma or igammac. Results of narrower types are those of f64, rounded once.
func regularized(y *block.Tensor, in []*block.Tensor, upper bool) {
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
		return Igamma(v[0], v[1], upper)
	})
}

// igammaGradient computes the derivative of igamma in its first operand or, of samples, that of a
// gamma variate.
func igammaGradient(y *block.Tensor, in []*block.Tensor, sample bool) {
	elementwiseAll(y, in, func(v []float64) float64 { return igammaGrad(v[0], v[1], sample) })
}

// regularizedBeta computes the regularized incomplete beta function.
func regularizedBeta(y *block.Tensor, in []*block.Tensor) {
	narrow := y.DType != core.Float64
	elementwiseAll(y, in, func(v []float64) float64 {
		if narrow {
			if y, ok := quickBetainc(v[0], v[1], v[2]); ok {
				return y
			}
		}
		if y, ok := fastBetainc(v[0], v[1], v[2]); ok {
			return y
		}
		return Betainc(v[0], v[1], v[2])
	})
}

// zeta computes Hurwitz's zeta function.
func zeta(y *block.Tensor, in []*block.Tensor) {
	elementwiseAll(y, in, func(v []float64) float64 { return hurwitz(v[0], v[1]) })
}

var (
	ddLn2      = Double{0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56}
	ddHalfL2Pi = Double{0x1.d67f1c864beb5p-1, -0x1.65b5a1b7ff5dfp-55} // ½·log 2π
	// ddLn2Rest is what ddLn2 lacks.
	ddLn2Rest = 0x1.7b57a079a1934p-111
)

// exp returns e^a; 0 and ∞ out of range.
func (a Double) exp() Double {
	if !(a.Hi > -800) {
		if math.IsNaN(a.Hi) {
			return a
		}
		return Double{}
	}
	if a.Hi > 800 {
		return Double{math.Inf(1), 0}
	}
	n := math.RoundToEven(a.Hi / ddLn2.Hi)
	r := a.Sub(ddLn2.MulFloat(n)).AddFloat(-block.Times(n, ddLn2Rest))
	r = Double{r.Hi / 512, r.Lo / 512}
	// e^r − 1 by Taylor's series, then squared nine times: (1 + s)² − 1 is 2·s + s².
	s := r.DivFloat(9).AddFloat(1)
	for k := 8; k >= 2; k-- {
		s = s.Mul(r).DivFloat(float64(k)).AddFloat(1)
	}
	s = s.Mul(r)
	for range 9 {
		s = Double{2 * s.Hi, 2 * s.Lo}.Add(s.Mul(s))
	}
	s = s.AddFloat(1)
	return Double{math.Ldexp(s.Hi, int(n)), math.Ldexp(s.Lo, int(n))}
}

// log returns the logarithm of a positive a.
func (a Double) log() Double {
	if a.Hi <= 0 || math.IsInf(a.Hi, 1) || math.IsNaN(a.Hi) {
		switch {
		case a.Hi == 0:
			return Double{math.Inf(-1), 0}
		case a.Hi > 0:
			return Double{a.Hi, 0}
		}
		return Double{math.NaN(), 0}
	}
	m, e := math.Frexp(a.Hi)
	if m < math.Sqrt2/2 {
		m, e = 2*m, e-1
	}
	lo := math.Ldexp(a.Lo, -e)
	y := Double{m, lo}
	l := atanhTwice(y.AddFloat(-1).div(y.AddFloat(1)))
	return l.Add(ddLn2.MulFloat(float64(e)).AddFloat(block.Times(float64(e), ddLn2Rest)))
}

// log1p returns log(1 + x), exact near zero.
func log1p(x Double) Double {
	if math.Abs(x.Hi) > 0.3 {
		return x.AddFloat(1).log()
	}
	return atanhTwice(x.div(x.AddFloat(2)))
}

// atanhTwice returns 2·atanh z for |z| ≤ 0.18.
func atanhTwice(z Double) Double {
	w := z.Mul(z)
	s := Double{}
	for k := 22; k >= 1; k-- {
		s = s.Add(QuotientOf(1, float64(2*k+1))).Mul(w)
	}
	s = s.AddFloat(1).Mul(z)
	return Double{2 * s.Hi, 2 * s.Lo}
}

// sqrt returns the root of a positive a.
func (a Double) sqrt() Double {
	if a.Hi <= 0 {
		return Double{}
	}
	s := math.Sqrt(a.Hi)
	r := a.Sub(productOf(s, s))
	return fastSum(s, r.Hi/(2*s))
}

// stirlingSteps are B₂ₖ/(2k·(2k − 1)).
var stirlingSteps = []Double{
	QuotientOf(1, 12), QuotientOf(-1, 360), QuotientOf(1, 1260), QuotientOf(-1, 1680), QuotientOf(1, 1188),
	QuotientOf(-691, 360360), QuotientOf(1, 156), QuotientOf(-3617, 122400), QuotientOf(43867, 244188),
	QuotientOf(-174611, 125400), QuotientOf(77683, 5796), QuotientOf(-236364091, 1506960),
}

// lgamma is log Γ(a) for a > 0: by Stirling's series from 40 on.
func (a Double) lgamma() Double {
	shift := Double{1, 0}
	for a.Hi < 40 {
		shift = shift.Mul(a)
		a = a.AddFloat(1)
	}
	s := a.stirlingRest().Add(ddHalfL2Pi)
	l := a.log()
	s = s.Add(a.AddFloat(-0.5).Mul(l)).Sub(a)
	if shift.Hi != 1 {
		s = s.Sub(shift.log())
	}
	return s
}

// stirlingRest returns log Γ(a) − (a − ½)·log a + a − ½·log 2π by Stirling's series.
func (a Double) stirlingRest() Double {
	w := Double{1, 0}.div(a)
	z := w.Mul(w)
	s := Double{}
	for k := len(stirlingSteps) - 1; k >= 0; k-- {
		s = s.Mul(z).Add(stirlingSteps[k])
	}
	return s.Mul(w)
}

// digamma returns Γ'(a)/Γ(a) for a > 0.
func (a Double) digamma() Double {
	sum := Double{}
	for a.Hi < 40 {
		sum = sum.Add(Double{1, 0}.div(a))
		a = a.AddFloat(1)
	}
	w := Double{1, 0}.div(a)
	z := w.Mul(w)
	s := Double{}
	for k := len(stirlingSteps) - 1; k >= 0; k-- {
		s = s.Mul(z).Add(stirlingSteps[k].MulFloat(float64(2*k + 1)))
	}
	s = s.Mul(z)
	half := Double{w.Hi / 2, w.Lo / 2}
	return a.log().Sub(half).Sub(s).Sub(sum)
}

// eulerMaclaurin are B₂ₖ/(2k)!.
var eulerMaclaurin = []Double{
	QuotientOf(1, 12), QuotientOf(-1, 720), QuotientOf(1, 30240), QuotientOf(-1, 1209600), QuotientOf(1, 47900160),
	QuotientOf(-691, 1307674368000), QuotientOf(1, 74724249600), QuotientOf(-3617, 10670622842880000),
	QuotientOf(43867, 5109094217170944000), QuotientOf(-174611, 802857662698291200000),
	QuotientOf(77683, 14101100039391805440000), QuotientOf(-236364091, 1693824136731743669452800000),
}

// hurwitzTerms bounds the terms that ζ(s, q) of a negative q takes one by one.
const hurwitzTerms = 100000

// hurwitzFar is the q from which ζ(s, q) is its first term for large q.
const hurwitzFar = 0x1p100

// hurwitzTail returns q^(1 − s)/(s − 1) as one exponential, since q^(−s) alone may be too small for a number. The next term of
// ζ(s, q) is (s − 1)/(2q) of it, below 2^-97 unless the result is zero, as it is from s = 12 on.
func hurwitzTail(s, q float64) float64 {
	t := sumOf(s, -1)
	return Double{q, 0}.log().Mul(t).Add(t.log()).Neg().exp().Value()
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
	power := func(y Double) Double {
		v := y
		if y.Hi < 0 {
			v = y.Neg()
		}
		p := v.log().MulFloat(-s).exp()
		if y.Hi < 0 && math.Mod(s, 2) != 0 {
			p = p.Neg()
		}
		return p
	}
	sum, y := Double{}, Double{q, 0}
	for k := 0; k < 12 || y.Hi < 12; k++ {
		p := power(y)
		if math.IsInf(p.Hi, 0) {
			return p.Hi
		}
		sum = sum.Add(p)
		y = sumOf(q, float64(k+1))
		if k > 0 && y.Hi > 1 && math.Abs(p.Hi) <= block.Times(math.Abs(sum.Hi), 0x1p-120) {
			return sum.Value()
		}
	}
	w := Double{1, 0}.div(y)
	z := w.Mul(w)
	tail := y.div(sumOf(s, -1)).AddFloat(0.5)
	rise := w.MulFloat(s)
	for j, b := range eulerMaclaurin {
		tail = tail.Add(rise.Mul(b))
		rise = rise.Mul(sumOf(s, float64(2*j+1))).Mul(sumOf(s, float64(2*j+2))).Mul(z)
	}
	return sum.Add(power(y).Mul(tail)).Value()
}
