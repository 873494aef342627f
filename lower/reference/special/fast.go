package special

import "math"

// Incomplete functions of f64 compute the factor x^a·… in sums of two f64, because one f64
// has too few digits for the factor's exponent. They compute the series or fraction in
// f64 from the last term to the first one, so that each rounding is damped by the terms before it.
// Where the result may be wrong by more than a few ulps, the slow functions are used.

// Bounds of the functions that are computed mostly in f64.
const (
	fastLeastShape      = 0x1p-10 // arguments are within these bounds
	fastGammaShape      = 60
	fastBetaShape       = 30
	fastLeastX          = 0x1p-30
	fastGammaX          = 120
	fastBetaX           = 0.9 // of the fraction's argument, x or 1 − x
	fastComplement      = 0.7 // of the number that is subtracted from 1
	fastLgammaFrom      = 16
	fastSeriesMore      = 2 // the gamma function's series is used for x up to a + 2,
	fastSeriesSmall     = 8 // or below this a
	fastSeriesSmallMore = 4 // up to a + 4
	fastSeriesSteps     = 128
	fastSeriesEnd       = 0x1p-58
	fastSeriesRatio     = 0.7 // of the last two terms
	fastGammaSteps      = 24  // of the fraction, and a + 110/x
	fastGammaStepsOverX = 110
	fastBetaSteps       = 12 // steps of the fraction, besides the steps that lower its error to fastBetaEnd
	fastBetaEnd         = 0x1p-56
	fastBetaLeast       = 0.4 // above this a denominator of the fraction loses no digits
	fastBetaLast        = 4   // last steps: these may lose digits, and are computed again then
	fastBetaLeastOfAll  = 0.1 // above this the result of these steps is certain
)

// fastLog returns log x of a positive normal x, with an error of at most 2^-64 plus 2^-100 of the
// result.
func (f functions) fastLog(x number) pair {
	b := f.bits(x)
	e := f.sub(f.float(f.shr(b, f.word(52))), f.num(1023))
	j := f.float(f.and(f.shr(b, f.word(45)), f.word(127)))
	m := f.ofBits(f.or(f.and(b, f.word(1<<52-1)), f.word(1023<<52)))
	table := fastLogs()
	p := f.productOf(m, f.lookup(table.inverse, j))
	hi, lo := f.sub(p.Hi, f.num(1)), p.Lo // |hi| < 2^-7, exact
	square := f.productOf(hi, hi)
	// log(1 + r) = r − r²/2 + r³·tail for r = hi + lo.
	tail := f.polynomial(hi, fastLogTail)
	rest := f.fma(f.mul(square.Hi, hi), tail, f.fma(f.neg(hi), lo, f.sub(lo, f.half(square.Lo))))
	entry := f.entry(table.log, j)
	s := f.pairAdd(f.mulFloat(f.constant(ln2), e), entry)
	return f.addFloat(f.pairAdd(s, f.sumOf(hi, f.half(f.neg(square.Hi)))), rest)
}

// fastExp returns e^v for |v| < 700, with an error of about half an ulp.
func (f functions) fastExp(v pair) number {
	n := f.rint(f.mul(v.Hi, f.num(64/math.Ln2)))
	d := f.pairSub(v, f.mulFloat(f.constant(ln2), f.div(n, f.num(64))))
	r := d.Hi
	p := f.polynomial(r, fastExpTail)
	p = f.add(r, f.fma(f.mul(r, r), p, d.Lo))
	whole := f.floor(f.div(n, f.num(64)))
	k := f.sub(n, f.mul(f.num(64), whole))
	t := f.entry(fastExps(), k)
	return f.scale(f.add(t.Hi, f.fma(t.Hi, p, t.Lo)), whole)
}

// fastLgamma returns log Γ(a) of 0 < a < 1000, with an error of about 2^-60.
func (f functions) fastLgamma(a pair) pair {
	a, shift := f.raisedTo(fastLgammaFrom, a, f.one(), f.pairMul)
	v := f.div(f.num(1), a.Hi)
	s := f.polynomial(f.mul(v, v), fastStirling)
	l := f.addFloat(f.fastLog(a.Hi), f.mul(a.Lo, v))
	sum := f.pairSub(f.pairMul(f.addFloat(a, f.num(-0.5)), l), a)
	sum = f.addFloat(f.pairAdd(sum, f.constant(halfLog2Pi)), f.mul(s, v))
	return f.pairIfElse(f.ne(shift.Hi, f.num(1)), func() pair {
		return f.pairSub(sum, f.addFloat(f.fastLog(shift.Hi), f.div(shift.Lo, shift.Hi)))
	}, func() pair { return sum })
}

