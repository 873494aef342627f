package special

import (
	"github.com/weft-go/weft/lower/reference/internal/block"
	"math"
)

// fractionSteps bounds the steps of continued fractions and series.
const fractionSteps = 20000

// stepShape is an a from which P(a, x) rounds to 0 for x < a, to ½ at a, and to 1 for x > a: the deviation of the gamma
// distribution, √a, is far below the distance of a to its neighbours. Products with larger a would overflow.
const stepShape = 0x1p900

// Igamma returns the regularized incomplete gamma function P(a, x), or Q = 1 − P.
func Igamma(a, x float64, upper bool) float64 {
	pick := func(p, q float64) float64 {
		if upper {
			return q
		}
		return p
	}
	switch {
	case math.IsNaN(a) || math.IsNaN(x) || a < 0 || x < 0 || a == 0 && x == 0 || math.IsInf(a, 1) && math.IsInf(x, 1):
		return math.NaN()
	case x == 0 || math.IsInf(a, 1):
		return pick(0, 1)
	case a == 0 || math.IsInf(x, 1):
		return pick(1, 0)
	case a >= stepShape && x < a:
		return pick(0, 1)
	case a >= stepShape && x == a:
		return 0.5
	case a >= stepShape:
		return pick(1, 0)
	}
	p, q := gammaParts(a, x)
	return pick(p, q)
}

// gammaParts returns P(a, x) and Q(a, x) of positive finite numbers.
func gammaParts(a, x float64) (p, q float64) {
	one := Double{1, 0}
	if a >= temmeFrom {
		mu := sumOf(x, -a).DivFloat(a) // x/a − 1
		if math.Abs(mu.Hi) < 0.6 {
			return temme(a, mu)
		}
	}
	if a < tinyShape && x < 1 {
		q := tinyGamma(a, x)
		return one.Sub(q).Value(), q.Value()
	}
	if x < 1 || x <= a {
		s := gammaSeries(a, x)
		return s.Value(), one.Sub(s).Value()
	}
	f := gammaFraction(a, x)
	return one.Sub(f).Value(), f.Value()
}

// gammaFactor returns x^a·e^(−x)/Γ(a + 1).
func gammaFactor(a, x float64) Double {
	return Double{x, 0}.log().MulFloat(a).AddFloat(-x).Sub(sumOf(a, 1).lgamma()).exp()
}

// gammaSeries returns P(a, x) = x^a·e^(−x)/Γ(a + 1)·(1 + x/(a + 1) + x²/((a + 1)(a + 2)) + …).
func gammaSeries(a, x float64) Double {
	term, sum := Double{1, 0}, Double{1, 0}
	for k := 1; k < fractionSteps; k++ {
		term = term.MulFloat(x).div(sumOf(a, float64(k)))
		sum = sum.Add(term)
		if term.Hi < block.Times(sum.Hi, 0x1p-108) {
			break
		}
	}
	return gammaFactor(a, x).Mul(sum)
}

// gammaFraction returns Q(a, x) for x > a by Legendre's continued fraction, after Lentz.
func gammaFraction(a, x float64) Double {
	one := Double{1, 0}
	b := sumOf(x, -a).AddFloat(1)
	d := one.div(b)
	c := Double{0x1p600, 0}
	h := d
	for k := 1; k < fractionSteps; k++ {
		n := float64(k)
		num := sumOf(a, -n).MulFloat(n)
		b = b.AddFloat(2)
		d = one.div(num.Mul(d).Add(b))
		c = b.Add(num.div(c))
		step := c.Mul(d)
		h = h.Mul(step)
		if math.Abs(step.AddFloat(-1).Hi) < 0x1p-105 {
			break
		}
	}
	// x^a·e^(−x)/Γ(a).
	return gammaFactor(a, x).Mul(h).MulFloat(a)
}

// tinyShape is the parameter below which a result that is about as small is not 1 minus the rest, but a series in the parameter,
// of which three terms count.
const tinyShape = 0x1p-40

