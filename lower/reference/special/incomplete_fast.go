package special

import (
	"github.com/weft-go/weft/lower/reference/internal/block"
	"math"
	"sync"
)

// Incomplete functions of f64 compute the factor x^a·… in sums of two f64, because its exponent has more digits before the point
// than f64 leaves behind it, and the series or fraction in f64 from the last term to the first one: so each
// rounding is damped by the terms before it. Where this is not within a few ulps the slow functions compute. Every product that a
// sum follows is one fma, or rounded by itself, on all machines.

// fastLogs is a table of 1/(1 + (j + ½)/128), rounded to 10 bits, and minus its logarithm.
var fastLogs = sync.OnceValue(func() *[128]struct {
	inverse float64
	log     Double
} {
	var t [128]struct {
		inverse float64
		log     Double
	}
	for j := range t {
		c := math.Round(1024/(1+(float64(j)+0.5)/128)) / 1024
		t[j].inverse, t[j].log = c, Double{c, 0}.log().Neg()
	}
	return &t
})

// fastExps is a table of 2^(j/64).
var fastExps = sync.OnceValue(func() *[64]Double {
	var t [64]Double
	for j := range t {
		t[j] = ddLn2.MulFloat(float64(j) / 64).exp()
	}
	return &t
})

// The polynomials of fastLog, fastExp and fastLgamma, from the highest power on.
var (
	fastLogTail  = [...]float64{1.0 / 9, -1.0 / 8, 1.0 / 7, -1.0 / 6, 1.0 / 5, -1.0 / 4, 1.0 / 3}
	fastExpTail  = [...]float64{1.0 / 5040, 1.0 / 720, 1.0 / 120, 1.0 / 24, 1.0 / 6, 1.0 / 2}
	fastStirling = [...]float64{-3617.0 / 122400, 1.0 / 156, -691.0 / 360360, 1.0 / 1188, -1.0 / 1680, 1.0 / 1260, -1.0 / 360, 1.0 / 12}
)

// fastLog returns log x of a positive normal x, with an error of 2^-64 at most and 2^-100 of the result.
func fastLog(x float64) Double {
	b := math.Float64bits(x)
	e := float64(int(b>>52) - 1023)
	entry := &fastLogs()[b>>45&127]
	m := math.Float64frombits(b&(1<<52-1) | 1023<<52)
	p := productOf(m, entry.inverse)
	hi, lo := p.Hi-1, p.Lo // |hi| < 2^-7, exact
	square := productOf(hi, hi)
	tail := fastLogTail[0]
	for _, c := range fastLogTail[1:] {
		tail = math.FMA(tail, hi, c)
	}
	// log(1 + r) = r − r²/2 + r³·tail for r = hi + lo.
	rest := math.FMA(block.Times(square.Hi, hi), tail, math.FMA(-hi, lo, lo-square.Lo/2))
	s := ddLn2.MulFloat(e).Add(entry.log)
	return s.Add(sumOf(hi, -square.Hi/2)).AddFloat(rest)
}

// fastExp returns e^v for |v| < 700, with an error of about half an ulp.
func fastExp(v Double) float64 {
	n := math.RoundToEven(v.Hi * (64 / math.Ln2))
	d := v.Sub(ddLn2.MulFloat(n / 64))
	r := d.Hi
	p := fastExpTail[0]
	for _, c := range fastExpTail[1:] {
		p = math.FMA(p, r, c)
	}
	p = r + math.FMA(block.Times(r, r), p, d.Lo)
	k := int(n)
	t := fastExps()[k&63]
	return math.Ldexp(t.Hi+math.FMA(t.Hi, p, t.Lo), k>>6)
}

// fastLgamma returns log Γ(a) of 0 < a < 1000, with an error of about 2^-60.
func fastLgamma(a Double) Double {
	shift := Double{1, 0}
	for a.Hi < FastLgammaFrom {
		shift = shift.Mul(a)
		a = a.AddFloat(1)
	}
	w := 1 / a.Hi
	z := block.Times(w, w)
	s := fastStirling[0]
	for _, c := range fastStirling[1:] {
		s = math.FMA(s, z, c)
	}
	l := fastLog(a.Hi).AddFloat(block.Times(a.Lo, w))
	sum := a.AddFloat(-0.5).Mul(l).Sub(a).Add(ddHalfL2Pi).AddFloat(block.Times(s, w))
	if shift.Hi != 1 {
		sum = sum.Sub(fastLog(shift.Hi).AddFloat(shift.Lo / shift.Hi))
	}
	return sum
}

// fastIgamma is igamma for numbers that are not extreme; ok is false if it cannot compute the result.
func fastIgamma(a, x float64, upper bool) (v float64, ok bool) {
	if !(a >= FastLeastShape && a <= FastGammaShape && x >= FastLeastX && x <= FastGammaX) {
		return 0, false
	}
	if x < 1 || x <= a+FastSeriesMore || a < FastSeriesSmall && x <= a+FastSeriesSmallMore {
		s, ok := fastSeries(a, x)
		p := block.Times(gammaFactorOf(a, x, 1), s)
		switch {
		case ok && !upper:
			return p, p <= 1
		case ok && p <= FastComplement:
			return 1 - p, true
		}
	}
	if x < 1 || x <= a {
		return 0, false
	}
	q := block.Times(gammaFactorOf(a, x, 0), fastFraction(a, x))
	if upper {
		return q, true
	}
	return 1 - q, q <= FastComplement
}