// fastIgamma returns P(a, x) or Q(a, x), and whether the result is certain, which it is
// not for extreme arguments.
func (f functions) fastIgamma(a, x number, upper bool) (v number, ok condition) {
	inBounds := f.all(f.within(a, fastLeastShape, fastGammaShape), f.within(x, fastLeastX, fastGammaX))
	return f.where(inBounds, func() (v number, ok condition) { return f.moderateIgamma(a, x, upper) })
}

func (f functions) moderateIgamma(a, x number, upper bool) (v number, ok condition) {
	far := f.all(f.lt(a, f.num(fastSeriesSmall)), f.le(x, f.add(a, f.num(fastSeriesSmallMore))))
	series := f.any(f.lt(x, f.num(1)), f.le(x, f.add(a, f.num(fastSeriesMore))), far)
	no := f.no()
	var found condition // the series' result was computed
	f.either(series, func() {
		var s number
		s, found = f.fastSeries(a, x)
		p := f.mul(f.gammaFactorOf(a, x, 1), s)
		if upper {
			found = f.all(found, f.le(p, f.num(fastComplement)))
			v, ok = f.sub(f.num(1), p), found
		} else {
			v, ok = p, f.all(found, f.le(p, f.num(1)))
		}
	}, func() { v, found, ok = f.num(0), no, no }, &v, &found, &ok)
	f.either(f.any(found, f.belowMean(a, x)), func() {}, func() {
		q := f.mul(f.gammaFactorOf(a, x, 0), f.fastFraction(a, x))
		if upper {
			v, ok = q, f.not(no)
		} else {
			v, ok = f.sub(f.num(1), q), f.le(q, f.num(fastComplement))
		}
	}, &v, &ok)
	return v, ok
}

// gammaFactorOf returns x^a·e^(−x)/Γ(a + more).
func (f functions) gammaFactorOf(a, x number, more float64) number {
	l := f.addFloat(f.mulFloat(f.fastLog(x), a), f.neg(x))
	return f.fastExp(f.pairSub(l, f.fastLgamma(f.sumOf(a, f.num(more)))))
}

// fastSeries returns 1 + x/(a + 1)·(1 + x/(a + 2)·(…)), and whether it converges.
func (f functions) fastSeries(a, x number) (v number, ok condition) {
	ratio := func(k number) number { return f.div(x, f.add(a, f.add(k, f.num(1)))) }
	product, last, done := f.num(1), f.num(0), f.no()
	f.until(0, fastSeriesSteps, func(k number) condition {
		q := ratio(k)
		product, last = f.mul(product, q), k
		done = f.all(f.lt(product, f.num(fastSeriesEnd)), f.lt(q, f.num(fastSeriesRatio)))
		return done
	}, &product, &last, &done)
	v = f.num(1)
	f.while(func() condition { return f.le(f.num(0), last) }, func() {
		k := last
		last = f.sub(k, f.num(1))
		v = f.fma(ratio(k), v, f.num(1))
	}, &last, &v)
	return v, done
}

// fastFraction returns the fraction of gammaFraction for x ≥ 1 and x > a from its end.
func (f functions) fastFraction(a, x number) number {
	i := f.add(f.num(fastGammaSteps), f.trunc(f.add(a, f.div(f.num(fastGammaStepsOverX), x))))
	b := f.add(f.sub(x, a), f.num(1))
	t := f.add(b, f.mul(f.num(2), i))
	f.while(func() condition { return f.lt(f.num(0), i) }, func() {
		before := f.sub(i, f.num(1))
		t = f.add(f.add(b, f.mul(f.num(2), before)), f.div(f.mul(i, f.sub(a, i)), t))
		i = before
	}, &i, &t)
	return f.div(f.num(1), t)
}

// fastBetainc returns I_x(a, b), and whether the result is certain, which it is not for extreme
// arguments.
func (f functions) fastBetainc(a, b, x number) (v number, ok condition) {
	shape := func(v number) condition { return f.within(v, fastLeastShape, fastBetaShape) }
	inBounds := f.all(shape(a), shape(b), f.within(x, fastLeastX, 1-fastLeastX))
	return f.where(inBounds, func() (v number, ok condition) { return f.moderateBetainc(a, b, x) })
}

