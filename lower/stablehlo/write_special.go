package stablehlo

import (
	"math"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/trace"
)

// Special functions without a fixed number of steps are decomposed into loops in f64, which
// end when no element changes, or after maxSteps. They lose digits where large numbers cancel in an exponent.

// maxSteps bounds the iterations of the loops that add up series and continued fractions.
const maxSteps = 110000

// f64 returns a number of the type in which these functions compute.
func f64(v float64) core.Value { return core.Lit(core.FloatNumber(v), core.Float64) }

// choose returns yes where a condition holds, else no. Either may be a scalar.
func choose(c, yes, no core.Value) core.Value {
	shape := c.Aval().Shape
	full := func(x core.Value) core.Value {
		if x.Aval().Shape != shape {
			return prim.BroadcastInDim(x, shape, core.Dims{})
		}
		return x
	}
	return prim.Where(c, full(yes), full(no))
}

// specialFunction returns the decomposition of a special function, nil if p is another operation.
func specialFunction(p core.Primitive, avals []core.ShapedArray) func(in []core.Value) []core.Value {
	var f func(v []core.Value) core.Value
	switch p.(type) {
	case prim.IgammaP:
		f = func(v []core.Value) core.Value { return gammaPart(v[0], v[1], false) }
	case prim.IgammacP:
		f = func(v []core.Value) core.Value { return gammaPart(v[0], v[1], true) }
	case prim.IgammaGradAP:
		f = func(v []core.Value) core.Value {
			a, x := v[0], v[1]
			y := prim.Mul(gammaSlope(a, x), gammaFactor(a, x))
			inf, zero := f64(math.Inf(1)), f64(0)
			y = choose(prim.Or(prim.Eq(x, zero), prim.Or(prim.Eq(a, inf), prim.Eq(x, inf))), zero, y)
			return invalid(y, prim.Or(prim.Le(a, zero), prim.Lt(x, zero)), a, x)
		}
	case prim.RandomGammaGradP:
		f = func(v []core.Value) core.Value {
			a, x := v[0], v[1]
			// dP/dx is gammaFactor times a/x.
			y := prim.Neg(prim.Div(prim.Mul(gammaSlope(a, x), x), a))
			y = choose(prim.Eq(x, f64(0)), f64(0), y)
			infinite := prim.And(prim.Ne(x, f64(0)), prim.Or(prim.Eq(a, f64(math.Inf(1))), prim.Eq(x, f64(math.Inf(1)))))
			return invalid(y, prim.Or(infinite, prim.Or(prim.Le(a, f64(0)), prim.Lt(x, f64(0)))), a, x)
		}
	case prim.RegularizedIncompleteBetaP:
		f = func(v []core.Value) core.Value { return betaPart(v[0], v[1], v[2]) }
	case prim.ZetaP:
		f = func(v []core.Value) core.Value { return hurwitz(v[0], v[1]) }
	default:
		return nil
	}
	out := core.AbstractOf(p, avals)[0]
	return func(in []core.Value) []core.Value {
		wide := make([]core.Value, len(in))
		for i, x := range in {
			wide[i] = convert(x, core.Float64)
			if s := x.Aval().Shape; s != out.Shape {
				wide[i] = prim.BroadcastInDim(wide[i], out.Shape, core.Range(0, s.Len()))
			}
		}
		return []core.Value{convert(f(wide), out.DType)}
	}
}

// refined repeats a step on arrays until no element changes, but fewer than maxSteps times. active, and the first result of step, are masks of the
// elements that change; the other elements keep their values.
func refined(step func(k core.Value, c []core.Value) []core.Value, active core.Value, init ...core.Value) []core.Value {
	a := active.Aval()
	scalar := core.Aval(core.Float64)
	out := trace.While(func(c []core.Value) core.Value {
		any := prim.ReduceOr(c[1], core.Range(0, a.Rank()))
		return prim.And(any, prim.Lt(c[0], f64(maxSteps)))
	}, func(c []core.Value) []core.Value {
		next := step(c[0], c[2:])
		result := []core.Value{prim.Add(c[0], f64(1)), prim.And(c[1], next[0])}
		for i, x := range c[2:] {
			result = append(result, prim.Where(c[1], next[1+i], x))
		}
		return result
	}, append([]core.Value{prim.Full(scalar, 1), active}, init...))
	return out[2:]
}

