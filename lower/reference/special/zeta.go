package special

import "math"

// hurwitzTerms bounds the terms that ζ(s, q) of a negative q takes one by one.
const hurwitzTerms = 100000

// hurwitzFar is the q from which ζ(s, q) is the first term of its series for large q: see zetaTail.
const hurwitzFar = 0x1p100

// hurwitz returns ζ(s, q) = Σ (q + k)^(−s): NaN for s < 1, ∞ for s = 1 and at the poles. For other negative q it
// is NaN if s is not a whole number or q is below −hurwitzTerms.
func (f functions) hurwitz(s, q number) number {
	nan, inf, zero, one := f.num(math.NaN()), f.num(math.Inf(1)), f.num(0), f.num(1)
	whole := f.eq(s, f.floor(s))
	return f.unless([]exception{
		{f.any(f.isNaN(s), f.isNaN(q), f.lt(s, one)), nan},
		{f.eq(s, one), inf},
		{f.all(f.le(q, zero), f.eq(q, f.floor(q))), inf},
		{f.all(f.isNegative(q), f.any(f.not(whole), f.lt(q, f.num(-hurwitzTerms)))), nan},
		{f.isInf(q), zero},
		{f.all(f.isInf(s), f.lt(q, one)), inf},
		{f.all(f.isInf(s), f.eq(q, one)), one},
		{f.isInf(s), zero},
	}, func() number {
		s := f.min(s, f.num(0x1p1000)) // products with a larger s would overflow; powers do not change beyond
		return f.ifElse(f.le(f.num(hurwitzFar), q), func() number { return f.zetaTail(s, q) }, func() number { return f.zetaSum(s, q) })
	})
}

// zetaTail returns q^(1 − s)/(s − 1) as one exponential, since q^(−s) alone may be too small for
// a number. The next term of ζ(s, q) is (s − 1)/(2q) of it, below 2^-97 unless the result is
// zero, as it is from s = 12 on.
func (f functions) zetaTail(s, q number) number {
	t := f.sumOf(s, f.num(-1))
	return f.value(f.pairExp(f.pairNeg(f.pairAdd(f.pairMul(f.pairLog(f.pairOf(q)), t), f.pairLog(t)))))
}

// zetaSum adds terms of ζ(s, q), and the rest of the series by Euler and Maclaurin's formula.
func (f functions) zetaSum(s, q number) number {
	odd := f.ne(s, f.mul(f.num(2), f.trunc(f.div(s, f.num(2)))))
	power := func(y pair) pair {
		below := f.isNegative(y.Hi)
		p := f.pairExp(f.mulFloat(f.pairLog(f.pairSel(below, f.pairNeg(y), y)), f.neg(s)))
		return f.pairSel(f.all(below, odd), f.pairNeg(p), p)
	}
	const going, diverged, converged = 0, 1, 2
	k, end, last, y, sum := f.num(0), f.num(going), f.num(0), f.pairOf(q), f.pairNum(0, 0)
	f.while(func() condition {
		return f.all(f.eq(end, f.num(going)), f.any(f.lt(k, f.num(12)), f.lt(y.Hi, f.num(12))))
	}, func() {
		p := power(y)
		infinite := f.isInf(f.abs(p.Hi))
		sum = f.pairAdd(sum, p)
		next := f.add(k, f.num(1))
		y = f.sumOf(q, next)
		small := f.le(f.abs(p.Hi), f.mul(f.abs(sum.Hi), f.num(0x1p-120)))
		done := f.all(f.isPositive(k), f.lt(f.num(1), y.Hi), small)
		end = f.sel(infinite, f.num(diverged), f.sel(done, f.num(converged), f.num(going)))
		k, last = next, p.Hi
	}, &k, &end, &last, &y, &sum)
	return f.ifElse(f.eq(end, f.num(going)), func() number {
		v := f.pairDiv(f.one(), y)
		z := f.pairMul(v, v)
		tail := f.addFloat(f.pairDiv(y, f.sumOf(s, f.num(-1))), f.num(0.5))
		rise := f.mulFloat(v, s)
		f.times(0, float64(maclaurin.len()), func(j number) {
			tail = f.pairAdd(tail, f.pairMul(rise, f.entry(maclaurin, j)))
			twice := f.mul(f.num(2), j)
			rise = f.pairMul(f.pairMul(rise, f.sumOf(s, f.add(twice, f.num(1)))), f.sumOf(s, f.add(twice, f.num(2))))
			rise = f.pairMul(rise, z)
		}, &tail, &rise)
		return f.value(f.pairAdd(sum, f.pairMul(power(y), tail)))
	}, func() number {
		return f.sel(f.eq(end, f.num(diverged)), last, f.value(sum))
	})
}