// gammaFactorOf returns x^a·e^(−x)/Γ(a + more).
func gammaFactorOf(a, x, more float64) float64 {
	return fastExp(fastLog(x).MulFloat(a).AddFloat(-x).Sub(fastLgamma(sumOf(a, more))))
}

// fastSeries returns 1 + x/(a + 1)·(1 + x/(a + 2)·(…)).
func fastSeries(a, x float64) (v float64, ok bool) {
	var ratios [FastSeriesSteps]float64
	product := 1.0
	for k := range ratios {
		r := x / (a + float64(k+1))
		ratios[k] = r
		product *= r
		if product < FastSeriesEnd && r < FastSeriesRatio {
			v = 1
			for ; k >= 0; k-- {
				v = math.FMA(ratios[k], v, 1)
			}
			return v, true
		}
	}
	return 0, false
}

// fastFraction returns Legendre's continued fraction of gammaFraction for x ≥ 1 and x > a from its end.
func fastFraction(a, x float64) float64 {
	n := FastGammaSteps + int(a+FastGammaStepsOverX/x)
	b := x - a + 1
	t := b + float64(2*n)
	for k := n; k > 0; k-- {
		i := float64(k)
		t = b + 2*(i-1) + i*(a-i)/t
	}
	return 1 / t
}

// fastBetainc is betainc for numbers that are not extreme; ok is false if it cannot compute the result.
func fastBetainc(a, b, x float64) (v float64, ok bool) {
	in := func(v float64) bool { return v >= FastLeastShape && v <= FastBetaShape }
	if !in(a) || !in(b) || !(x >= FastLeastX && x <= 1-FastLeastX) {
		return 0, false
	}
	y := sumOf(1, -x)
	lx, ly := fastLog(x), fastLog(y.Hi).AddFloat(y.Lo/y.Hi)
	rest := x > (a+1)/(a+b+2)
	at := Double{x, 0}
	if rest {
		a, b, lx, ly, at = b, a, ly, lx, y
	}
	if at.Hi > FastBetaX {
		return 0, false
	}
	ab := sumOf(a, b)
	e := lx.MulFloat(a).Add(ly.MulFloat(b)).Add(fastLgamma(ab)).Sub(fastLgamma(sumOf(a, 1))).Sub(fastLgamma(Double{b, 0}))
	f, ok := fastBetaFraction(a, b, at)
	v = fastExp(e) / f
	if !rest {
		return v, ok
	}
	return 1 - v, ok && v <= FastComplement
}

// fastBetaFraction returns 1 + d₁/(1 + d₂/(1 + …)), the denominator of the fraction of betaFraction, from its end. Its last steps
// are computed again in sums of two f64 where one of them loses digits.
func fastBetaFraction(a, b float64, x Double) (v float64, ok bool) {
	// Two steps lower the error by ((1 − s)/(1 + s))², s = √(1 − x), or more.
	s := math.Sqrt(1 - x.Hi)
	n := FastBetaSteps
	for r, e := (1-s)/(1+s), 1.0; e > FastBetaEnd; e = block.Times(e, r) {
		n++
	}
	t, least := 1.0, 1.0
	step := func(m float64) {
		a2 := a + 2*m
		odd := -(a + m) * (a + b + m) * x.Hi / (a2 * (a2 + 1))
		t = 1 + odd/t
		least = min(least, t)
		if m > 0 {
			even := m * (b - m) * x.Hi / ((a2 - 1) * a2)
			t = 1 + even/t
		}
	}
	for k := n; k >= FastBetaLast; k-- {
		step(float64(k))
	}
	if least <= FastBetaLeast {
		return 0, false
	}
	before := t
	for k := FastBetaLast - 1; k >= 0; k-- {
		step(float64(k))
	}
	if least <= FastBetaLeast {
		t = lastBetaSteps(a, b, x, before)
		return t, t > FastBetaLeastOfAll
	}
	return t, true
}

// lastBetaSteps returns the result of the last steps of fastBetaFraction, given that of the steps before.
func lastBetaSteps(a, b float64, x Double, before float64) float64 {
	one, ab, t := Double{1, 0}, sumOf(a, b), Double{before, 0}
	for k := FastBetaLast - 1; k >= 0; k-- {
		m := float64(k)
		a2 := sumOf(a, 2*m)
		t = one.Sub(sumOf(a, m).Mul(ab.AddFloat(m)).Mul(x).div(a2.Mul(a2.AddFloat(1)).Mul(t)))
		if k > 0 {
			t = sumOf(b, -m).MulFloat(m).Mul(x).div(a2.AddFloat(-1).Mul(a2).Mul(t)).AddFloat(1)
		}
	}
	return t.Value()
}
