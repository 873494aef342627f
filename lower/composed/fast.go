package composed

import (
	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/reference/special"
	"github.com/weft-go/weft/lower/scalar"
)

// Incomplete functions mostly in f64, as package reference computes them where that is within a few ulps.
// Functions have the names that they have there, and the same steps.

// lookupWide returns entry k of a table of any length, where k is a whole f64.
func (w writer) lookupWide(table []float64, k ir.Ref) ir.Ref {
	const part = 32
	block := w.floor(w.div(k, w.num(part)))
	k = w.sub(k, w.mul(block, w.num(part)))
	v := w.lookup(table[:part], k)
	for from := part; from < len(table); from += part {
		v = w.sel(w.eq(block, w.num(float64(from/part))), w.lookup(table[from:from+part], k), v)
	}
	return v
}

// polynomial returns c₀·x^n + … + cₙ by fma.
func (w writer) polynomial(x ir.Ref, c []float64) ir.Ref {
	v := w.num(c[0])
	for _, next := range c[1:] {
		v = w.fma(v, x, w.num(next))
	}
	return v
}

// fastLog returns log x of a positive normal x.
func (w writer) fastLog(x ir.Ref) pair {
	word := func(x uint64) ir.Ref { return w.Const(scalar.U64, x) }
	b := w.bits(x)
	shifted := func(n uint64) ir.Ref { return w.op(scalar.OpShr, scalar.U64, b, word(n)) }
	float := func(a ir.Ref) ir.Ref { return w.op(scalar.OpConvert, scalar.F64, a) }
	e := w.sub(float(shifted(52)), w.num(1023))
	j := float(w.op(scalar.OpAnd, scalar.U64, shifted(45), word(127)))
	m := w.ofBits(w.op(scalar.OpOr, scalar.U64, w.op(scalar.OpAnd, scalar.U64, b, word(1<<52-1)), word(1023<<52)))
	p := w.productOf(m, w.lookupWide(fastLogs.inverse, j))
	hi, lo := w.sub(p.hi, w.num(1)), p.lo
	square := w.productOf(hi, hi)
	tail := w.polynomial(hi, coefficients.FastLogTail)
	rest := w.fma(w.mul(square.hi, hi), tail, w.fma(w.neg(hi), lo, w.sub(lo, w.half(square.lo))))
	entry := pair{w.lookupWide(fastLogs.log.hi, j), w.lookupWide(fastLogs.log.lo, j)}
	s := w.pairAdd(w.mulFloat(w.pairNum(ln2.hi, ln2.lo), e), entry)
	return w.addFloat(w.pairAdd(s, w.sumOf(hi, w.half(w.neg(square.hi)))), rest)
}

// fastExp returns e^v.
func (w writer) fastExp(v pair) ir.Ref {
	n := w.op(scalar.OpRint, scalar.F64, w.mul(v.hi, w.num(stepsOfExp)))
	d := w.pairSub(v, w.mulFloat(w.pairNum(ln2.hi, ln2.lo), w.div(n, w.num(64))))
	r := d.hi
	p := w.polynomial(r, coefficients.FastExpTail)
	p = w.add(r, w.fma(w.mul(r, r), p, d.lo))
	whole := w.floor(w.div(n, w.num(64)))
	k := w.sub(n, w.mul(w.num(64), whole))
	t := pair{w.lookupWide(fastExps.hi, k), w.lookupWide(fastExps.lo, k)}
	return w.scale(w.add(t.hi, w.fma(t.hi, p, t.lo)), whole)
}

// fastLgamma returns log Γ(a) of 0 < a < 1000.
func (w writer) fastLgamma(a pair) pair {
	a, shift := w.raisedTo(special.FastLgammaFrom, a, w.one(), func(sum, a pair) pair { return w.pairMul(sum, a) })
	v := w.div(w.num(1), a.hi)
	s := w.polynomial(w.mul(v, v), coefficients.FastStirling)
	l := w.addFloat(w.fastLog(a.hi), w.mul(a.lo, v))
	sum := w.pairSub(w.pairMul(w.addFloat(a, w.num(-0.5)), l), a)
	sum = w.addFloat(w.pairAdd(sum, w.pairNum(halfLog2Pi.hi, halfLog2Pi.lo)), w.mul(s, v))
	return ofState(w.If(w.ne(shift.hi, w.num(1)), func() []ir.Ref {
		return state(w.pairSub(sum, w.addFloat(w.fastLog(shift.hi), w.div(shift.lo, shift.hi))))
	}, func() []ir.Ref { return state(sum) }))
}

// within reports whether least ≤ v ≤ most.
func (w writer) within(v ir.Ref, least, most float64) ir.Ref {
	return w.all(w.le(w.num(least), v), w.le(v, w.num(most)))
}