// changes reports where a term is not negligible beside a sum.
func changes(term, sum core.Value) core.Value {
	return prim.Gt(prim.Abs(term), prim.Mul(prim.Abs(sum), f64(0x1p-54)))
}

// gammaFactor returns x^a·e^(−x)/Γ(a + 1).
func gammaFactor(a, x core.Value) core.Value {
	return prim.Exp(prim.Sub(prim.Sub(prim.Mul(a, prim.Log(x)), x), prim.Lgamma(prim.Add(a, f64(1)))))
}

// between reports where operands are positive and finite. No loop runs for other elements.
func between(in ...core.Value) core.Value {
	var all core.Value
	for _, x := range in {
		inside := prim.And(prim.Gt(x, f64(0)), prim.Lt(x, f64(math.Inf(1))))
		if all == nil {
			all = inside
		} else {
			all = prim.And(all, inside)
		}
	}
	return all
}

// bySeries reports where the series of P converges fast; elsewhere the fraction of Q does.
func bySeries(a, x core.Value) core.Value {
	return prim.Or(prim.Lt(x, f64(1)), prim.Le(x, a))
}

// gammaSeries returns P(a, x)/gammaFactor(a, x) = Σ xᵏ/((a + 1)…(a + k)), and its derivative by a.
func gammaSeries(a, x, where core.Value) (sum, slope core.Value) {
	one, zero := prim.Full(x.Aval(), 1), prim.Zeros(x.Aval())
	out := refined(func(k core.Value, c []core.Value) []core.Value {
		term, rate, sum, slope := c[0], c[1], c[2], c[3]
		at := prim.Add(a, k)
		ratio := prim.Div(x, at)
		rate = prim.Sub(prim.Mul(rate, ratio), prim.Div(prim.Mul(term, ratio), at))
		term = prim.Mul(term, ratio)
		sum, slope = prim.Add(sum, term), prim.Add(slope, rate)
		return []core.Value{prim.Or(changes(term, sum), changes(rate, slope)), term, rate, sum, slope}
	}, where, one, zero, one, zero)
	return out[2], out[3]
}

// gammaFraction returns Q·Γ(a)/(x^a·e^(−x)), a continued fraction, and its derivative by a. It is a product
// of quotients of its numerators and denominators, so nothing overflows.
func gammaFraction(a, x, where core.Value) (value, slope core.Value) {
	first := prim.Sub(prim.Add(x, f64(1)), a) // its derivative is −1, as for every b
	d := prim.Div(f64(1), first)
	out := refined(func(k core.Value, s []core.Value) []core.Value {
		c, dc, d, dd, value, rate := s[0], s[1], s[2], s[3], s[4], s[5]
		b := prim.Add(first, prim.Add(k, k))
		an := prim.Mul(k, prim.Sub(a, k)) // its derivative is k
		dd = prim.Sub(prim.Add(prim.Mul(k, d), prim.Mul(an, dd)), f64(1))
		d = prim.Div(f64(1), prim.Add(prim.Mul(an, d), b))
		dd = prim.Neg(prim.Mul(prim.Mul(dd, d), d))
		quotient := prim.Div(an, c)
		dc = prim.Sub(prim.Div(prim.Sub(k, prim.Mul(quotient, dc)), c), f64(1))
		c = prim.Add(b, quotient)
		change := prim.Mul(d, c)
		step := prim.Add(prim.Div(dd, d), prim.Div(dc, c))
		value, rate = prim.Mul(value, change), prim.Add(rate, step)
		more := prim.Or(changes(prim.Sub(change, f64(1)), f64(4)), changes(step, rate))
		return []core.Value{more, c, dc, d, dd, value, rate}
	}, where, prim.Full(x.Aval(), 0x1p500), prim.Zeros(x.Aval()), d, prim.Mul(d, d), d, d)
	return out[4], prim.Mul(out[4], out[5])
}

