package composed

import (
	"math"

	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/reference/special"
	"github.com/weft-go/weft/lower/scalar"
)

// betainc returns the regularized incomplete beta function I_x(a, b).
func (w writer) betainc(a, b, x ir.Ref) ir.Ref {
	num := w.num
	aZero, bZero := w.any(w.isZero(a), w.isInf(b)), w.any(w.isZero(b), w.isInf(a))
	return w.unless([]exception{
		{w.any(w.isNaN(a), w.isNaN(b), w.isNaN(x), w.isNegative(a), w.isNegative(b), w.isNegative(x), w.lt(num(1), x), w.all(aZero, bZero)), num(math.NaN())},
		{w.any(w.all(bZero, w.ne(x, num(1))), w.all(aZero, w.isZero(x))), num(0)},
		{w.any(aZero, bZero), num(1)},
		{w.any(w.isZero(x), w.eq(x, num(1))), x},
	}, func() ir.Ref {
		shape := func(v ir.Ref) ir.Ref { return w.within(v, special.FastLeastShape, special.FastBetaShape) }
		inBounds := w.all(shape(a), shape(b), w.within(x, special.FastLeastX, 1-special.FastLeastX))
		return w.fastOr(inBounds, func() (v, ok ir.Ref) { return w.fastBetainc(a, b, x) }, func() ir.Ref { return w.slowBetainc(a, b, x) })
	})
}

// slowBetainc returns I_x(a, b) of finite positive a and b, 0 < x < 1.
func (w writer) slowBetainc(a, b, x ir.Ref) ir.Ref {
	num := w.num
	large := w.le(num(special.LargeBeta), w.op(scalar.OpMin, scalar.F64, a, b))
	return w.If(large, func() []ir.Ref { return []ir.Ref{w.betaUniform(a, b, x)} }, func() []ir.Ref {
		y := w.sumOf(num(1), w.neg(x))
		below := w.le(x, w.div(w.add(a, num(1)), w.add(w.add(a, b), num(2))))
		tiny := w.all(w.not(below), w.lt(b, num(special.TinyShape)))
		return w.If(tiny, func() []ir.Ref { return []ir.Ref{w.value(w.tinyBeta(a, b, y))} }, func() []ir.Ref {
			f := w.betaFraction(w.sel(below, a, b), w.sel(below, b, a), w.pairSel(below, w.pairOf(x), y), w.pairSel(below, y, w.pairOf(x)))
			return []ir.Ref{w.sel(below, w.value(f), w.value(w.pairSub(w.one(), f)))}
		})
	})[0]
}

// betaFraction returns I_x(a, b) by the even part of its continued fraction, y = 1 − x.
func (w writer) betaFraction(a, b ir.Ref, x, y pair) pair {
	f := w.betaFactor(a, b, x, y)
	return ofState(w.If(w.isZero(f.hi), func() []ir.Ref { return state(w.pairNum(0, 0)) }, func() []ir.Ref {
		num := w.num
		n1 := w.sumOf(a, num(1))
		rate := w.addFloat(w.pairSub(w.mulFloat(y, a), w.mulFloat(x, b)), num(1))
		two := w.addFloat(y, num(1))
		ab := w.sumOf(a, b)
		d := w.pairDiv(n1, rate)
		r := w.repeat(1, special.FractionSteps, state(d, w.pairNum(0x1p600, 0), d), func(n ir.Ref, s []ir.Ref) ([]ir.Ref, ir.Ref) {
			h, c, d := ofState(s), ofState(s[2:]), ofState(s[4:])
			twice := w.mul(num(2), n)
			at, before := w.sumOf(a, w.sub(twice, num(1))), w.sumOf(a, w.sub(n, num(1)))
			up := w.pairMul(w.sumOf(b, w.neg(n)), x)
			v := w.pairMul(w.pairDiv(w.pairMul(w.addFloat(ab, w.sub(n, num(1))), x), at), up)
			v = ofState(w.If(w.eq(n, num(1)), func() []ir.Ref { return state(w.pairDiv(v, n1)) }, func() []ir.Ref {
				return state(w.mulFloat(w.pairDiv(w.pairMul(v, before), at), n))
			}))
			t := w.pairDiv(w.sumOf(a, n), w.sumOf(a, w.add(twice, num(1))))
			t = w.pairMul(t, w.pairAdd(w.mulFloat(two, n), rate))
			t = w.addFloat(w.pairAdd(t, w.pairDiv(w.mulFloat(up, n), at)), n)
			d = w.pairDiv(w.one(), w.pairAdd(w.pairMul(v, d), t))
			c = w.pairAdd(t, w.pairDiv(v, c))
			step := w.pairMul(c, d)
			return state(w.pairMul(h, step), c, d), w.lt(w.abs(w.addFloat(step, num(-1)).hi), num(0x1p-100))
		})
		return state(w.pairMul(w.pairMul(f, ofState(r)), w.pairDiv(w.pairOf(b), ab)))
	}))
}

