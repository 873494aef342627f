package reference

import "math"

// largeBeta is the size of both parameters from which I_x(a, b) comes from its uniform expansion. The fraction takes
// about 3,500 steps there.
const largeBeta = 0x1p22

// betainc returns the regularized incomplete beta function I_x(a, b).
func betainc(a, b, x float64) float64 {
	aZero, bZero := a == 0 || math.IsInf(b, 1), b == 0 || math.IsInf(a, 1)
	switch {
	case math.IsNaN(a) || math.IsNaN(b) || math.IsNaN(x) || a < 0 || b < 0 || x < 0 || x > 1 || aZero && bZero:
		return math.NaN()
	case bZero && x != 1 || aZero && x == 0:
		return 0
	case aZero || bZero:
		return 1
	case x == 0 || x == 1:
		return x
	case min(a, b) >= largeBeta:
		return betaUniform(a, b, x)
	}
	y := sumOf(1, -x)
	// The fraction converges fast below the mean.
	if x <= (a+1)/(a+b+2) {
		return betaFraction(a, b, dd{x, 0}, y).value()
	}
	if b < tinyShape {
		return tinyBeta(a, b, y).value()
	}
	return dd{1, 0}.sub(betaFraction(b, a, y, dd{x, 0})).value()
}

// betaFraction returns I_x(a, b) by the even part of its continued fraction, y = 1 − x. Its terms contain
// a·y − b·x and quotients only, so nothing is lost or overflows where one parameter is huge.
func betaFraction(a, b float64, x, y dd) dd {
	one := dd{1, 0}
	f := betaFactor(a, b, x, y)
	if f.hi == 0 {
		return dd{}
	}
	n1 := sumOf(a, 1)
	rate := y.mulFloat(a).sub(x.mulFloat(b)).addFloat(1)
	two := y.addFloat(1)
	ab := sumOf(a, b)
	// Lentz's method.
	d := n1.div(rate)
	c := dd{0x1p600, 0}
	h := d
	for k := 1; k < fractionSteps; k++ {
		n := float64(k)
		at, before := sumOf(a, 2*n-1), sumOf(a, n-1)
		up := sumOf(b, -n).mul(x)
		num := ab.addFloat(n - 1).mul(x).div(at).mul(up)
		if k == 1 {
			num = num.div(n1)
		} else {
			num = num.mul(before).div(at).mulFloat(n)
		}
		b := sumOf(a, n).div(sumOf(a, 2*n+1)).mul(two.mulFloat(n).add(rate)).add(up.mulFloat(n).div(at)).addFloat(n)
		d = one.div(num.mul(d).add(b))
		c = b.add(num.div(c))
		step := c.mul(d)
		h = h.mul(step)
		if math.Abs(step.addFloat(-1).hi) < 0x1p-100 {
			break
		}
	}
	return f.mul(h).mul(dd{b, 0}.div(ab))
}

// stirlingFrom is the parameter from which differences of log Γ come from Stirling's series without its
// terms that cancel.
const stirlingFrom = 1024

// negligiblePower is an exponent that the others of a product cannot make up for: they are below 2^32.
const negligiblePower = -0x1p40

// betaFactor returns x^a·y^b·Γ(a + b + 1)/(Γ(a + 1)·Γ(b + 1)).
func betaFactor(a, b float64, x, y dd) dd {
	lx, ly := logNearOne(x, y), logNearOne(y, x)
	large, small, l := a, b, lx.hi
	if b > a {
		large, small, l = b, a, ly.hi
	}
	if times(large, l) < negligiblePower {
		return dd{}
	}
	var rise dd // log Γ(a + b + 1)/Γ(large + 1)
	sum := sumOf(large, small)
	if large < stirlingFrom {
		rise = sum.addFloat(1).lgamma().sub(sumOf(large, 1).lgamma())
	} else {
		rise = sumOf(large, 0.5).mul(log1p(quotientOf(small, large))).add(sum.log().mulFloat(small)).addFloat(-small).
			add(sum.stirlingRest()).sub(dd{large, 0}.stirlingRest())
	}
	return lx.mulFloat(a).add(ly.mulFloat(b)).add(rise).sub(sumOf(small, 1).lgamma()).exp()
}

// logNearOne is log x, given 1 − x.
func logNearOne(x, rest dd) dd {
	if rest.hi < 0.3 {
		return log1p(rest.neg())
	}
	return x.log()
}