// fastOr returns the result of fast where it is within its bounds and certain, else that of slow. fast
// returns the result and whether it is certain.
func (w writer) fastOr(inBounds ir.Ref, fast func() (v, ok ir.Ref), slow func() ir.Ref) ir.Ref {
	no := w.Const(scalar.Bool, 0)
	r := w.If(inBounds, func() []ir.Ref {
		v, ok := fast()
		return []ir.Ref{v, ok}
	}, func() []ir.Ref { return []ir.Ref{w.num(0), no} })
	return w.If(r[1], func() []ir.Ref { return r[:1] }, func() []ir.Ref { return []ir.Ref{slow()} })[0]
}

// fastIgamma returns P(a, x) or Q(a, x) of numbers that are not extreme, and whether it is certain.
func (w writer) fastIgamma(a, x ir.Ref, upper bool) (v, ok ir.Ref) {
	num := w.num
	far := w.all(w.lt(a, num(special.FastSeriesSmall)), w.le(x, w.add(a, num(special.FastSeriesSmallMore))))
	series := w.any(w.lt(x, num(1)), w.le(x, w.add(a, num(special.FastSeriesMore))), far)
	no := w.Const(scalar.Bool, 0)
	// The series' result, whether it was computed, and whether it is certain.
	r := w.If(series, func() []ir.Ref {
		s, found := w.fastSeries(a, x)
		p := w.mul(w.gammaFactorOf(a, x, 1), s)
		if upper {
			found = w.all(found, w.le(p, num(special.FastComplement)))
			return []ir.Ref{w.sub(num(1), p), found, found}
		}
		return []ir.Ref{p, found, w.all(found, w.le(p, num(1)))}
	}, func() []ir.Ref { return []ir.Ref{num(0), no, no} })
	r = w.If(w.any(r[1], w.belowMean(a, x)), func() []ir.Ref { return []ir.Ref{r[0], r[2]} }, func() []ir.Ref {
		q := w.mul(w.gammaFactorOf(a, x, 0), w.fastFraction(a, x))
		if upper {
			return []ir.Ref{q, w.not(no)}
		}
		return []ir.Ref{w.sub(num(1), q), w.le(q, num(special.FastComplement))}
	})
	return r[0], r[1]
}

// gammaFactorOf returns x^a·e^(−x)/Γ(a + more).
func (w writer) gammaFactorOf(a, x ir.Ref, more float64) ir.Ref {
	l := w.addFloat(w.mulFloat(w.fastLog(x), a), w.neg(x))
	return w.fastExp(w.pairSub(l, w.fastLgamma(w.sumOf(a, w.num(more)))))
}

// fastSeries returns 1 + x/(a + 1)·(1 + x/(a + 2)·(…)), and whether it converges.
func (w writer) fastSeries(a, x ir.Ref) (v, ok ir.Ref) {
	num := w.num
	ratio := func(k ir.Ref) ir.Ref { return w.div(x, w.add(a, w.add(k, num(1)))) }
	r := w.repeat(0, special.FastSeriesSteps, []ir.Ref{num(1), num(0), w.Const(scalar.Bool, 0)}, func(k ir.Ref, s []ir.Ref) ([]ir.Ref, ir.Ref) {
		q := ratio(k)
		product := w.mul(s[0], q)
		done := w.all(w.lt(product, num(special.FastSeriesEnd)), w.lt(q, num(special.FastSeriesRatio)))
		return []ir.Ref{product, k, done}, done
	})
	c := w.While([]ir.Ref{r[1], num(1)}, func(c []ir.Ref) ir.Ref { return w.le(num(0), c[0]) }, func(c []ir.Ref) []ir.Ref {
		return []ir.Ref{w.sub(c[0], num(1)), w.fma(ratio(c[0]), c[1], num(1))}
	})
	return c[1], r[2]
}

// fastFraction returns Legendre's continued fraction for x ≥ 1 and x > a from its end.
func (w writer) fastFraction(a, x ir.Ref) ir.Ref {
	num := w.num
	n := w.add(num(special.FastGammaSteps), w.op(scalar.OpTrunc, scalar.F64, w.add(a, w.div(num(special.FastGammaStepsOverX), x))))
	b := w.add(w.sub(x, a), num(1))
	c := w.While([]ir.Ref{n, w.add(b, w.mul(num(2), n))}, func(c []ir.Ref) ir.Ref { return w.lt(num(0), c[0]) }, func(c []ir.Ref) []ir.Ref {
		i := c[0]
		before := w.sub(i, num(1))
		return []ir.Ref{before, w.add(w.add(b, w.mul(num(2), before)), w.div(w.mul(i, w.sub(a, i)), c[1]))}
	})
	return w.div(num(1), c[1])
}

