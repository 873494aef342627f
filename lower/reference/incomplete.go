package reference

import "math"

// fractionSteps bounds the steps of continued fractions and series.
const fractionSteps = 20000

// stepShape is an a from which P(a, x) rounds to 0 for x < a, to ½ at a, and to 1 for x > a: the deviation of the gamma
// distribution, √a, is far below the distance of a to its neighbours. Products with larger a would overflow.
const stepShape = 0x1p900

// igamma returns the regularized incomplete gamma function P(a, x), or Q = 1 − P.
func igamma(a, x float64, upper bool) float64 {
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
	one := dd{1, 0}
	if a >= temmeFrom {
		mu := sumOf(x, -a).divFloat(a) // x/a − 1
		if math.Abs(mu.hi) < 0.6 {
			return temme(a, mu)
		}
	}
	if a < tinyShape && x < 1 {
		q := tinyGamma(a, x)
		return one.sub(q).value(), q.value()
	}
	if x < 1 || x <= a {
		s := gammaSeries(a, x)
		return s.value(), one.sub(s).value()
	}
	f := gammaFraction(a, x)
	return one.sub(f).value(), f.value()
}

// gammaFactor returns x^a·e^(−x)/Γ(a + 1).
func gammaFactor(a, x float64) dd {
	return dd{x, 0}.log().mulFloat(a).addFloat(-x).sub(sumOf(a, 1).lgamma()).exp()
}

// gammaSeries returns P(a, x) = x^a·e^(−x)/Γ(a + 1)·(1 + x/(a + 1) + x²/((a + 1)(a + 2)) + …).
func gammaSeries(a, x float64) dd {
	term, sum := dd{1, 0}, dd{1, 0}
	for k := 1; k < fractionSteps; k++ {
		term = term.mulFloat(x).div(sumOf(a, float64(k)))
		sum = sum.add(term)
		if term.hi < times(sum.hi, 0x1p-108) {
			break
		}
	}
	return gammaFactor(a, x).mul(sum)
}

// gammaFraction returns Q(a, x) for x > a by Legendre's continued fraction, after Lentz.
func gammaFraction(a, x float64) dd {
	one := dd{1, 0}
	b := sumOf(x, -a).addFloat(1)
	d := one.div(b)
	c := dd{0x1p600, 0}
	h := d
	for k := 1; k < fractionSteps; k++ {
		n := float64(k)
		num := sumOf(a, -n).mulFloat(n)
		b = b.addFloat(2)
		d = one.div(num.mul(d).add(b))
		c = b.add(num.div(c))
		step := c.mul(d)
		h = h.mul(step)
		if math.Abs(step.addFloat(-1).hi) < 0x1p-105 {
			break
		}
	}
	// x^a·e^(−x)/Γ(a).
	return gammaFactor(a, x).mul(h).mulFloat(a)
}

// tinyShape is the parameter below which a result that is about as small is not 1 minus the rest, but a series in the parameter,
// of which three terms count.
const tinyShape = 0x1p-40

// tinyGamma returns Q(a, x) for a < tinyShape and x < 1: 1 − x^a·(1 + a·t)/Γ(a + 1) with the sum t of (−x)^k/(k!·(a + k)).
func tinyGamma(a, x float64) dd {
	term, t := dd{1, 0}, dd{}
	for k := 1; k < 60; k++ {
		term = term.mulFloat(-x).divFloat(float64(k))
		t = t.add(term.div(sumOf(a, float64(k))))
	}
	// log Γ(a + 1) is a·ψ(1 + a/2) within a³.
	v := dd{x, 0}.log().sub(sumOf(1, a/2).digamma()).add(tinyLog(a, t))
	return v.mul(tinyExp(a, v)).mulFloat(a).neg()
}

// tinyLog returns log(1 + a·t)/a for a tiny a.
func tinyLog(a float64, t dd) dd { return t.sub(t.mul(t).mulFloat(a / 2)) }

// tinyExp returns (e^(a·v) − 1)/(a·v) for a tiny a.
func tinyExp(a float64, v dd) dd {
	u := v.mulFloat(a)
	return u.divFloat(3).addFloat(1).mul(dd{u.hi / 2, u.lo / 2}).addFloat(1)
}

// temmeFrom is the a from which P and Q near x = a come from Temme's uniform expansion.
const temmeFrom = 1000

// temme returns P and Q of x = a·(1 + mu): ½·erfc(±η·√(a/2)) ± e^(−½·a·η²)/√(2πa)·Σ cₖ(η)·a^(−k), where
// ½·η² = mu − log(1 + mu).
func temme(a float64, mu dd) (p, q float64) {
	half := mu.sub(log1p(mu)) // which cancels
	if math.Abs(mu.hi) < 0.01 {
		half = logRest(mu).mul(mu).mul(mu)
	}
	eta := dd{2 * half.hi, 2 * half.lo}.sqrt().value()
	if mu.hi < 0 {
		eta = -eta
	}
	z2 := half.mulFloat(a) // z² = ½·a·η²
	sum := 0.0
	for k := len(temmeTable) - 1; k >= 0; k-- {
		c := 0.0
		for j := len(temmeTable[k]) - 1; j >= 0; j-- {
			c = math.FMA(c, eta, temmeTable[k][j])
		}
		sum = sum/a + c
	}
	rest := z2.neg().exp().div(ddPi.mulFloat(2).mulFloat(a).sqrt()).mulFloat(sum)
	tail := erfcRoot(z2) // erfc(|z|)
	tail = dd{tail.hi / 2, tail.lo / 2}
	one := dd{1, 0}
	if mu.hi < 0 {
		v := tail.sub(rest)
		return v.value(), one.sub(v).value()
	}
	v := tail.add(rest)
	return one.sub(v).value(), v.value()
}

