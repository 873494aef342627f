package special

import "math"

// largeShape is the a from which the derivatives come from Wilson and Hilferty's cube. farSample is an x from which on,
// for smaller a, Q(a, x) is 0 and dx/da is log x − ψ(a), both rounded: of x, only the logarithm matters there.
const (
	largeShape = 1e6
	farSample  = 0x1p400
)

// igammaGrad returns dP(a, x)/da, or for a sample x of the gamma distribution with shape a its
// derivative dx/da = −dP/da / (dP/dx).
func (f functions) igammaGrad(a, x number, sample bool) number {
	far := f.num(0)
	if sample {
		far = f.num(math.NaN())
	}
	return f.unless([]exception{
		{f.any(f.isNaN(a), f.isNaN(x), f.le(a, f.num(0)), f.isNegative(x)), f.num(math.NaN())},
		{f.isZero(x), f.num(0)},
		{f.any(f.isInf(a), f.isInf(x)), far},
	}, func() number {
		return f.ifElse(f.le(f.num(largeShape), a), func() number { return f.largeSlope(a, x, sample) },
			func() number { return f.slope(a, x, sample) })
	})
}

// largeSlope is igammaGrad of a large shape: x = a·(1 − 1/9a + n/(3√a))³ with a normal n that
// does not depend on a.
func (f functions) largeSlope(a, x number, sample bool) number {
	y := f.cubeRoot(f.div(x, a))
	ninth := f.div(f.num(1), f.mul(f.num(9), a))
	n := f.mul(f.add(f.sub(y, f.num(1)), ninth), f.num(3))
	rate := f.mul(f.mul(y, y), f.add(y, f.mul(f.num(3), f.sub(ninth, f.div(n, f.num(6))))))
	if sample {
		return rate
	}
	return f.neg(f.mul(rate, f.value(f.divFloat(f.mulFloat(f.gammaFactor(a, x), a), x))))
}

// cubeRoot returns the cube root of an x that is not negative, with an error below 0.7 ulp.
// math.Cbrt has other bits where the compiler makes one fma of a product and a sum.
func (f functions) cubeRoot(x number) number {
	// A third of the bits of x, read as an integer, is near the bits of the
	// root: 5 bits are right.
	rough := func(x number, bias uint64) number {
		return f.ofBits(f.plus(f.over(f.bits(x), f.word(3)), f.word(bias<<32)))
	}
	t := f.sel(f.lt(x, f.num(0x1p-1022)), rough(f.mul(f.num(1<<54), x), 696219795), rough(x, 715094163))
	// A rational function makes that 23 bits. t is then cut to 22 bits and
	// raised above the root.
	r := f.div(f.mul(t, t), x)
	s := f.add(f.num(5.42857142857142815906e-01), f.mul(r, t))
	inner := f.add(f.add(s, f.num(1.41428571428571436819e+00)), f.div(f.num(-7.05306122448979611050e-01), s))
	t = f.mul(t, f.add(f.num(3.57142857142857150787e-01), f.div(f.num(1.60714285714285720630e+00), inner)))
	t = f.ofBits(f.plus(f.and(f.bits(t), f.word(0xFFFFFFFFC<<28)), f.word(1<<30)))
	// A step of Newton's method.
	r = f.div(x, f.mul(t, t))
	r = f.div(f.sub(r, t), f.add(f.add(t, t), r))
	t = f.add(t, f.mul(t, r))
	return f.sel(f.any(f.isZero(x), f.isInf(x)), x, t)
}