// fastBetainc returns I_x(a, b) of numbers that are not extreme, and whether it is certain.
func (w writer) fastBetainc(a, b, x ir.Ref) (v, ok ir.Ref) {
	num := w.num
	y := w.sumOf(num(1), w.neg(x))
	lx, ly := w.fastLog(x), w.addFloat(w.fastLog(y.hi), w.div(y.lo, y.hi))
	rest := w.lt(w.div(w.add(a, num(1)), w.add(w.add(a, b), num(2))), x)
	at := w.pairSel(rest, y, w.pairOf(x))
	a, b = w.sel(rest, b, a), w.sel(rest, a, b)
	lx, ly = w.pairSel(rest, ly, lx), w.pairSel(rest, lx, ly)
	r := w.If(w.le(at.hi, num(special.FastBetaX)), func() []ir.Ref {
		e := w.pairAdd(w.pairAdd(w.mulFloat(lx, a), w.mulFloat(ly, b)), w.fastLgamma(w.sumOf(a, b)))
		e = w.pairSub(w.pairSub(e, w.fastLgamma(w.sumOf(a, num(1)))), w.fastLgamma(w.pairOf(b)))
		f, ok := w.fastBetaFraction(a, b, at)
		v := w.div(w.fastExp(e), f)
		return []ir.Ref{w.sel(rest, w.sub(num(1), v), v), w.all(ok, w.any(w.not(rest), w.le(v, num(special.FastComplement))))}
	}, func() []ir.Ref { return []ir.Ref{num(0), w.Const(scalar.Bool, 0)} })
	return r[0], r[1]
}

// fastBetaFraction returns 1 + d₁/(1 + d₂/(1 + …)) from its end, and whether no step loses digits that its last steps in sums of two
// f64 do not bring back.
func (w writer) fastBetaFraction(a, b ir.Ref, x pair) (v, ok ir.Ref) {
	num := w.num
	one, two := num(1), num(2)
	s := w.sqrt(w.sub(one, x.hi))
	ratio := w.div(w.sub(one, s), w.add(one, s))
	n := w.While([]ir.Ref{num(special.FastBetaSteps), one}, func(c []ir.Ref) ir.Ref { return w.lt(num(special.FastBetaEnd), c[1]) }, func(c []ir.Ref) []ir.Ref {
		return []ir.Ref{w.add(c[0], one), w.mul(c[1], ratio)}
	})[0]
	// steps are those down to one, given the number of the first, the result so far and the least denominator.
	steps := func(to float64, c []ir.Ref) []ir.Ref {
		return w.While(c, func(c []ir.Ref) ir.Ref { return w.le(num(to), c[0]) }, func(c []ir.Ref) []ir.Ref {
			m, t := c[0], c[1]
			a2 := w.add(a, w.mul(two, m))
			odd := w.mul(w.mul(w.neg(w.add(a, m)), w.add(w.add(a, b), m)), x.hi)
			t = w.add(one, w.div(w.div(odd, w.mul(a2, w.add(a2, one))), t))
			least := w.op(scalar.OpMin, scalar.F64, c[2], t)
			even := w.div(w.mul(w.mul(m, w.sub(b, m)), x.hi), w.mul(w.sub(a2, one), a2))
			return []ir.Ref{w.sub(m, one), w.sel(w.lt(num(0), m), w.add(one, w.div(even, t)), t), least}
		})
	}
	first := steps(special.FastBetaLast, []ir.Ref{n, one, one})
	last := steps(0, first)
	keeps := func(c []ir.Ref) ir.Ref { return w.lt(num(special.FastBetaLeast), c[2]) }
	r := w.If(w.any(keeps(last), w.not(keeps(first))), func() []ir.Ref { return []ir.Ref{last[1], keeps(last)} }, func() []ir.Ref {
		t := w.lastBetaSteps(a, b, x, first[1])
		return []ir.Ref{t, w.lt(num(special.FastBetaLeastOfAll), t)}
	})
	return r[0], r[1]
}

// lastBetaSteps returns the result of the last steps of fastBetaFraction, given that of the steps before.
func (w writer) lastBetaSteps(a, b ir.Ref, x pair, before ir.Ref) ir.Ref {
	ab, one := w.sumOf(a, b), w.num(1)
	r := w.repeat(0, special.FastBetaLast, state(w.pairOf(before)), func(i ir.Ref, s []ir.Ref) ([]ir.Ref, ir.Ref) {
		t, m := ofState(s), w.sub(w.num(special.FastBetaLast-1), i)
		a2 := w.sumOf(a, w.mul(w.num(2), m))
		odd := w.pairMul(w.pairMul(w.sumOf(a, m), w.addFloat(ab, m)), x)
		t = w.pairSub(w.one(), w.pairDiv(odd, w.pairMul(w.pairMul(a2, w.addFloat(a2, one)), t)))
		even := w.pairMul(w.mulFloat(w.sumOf(b, w.neg(m)), m), x)
		even = w.pairDiv(even, w.pairMul(w.pairMul(w.addFloat(a2, w.num(-1)), a2), t))
		return state(w.pairSel(w.isPositive(m), w.addFloat(even, one), t)), ir.NoRef
	})
	return w.value(ofState(r))
}
