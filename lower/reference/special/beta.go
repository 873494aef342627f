package special

import "math"

// largeBeta is the size of both parameters from which I_x(a, b) comes from its uniform
// expansion. The fraction takes about 3,500 steps there.
const largeBeta = 0x1p22

// betainc returns the regularized incomplete beta function I_x(a, b).
func (f functions) betainc(a, b, x number) number {
	return f.betaincBy(a, b, x, func() number {
		v, ok := f.fastBetainc(a, b, x)
		return f.ifElse(ok, func() number { return v }, func() number { return f.betaPart(a, b, x) })
	})
}

// betaincBy is betainc, with `general` for arguments that are not exceptions.
func (f functions) betaincBy(a, b, x number, general func() number) number {
	aZero, bZero := f.any(f.isZero(a), f.isInf(b)), f.any(f.isZero(b), f.isInf(a))
	return f.unless([]exception{
		{f.any(f.isNaN(a), f.isNaN(b), f.isNaN(x), f.isNegative(a), f.isNegative(b), f.isNegative(x), f.lt(f.num(1), x), f.all(aZero, bZero)), f.num(math.NaN())},
		{f.any(f.all(bZero, f.ne(x, f.num(1))), f.all(aZero, f.isZero(x))), f.num(0)},
		{f.any(aZero, bZero), f.num(1)},
		{f.any(f.isZero(x), f.eq(x, f.num(1))), x},
	}, general)
}

// betaPart returns I_x(a, b) of finite positive a and b, 0 < x < 1, in sums of two f64.
func (f functions) betaPart(a, b, x number) number {
	large := f.le(f.num(largeBeta), f.min(a, b))
	return f.ifElse(large, func() number { return f.betaUniform(a, b, x) }, func() number {
		y := f.sumOf(f.num(1), f.neg(x))
		below := f.le(x, f.div(f.add(a, f.num(1)), f.add(f.add(a, b), f.num(2)))) // where the fraction converges fast
		tiny := f.all(f.not(below), f.lt(b, f.num(tinyShape)))
		return f.ifElse(tiny, func() number { return f.value(f.tinyBeta(a, b, y)) }, func() number {
			v := f.betaFraction(f.sel(below, a, b), f.sel(below, b, a), f.pairSel(below, f.pairOf(x), y), f.pairSel(below, y, f.pairOf(x)))
			return f.sel(below, f.value(v), f.value(f.pairSub(f.one(), v)))
		})
	})
}

// betaFraction returns I_x(a, b) by the even part of its continued fraction, y = 1 − x. Its
// terms contain a·y − b·x and quotients only, so nothing is lost or overflows where one
// parameter is huge.
func (f functions) betaFraction(a, b number, x, y pair) pair {
	factor := f.betaFactor(a, b, x, y)
	return f.pairIfElse(f.isZero(factor.Hi), func() pair { return f.pairNum(0, 0) }, func() pair {
		n1 := f.sumOf(a, f.num(1))
		rate := f.addFloat(f.pairSub(f.mulFloat(y, a), f.mulFloat(x, b)), f.num(1))
		two := f.addFloat(y, f.num(1))
		ab := f.sumOf(a, b)
		// Lentz's method.
		d := f.pairDiv(n1, rate)
		h, c := d, f.pairNum(0x1p600, 0)
		f.until(1, fractionSteps, func(n number) condition {
			twice := f.mul(f.num(2), n)
			at, before := f.sumOf(a, f.sub(twice, f.num(1))), f.sumOf(a, f.sub(n, f.num(1)))
			up := f.pairMul(f.sumOf(b, f.neg(n)), x)
			v := f.pairMul(f.pairDiv(f.pairMul(f.addFloat(ab, f.sub(n, f.num(1))), x), at), up)
			v = f.pairIfElse(f.eq(n, f.num(1)),
				func() pair { return f.pairDiv(v, n1) },
				func() pair { return f.mulFloat(f.pairDiv(f.pairMul(v, before), at), n) })
			t := f.pairDiv(f.sumOf(a, n), f.sumOf(a, f.add(twice, f.num(1))))
			t = f.pairMul(t, f.pairAdd(f.mulFloat(two, n), rate))
			t = f.addFloat(f.pairAdd(t, f.pairDiv(f.mulFloat(up, n), at)), n)
			d = f.pairDiv(f.one(), f.pairAdd(f.pairMul(v, d), t))
			c = f.pairAdd(t, f.pairDiv(v, c))
			step := f.pairMul(c, d)
			h = f.pairMul(h, step)
			return f.lt(f.abs(f.addFloat(step, f.num(-1)).Hi), f.num(0x1p-100))
		}, &h, &c, &d)
		return f.pairMul(f.pairMul(factor, h), f.pairDiv(f.pairOf(b), ab))
	})
}