// slope is igammaGrad of other shapes.
func (f functions) slope(a, x number, sample bool) number {
	l := f.pairLog(f.pairOf(x))
	start := f.pairSub(l, f.digamma(f.sumOf(a, f.num(1))))
	x = f.min(x, f.num(farSample))
	// dP/da over x^a·e^(−x)/Γ(a + 1)
	v := f.pairIfElse(f.belowMean(a, x), func() pair {
		// Σ tₖ·(log x − ψ(a + k + 1)), where ψ grows by 1/(a + k).
		v, psi, term := start, start, f.one()
		f.until(1, fractionSteps, func(k number) condition {
			at := f.sumOf(a, k)
			term = f.pairDiv(f.mulFloat(term, x), at)
			psi = f.pairSub(psi, f.pairDiv(f.one(), at))
			t := f.pairMul(term, psi)
			v = f.pairAdd(v, t)
			return f.lt(f.abs(t.Hi), f.mul(f.abs(v.Hi), f.num(0x1p-100)))
		}, &v, &psi, &term)
		return v
	}, func() pair { return f.pairNeg(f.fractionSlope(a, x, start)) })
	if sample {
		// dP/dx is x^a·e^(−x)/Γ(a + 1) times a/x.
		return f.value(f.divFloat(f.mulFloat(f.pairNeg(v), x), a))
	}
	return f.value(f.pairMul(v, f.gammaFactor(a, x)))
}

// fractionSlope returns dQ/da over x^a·e^(−x)/Γ(a + 1), for x > a: Q is a·h times that factor, with the
// continued fraction h, whose convergents are differentiated. rate is log x − ψ(a + 1).
func (f functions) fractionSlope(a, x number, rate pair) pair {
	// h = 1/(b₀ + a₁/(b₁ + …)) with bₖ = x − a + 1 + 2k, aₖ = k·(a − k).
	b := f.addFloat(f.sumOf(x, f.neg(a)), f.num(1))
	h := f.pairDiv(f.one(), b)
	zero := f.pairNum(0, 0)
	dh := f.pairMul(h, h)
	num0, num1, den0, den1 := zero, f.one(), f.one(), b
	dnum0, dnum1, dden0, dden1 := zero, zero, zero, f.pairNum(-1, 0)
	f.until(1, fractionSteps, func(n number) condition {
		c := f.mulFloat(f.sumOf(a, f.neg(n)), n)
		b = f.addFloat(b, f.num(2))
		next := func(v0, v1, d0, d1 pair) (v, d pair) {
			v = f.pairAdd(f.pairMul(b, v1), f.pairMul(c, v0))
			d = f.pairAdd(f.pairSub(f.pairMul(b, d1), v1), f.pairMul(c, d0))
			return v, f.pairAdd(d, f.mulFloat(v0, n))
		}
		num2, dnum2 := next(num0, num1, dnum0, dnum1)
		den2, dden2 := next(den0, den1, dden0, dden1)
		h2 := f.pairDiv(num2, den2)
		dh2 := f.pairDiv(f.pairSub(dnum2, f.pairMul(h2, dden2)), den2)
		near := func(a, b pair, bound float64) condition {
			return f.le(f.abs(f.pairSub(a, b).Hi), f.mul(f.abs(a.Hi), f.num(bound)))
		}
		done := f.all(near(dh2, dh, 0x1p-90), near(h2, h, 0x1p-100))
		h, dh = h2, dh2
		num0, num1, den0, den1, dnum0, dnum1, dden0, dden1 = num1, num2, den1, den2, dnum1, dnum2, dden1, dden2
		shrink := f.sel(f.lt(f.num(0x1p300), f.abs(den2.Hi)), f.num(0x1p-300), f.num(1))
		for _, v := range []*pair{&num0, &num1, &den0, &den1, &dnum0, &dnum1, &dden0, &dden1} {
			*v = pair{f.mul(v.Hi, shrink), f.mul(v.Lo, shrink)}
		}
		return done
	}, &h, &dh, &b, &num0, &num1, &den0, &den1, &dnum0, &dnum1, &dden0, &dden1)
	// d(a·h·F)/da over F, where F'/F = rate: h·(1 + a·F'/F) + a·h'.
	grow := f.addFloat(f.mulFloat(rate, a), f.num(1))
	return f.pairAdd(f.pairMul(h, grow), f.mulFloat(dh, a))
}
