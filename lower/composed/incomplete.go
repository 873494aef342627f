package composed

import (
	"math"

	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/reference/special"
)

// igamma returns the regularized incomplete gamma function P(a, x), or Q = 1 − P.
func (w writer) igamma(a, x ir.Ref, upper bool) ir.Ref {
	p0, p1 := w.num(0), w.num(1)
	if upper {
		p0, p1 = p1, p0
	}
	noA, noX, farA, farX := w.isZero(a), w.isZero(x), w.isInf(a), w.isInf(x)
	step := w.le(w.num(special.StepShape), a)
	return w.unless([]exception{
		{w.any(w.isNaN(a), w.isNaN(x), w.isNegative(a), w.isNegative(x), w.all(noA, noX), w.all(farA, farX)), w.num(math.NaN())},
		{w.any(noX, farA), p0},
		{w.any(noA, farX), p1},
		{w.all(step, w.lt(x, a)), p0},
		{w.all(step, w.eq(x, a)), w.num(0.5)},
		{step, p1},
	}, func() ir.Ref {
		inBounds := w.all(w.within(a, special.FastLeastShape, special.FastGammaShape), w.within(x, special.FastLeastX, special.FastGammaX))
		return w.fastOr(inBounds, func() (v, ok ir.Ref) { return w.fastIgamma(a, x, upper) }, func() ir.Ref { return w.gammaPart(a, x, upper) })
	})
}

// gammaPart returns P(a, x) or Q(a, x) of positive finite numbers.
func (w writer) gammaPart(a, x ir.Ref, upper bool) ir.Ref {
	one := func(v ir.Ref) []ir.Ref { return []ir.Ref{v} }
	// part returns what is asked for, given P or Q.
	part := func(v pair, isUpper bool) []ir.Ref {
		if isUpper != upper {
			v = w.pairSub(w.one(), v)
		}
		return one(w.value(v))
	}
	mu := w.divFloat(w.sumOf(x, w.neg(a)), a) // x/a − 1
	near := w.all(w.le(w.num(special.TemmeFrom), a), w.lt(w.abs(mu.hi), w.num(0.6)))
	return w.If(near, func() []ir.Ref { return one(w.temme(a, mu, upper)) }, func() []ir.Ref {
		tiny := w.all(w.lt(a, w.num(special.TinyShape)), w.lt(x, w.num(1)))
		return w.If(tiny, func() []ir.Ref { return part(w.tinyGamma(a, x), true) }, func() []ir.Ref {
			factor := w.gammaFactor(a, x)
			return w.If(w.belowMean(a, x), func() []ir.Ref {
				return part(w.pairMul(factor, w.gammaSeries(a, x)), false)
			}, func() []ir.Ref {
				return part(w.mulFloat(w.pairMul(factor, w.gammaFraction(a, x)), a), true)
			})
		})
	})[0]
}

// belowMean reports where the series converges fast.
func (w writer) belowMean(a, x ir.Ref) ir.Ref { return w.any(w.lt(x, w.num(1)), w.le(x, a)) }

// gammaFactor returns x^a·e^(−x)/Γ(a + 1).
func (w writer) gammaFactor(a, x ir.Ref) pair {
	l := w.addFloat(w.mulFloat(w.pairLog(w.pairOf(x)), a), w.neg(x))
	return w.pairExp(w.pairSub(l, w.lgamma(w.sumOf(a, w.num(1)))))
}

// gammaSeries returns 1 + x/(a + 1) + x²/((a + 1)(a + 2)) + ….
func (w writer) gammaSeries(a, x ir.Ref) pair {
	r := w.repeat(1, special.FractionSteps, state(w.one(), w.one()), func(k ir.Ref, s []ir.Ref) ([]ir.Ref, ir.Ref) {
		term := w.pairDiv(w.mulFloat(ofState(s), x), w.sumOf(a, k))
		sum := w.pairAdd(ofState(s[2:]), term)
		return state(term, sum), w.lt(term.hi, w.mul(sum.hi, w.num(0x1p-108)))
	})
	return ofState(r[2:])
}

// gammaFraction returns Legendre's continued fraction, after Lentz.
func (w writer) gammaFraction(a, x ir.Ref) pair {
	b := w.addFloat(w.sumOf(x, w.neg(a)), w.num(1))
	d := w.pairDiv(w.one(), b)
	r := w.repeat(1, special.FractionSteps, state(d, b, w.pairNum(0x1p600, 0), d), func(n ir.Ref, s []ir.Ref) ([]ir.Ref, ir.Ref) {
		h, b, c, d := ofState(s), ofState(s[2:]), ofState(s[4:]), ofState(s[6:])
		v := w.mulFloat(w.sumOf(a, w.neg(n)), n)
		b = w.addFloat(b, w.num(2))
		d = w.pairDiv(w.one(), w.pairAdd(w.pairMul(v, d), b))
		c = w.pairAdd(b, w.pairDiv(v, c))
		step := w.pairMul(c, d)
		h = w.pairMul(h, step)
		return state(h, b, c, d), w.lt(w.abs(w.addFloat(step, w.num(-1)).hi), w.num(0x1p-105))
	})
	return ofState(r)
}

