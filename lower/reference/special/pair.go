package special

import "math"

// sumOf returns a + b exactly.
func (f functions) sumOf(a, b number) pair {
	s := f.add(a, b)
	t := f.sub(s, a)
	return pair{s, f.add(f.sub(a, f.sub(s, t)), f.sub(b, t))}
}

// fastSum returns a + b exactly if |a| ≥ |b|.
func (f functions) fastSum(a, b number) pair {
	s := f.add(a, b)
	return pair{s, f.sub(b, f.sub(s, a))}
}

// productOf returns a·b exactly.
func (f functions) productOf(a, b number) pair {
	p := f.mul(a, b)
	return pair{p, f.fma(a, b, f.neg(p))}
}

func (f functions) pairAdd(a, b pair) pair {
	s, t := f.sumOf(a.Hi, b.Hi), f.sumOf(a.Lo, b.Lo)
	s = f.fastSum(s.Hi, f.add(s.Lo, t.Hi))
	return f.fastSum(s.Hi, f.add(s.Lo, t.Lo))
}

func (f functions) addFloat(a pair, b number) pair {
	s := f.sumOf(a.Hi, b)
	return f.fastSum(s.Hi, f.add(s.Lo, a.Lo))
}

func (f functions) pairMul(a, b pair) pair {
	p := f.productOf(a.Hi, b.Hi)
	return f.fastSum(p.Hi, f.fma(a.Hi, b.Lo, f.fma(a.Lo, b.Hi, p.Lo)))
}

func (f functions) mulFloat(a pair, b number) pair {
	p := f.productOf(a.Hi, b)
	return f.fastSum(p.Hi, f.fma(a.Lo, b, p.Lo))
}

func (f functions) divFloat(a pair, b number) pair {
	q := f.div(a.Hi, b)
	return f.fastSum(q, f.div(f.add(f.fma(f.neg(q), b, a.Hi), a.Lo), b))
}

func (f functions) pairDiv(a, b pair) pair {
	q := f.div(a.Hi, b.Hi)
	r := f.pairSub(a, f.mulFloat(b, q))
	q2 := f.div(r.Hi, b.Hi)
	r = f.pairSub(r, f.mulFloat(b, q2))
	s := f.fastSum(q, q2)
	return f.addFloat(s, f.div(r.Hi, b.Hi))
}

func (f functions) pairNum(hi, lo float64) pair { return pair{f.num(hi), f.num(lo)} }
func (f functions) constant(c Double) pair      { return f.pairNum(c.Hi, c.Lo) }
func (f functions) pairOf(x number) pair        { return pair{x, f.num(0)} }
func (f functions) one() pair                   { return f.pairNum(1, 0) }
func (f functions) value(a pair) number         { return f.add(a.Hi, a.Lo) }
func (f functions) pairNeg(a pair) pair         { return pair{f.neg(a.Hi), f.neg(a.Lo)} }
func (f functions) pairSub(a, b pair) pair      { return f.pairAdd(a, f.pairNeg(b)) }
func (f functions) pairSel(c condition, a, b pair) pair {
	return pair{f.sel(c, a.Hi, b.Hi), f.sel(c, a.Lo, b.Lo)}
}

func (f functions) pairTwice(a pair) pair {
	two := f.num(2)
	return pair{f.mul(two, a.Hi), f.mul(two, a.Lo)}
}

func (f functions) pairHalf(a pair) pair {
	two := f.num(2)
	return pair{f.div(a.Hi, two), f.div(a.Lo, two)}
}

// quotientOf returns a/b with twice a number's digits.
func (f functions) quotientOf(a, b number) pair {
	q := f.div(a, b)
	return f.fastSum(q, f.div(f.fma(f.neg(q), b, a), b))
}