func (f functions) moderateBetainc(a, b, x number) (v number, ok condition) {
	y := f.sumOf(f.num(1), f.neg(x))
	lx, ly := f.fastLog(x), f.addFloat(f.fastLog(y.Hi), f.div(y.Lo, y.Hi))
	rest := f.lt(f.div(f.add(a, f.num(1)), f.add(f.add(a, b), f.num(2))), x)
	at := f.pairSel(rest, y, f.pairOf(x))
	a, b = f.sel(rest, b, a), f.sel(rest, a, b)
	lx, ly = f.pairSel(rest, ly, lx), f.pairSel(rest, lx, ly)
	f.either(f.le(at.Hi, f.num(fastBetaX)), func() {
		e := f.pairAdd(f.pairAdd(f.mulFloat(lx, a), f.mulFloat(ly, b)), f.fastLgamma(f.sumOf(a, b)))
		e = f.pairSub(f.pairSub(e, f.fastLgamma(f.sumOf(a, f.num(1)))), f.fastLgamma(f.pairOf(b)))
		t, certain := f.fastBetaFraction(a, b, at)
		part := f.div(f.fastExp(e), t)
		v = f.sel(rest, f.sub(f.num(1), part), part)
		ok = f.all(certain, f.any(f.not(rest), f.le(part, f.num(fastComplement))))
	}, func() { v, ok = f.num(0), f.no() }, &v, &ok)
	return v, ok
}

// fastBetaFraction returns 1 + d₁/(1 + d₂/(1 + …)), the denominator of the fraction of betaFraction, from its end,
// and whether it is certain. If only the last steps lose digits, they are computed again in sums of two f64; if
// others do, the result is not certain.
func (f functions) fastBetaFraction(a, b number, x pair) (v number, ok condition) {
	one, two := f.num(1), f.num(2)
	// Two steps lower the error by ((1 − s)/(1 + s))², s = √(1 − x), or more.
	s := f.sqrt(f.sub(one, x.Hi))
	ratio := f.div(f.sub(one, s), f.add(one, s))
	m, e := f.num(fastBetaSteps), one
	f.while(func() condition { return f.lt(f.num(fastBetaEnd), e) }, func() {
		m, e = f.add(m, one), f.mul(e, ratio)
	}, &m, &e)
	t, least := one, one // the result so far and the least denominator
	steps := func(to float64) (keeps func() condition) {
		f.while(func() condition { return f.le(f.num(to), m) }, func() {
			a2 := f.add(a, f.mul(two, m))
			odd := f.mul(f.mul(f.neg(f.add(a, m)), f.add(f.add(a, b), m)), x.Hi)
			u := f.add(one, f.div(f.div(odd, f.mul(a2, f.add(a2, one))), t))
			least = f.min(least, u)
			even := f.div(f.mul(f.mul(m, f.sub(b, m)), x.Hi), f.mul(f.sub(a2, one), a2))
			before := f.sub(m, one)
			t = f.sel(f.lt(f.num(0), m), f.add(one, f.div(even, u)), u)
			m = before
		}, &m, &t, &least)
		reached := least
		return func() condition { return f.lt(f.num(fastBetaLeast), reached) }
	}
	keepsFirst := steps(fastBetaLast)
	before := t
	keeps := steps(0)
	f.either(f.any(keeps(), f.not(keepsFirst())), func() { v, ok = t, keeps() }, func() {
		v = f.lastBetaSteps(a, b, x, before)
		ok = f.lt(f.num(fastBetaLeastOfAll), v)
	}, &v, &ok)
	return v, ok
}

// lastBetaSteps returns the result of the last steps of fastBetaFraction, given the result of the steps before.
func (f functions) lastBetaSteps(a, b number, x pair, before number) number {
	ab, one, t := f.sumOf(a, b), f.num(1), f.pairOf(before)
	f.times(0, fastBetaLast, func(i number) {
		m := f.sub(f.num(fastBetaLast-1), i)
		a2 := f.sumOf(a, f.mul(f.num(2), m))
		odd := f.pairMul(f.pairMul(f.sumOf(a, m), f.addFloat(ab, m)), x)
		t = f.pairSub(f.one(), f.pairDiv(odd, f.pairMul(f.pairMul(a2, f.addFloat(a2, one)), t)))
		even := f.pairMul(f.mulFloat(f.sumOf(b, f.neg(m)), m), x)
		even = f.pairDiv(even, f.pairMul(f.pairMul(f.addFloat(a2, f.num(-1)), a2), t))
		t = f.pairSel(f.isPositive(m), f.addFloat(even, one), t)
	}, &t)
	return f.value(t)
}
