package composed

import (
	"math"

	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/reference/special"
	"github.com/weft-go/weft/lower/scalar"
)

// igammaGrad returns dP(a, x)/da, or for a sample x of the gamma distribution with shape a its
// derivative.
func (w writer) igammaGrad(a, x ir.Ref, sample bool) ir.Ref {
	far := w.num(0)
	if sample {
		far = w.num(math.NaN())
	}
	return w.unless([]exception{
		{w.any(w.isNaN(a), w.isNaN(x), w.le(a, w.num(0)), w.isNegative(x)), w.num(math.NaN())},
		{w.isZero(x), w.num(0)},
		{w.any(w.isInf(a), w.isInf(x)), far},
	}, func() ir.Ref {
		return w.If(w.le(w.num(special.LargeShape), a), func() []ir.Ref { return []ir.Ref{w.largeSlope(a, x, sample)} },
			func() []ir.Ref { return []ir.Ref{w.slope(a, x, sample)} })[0]
	})
}

// largeSlope is igammaGrad of a large shape, by Wilson and Hilferty's cube.
func (w writer) largeSlope(a, x ir.Ref, sample bool) ir.Ref {
	y := w.cubeRoot(w.div(x, a))
	ninth := w.div(w.num(1), w.mul(w.num(9), a))
	n := w.mul(w.add(w.sub(y, w.num(1)), ninth), w.num(3))
	rate := w.mul(w.mul(y, y), w.add(y, w.mul(w.num(3), w.sub(ninth, w.div(n, w.num(6))))))
	if sample {
		return rate
	}
	return w.neg(w.mul(rate, w.value(w.divFloat(w.mulFloat(w.gammaFactor(a, x), a), x))))
}

// cubeRoot returns the cube root of a number that is not negative, by the steps of package reference's.
func (w writer) cubeRoot(x ir.Ref) ir.Ref {
	num := w.num
	word := func(x uint64) ir.Ref { return w.Const(scalar.U64, x) }
	rough := func(x ir.Ref, bias uint64) ir.Ref {
		return w.ofBits(w.add(w.div(w.bits(x), word(3)), word(bias<<32)))
	}
	t := w.sel(w.lt(x, num(0x1p-1022)), rough(w.mul(num(1<<54), x), 696219795), rough(x, 715094163))
	r := w.div(w.mul(t, t), x)
	s := w.add(num(5.42857142857142815906e-01), w.mul(r, t))
	inner := w.add(w.add(s, num(1.41428571428571436819e+00)), w.div(num(-7.05306122448979611050e-01), s))
	t = w.mul(t, w.add(num(3.57142857142857150787e-01), w.div(num(1.60714285714285720630e+00), inner)))
	t = w.ofBits(w.add(w.op(scalar.OpAnd, scalar.U64, w.bits(t), word(0xFFFFFFFFC<<28)), word(1<<30)))
	r = w.div(x, w.mul(t, t))
	r = w.div(w.sub(r, t), w.add(w.add(t, t), r))
	t = w.add(t, w.mul(t, r))
	return w.sel(w.any(w.isZero(x), w.isInf(x)), x, t)
}

// slope is igammaGrad of other shapes.
func (w writer) slope(a, x ir.Ref, sample bool) ir.Ref {
	l := w.pairLog(w.pairOf(x))
	start := w.pairSub(l, w.digamma(w.sumOf(a, w.num(1))))
	v := ofState(w.If(w.belowMean(a, x), func() []ir.Ref {
		r := w.repeat(1, special.FractionSteps, state(start, start, w.one()), func(k ir.Ref, s []ir.Ref) ([]ir.Ref, ir.Ref) {
			v, psi, term := ofState(s), ofState(s[2:]), ofState(s[4:])
			at := w.sumOf(a, k)
			term = w.pairDiv(w.mulFloat(term, x), at)
			psi = w.pairSub(psi, w.pairDiv(w.one(), at))
			t := w.pairMul(term, psi)
			v = w.pairAdd(v, t)
			return state(v, psi, term), w.lt(w.abs(t.hi), w.mul(w.abs(v.hi), w.num(0x1p-100)))
		})
		return r[:2]
	}, func() []ir.Ref { return state(w.pairNeg(w.fractionSlope(a, x, start))) }))
	if sample {
		return w.value(w.divFloat(w.mulFloat(w.pairNeg(v), x), a))
	}
	return w.value(w.pairMul(v, w.gammaFactor(a, x)))
}

// fractionSlope returns dQ/da over x^a·e^(−x)/Γ(a + 1), for x > a. rate is log x − ψ(a + 1).
func (w writer) fractionSlope(a, x ir.Ref, rate pair) pair {
	num := w.num
	b := w.addFloat(w.sumOf(x, w.neg(a)), num(1))
	h := w.pairDiv(w.one(), b)
	zero := w.pairNum(0, 0)
	// num, den and their derivatives, the older of two first.
	init := state(h, w.pairMul(h, h), b, zero, w.one(), w.one(), b, zero, zero, zero, w.pairNum(-1, 0))
	r := w.repeat(1, special.FractionSteps, init, func(n ir.Ref, s []ir.Ref) ([]ir.Ref, ir.Ref) {
		p := make([]pair, len(s)/2)
		for i := range p {
			p[i] = ofState(s[2*i:])
		}
		h, dh, b := p[0], p[1], p[2]
		num0, num1, den0, den1, dnum0, dnum1, dden0, dden1 := p[3], p[4], p[5], p[6], p[7], p[8], p[9], p[10]
		c := w.mulFloat(w.sumOf(a, w.neg(n)), n)
		b = w.addFloat(b, num(2))
		next := func(v0, v1, d0, d1 pair) (v, d pair) {
			v = w.pairAdd(w.pairMul(b, v1), w.pairMul(c, v0))
			d = w.pairAdd(w.pairSub(w.pairMul(b, d1), v1), w.pairMul(c, d0))
			return v, w.pairAdd(d, w.mulFloat(v0, n))
		}
		num2, dnum2 := next(num0, num1, dnum0, dnum1)
		den2, dden2 := next(den0, den1, dden0, dden1)
		h2 := w.pairDiv(num2, den2)
		dh2 := w.pairDiv(w.pairSub(dnum2, w.pairMul(h2, dden2)), den2)
		near := func(a, b pair, bound float64) ir.Ref {
			return w.le(w.abs(w.pairSub(a, b).hi), w.mul(w.abs(a.hi), num(bound)))
		}
		done := w.all(near(dh2, dh, 0x1p-90), near(h2, h, 0x1p-100))
		shrink := w.sel(w.lt(num(0x1p300), w.abs(den2.hi)), num(0x1p-300), num(1))
		out := state(h2, dh2, b)
		for _, v := range state(num1, num2, den1, den2, dnum1, dnum2, dden1, dden2) {
			out = append(out, w.mul(v, shrink))
		}
		return out, done
	})
	h, dh := ofState(r), ofState(r[2:])
	grow := w.addFloat(w.mulFloat(rate, a), num(1))
	return w.pairAdd(w.pairMul(h, grow), w.mulFloat(dh, a))
}