// tinyGamma returns Q(a, x) for a < tinyShape and x < 1.
func (w writer) tinyGamma(a, x ir.Ref) pair {
	r := w.repeat(1, 60, state(w.one(), w.pairNum(0, 0)), func(k ir.Ref, s []ir.Ref) ([]ir.Ref, ir.Ref) {
		term := w.divFloat(w.mulFloat(ofState(s), w.neg(x)), k)
		return state(term, w.pairAdd(ofState(s[2:]), w.pairDiv(term, w.sumOf(a, k)))), ir.NoRef
	})
	v := w.pairSub(w.pairLog(w.pairOf(x)), w.digamma(w.sumOf(w.num(1), w.half(a))))
	v = w.pairAdd(v, w.tinyLog(a, ofState(r[2:])))
	return w.pairNeg(w.mulFloat(w.pairMul(v, w.tinyExp(a, v)), a))
}

// tinyLog returns log(1 + a·t)/a for a tiny a.
func (w writer) tinyLog(a ir.Ref, t pair) pair {
	return w.pairSub(t, w.mulFloat(w.pairMul(t, t), w.half(a)))
}

// tinyExp returns (e^(a·v) − 1)/(a·v) for a tiny a.
func (w writer) tinyExp(a ir.Ref, v pair) pair {
	u := w.mulFloat(v, a)
	e := w.pairMul(w.addFloat(w.divFloat(u, w.num(3)), w.num(1)), w.pairHalf(u))
	return w.addFloat(e, w.num(1))
}

// temme returns P or Q of x = a·(1 + mu) by Temme's uniform expansion.
func (w writer) temme(a ir.Ref, mu pair, upper bool) ir.Ref {
	half := ofState(w.If(w.lt(w.abs(mu.hi), w.num(0.01)), func() []ir.Ref {
		return state(w.pairMul(w.pairMul(w.logRest(mu), mu), mu))
	}, func() []ir.Ref { return state(w.pairSub(mu, w.pairLog1p(mu))) }))
	eta := w.value(w.pairSqrt(w.pairTwice(half)))
	below := w.isNegative(mu.hi)
	eta = w.sel(below, w.neg(eta), eta)
	z2 := w.mulFloat(half, a)
	sum := w.num(0)
	table := coefficients.Temme
	for k := len(table) - 1; k >= 0; k-- {
		c := w.num(0)
		for j := len(table[k]) - 1; j >= 0; j-- {
			c = w.fma(c, eta, w.num(table[k][j]))
		}
		sum = w.add(w.div(sum, a), c)
	}
	root := w.pairSqrt(w.mulFloat(w.mulFloat(w.pairNum(pi.hi, pi.lo), w.num(2)), a))
	rest := w.mulFloat(w.pairDiv(w.pairExp(w.pairNeg(z2)), root), sum)
	tail := w.pairHalf(w.erfcRoot(z2))
	v := w.pairSel(below, w.pairSub(tail, rest), w.pairAdd(tail, rest)) // P below the mean, else Q
	other := w.value(w.pairSub(w.one(), v))
	if upper {
		return w.sel(below, other, w.value(v))
	}
	return w.sel(below, w.value(v), other)
}

// logRest returns (mu − log(1 + mu))/mu² by its series.
func (w writer) logRest(mu pair) pair {
	return w.horner(logarithmSeries, mu, func(c pair, _ ir.Ref) pair { return c })
}

// erfcRoot returns erfc(√y).
func (w writer) erfcRoot(y pair) pair {
	z := w.pairSqrt(y)
	root := w.pairSqrt(w.pairNum(pi.hi, pi.lo))
	e := w.pairExp(w.pairNeg(y))
	return ofState(w.If(w.lt(y.hi, w.num(25)), func() []ir.Ref {
		r := w.repeat(1, 400, state(z, z), func(k ir.Ref, s []ir.Ref) ([]ir.Ref, ir.Ref) {
			term := w.mulFloat(w.pairMul(ofState(s), y), w.num(2))
			term = w.divFloat(term, w.add(w.mul(w.num(2), k), w.num(1)))
			sum := w.pairAdd(ofState(s[2:]), term)
			return state(term, sum), w.le(term.hi, w.mul(sum.hi, w.num(0x1p-108)))
		})
		v := w.pairDiv(w.mulFloat(w.pairMul(ofState(r[2:]), e), w.num(2)), root)
		return state(w.pairSub(w.one(), v))
	}, func() []ir.Ref {
		f := ofState(w.repeat(0, 120, state(z), func(i ir.Ref, s []ir.Ref) ([]ir.Ref, ir.Ref) {
			k := w.div(w.sub(w.num(120), i), w.num(2))
			return state(w.pairAdd(z, w.pairDiv(w.pairOf(k), ofState(s)))), ir.NoRef
		}))
		return state(w.pairDiv(e, w.pairMul(root, f)))
	}))
}