// tinyGamma returns Q(a, x) for a < tinyShape and x < 1: 1 − x^a·(1 + a·t)/Γ(a + 1) with the sum t of (−x)^k/(k!·(a + k)).
func tinyGamma(a, x float64) Double {
	term, t := Double{1, 0}, Double{}
	for k := 1; k < 60; k++ {
		term = term.MulFloat(-x).DivFloat(float64(k))
		t = t.Add(term.div(sumOf(a, float64(k))))
	}
	// log Γ(a + 1) is a·ψ(1 + a/2) within a³.
	v := Double{x, 0}.log().Sub(sumOf(1, a/2).digamma()).Add(tinyLog(a, t))
	return v.Mul(tinyExp(a, v)).MulFloat(a).Neg()
}

// tinyLog returns log(1 + a·t)/a for a tiny a.
func tinyLog(a float64, t Double) Double { return t.Sub(t.Mul(t).MulFloat(a / 2)) }

// tinyExp returns (e^(a·v) − 1)/(a·v) for a tiny a.
func tinyExp(a float64, v Double) Double {
	u := v.MulFloat(a)
	return u.DivFloat(3).AddFloat(1).Mul(Double{u.Hi / 2, u.Lo / 2}).AddFloat(1)
}

// temmeFrom is the a from which P and Q near x = a come from Temme's uniform expansion.
const temmeFrom = 1000

// temme returns P and Q of x = a·(1 + mu): ½·erfc(±η·√(a/2)) ± e^(−½·a·η²)/√(2πa)·Σ cₖ(η)·a^(−k), where
// ½·η² = mu − log(1 + mu).
func temme(a float64, mu Double) (p, q float64) {
	half := mu.Sub(log1p(mu)) // which cancels
	if math.Abs(mu.Hi) < 0.01 {
		half = logRest(mu).Mul(mu).Mul(mu)
	}
	eta := Double{2 * half.Hi, 2 * half.Lo}.sqrt().Value()
	if mu.Hi < 0 {
		eta = -eta
	}
	z2 := half.MulFloat(a) // z² = ½·a·η²
	sum := 0.0
	for k := len(temmeTable) - 1; k >= 0; k-- {
		c := 0.0
		for j := len(temmeTable[k]) - 1; j >= 0; j-- {
			c = math.FMA(c, eta, temmeTable[k][j])
		}
		sum = sum/a + c
	}
	rest := z2.Neg().exp().div(DoublePi.MulFloat(2).MulFloat(a).sqrt()).MulFloat(sum)
	tail := erfcRoot(z2) // erfc(|z|)
	tail = Double{tail.Hi / 2, tail.Lo / 2}
	one := Double{1, 0}
	if mu.Hi < 0 {
		v := tail.Sub(rest)
		return v.Value(), one.Sub(v).Value()
	}
	v := tail.Add(rest)
	return one.Sub(v).Value(), v.Value()
}

// logRest returns (mu − log(1 + mu))/mu² by its series.
func logRest(mu Double) Double {
	s := Double{}
	for k := 16; k >= 2; k-- {
		t := QuotientOf(1, float64(k))
		if k%2 == 1 {
			t = t.Neg()
		}
		s = s.Mul(mu).Add(t)
	}
	return s
}

// erfcRoot returns erfc(√y).
func erfcRoot(y Double) Double {
	z := y.sqrt()
	one := Double{1, 0}
	root := DoublePi.sqrt()
	if y.Hi < 25 {
		// erf z = 2/√π·e^(−z²)·Σ 2ⁿ·z^(2n+1)/(1·3·…·(2n + 1)).
		term, sum := z, z
		for k := 1; k < 400; k++ {
			term = term.Mul(y).MulFloat(2).DivFloat(float64(2*k + 1))
			sum = sum.Add(term)
			if term.Hi <= block.Times(sum.Hi, 0x1p-108) {
				break
			}
		}
		return one.Sub(sum.Mul(y.Neg().exp()).MulFloat(2).div(root))
	}
	// e^(−z²)/√π·1/(z + ½/(z + 1/(z + 1½/(z + …)))), from the end.
	f := z
	for k := 120; k >= 1; k-- {
		f = z.Add(Double{float64(k) / 2, 0}.div(f))
	}
	return y.Neg().exp().div(root.Mul(f))
}

// largeShape is the a from which derivatives of samples come from Wilson and Hilferty's cube.
const largeShape = 1e6

