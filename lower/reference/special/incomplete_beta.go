package special

import (
	"github.com/weft-go/weft/lower/reference/internal/block"
	"math"
)

// largeBeta is the size of both parameters from which I_x(a, b) comes from its uniform expansion. The fraction takes
// about 3,500 steps there.
const largeBeta = 0x1p22

// Betainc returns the regularized incomplete beta function I_x(a, b).
func Betainc(a, b, x float64) float64 {
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
		return betaFraction(a, b, Double{x, 0}, y).Value()
	}
	if b < tinyShape {
		return tinyBeta(a, b, y).Value()
	}
	return Double{1, 0}.Sub(betaFraction(b, a, y, Double{x, 0})).Value()
}

// betaFraction returns I_x(a, b) by the even part of its continued fraction, y = 1 − x. Its terms contain
// a·y − b·x and quotients only, so nothing is lost or overflows where one parameter is huge.
func betaFraction(a, b float64, x, y Double) Double {
	one := Double{1, 0}
	f := betaFactor(a, b, x, y)
	if f.Hi == 0 {
		return Double{}
	}
	n1 := sumOf(a, 1)
	rate := y.MulFloat(a).Sub(x.MulFloat(b)).AddFloat(1)
	two := y.AddFloat(1)
	ab := sumOf(a, b)
	// Lentz's method.
	d := n1.div(rate)
	c := Double{0x1p600, 0}
	h := d
	for k := 1; k < fractionSteps; k++ {
		n := float64(k)
		at, before := sumOf(a, 2*n-1), sumOf(a, n-1)
		up := sumOf(b, -n).Mul(x)
		num := ab.AddFloat(n - 1).Mul(x).div(at).Mul(up)
		if k == 1 {
			num = num.div(n1)
		} else {
			num = num.Mul(before).div(at).MulFloat(n)
		}
		b := sumOf(a, n).div(sumOf(a, 2*n+1)).Mul(two.MulFloat(n).Add(rate)).Add(up.MulFloat(n).div(at)).AddFloat(n)
		d = one.div(num.Mul(d).Add(b))
		c = b.Add(num.div(c))
		step := c.Mul(d)
		h = h.Mul(step)
		if math.Abs(step.AddFloat(-1).Hi) < 0x1p-100 {
			break
		}
	}
	return f.Mul(h).Mul(Double{b, 0}.div(ab))
}

// stirlingFrom is the parameter from which differences of log Γ come from Stirling's series without its
// terms that cancel.
const stirlingFrom = 1024

// negligiblePower is an exponent that the others of a product cannot make up for: they are below 2^32.
const negligiblePower = -0x1p40

// betaFactor returns x^a·y^b·Γ(a + b + 1)/(Γ(a + 1)·Γ(b + 1)).
func betaFactor(a, b float64, x, y Double) Double {
	lx, ly := logNearOne(x, y), logNearOne(y, x)
	large, small, l := a, b, lx.Hi
	if b > a {
		large, small, l = b, a, ly.Hi
	}
	if block.Times(large, l) < negligiblePower {
		return Double{}
	}
	var rise Double // log Γ(a + b + 1)/Γ(large + 1)
	sum := sumOf(large, small)
	if large < stirlingFrom {
		rise = sum.AddFloat(1).lgamma().Sub(sumOf(large, 1).lgamma())
	} else {
		rise = sumOf(large, 0.5).Mul(log1p(QuotientOf(small, large))).Add(sum.log().MulFloat(small)).AddFloat(-small).
			Add(sum.stirlingRest()).Sub(Double{large, 0}.stirlingRest())
	}
	return lx.MulFloat(a).Add(ly.MulFloat(b)).Add(rise).Sub(sumOf(small, 1).lgamma()).exp()
}

// logNearOne is log x, given 1 − x.
func logNearOne(x, rest Double) Double {
	if rest.Hi < 0.3 {
		return log1p(rest.Neg())
	}
	return x.log()
}

// tinyBeta returns I_x(a, b) for b < tinyShape and x above the mean, y = 1 − x: 1 − a/(a + b)·e^(b·v) with
// b·v = b·log y + log Γ(a + b + 1)/(Γ(a + 1)·Γ(b + 1)) + log(1 + b·t) and the sum t of (1 − a)ₖ·y^k/(k!·(b + k)).
func tinyBeta(a, b float64, y Double) Double {
	term, t := Double{1, 0}, Double{}
	for k := 1; k < 200; k++ {
		n := float64(k)
		term = term.Mul(sumOf(n, -a)).Mul(y).DivFloat(n)
		t = t.Add(term.div(sumOf(b, n)))
		if math.Abs(term.Hi) < 0x1p-108 {
			break
		}
	}
	// Differences of log Γ by b are b times the slope between.
	rise := sumOf(a, 1).AddFloat(b / 2).digamma().Sub(sumOf(1, b/2).digamma())
	v := y.log().Add(rise).Add(tinyLog(b, t))
	rest := Double{1, 0}.Sub(v.Mul(tinyExp(b, v)).MulFloat(a))
	return Double{b, 0}.div(sumOf(a, b)).Mul(rest)
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
	sigma := math.Sqrt(block.Times(a, q))
	// (a + b)·x − a, of terms that nearly cancel.
	u, v := productOf(x, b), productOf(x, a)
	first := sumOf(u.Hi, -a)
	d := sumOf(first.Hi, v.Hi).AddFloat(first.Lo).AddFloat(u.Lo).AddFloat(v.Lo)
	switch {
	case d.Hi < -block.Times(betaFar, sigma):
		return 0
	case d.Hi > block.Times(betaFar, sigma):
		return 1
	}
	ea, eb := d.DivFloat(a), d.DivFloat(b).Neg() // x/p − 1, y/q − 1
	half := logRest(ea).Mul(ea).Sub(logRest(eb).Mul(eb)).Mul(d)
	zeta := Double{2 * half.Hi, 2 * half.Lo}.sqrt().Value()
	if d.Hi < 0 {
		zeta = -zeta
	}
	t := (b/4 - a/4) / n / sigma
	square, inverse := block.Times(t, t), 0.25/n
	s := 0.0
	for j := len(betaTerms) - 1; j >= 0; j-- {
		c := homogeneous(betaTerms[j][0], square, inverse) + homogeneous(betaTerms[j][1], square, inverse)
		if j%2 == 0 {
			c = block.Times(c, t)
		}
		s = math.FMA(s, zeta, c)
	}
	rest := half.Neg().exp().div(DoublePi.MulFloat(2).sqrt()).MulFloat(s)
	tail := erfcRoot(half)
	tail = Double{tail.Hi / 2, tail.Lo / 2}
	if d.Hi < 0 {
		return tail.Add(rest).Value()
	}
	return Double{1, 0}.Sub(tail.Sub(rest)).Value()
}

// homogeneous returns c₀·x^n + c₁·x^(n−1)·y + … + cₙ·yⁿ.
func homogeneous(c []float64, x, y float64) float64 {
	s, power := 0.0, 1.0
	for _, v := range c {
		s = math.FMA(s, x, block.Times(v, power))
		power = block.Times(power, y)
	}
	return s
}
