package special

import "math"

const fractionSteps = 20000

// stepShape is an a from which P(a, x) rounds to 0 for x < a, to ½ at a, and to 1 for x > a: the
// deviation of the gamma distribution, √a, is far below the distance of a to its neighbours.
// Products with larger a would overflow.
const stepShape = 0x1p900

// igamma returns the regularized incomplete gamma function P(a, x), or, if upper is set, Q(a, x) = 1 − P(a, x).
func (f functions) igamma(a, x number, upper bool) number {
	return f.igammaBy(a, x, upper, func() number {
		v, ok := f.fastIgamma(a, x, upper)
		return f.ifElse(ok, func() number { return v }, func() number { return f.gammaPart(a, x, upper) })
	})
}

// igammaBy is igamma, with `general` for arguments that are not exceptions.
func (f functions) igammaBy(a, x number, upper bool, general func() number) number {
	p0, p1 := f.num(0), f.num(1)
	if upper {
		p0, p1 = p1, p0
	}
	noA, noX, farA, farX := f.isZero(a), f.isZero(x), f.isInf(a), f.isInf(x)
	step := f.le(f.num(stepShape), a)
	return f.unless([]exception{
		{f.any(f.isNaN(a), f.isNaN(x), f.isNegative(a), f.isNegative(x), f.all(noA, noX), f.all(farA, farX)), f.num(math.NaN())},
		{f.any(noX, farA), p0},
		{f.any(noA, farX), p1},
		{f.all(step, f.lt(x, a)), p0},
		{f.all(step, f.eq(x, a)), f.num(0.5)},
		{step, p1},
	}, general)
}

// gammaPart returns P(a, x) or Q(a, x) of positive finite numbers in sums of two f64.
func (f functions) gammaPart(a, x number, upper bool) number {
	// part returns P, or Q if upper is set, given one of the two.
	part := func(v pair, isUpper bool) number {
		if isUpper != upper {
			v = f.pairSub(f.one(), v)
		}
		return f.value(v)
	}
	mu := f.divFloat(f.sumOf(x, f.neg(a)), a) // x/a − 1
	near := f.all(f.le(f.num(temmeFrom), a), f.lt(f.abs(mu.Hi), f.num(0.6)))
	return f.ifElse(near, func() number { return f.temme(a, mu, upper) }, func() number {
		tiny := f.all(f.lt(a, f.num(tinyShape)), f.lt(x, f.num(1)))
		return f.ifElse(tiny, func() number { return part(f.tinyGamma(a, x), true) }, func() number {
			factor := f.gammaFactor(a, x)
			return f.ifElse(f.belowMean(a, x), func() number {
				return part(f.pairMul(factor, f.gammaSeries(a, x)), false)
			}, func() number {
				return part(f.mulFloat(f.pairMul(factor, f.gammaFraction(a, x)), a), true)
			})
		})
	})
}

// belowMean reports whether x is at most a or less than 1: there the series converges fast.
func (f functions) belowMean(a, x number) condition { return f.any(f.lt(x, f.num(1)), f.le(x, a)) }

// gammaFactor returns x^a·e^(−x)/Γ(a + 1).
func (f functions) gammaFactor(a, x number) pair {
	l := f.addFloat(f.mulFloat(f.pairLog(f.pairOf(x)), a), f.neg(x))
	return f.pairExp(f.pairSub(l, f.lgamma(f.sumOf(a, f.num(1)))))
}

// gammaSeries returns 1 + x/(a + 1) + x²/((a + 1)(a + 2)) + …. Its product with gammaFactor is P(a, x).
func (f functions) gammaSeries(a, x number) pair {
	term, sum := f.one(), f.one()
	f.until(1, fractionSteps, func(k number) condition {
		term = f.pairDiv(f.mulFloat(term, x), f.sumOf(a, k))
		sum = f.pairAdd(sum, term)
		return f.lt(term.Hi, f.mul(sum.Hi, f.num(0x1p-108)))
	}, &term, &sum)
	return sum
}