// pairExp returns e^a; 0 and ∞ out of range.
func (f functions) pairExp(a pair) pair {
	n := f.rint(f.div(a.Hi, f.num(ln2.Hi)))
	r := f.addFloat(f.pairSub(a, f.mulFloat(f.constant(ln2), n)), f.neg(f.mul(n, f.num(ln2Rest))))
	r = pair{f.div(r.Hi, f.num(512)), f.div(r.Lo, f.num(512))}
	// e^r − 1 by Taylor's series, then squared nine times: (1 + s)² − 1 is 2·s + s².
	s := f.addFloat(f.divFloat(r, f.num(9)), f.num(1))
	f.times(0, 7, func(i number) {
		k := f.sub(f.num(8), i)
		s = f.addFloat(f.divFloat(f.pairMul(s, r), k), f.num(1))
	}, &s)
	s = f.pairMul(s, r)
	f.times(0, 9, func(number) { s = f.pairAdd(f.pairTwice(s), f.pairMul(s, s)) }, &s)
	s = f.addFloat(s, f.num(1))
	s = pair{f.scale(s.Hi, n), f.scale(s.Lo, n)}
	s = f.pairSel(f.lt(f.num(800), a.Hi), f.pairNum(math.Inf(1), 0), s)
	s = f.pairSel(f.lt(f.num(-800), a.Hi), s, f.pairNum(0, 0))
	return f.pairSel(f.isNaN(a.Hi), a, s)
}

// frexp returns m and e such that x = m·2ᵉ, ½ ≤ m < 1, of a finite x > 0.
func (f functions) frexp(x number) (m, e number) {
	small := f.lt(x, f.num(0x1p-1022))
	b := f.bits(f.sel(small, f.mul(x, f.num(0x1p52)), x))
	e = f.float(f.shr(b, f.word(52)))
	e = f.sub(e, f.sel(small, f.num(1022+52), f.num(1022)))
	return f.ofBits(f.or(f.and(b, f.word(1<<52-1)), f.word(1022<<52))), e
}

func (f functions) pairLog(a pair) pair {
	m, e := f.frexp(a.Hi)
	low := f.lt(m, f.num(math.Sqrt2/2))
	m = f.sel(low, f.mul(f.num(2), m), m)
	e = f.sel(low, f.sub(e, f.num(1)), e)
	y := pair{m, f.scale(a.Lo, f.neg(e))}
	l := f.atanhTwice(f.pairDiv(f.addFloat(y, f.num(-1)), f.addFloat(y, f.num(1))))
	l = f.pairAdd(l, f.addFloat(f.mulFloat(f.constant(ln2), e), f.mul(e, f.num(ln2Rest))))
	l = f.pairSel(f.isInf(a.Hi), f.pairOf(a.Hi), l)
	l = f.pairSel(f.isZero(a.Hi), f.pairNum(math.Inf(-1), 0), l)
	return f.pairSel(f.any(f.isNegative(a.Hi), f.isNaN(a.Hi)), f.pairNum(math.NaN(), 0), l)
}

// pairLog1p returns log(1 + x), which loses no digits near zero.
func (f functions) pairLog1p(x pair) pair {
	return f.pairIfElse(f.lt(f.num(0.3), f.abs(x.Hi)),
		func() pair { return f.pairLog(f.addFloat(x, f.num(1))) },
		func() pair { return f.atanhTwice(f.pairDiv(x, f.addFloat(x, f.num(2)))) })
}

// atanhTwice returns 2·atanh z for |z| ≤ 0.18.
func (f functions) atanhTwice(z pair) pair {
	sq := f.pairMul(z, z)
	s := f.powers(oddParts.len(), func(s pair, i number) pair { return f.pairMul(f.pairAdd(s, f.entry(oddParts, i)), sq) })
	return f.pairTwice(f.pairMul(f.addFloat(s, f.num(1)), z))
}

// pairSqrt returns the square root of a, 0 if a is negative.
func (f functions) pairSqrt(a pair) pair {
	s := f.sqrt(a.Hi)
	r := f.pairSub(a, f.productOf(s, s))
	return f.pairSel(f.le(a.Hi, f.num(0)), f.pairNum(0, 0), f.fastSum(s, f.div(r.Hi, f.mul(f.num(2), s))))
}

// powers applies step n times, with i = 0, 1, …, to a sum that starts at 0.
func (f functions) powers(n int, step func(sum pair, i number) pair) pair {
	s := f.pairNum(0, 0)
	f.times(0, float64(n), func(i number) { s = step(s, i) }, &s)
	return s
}

// horner returns the value of a series at z. coefficient makes one of entry i of the table.
func (f functions) horner(t *pairTable, z pair, coefficient func(c pair, i number) pair) pair {
	return f.powers(t.len(), func(s pair, i number) pair { return f.pairAdd(f.pairMul(s, z), coefficient(f.entry(t, i), i)) })
}

func (f functions) entry(t *pairTable, k number) pair {
	return pair{f.lookup(t.hi, k), f.lookup(t.lo, k)}
}