// igammaGrad returns dP(a, x)/da, or for a sample x of the gamma distribution with shape a its derivative
// dx/da = −dP/da / (dP/dx).
func igammaGrad(a, x float64, sample bool) float64 {
	switch {
	case math.IsNaN(a) || math.IsNaN(x) || a <= 0 || x < 0:
		return math.NaN()
	case x == 0:
		return 0
	case math.IsInf(a, 1) || math.IsInf(x, 1):
		if sample {
			return math.NaN()
		}
		return 0
	}
	if a >= largeShape {
		// x = a·(1 − 1/9a + n/(3√a))³ with a normal n that does not depend on a.
		y := cubeRoot(x / a)
		n := (y - 1 + 1/(9*a)) * 3
		rate := block.Times(y*y, y+block.Times(3, 1/(9*a)-n/6))
		if sample {
			return rate
		}
		return -block.Times(rate, gammaFactor(a, x).MulFloat(a).DivFloat(x).Value())
	}
	var v Double // dP/da over x^a·e^(−x)/Γ(a + 1)
	l := Double{x, 0}.log()
	if x < 1 || x <= a {
		// Σ tₖ·(log x − ψ(a + k + 1)), where ψ grows by 1/(a + k).
		psi := l.Sub(sumOf(a, 1).digamma())
		term := Double{1, 0}
		v = psi
		for k := 1; k < fractionSteps; k++ {
			at := sumOf(a, float64(k))
			term = term.MulFloat(x).div(at)
			psi = psi.Sub(Double{1, 0}.div(sumOf(a, float64(k))))
			t := term.Mul(psi)
			v = v.Add(t)
			if math.Abs(t.Hi) < block.Times(math.Abs(v.Hi), 0x1p-100) {
				break
			}
		}
	} else {
		v = fractionSlope(a, x, l).Neg()
	}
	if sample {
		// dP/dx is that factor times a/x.
		return v.Neg().MulFloat(x).DivFloat(a).Value()
	}
	return v.Mul(gammaFactor(a, x)).Value()
}

// fractionSlope returns dQ/da over x^a·e^(−x)/Γ(a + 1), for x > a: Q is a·h of that, with the
// continued fraction h, whose convergents are differentiated.
func fractionSlope(a, x float64, l Double) Double {
	// h = 1/(b₀ + a₁/(b₁ + …)) with bₖ = x − a + 1 + 2k, aₖ = k·(a − k).
	b := sumOf(x, -a).AddFloat(1)
	num0, num1 := Double{}, Double{1, 0}
	den0, den1 := Double{1, 0}, b
	var dnum0, dnum1, dden0 Double
	dden1 := Double{-1, 0}
	h := num1.div(den1)
	dh := h.Mul(h)
	for k := 1; k < fractionSteps; k++ {
		n := float64(k)
		c := sumOf(a, -n).MulFloat(n)
		b = b.AddFloat(2)
		next := func(v0, v1, d0, d1 Double) (v, d Double) {
			v = b.Mul(v1).Add(c.Mul(v0))
			d = b.Mul(d1).Sub(v1).Add(c.Mul(d0)).Add(v0.MulFloat(n))
			return v, d
		}
		num2, dnum2 := next(num0, num1, dnum0, dnum1)
		den2, dden2 := next(den0, den1, dden0, dden1)
		num0, num1, dnum0, dnum1 = num1, num2, dnum1, dnum2
		den0, den1, dden0, dden1 = den1, den2, dden1, dden2
		h2 := num1.div(den1)
		dh2 := dnum1.Sub(h2.Mul(dden1)).div(den1)
		done := math.Abs(dh2.Sub(dh).Hi) <= block.Times(math.Abs(dh2.Hi), 0x1p-90) && math.Abs(h2.Sub(h).Hi) <= block.Times(math.Abs(h2.Hi), 0x1p-100)
		h, dh = h2, dh2
		if done {
			break
		}
		if math.Abs(den1.Hi) > 0x1p300 {
			for _, v := range []*Double{&num0, &num1, &den0, &den1, &dnum0, &dnum1, &dden0, &dden1} {
				v.Hi, v.Lo = v.Hi*0x1p-300, v.Lo*0x1p-300
			}
		}
	}
	// d(a·h·F)/da over F, where F'/F = log x − ψ(a + 1): h·(1 + a·F'/F) + a·h'.
	rate := l.Sub(sumOf(a, 1).digamma()).MulFloat(a).AddFloat(1)
	return h.Mul(rate).Add(dh.MulFloat(a))
}