// gammaPart returns P(a, x), or Q(a, x) if upper.
func gammaPart(a, x core.Value, upper bool) core.Value {
	series, inside := bySeries(a, x), between(a, x)
	factor := gammaFactor(a, x)
	sum, _ := gammaSeries(a, x, prim.And(series, inside))
	value, _ := gammaFraction(a, x, prim.And(prim.Not(series), inside))
	p := prim.Mul(sum, factor)
	q := prim.Mul(value, prim.Mul(factor, a))
	one := f64(1)
	y := choose(series, p, prim.Sub(one, q))
	low, high := f64(0), f64(1)
	if upper {
		y = choose(series, prim.Sub(one, p), q)
		low, high = high, low
	}
	inf, zero := f64(math.Inf(1)), f64(0)
	y = choose(prim.Or(prim.Eq(a, zero), prim.Eq(x, inf)), high, y)
	y = choose(prim.Or(prim.Eq(x, zero), prim.Eq(a, inf)), low, y)
	both := prim.Or(prim.And(prim.Eq(a, zero), prim.Eq(x, zero)), prim.And(prim.Eq(a, inf), prim.Eq(x, inf)))
	return invalid(y, prim.Or(both, prim.Or(prim.Lt(a, zero), prim.Lt(x, zero))), a, x)
}

// invalid returns y, but NaN where a condition holds or an operand is NaN.
func invalid(y, where core.Value, in ...core.Value) core.Value {
	for _, x := range in {
		where = prim.Or(where, prim.Ne(x, x))
	}
	return choose(where, f64(math.NaN()), y)
}

// gammaSlope returns the derivative of P(a, x) by a, divided by gammaFactor(a, x).
func gammaSlope(a, x core.Value) core.Value {
	series, inside := bySeries(a, x), between(a, x)
	logX := prim.Log(x)
	sum, dsum := gammaSeries(a, x, prim.And(series, inside))
	value, dvalue := gammaFraction(a, x, prim.And(prim.Not(series), inside))
	p := prim.Add(dsum, prim.Mul(sum, prim.Sub(logX, prim.Digamma(prim.Add(a, f64(1))))))
	q := prim.Mul(a, prim.Add(dvalue, prim.Mul(value, prim.Sub(logX, prim.Digamma(a)))))
	return choose(series, p, prim.Neg(q))
}

// betaFraction returns I_x(a, b) by its continued fraction. The mask `where` has the elements for which that converges fast;
// the others are not refined.
func betaFraction(a, b, x, where core.Value) core.Value {
	one := f64(1)
	nonzero := func(v core.Value) core.Value {
		return choose(prim.Lt(prim.Abs(v), f64(0x1p-1000)), f64(0x1p-1000), v)
	}
	both, after, before := prim.Add(a, b), prim.Add(a, one), prim.Sub(a, one)
	d := prim.Div(one, nonzero(prim.Sub(one, prim.Div(prim.Mul(both, x), after))))
	out := refined(func(k core.Value, s []core.Value) []core.Value {
		c, d, h := s[0], s[1], s[2]
		twice := prim.Add(k, k)
		at := prim.Add(a, twice)
		even := prim.Div(prim.Mul(prim.Mul(k, prim.Sub(b, k)), x), prim.Mul(prim.Add(before, twice), at))
		odd := prim.Neg(prim.Div(prim.Mul(prim.Mul(prim.Add(a, k), prim.Add(both, k)), x), prim.Mul(at, prim.Add(after, twice))))
		var change core.Value
		for _, v := range []core.Value{even, odd} {
			d = prim.Div(one, nonzero(prim.Add(one, prim.Mul(v, d))))
			c = nonzero(prim.Add(one, prim.Div(v, c)))
			change = prim.Mul(d, c)
			h = prim.Mul(h, change)
		}
		return []core.Value{changes(prim.Sub(change, one), f64(4)), c, d, h}
	}, where, prim.Full(x.Aval(), 1), d, d)
	logBeta := prim.Sub(prim.Add(prim.Lgamma(a), prim.Lgamma(b)), prim.Lgamma(both))
	front := prim.Exp(prim.Sub(prim.Add(prim.Mul(a, prim.Log(x)), prim.Mul(b, prim.Log1p(prim.Neg(x)))), logBeta))
	return prim.Div(prim.Mul(front, out[2]), a)
}

