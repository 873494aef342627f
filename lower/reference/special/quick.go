package special

import "math"

// Incomplete functions whose results are rounded to f32 or less are first computed in f64. If
// all numbers within the error bound round to one f32, that is the result: it has the bits of
// the functions of f64, which compute the rest.

// quickError bounds the relative error of the product of the factor and the series or fraction
// below. For results that roundsAlike accepts, the exponent of the factor is a sum of numbers below
// 2⁹, each a few units in its last place off; what is left out of a series is below 2^-40. For
// fractions the bound is measured, not proved: the largest error of all is 2^-42.1, of 400,000
// arguments of the ranges below. The tests require an eighth of the bound.
const quickError = 0x1p-38

// roundsAlike reports whether v is above 2^-120 and all numbers within err of v round to one f32.
func roundsAlike(v, err float64) bool { return float32(v-err) == float32(v+err) && v > 0x1p-120 }

// quickIgamma is igamma for arguments of 24 bits; ok is false if the result is not certain.
func quickIgamma(a, x float64, upper bool) (v float64, ok bool) {
	if !(a >= 0x1p-6 && a <= 60 && x >= 0x1p-20 && x <= 100) {
		return 0, false
	}
	lg, _ := math.Lgamma(a + 1)
	factor := math.Exp(a*math.Log(x) - x - lg)
	below := x < 1 || x <= a
	if below {
		v, ok = quickSeries(a, x)
	} else {
		v, ok = quickFraction(a, x)
		factor *= a
	}
	v *= factor
	err := v * quickError
	if below == upper {
		v = 1 - v
		err += 0x1p-52
	}
	return v, ok && roundsAlike(v, err)
}

// quickSeries returns 1 + x/(a + 1) + x²/((a + 1)(a + 2)) + … with one division, for x < 1 or x
// ≤ a ≤ 60.
func quickSeries(a, x float64) (v float64, ok bool) {
	num, den, power := 1.0, 1.0, 1.0
	for k := 1; k < 100; k++ {
		at := a + float64(k)
		power *= x
		den *= at
		num = num*at + power
		if power < num*0x1p-44 {
			// The rest is smaller than a geometric series of ratio 0.9: if x were 0.9·at or
			// more, k would be at most a/9 < 7, and no term so far below 0.9⁷.
			return num / den, true
		}
	}
	return 0, false
}

// quickFraction returns Legendre's continued fraction of gammaFraction by its convergents.
func quickFraction(a, x float64) (v float64, ok bool) {
	b := x - a + 1
	num0, num1, den0, den1 := 0.0, 1.0, 1.0, b
	for k := 1; k < 80; k++ {
		n := float64(k)
		c := n * (a - n)
		b += 2
		num0, num1 = num1, b*num1+c*num0
		den0, den1 = den1, b*den1+c*den0
		if k%4 == 0 && math.Abs(num1*den0-num0*den1) <= 0x1p-44*math.Abs(num1*den0) {
			return num1 / den1, true
		}
	}
	return 0, false
}

// quickBetainc is betainc for arguments of 24 bits; ok is false if the result is not certain.
func quickBetainc(a, b, x float64) (v float64, ok bool) {
	in := func(v float64) bool { return v >= 0x1p-6 && v <= 60 }
	if !in(a) || !in(b) || !(x >= 0x1p-20 && x <= 1-0x1p-20) {
		return 0, false
	}
	rest := x > (a+1)/(a+b+2)
	y := 1 - x // exact
	if rest {
		a, b, x, y = b, a, y, x
	}
	lab, _ := math.Lgamma(a + b)
	la, _ := math.Lgamma(a + 1)
	lb, _ := math.Lgamma(b)
	v = math.Exp(a*math.Log(x) + b*math.Log(y) + lab - la - lb)
	f, ok := quickBetaFraction(a, b, x)
	v *= f
	err := v * quickError
	if rest {
		v = 1 - v
		err += 0x1p-52
	}
	return v, ok && roundsAlike(v, err)
}

// quickBetaFraction returns the continued fraction of betaFraction by its convergents.
func quickBetaFraction(a, b, x float64) (v float64, ok bool) {
	num0, num1, den0, den1 := 1.0, 1.0, 1.0, 1-(a+b)*x/(a+1)
	for k := 1; k < 100; k++ {
		m := float64(k)
		a2 := a + 2*m
		d := m * (b - m) * x / ((a2 - 1) * a2)
		num0, num1 = num1, num1+d*num0
		den0, den1 = den1, den1+d*den0
		d = -(a + m) * (a + b + m) * x / (a2 * (a2 + 1))
		num0, num1 = num1, num1+d*num0
		den0, den1 = den1, den1+d*den0
		if math.Abs(num1*den0-num0*den1) <= 0x1p-44*math.Abs(num1*den0) {
			return num1 / den1, true
		}
	}
	return 0, false
}