// betaFactor returns x^a·y^b·Γ(a + b + 1)/(Γ(a + 1)·Γ(b + 1)).
func (w writer) betaFactor(a, b ir.Ref, x, y pair) pair {
	num := w.num
	lx, ly := w.logNearOne(x, y), w.logNearOne(y, x)
	swap := w.lt(a, b)
	large, small, l := w.sel(swap, b, a), w.sel(swap, a, b), w.sel(swap, ly.hi, lx.hi)
	return ofState(w.If(w.lt(w.mul(large, l), num(special.NegligiblePower)), func() []ir.Ref { return state(w.pairNum(0, 0)) }, func() []ir.Ref {
		sum := w.sumOf(large, small)
		rise := ofState(w.If(w.lt(large, num(special.StirlingFrom)), func() []ir.Ref {
			return state(w.pairSub(w.lgamma(w.addFloat(sum, num(1))), w.lgamma(w.sumOf(large, num(1)))))
		}, func() []ir.Ref {
			v := w.pairMul(w.sumOf(large, num(0.5)), w.pairLog1p(w.quotientOf(small, large)))
			v = w.addFloat(w.pairAdd(v, w.mulFloat(w.pairLog(sum), small)), w.neg(small))
			return state(w.pairSub(w.pairAdd(v, w.stirlingRest(sum)), w.stirlingRest(w.pairOf(large))))
		}))
		v := w.pairAdd(w.pairAdd(w.mulFloat(lx, a), w.mulFloat(ly, b)), rise)
		return state(w.pairExp(w.pairSub(v, w.lgamma(w.sumOf(small, num(1))))))
	}))
}

// logNearOne is log x, given 1 − x.
func (w writer) logNearOne(x, rest pair) pair {
	return ofState(w.If(w.lt(rest.hi, w.num(0.3)),
		func() []ir.Ref { return state(w.pairLog1p(w.pairNeg(rest))) },
		func() []ir.Ref { return state(w.pairLog(x)) }))
}

// tinyBeta returns I_x(a, b) for a tiny b and x above the mean, y = 1 − x.
func (w writer) tinyBeta(a, b ir.Ref, y pair) pair {
	r := w.repeat(1, 200, state(w.one(), w.pairNum(0, 0)), func(n ir.Ref, s []ir.Ref) ([]ir.Ref, ir.Ref) {
		term := w.divFloat(w.pairMul(w.pairMul(ofState(s), w.sumOf(n, w.neg(a))), y), n)
		t := w.pairAdd(ofState(s[2:]), w.pairDiv(term, w.sumOf(b, n)))
		return state(term, t), w.lt(w.abs(term.hi), w.num(0x1p-108))
	})
	middle := w.half(b)
	v := w.pairSub(w.digamma(w.addFloat(w.sumOf(a, w.num(1)), middle)), w.digamma(w.sumOf(w.num(1), middle)))
	v = w.pairAdd(w.pairAdd(w.pairLog(y), v), w.tinyLog(b, ofState(r[2:])))
	rest := w.pairSub(w.one(), w.mulFloat(w.pairMul(v, w.tinyExp(b, v)), a))
	return w.pairMul(w.pairDiv(w.pairOf(b), w.sumOf(a, b)), rest)
}

// betaUniform returns I_x(a, b) of large parameters.
func (w writer) betaUniform(a, b, x ir.Ref) ir.Ref {
	num := w.num
	quarter := func(v ir.Ref) ir.Ref { return w.div(v, num(4)) }
	n := w.add(quarter(a), quarter(b))
	sigma := w.sqrt(w.mul(a, w.div(quarter(b), n)))
	u, v := w.productOf(x, b), w.productOf(x, a)
	first := w.sumOf(u.hi, w.neg(a))
	d := w.addFloat(w.addFloat(w.addFloat(w.sumOf(first.hi, v.hi), first.lo), u.lo), v.lo)
	far := w.mul(num(special.BetaFar), sigma)
	return w.unless([]exception{{w.lt(d.hi, w.neg(far)), num(0)}, {w.lt(far, d.hi), num(1)}}, func() ir.Ref {
		ea, eb := w.divFloat(d, a), w.pairNeg(w.divFloat(d, b))
		half := w.pairMul(w.pairSub(w.pairMul(w.logRest(ea), ea), w.pairMul(w.logRest(eb), eb)), d)
		below := w.isNegative(d.hi)
		zeta := w.value(w.pairSqrt(w.pairTwice(half)))
		zeta = w.sel(below, w.neg(zeta), zeta)
		t := w.div(w.div(w.sub(quarter(b), quarter(a)), n), sigma)
		square, inverse := w.mul(t, t), w.div(num(0.25), n)
		s := num(0)
		table := coefficients.Beta
		for j := len(table) - 1; j >= 0; j-- {
			c := w.add(w.homogeneous(table[j][0], square, inverse), w.homogeneous(table[j][1], square, inverse))
			if j%2 == 0 {
				c = w.mul(c, t)
			}
			s = w.fma(s, zeta, c)
		}
		root := w.pairSqrt(w.mulFloat(w.pairNum(pi.hi, pi.lo), num(2)))
		rest := w.mulFloat(w.pairDiv(w.pairExp(w.pairNeg(half)), root), s)
		tail := w.pairHalf(w.erfcRoot(half))
		return w.sel(below, w.value(w.pairAdd(tail, rest)), w.value(w.pairSub(w.one(), w.pairSub(tail, rest))))
	})
}

// homogeneous returns c₀·x^n + c₁·x^(n−1)·y + … + cₙ·yⁿ.
func (w writer) homogeneous(c []float64, x, y ir.Ref) ir.Ref {
	s, power := w.num(0), w.num(1)
	for _, v := range c {
		s = w.fma(s, x, w.mul(w.num(v), power))
		power = w.mul(power, y)
	}
	return s
}