// logRest returns (mu − log(1 + mu))/mu² by its series.
func logRest(mu dd) dd {
	s := dd{}
	for k := 16; k >= 2; k-- {
		t := quotientOf(1, float64(k))
		if k%2 == 1 {
			t = t.neg()
		}
		s = s.mul(mu).add(t)
	}
	return s
}

// erfcRoot returns erfc(√y).
func erfcRoot(y dd) dd {
	z := y.sqrt()
	one := dd{1, 0}
	root := ddPi.sqrt()
	if y.hi < 25 {
		// erf z = 2/√π·e^(−z²)·Σ 2ⁿ·z^(2n+1)/(1·3·…·(2n + 1)).
		term, sum := z, z
		for k := 1; k < 400; k++ {
			term = term.mul(y).mulFloat(2).divFloat(float64(2*k + 1))
			sum = sum.add(term)
			if term.hi <= times(sum.hi, 0x1p-108) {
				break
			}
		}
		return one.sub(sum.mul(y.neg().exp()).mulFloat(2).div(root))
	}
	// e^(−z²)/√π·1/(z + ½/(z + 1/(z + 1½/(z + …)))), from the end.
	f := z
	for k := 120; k >= 1; k-- {
		f = z.add(dd{float64(k) / 2, 0}.div(f))
	}
	return y.neg().exp().div(root.mul(f))
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
		rate := times(y*y, y+times(3, 1/(9*a)-n/6))
		if sample {
			return rate
		}
		return -times(rate, gammaFactor(a, x).mulFloat(a).divFloat(x).value())
	}
	var v dd // dP/da over x^a·e^(−x)/Γ(a + 1)
	l := dd{x, 0}.log()
	if x < 1 || x <= a {
		// Σ tₖ·(log x − ψ(a + k + 1)), where ψ grows by 1/(a + k).
		psi := l.sub(sumOf(a, 1).digamma())
		term := dd{1, 0}
		v = psi
		for k := 1; k < fractionSteps; k++ {
			at := sumOf(a, float64(k))
			term = term.mulFloat(x).div(at)
			psi = psi.sub(dd{1, 0}.div(sumOf(a, float64(k))))
			t := term.mul(psi)
			v = v.add(t)
			if math.Abs(t.hi) < times(math.Abs(v.hi), 0x1p-100) {
				break
			}
		}
	} else {
		v = fractionSlope(a, x, l).neg()
	}
	if sample {
		// dP/dx is that factor times a/x.
		return v.neg().mulFloat(x).divFloat(a).value()
	}
	return v.mul(gammaFactor(a, x)).value()
}

// fractionSlope returns dQ/da over x^a·e^(−x)/Γ(a + 1), for x > a: Q is a·h of that, with the
// continued fraction h, whose convergents are differentiated.
func fractionSlope(a, x float64, l dd) dd {
	// h = 1/(b₀ + a₁/(b₁ + …)) with bₖ = x − a + 1 + 2k, aₖ = k·(a − k).
	b := sumOf(x, -a).addFloat(1)
	num0, num1 := dd{}, dd{1, 0}
	den0, den1 := dd{1, 0}, b
	var dnum0, dnum1, dden0 dd
	dden1 := dd{-1, 0}
	h := num1.div(den1)
	dh := h.mul(h)
	for k := 1; k < fractionSteps; k++ {
		n := float64(k)
		c := sumOf(a, -n).mulFloat(n)
		b = b.addFloat(2)
		next := func(v0, v1, d0, d1 dd) (v, d dd) {
			v = b.mul(v1).add(c.mul(v0))
			d = b.mul(d1).sub(v1).add(c.mul(d0)).add(v0.mulFloat(n))
			return v, d
		}
		num2, dnum2 := next(num0, num1, dnum0, dnum1)
		den2, dden2 := next(den0, den1, dden0, dden1)
		num0, num1, dnum0, dnum1 = num1, num2, dnum1, dnum2
		den0, den1, dden0, dden1 = den1, den2, dden1, dden2
		h2 := num1.div(den1)
		dh2 := dnum1.sub(h2.mul(dden1)).div(den1)
		done := math.Abs(dh2.sub(dh).hi) <= times(math.Abs(dh2.hi), 0x1p-90) && math.Abs(h2.sub(h).hi) <= times(math.Abs(h2.hi), 0x1p-100)
		h, dh = h2, dh2
		if done {
			break
		}
		if math.Abs(den1.hi) > 0x1p300 {
			for _, v := range []*dd{&num0, &num1, &den0, &den1, &dnum0, &dnum1, &dden0, &dden1} {
				v.hi, v.lo = v.hi*0x1p-300, v.lo*0x1p-300
			}
		}
	}
	// d(a·h·F)/da over F, where F'/F = log x − ψ(a + 1): h·(1 + a·F'/F) + a·h'.
	rate := l.sub(sumOf(a, 1).digamma()).mulFloat(a).addFloat(1)
	return h.mul(rate).add(dh.mulFloat(a))
}
