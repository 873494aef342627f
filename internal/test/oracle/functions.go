package oracle

import "math"

// Asin returns the arc sine for |x| < 1.
func Asin(p uint, x *F) *F {
	q := p + 64
	c := sub(2*q, num(q, 1), mul(2*q, x, x)) // (1 − x)(1 + x), with room
	return Atan(p, div(q, x, Sqrt(q, c)))
}

// Acos returns the arc cosine for −1 < x ≤ 1.
func Acos(p uint, x *F) *F {
	q := p + 64
	one := num(q, 1)
	t := Sqrt(q, div(q, sub(q, one, x), add(q, one, x)))
	return scale(Atan(p, t), 1)
}

// Sinh returns (e^x − e^(−x))/2.
func Sinh(p uint, x *F) *F {
	q := p + 32
	t := Expm1(q, at(x.Prec()).Abs(x)) // (t + t/(1 + t))/2
	y := scale(add(q, t, div(q, t, add(q, t, num(q, 1)))), -1)
	if x.Sign() < 0 {
		y.Neg(y)
	}
	return at(p).Set(y)
}

// Cosh returns (e^x + e^(−x))/2.
func Cosh(p uint, x *F) *F {
	q := p + 32
	e := Exp(q, x)
	return at(p).Set(scale(add(q, e, div(q, num(q, 1), e)), -1))
}

// Tanh returns sinh x/cosh x.
func Tanh(p uint, x *F) *F {
	q := p + 32
	t := Expm1(q, scale(at(q).Abs(x), 1))
	y := div(p, t, add(q, t, num(q, 2)))
	if x.Sign() < 0 {
		y.Neg(y)
	}
	return y
}

// Asinh returns log(x + √(x² + 1)).
func Asinh(p uint, x *F) *F {
	q := p + 32
	a := at(q).Abs(x)
	w := 2*q + 2*uint(max(exp2of(x), 0))
	one := num(w, 1)
	s := Sqrt(w, add(w, one, mul(w, a, a)))
	y := Log1p(q, add(w, a, div(w, mul(w, a, a), add(w, one, s))))
	if x.Sign() < 0 {
		y.Neg(y)
	}
	return at(p).Set(y)
}

// Acosh returns log(x + √(x² − 1)) for x ≥ 1.
func Acosh(p uint, x *F) *F {
	w := 2*p + 128 + 2*uint(max(exp2of(x), 0))
	t := sub(w, x, num(w, 1))
	if t.Sign() == 0 {
		return num(p, 0)
	}
	s := Sqrt(w, mul(w, t, add(w, t, num(w, 2))))
	return Log1p(p, add(w, t, s))
}

// Atanh returns ½·log((1 + x)/(1 − x)) for |x| < 1.
func Atanh(p uint, x *F) *F {
	q := p + 128
	return at(p).Set(scale(Log1p(p+8, div(q, scale(at(q).Set(x), 1), sub(q, num(q, 1), x))), -1))
}

// Logistic returns 1/(1 + e^(−x)).
func Logistic(p uint, x *F) *F {
	q := p + 32
	return div(p, num(q, 1), add(q, num(q, 1), Exp(q, at(q).Neg(x))))
}

// Exp2 returns 2^x.
func Exp2(p uint, x *F) *F { return Exp(p, mul(p+96, x, Ln2(p+96))) }

// Cbrt returns the cube root of x ≠ 0.
func Cbrt(p uint, x *F) *F {
	q := p + 32
	m := at(q)
	e := x.MantExp(m)
	for e%3 != 0 {
		m, e = scale(m, -1), e+1
	}
	f, _ := m.Float64()
	y := num(q, math.Cbrt(f))
	for good := 48; good < int(q); good *= 2 {
		y2 := mul(q, y, y)
		y = sub(q, y, div(q, sub(q, mul(q, y2, y), m), mul(q, y2, num(q, 3))))
	}
	return at(p).Set(scale(y, e/3))
}

// Pow returns x^y for x > 0.
func Pow(p uint, x, y *F) *F {
	q := p + 80 + uint(max(exp2of(y), 0))
	return Exp(p, mul(q, y, Log(q, x)))
}

// Erf returns the error function.
func Erf(p uint, x *F) *F {
	f, _ := x.Float64()
	q := p + 32 + uint(3*f*f) // the terms grow to e^(x²) before they shrink
	z := mul(q, x, x)
	// 2x/√π·e^(−x²)·Σ (2x²)^k/(1·3·5…(2k+1))
	z2 := scale(z, 1)
	s, t := num(q, 0), num(q, 1)
	for k := int64(1); exp2of(t) > exp2of(s)-int(q); k++ {
		s = add(q, s, t)
		t = div(q, mul(q, t, z2), at(q).SetInt64(2*k+1))
	}
	c := div(q, scale(at(q).Set(x), 1), Sqrt(q, Pi(q)))
	return at(p).Mul(mul(q, c, s), Exp(q, at(q).Neg(z)))
}

// Erfc returns 1 − erf x.
func Erfc(p uint, x *F) *F {
	f, _ := x.Float64()
	q := p + 32
	if f > 0 {
		q += uint(1.5 * f * f)
	}
	return at(p).Sub(num(q, 1), Erf(q, x))
}

// ErfInv returns the inverse of Erf for |x| < 1. first is a good first value.
func ErfInv(p uint, x *F, first float64) *F {
	f := math.Abs(first)
	q := p + 64 + uint(2*f*f)
	y := num(q, first)
	k := div(q, Sqrt(q, Pi(q)), num(q, 2))
	for range 5 {
		// Newton, with half of Halley's correction: u = (erf y − x)·√π/2·e^(y²).
		u := mul(q, mul(q, sub(q, Erf(q, y), x), k), Exp(q, mul(q, y, y)))
		if u.Sign() == 0 {
			break
		}
		y = sub(q, y, div(q, u, add(q, num(q, 1), mul(q, u, y))))
		if exp2of(u) < exp2of(y)-int(p)/2-20 {
			break
		}
	}
	return at(p).Set(y)
}