// tinyBeta returns I_x(a, b) for b < tinyShape and x above the mean, y = 1 − x: 1 − a/(a + b)·e^(b·v) with
// b·v = b·log y + log Γ(a + b + 1)/(Γ(a + 1)·Γ(b + 1)) + log(1 + b·t) and the sum t of (1 − a)ₖ·y^k/(k!·(b + k)).
func tinyBeta(a, b float64, y dd) dd {
	term, t := dd{1, 0}, dd{}
	for k := 1; k < 200; k++ {
		n := float64(k)
		term = term.mul(sumOf(n, -a)).mul(y).divFloat(n)
		t = t.add(term.div(sumOf(b, n)))
		if math.Abs(term.hi) < 0x1p-108 {
			break
		}
	}
	// Differences of log Γ by b are b times the slope between.
	rise := sumOf(a, 1).addFloat(b / 2).digamma().sub(sumOf(1, b/2).digamma())
	v := y.log().add(rise).add(tinyLog(b, t))
	rest := dd{1, 0}.sub(v.mul(tinyExp(b, v)).mulFloat(a))
	return dd{b, 0}.div(sumOf(a, b)).mul(rest)
}

// betaTerms are the coefficients of the expansion of betaUniform by the power of ζ: of the first order and of the third, which are
// homogeneous in t² and 1/(a + b). Those of even powers of ζ are multiplied by t.
var betaTerms = [][2][]float64{
	{{1.0 / 3}, {1.0 / 540, 1.0 / 20}},
	{{-1.0 / 12, -1.0 / 4}, {1.0 / 288, 1.0 / 48, 1.0 / 32}},
	{{2.0 / 135, 1.0 / 15}, {-1.0 / 378, -5.0 / 252, -1.0 / 28}},
	{{-1.0 / 864, -1.0 / 144, -1.0 / 96}, nil},
	{{-1.0 / 2835, -1.0 / 378, -1.0 / 210}, nil},
	{{139.0 / 777600, 139.0 / 86400, 41.0 / 9600, 1.0 / 384}, nil},
}

// betaFar is the distance from the mean, in standard deviations, where I_x(a, b) of large parameters is below the least number.
const betaFar = 40

// betaUniform returns I_x(a, b) of parameters of at least largeBeta: ½·erfc(−ζ/√2) + e^(−½·ζ²)/√(2π)·s, where −½·ζ² is the
// logarithm of (x/p)^a·(y/q)^b, p = a/(a + b), q = 1 − p, and ζ has the sign of x − p. The sum s is a polynomial in ζ, in
// t = (q − p)/σ and in 1/(a + b), with the standard deviation σ = √(a·q) of a number of trials: t² is below 2^-22.
func betaUniform(a, b, x float64) float64 {
	n := a/4 + b/4
	q := b / 4 / n
	sigma := math.Sqrt(times(a, q))
	// (a + b)·x − a, of terms that nearly cancel.
	u, v := productOf(x, b), productOf(x, a)
	first := sumOf(u.hi, -a)
	d := sumOf(first.hi, v.hi).addFloat(first.lo).addFloat(u.lo).addFloat(v.lo)
	switch {
	case d.hi < -times(betaFar, sigma):
		return 0
	case d.hi > times(betaFar, sigma):
		return 1
	}
	ea, eb := d.divFloat(a), d.divFloat(b).neg() // x/p − 1, y/q − 1
	half := logRest(ea).mul(ea).sub(logRest(eb).mul(eb)).mul(d)
	zeta := dd{2 * half.hi, 2 * half.lo}.sqrt().value()
	if d.hi < 0 {
		zeta = -zeta
	}
	t := (b/4 - a/4) / n / sigma
	square, inverse := times(t, t), 0.25/n
	s := 0.0
	for j := len(betaTerms) - 1; j >= 0; j-- {
		c := homogeneous(betaTerms[j][0], square, inverse) + homogeneous(betaTerms[j][1], square, inverse)
		if j%2 == 0 {
			c = times(c, t)
		}
		s = math.FMA(s, zeta, c)
	}
	rest := half.neg().exp().div(ddPi.mulFloat(2).sqrt()).mulFloat(s)
	tail := erfcRoot(half)
	tail = dd{tail.hi / 2, tail.lo / 2}
	if d.hi < 0 {
		return tail.add(rest).value()
	}
	return dd{1, 0}.sub(tail.sub(rest)).value()
}

// homogeneous returns c₀·x^n + c₁·x^(n−1)·y + … + cₙ·yⁿ.
func homogeneous(c []float64, x, y float64) float64 {
	s, power := 0.0, 1.0
	for _, v := range c {
		s = math.FMA(s, x, times(v, power))
		power = times(power, y)
	}
	return s
}