// stirlingFrom is the parameter from which differences of log Γ come from Stirling's series
// without its terms that cancel.
const stirlingFrom = 1024

// negligiblePower is an exponent that the other exponents of a product cannot make up for: they are below 2^32.
const negligiblePower = -0x1p40

// betaFactor returns x^a·y^b·Γ(a + b + 1)/(Γ(a + 1)·Γ(b + 1)).
func (f functions) betaFactor(a, b number, x, y pair) pair {
	lx, ly := f.logNearOne(x, y), f.logNearOne(y, x)
	swap := f.lt(a, b)
	large, small, l := f.sel(swap, b, a), f.sel(swap, a, b), f.sel(swap, ly.Hi, lx.Hi)
	return f.pairIfElse(f.lt(f.mul(large, l), f.num(negligiblePower)), func() pair { return f.pairNum(0, 0) }, func() pair {
		sum := f.sumOf(large, small)
		// log Γ(a + b + 1)/Γ(large + 1)
		rise := f.pairIfElse(f.lt(large, f.num(stirlingFrom)), func() pair {
			return f.pairSub(f.lgamma(f.addFloat(sum, f.num(1))), f.lgamma(f.sumOf(large, f.num(1))))
		}, func() pair {
			v := f.pairMul(f.sumOf(large, f.num(0.5)), f.pairLog1p(f.quotientOf(small, large)))
			v = f.addFloat(f.pairAdd(v, f.mulFloat(f.pairLog(sum), small)), f.neg(small))
			return f.pairSub(f.pairAdd(v, f.stirlingRest(sum)), f.stirlingRest(f.pairOf(large)))
		})
		v := f.pairAdd(f.pairAdd(f.mulFloat(lx, a), f.mulFloat(ly, b)), rise)
		return f.pairExp(f.pairSub(v, f.lgamma(f.sumOf(small, f.num(1)))))
	})
}

// logNearOne returns log x, given 1 − x.
func (f functions) logNearOne(x, rest pair) pair {
	return f.pairIfElse(f.lt(rest.Hi, f.num(0.3)),
		func() pair { return f.pairLog1p(f.pairNeg(rest)) },
		func() pair { return f.pairLog(x) })
}

// tinyBeta returns I_x(a, b) for b < tinyShape and x above the mean, y = 1 − x: 1 − a/(a +
// b)·e^(b·v) with b·v = b·log y + log Γ(a + b + 1)/(Γ(a + 1)·Γ(b + 1)) + log(1 + b·t) and the
// sum t of (1 − a)ₖ·y^k/(k!·(b + k)).
func (f functions) tinyBeta(a, b number, y pair) pair {
	term, t := f.one(), f.pairNum(0, 0)
	f.until(1, 200, func(n number) condition {
		term = f.divFloat(f.pairMul(f.pairMul(term, f.sumOf(n, f.neg(a))), y), n)
		t = f.pairAdd(t, f.pairDiv(term, f.sumOf(b, n)))
		return f.lt(f.abs(term.Hi), f.num(0x1p-108))
	}, &term, &t)
	// log Γ(z + b) − log Γ(z) is b·ψ(z + ½b), since b is tiny.
	middle := f.half(b)
	v := f.pairSub(f.digamma(f.addFloat(f.sumOf(a, f.num(1)), middle)), f.digamma(f.sumOf(f.num(1), middle)))
	v = f.pairAdd(f.pairAdd(f.pairLog(y), v), f.tinyLog(b, t))
	rest := f.pairSub(f.one(), f.mulFloat(f.pairMul(v, f.tinyExp(b, v)), a))
	return f.pairMul(f.pairDiv(f.pairOf(b), f.sumOf(a, b)), rest)
}