// betaPart returns I_x(a, b).
func betaPart(a, b, x core.Value) core.Value {
	one, zero, inf := f64(1), f64(0), f64(math.Inf(1))
	below := prim.Le(x, prim.Div(prim.Add(a, one), prim.Add(prim.Add(a, b), f64(2))))
	rest := prim.Sub(one, x)
	inside := between(a, b, x, rest)
	y := choose(below, betaFraction(a, b, x, prim.And(below, inside)), prim.Sub(one, betaFraction(b, a, rest, prim.And(prim.Not(below), inside))))
	y = choose(prim.Or(prim.Eq(x, zero), prim.Eq(x, one)), x, y)
	aZero := prim.Or(prim.Eq(a, zero), prim.Eq(b, inf))
	bZero := prim.Or(prim.Eq(b, zero), prim.Eq(a, inf))
	y = choose(prim.Or(aZero, bZero), one, y)
	y = choose(prim.Or(prim.And(bZero, prim.Ne(x, one)), prim.And(aZero, prim.Eq(x, zero))), zero, y)
	outside := prim.Or(prim.Or(prim.Lt(a, zero), prim.Lt(b, zero)), prim.Or(prim.Lt(x, zero), prim.Gt(x, one)))
	return invalid(y, prim.Or(outside, prim.And(aZero, bZero)), a, b, x)
}

// hurwitz returns the Hurwitz zeta function Σ (q + k)⁻ˢ. It adds terms until q + k is at least the greater of 12 and s,
// or a term with q + k ≥ 0 changes nothing. Unless the next term changes nothing, the formula of Euler and Maclaurin
// adds the rest.
func hurwitz(s, q core.Value) core.Value {
	a := q.Aval()
	minus := prim.Neg(s)
	small := func(at core.Value) core.Value { return prim.Or(prim.Lt(at, f64(12)), prim.Lt(at, s)) }
	valid := prim.And(prim.And(prim.Gt(s, f64(1)), prim.Lt(s, f64(math.Inf(1)))), prim.Ge(q, f64(-100000)))
	out := refined(func(_ core.Value, c []core.Value) []core.Value {
		at, sum := c[0], c[1]
		term := prim.Pow(at, minus)
		sum = prim.Add(sum, term)
		at = prim.Add(at, f64(1))
		return []core.Value{prim.And(small(at), prim.Or(changes(term, sum), prim.Lt(at, f64(1)))), at, sum}
	}, prim.And(small(q), valid), q, prim.Zeros(a))
	at, sum := out[0], out[1]
	power := prim.Pow(at, minus)
	head, more := sum, changes(power, sum)
	sum = prim.Add(sum, prim.Div(prim.Mul(power, at), prim.Sub(s, f64(1))))
	sum = prim.Add(sum, prim.Mul(f64(0.5), power))
	factor := prim.Full(a, 1)
	k := 0.0
	for _, c := range zetaDivisors {
		for i := range 2 {
			factor = prim.Mul(factor, prim.Add(s, f64(k)))
			power = prim.Div(power, at)
			if i == 0 {
				sum = prim.Add(sum, prim.Div(prim.Mul(factor, power), f64(c)))
			}
			k++
		}
	}
	sum = choose(more, sum, head)
	above := prim.Sub(s, f64(1))
	sum = choose(prim.Ge(q, f64(0x1p100)), prim.Div(prim.Pow(q, prim.Neg(above)), above), sum) // q⁻ˢ may be too small for a number
	whole := prim.Eq(q, prim.Floor(q))
	inf := f64(math.Inf(1))
	sum = choose(prim.Eq(q, inf), f64(0), sum)
	sum = choose(prim.Eq(s, inf), choose(prim.Lt(q, f64(1)), inf, choose(prim.Eq(q, f64(1)), f64(1), prim.Zeros(a))), sum)
	negative := prim.And(prim.Lt(q, f64(0)), prim.Or(prim.Ne(s, prim.Floor(s)), prim.Lt(q, f64(-100000))))
	sum = invalid(sum, prim.Or(negative, prim.Lt(s, f64(1))))
	infinite := prim.Or(prim.Eq(s, f64(1)), prim.And(prim.Le(q, f64(0)), whole))
	return invalid(choose(prim.And(infinite, prim.Ge(s, f64(1))), inf, sum), prim.Ne(s, s), q)
}

// zetaDivisors are (2k)! / B₂ₖ.
var zetaDivisors = []float64{
	12, -720, 30240, -1209600, 47900160, -1.8924375803183791606e9, 7.47242496e10,
	-2.950130727918164224e12, 1.1646782814350067249e14, -4.5979787224074726105e15,
	1.8152105401943546773e17, -7.1661652561756670113e18,
}