// gammaFraction returns Legendre's continued fraction for x > a, after Lentz. Its product with a·gammaFactor is
// Q(a, x).
func (f functions) gammaFraction(a, x number) pair {
	b := f.addFloat(f.sumOf(x, f.neg(a)), f.num(1))
	d := f.pairDiv(f.one(), b)
	h, c := d, f.pairNum(0x1p600, 0)
	f.until(1, fractionSteps, func(n number) condition {
		v := f.mulFloat(f.sumOf(a, f.neg(n)), n)
		b = f.addFloat(b, f.num(2))
		d = f.pairDiv(f.one(), f.pairAdd(f.pairMul(v, d), b))
		c = f.pairAdd(b, f.pairDiv(v, c))
		step := f.pairMul(c, d)
		h = f.pairMul(h, step)
		return f.lt(f.abs(f.addFloat(step, f.num(-1)).Hi), f.num(0x1p-105))
	}, &h, &b, &c, &d)
	return h
}

// tinyShape is the parameter below which results about as small are computed by a series in the
// parameter, of which three terms count, and not as 1 minus the rest.
const tinyShape = 0x1p-40

// tinyGamma returns Q(a, x) for a < tinyShape and x < 1: 1 − x^a·(1 + a·t)/Γ(a + 1) with the sum
// t of (−x)^k/(k!·(a + k)).
func (f functions) tinyGamma(a, x number) pair {
	term, t := f.one(), f.pairNum(0, 0)
	f.times(1, 60, func(k number) {
		term = f.divFloat(f.mulFloat(term, f.neg(x)), k)
		t = f.pairAdd(t, f.pairDiv(term, f.sumOf(a, k)))
	}, &term, &t)
	// log Γ(a + 1) is a·ψ(1 + a/2) within a³.
	v := f.pairSub(f.pairLog(f.pairOf(x)), f.digamma(f.sumOf(f.num(1), f.half(a))))
	v = f.pairAdd(v, f.tinyLog(a, t))
	return f.pairNeg(f.mulFloat(f.pairMul(v, f.tinyExp(a, v)), a))
}

// tinyLog returns log(1 + a·t)/a for a tiny a.
func (f functions) tinyLog(a number, t pair) pair {
	return f.pairSub(t, f.mulFloat(f.pairMul(t, t), f.half(a)))
}

// tinyExp returns (e^(a·v) − 1)/(a·v) for a tiny a.
func (f functions) tinyExp(a number, v pair) pair {
	u := f.mulFloat(v, a)
	e := f.pairMul(f.addFloat(f.divFloat(u, f.num(3)), f.num(1)), f.pairHalf(u))
	return f.addFloat(e, f.num(1))
}

// temmeFrom is the a from which P and Q near x = a come from Temme's uniform expansion.
const temmeFrom = 1000

// temme returns P or Q of x = a·(1 + mu): ½·erfc(±η·√(a/2)) ± e^(−½·a·η²)/√(2πa)·Σ cₖ(η)·a^(−k),
// where ½·η² = mu − log(1 + mu).
func (f functions) temme(a number, mu pair, upper bool) number {
	half := f.pairIfElse(f.lt(f.abs(mu.Hi), f.num(0.01)),
		func() pair { return f.pairMul(f.pairMul(f.logRest(mu), mu), mu) },
		func() pair { return f.pairSub(mu, f.pairLog1p(mu)) }) // which cancels near 0
	eta := f.value(f.pairSqrt(f.pairTwice(half)))
	below := f.isNegative(mu.Hi)
	eta = f.sel(below, f.neg(eta), eta)
	z2 := f.mulFloat(half, a) // z² = ½·a·η²
	sum := f.num(0)
	for k := len(temmeTable) - 1; k >= 0; k-- {
		c := f.num(0)
		for j := len(temmeTable[k]) - 1; j >= 0; j-- {
			c = f.fma(c, eta, f.num(temmeTable[k][j]))
		}
		sum = f.add(f.div(sum, a), c)
	}
	root := f.pairSqrt(f.mulFloat(f.mulFloat(f.constant(DoublePi), f.num(2)), a))
	rest := f.mulFloat(f.pairDiv(f.pairExp(f.pairNeg(z2)), root), sum)
	tail := f.pairHalf(f.erfcRoot(z2))                                  // ½·erfc(|z|)
	v := f.pairSel(below, f.pairSub(tail, rest), f.pairAdd(tail, rest)) // P below the mean, else Q
	other := f.value(f.pairSub(f.one(), v))
	if upper {
		return f.sel(below, other, f.value(v))
	}
	return f.sel(below, f.value(v), other)
}