// betaTerms are the coefficients of the expansion of betaUniform by the power of ζ: of the first order and of
// the third, which are homogeneous in t² and 1/(a + b). The coefficients of even powers of ζ are multiplied by
// t.
var betaTerms = [][2][]float64{
	{{1.0 / 3}, {1.0 / 540, 1.0 / 20}},
	{{-1.0 / 12, -1.0 / 4}, {1.0 / 288, 1.0 / 48, 1.0 / 32}},
	{{2.0 / 135, 1.0 / 15}, {-1.0 / 378, -5.0 / 252, -1.0 / 28}},
	{{-1.0 / 864, -1.0 / 144, -1.0 / 96}, nil},
	{{-1.0 / 2835, -1.0 / 378, -1.0 / 210}, nil},
	{{139.0 / 777600, 139.0 / 86400, 41.0 / 9600, 1.0 / 384}, nil},
}

// betaFar is the distance from the mean, in standard deviations, where I_x(a, b) of large
// parameters is below the smallest positive number.
const betaFar = 40

// betaUniform returns I_x(a, b) of parameters of at least largeBeta: ½·erfc(−ζ/√2) +
// e^(−½·ζ²)/√(2π)·s, where −½·ζ² is the logarithm of (x/p)^a·(y/q)^b, p = a/(a + b), q = 1 − p,
// and ζ has the sign of x − p. The sum s is a polynomial in ζ, in t = (q − p)/σ and in 1/(a +
// b). σ = √(a·q) is the standard deviation of the number of successes in a + b trials; t² is below 2^-22.
func (f functions) betaUniform(a, b, x number) number {
	quarter := func(v number) number { return f.div(v, f.num(4)) }
	n := f.add(quarter(a), quarter(b))
	sigma := f.sqrt(f.mul(a, f.div(quarter(b), n)))
	// (a + b)·x − a, of terms that nearly cancel.
	u, v := f.productOf(x, b), f.productOf(x, a)
	first := f.sumOf(u.Hi, f.neg(a))
	d := f.addFloat(f.addFloat(f.addFloat(f.sumOf(first.Hi, v.Hi), first.Lo), u.Lo), v.Lo)
	far := f.mul(f.num(betaFar), sigma)
	return f.unless([]exception{{f.lt(d.Hi, f.neg(far)), f.num(0)}, {f.lt(far, d.Hi), f.num(1)}}, func() number {
		ea, eb := f.divFloat(d, a), f.pairNeg(f.divFloat(d, b)) // x/p − 1, y/q − 1
		half := f.pairMul(f.pairSub(f.pairMul(f.logRest(ea), ea), f.pairMul(f.logRest(eb), eb)), d)
		below := f.isNegative(d.Hi)
		zeta := f.value(f.pairSqrt(f.pairTwice(half)))
		zeta = f.sel(below, f.neg(zeta), zeta)
		t := f.div(f.div(f.sub(quarter(b), quarter(a)), n), sigma)
		square, inverse := f.mul(t, t), f.div(f.num(0.25), n)
		s := f.num(0)
		for j := len(betaTerms) - 1; j >= 0; j-- {
			c := f.add(f.homogeneous(betaTerms[j][0], square, inverse), f.homogeneous(betaTerms[j][1], square, inverse))
			if j%2 == 0 {
				c = f.mul(c, t)
			}
			s = f.fma(s, zeta, c)
		}
		root := f.pairSqrt(f.mulFloat(f.constant(DoublePi), f.num(2)))
		rest := f.mulFloat(f.pairDiv(f.pairExp(f.pairNeg(half)), root), s)
		tail := f.pairHalf(f.erfcRoot(half))
		return f.sel(below, f.value(f.pairAdd(tail, rest)), f.value(f.pairSub(f.one(), f.pairSub(tail, rest))))
	})
}