// logRest returns (mu − log(1 + mu))/mu² by its series.
func (f functions) logRest(mu pair) pair {
	return f.horner(logarithmSeries, mu, func(c pair, _ number) pair { return c })
}

// erfcRoot returns erfc(√y).
func (f functions) erfcRoot(y pair) pair {
	z := f.pairSqrt(y)
	root := f.pairSqrt(f.constant(DoublePi))
	e := f.pairExp(f.pairNeg(y))
	return f.pairIfElse(f.lt(y.Hi, f.num(25)), func() pair {
		// erf z = 2/√π·e^(−z²)·Σ 2ⁿ·z^(2n+1)/(1·3·…·(2n + 1)).
		term, sum := z, z
		f.until(1, 400, func(k number) condition {
			term = f.mulFloat(f.pairMul(term, y), f.num(2))
			term = f.divFloat(term, f.add(f.mul(f.num(2), k), f.num(1)))
			sum = f.pairAdd(sum, term)
			return f.le(term.Hi, f.mul(sum.Hi, f.num(0x1p-108)))
		}, &term, &sum)
		v := f.pairDiv(f.mulFloat(f.pairMul(sum, e), f.num(2)), root)
		return f.pairSub(f.one(), v)
	}, func() pair {
		// e^(−z²)/√π·1/(z + ½/(z + 1/(z + 1½/(z + …)))), from the end.
		t := z
		f.times(0, 120, func(i number) {
			k := f.div(f.sub(f.num(120), i), f.num(2))
			t = f.pairAdd(z, f.pairDiv(f.pairOf(k), t))
		}, &t)
		return f.pairDiv(e, f.pairMul(root, t))
	})
}

// lgamma returns log Γ(a) for a > 0, by Stirling's series of the argument raised to at least 40.
func (f functions) lgamma(a pair) pair {
	a, shift := f.raisedTo(40, a, f.one(), f.pairMul)
	s := f.pairAdd(f.stirlingRest(a), f.constant(halfLog2Pi))
	l := f.pairLog(a)
	s = f.pairSub(f.pairAdd(s, f.pairMul(f.addFloat(a, f.num(-0.5)), l)), a)
	return f.pairIfElse(f.ne(shift.Hi, f.num(1)),
		func() pair { return f.pairSub(s, f.pairLog(shift)) },
		func() pair { return s })
}

// stirlingRest returns log Γ(a) − (a − ½)·log a + a − ½·log 2π by Stirling's series.
func (f functions) stirlingRest(a pair) pair {
	v := f.pairDiv(f.one(), a)
	s := f.horner(stirling, f.pairMul(v, v), func(c pair, _ number) pair { return c })
	return f.pairMul(s, v)
}

// digamma returns Γ'(a)/Γ(a) for a > 0.
func (f functions) digamma(a pair) pair {
	a, sum := f.raisedTo(40, a, f.pairNum(0, 0), func(sum, a pair) pair { return f.pairAdd(sum, f.pairDiv(f.one(), a)) })
	v := f.pairDiv(f.one(), a)
	z := f.pairMul(v, v)
	last := float64(2*stirling.len() - 1)
	s := f.horner(stirling, z, func(c pair, i number) pair {
		return f.mulFloat(c, f.sub(f.num(last), f.mul(f.num(2), i))) // 2k + 1
	})
	s = f.pairMul(s, z)
	return f.pairSub(f.pairSub(f.pairSub(f.pairLog(a), f.pairHalf(v)), s), sum)
}

// raisedTo adds 1 to a until it is `least` or more. It returns the new a, and `sum`, to which `step` has
// been applied with each value of a below `least`.
func (f functions) raisedTo(least float64, a, sum pair, step func(sum, a pair) pair) (pair, pair) {
	f.while(func() condition { return f.lt(a.Hi, f.num(least)) }, func() {
		next := f.addFloat(a, f.num(1))
		sum = step(sum, a)
		a = next
	}, &a, &sum)
	return a, sum
}
