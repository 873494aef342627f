// Package oracle computes elementary and special functions with math/big, slowly and to as many
// bits as the caller asks for. Tests measure the kernels against it.
//
// Arguments and results are big.Floats. Every function takes the number of bits to which the
// result should be accurate. It uses more where digits cancel.
package oracle

import (
	"math"
	"math/big"
	"sync"
)

// F is a number.
type F = big.Float

// Num returns x exactly; x must not be infinite or NaN.
func Num(x float64) *F { return new(F).SetPrec(53).SetFloat64(x) }

func at(p uint) *F { return new(F).SetPrec(p) }

func num(p uint, x float64) *F { return at(p).SetFloat64(x) }

func ratio(p uint, a, b int64) *F { return at(p).Quo(at(p).SetInt64(a), at(p).SetInt64(b)) }

func add(p uint, x, y *F) *F { return at(p).Add(x, y) }
func sub(p uint, x, y *F) *F { return at(p).Sub(x, y) }
func mul(p uint, x, y *F) *F { return at(p).Mul(x, y) }
func div(p uint, x, y *F) *F { return at(p).Quo(x, y) }

// exp2of returns the exponent e with |x| = m·2^e, ½ ≤ m < 1; very low for zero.
func exp2of(x *F) int {
	if x.Sign() == 0 {
		return math.MinInt32
	}
	return x.MantExp(nil)
}

func scale(x *F, e int) *F { return at(x.Prec()).SetMantExp(x, e) }

// tiny reports whether x is below 2^−bits.
func tiny(x *F, bits uint) bool { return exp2of(x) < -int(bits) }

// constants are cached at the highest precision that was asked for.
type constant struct {
	mu sync.Mutex
	v  *F
	f  func(p uint) *F
}

func (c *constant) to(p uint) *F {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.v == nil || c.v.Prec() < p+32 {
		c.v = c.f(p + 64)
	}
	return at(p).Set(c.v)
}

var pi = constant{f: func(p uint) *F {
	// Machin: π/4 = 4·atan(1/5) − atan(1/239).
	q := p + 16
	s := sub(q, mul(q, num(q, 4), atanInverse(q, 5)), atanInverse(q, 239))
	return at(p).Mul(s, num(q, 4))
}}

var ln2 = constant{f: func(p uint) *F {
	// ln 2 = 2·atanh(1/3).
	q := p + 16
	s, t := num(q, 0), ratio(q, 1, 3)
	for k := int64(1); !tiny(t, q+8); k += 2 {
		s = add(q, s, div(q, t, at(q).SetInt64(k)))
		t = div(q, t, num(q, 9))
	}
	return at(p).Mul(s, num(q, 2))
}}

func atanInverse(p uint, n int64) *F {
	s, t := num(p, 0), ratio(p, 1, n)
	n2 := at(p).SetInt64(-n * n)
	for k := int64(1); !tiny(t, p+8); k += 2 {
		s = add(p, s, div(p, t, at(p).SetInt64(k)))
		t = div(p, t, n2)
	}
	return s
}

// Pi returns π.
func Pi(p uint) *F { return pi.to(p) }

// Ln2 returns the natural logarithm of 2.
func Ln2(p uint) *F { return ln2.to(p) }

// nearest returns the integer nearest to x.
func nearest(x *F) *big.Int {
	h := at(x.Prec()+8).Add(x, num(8, math.Copysign(0.5, float64(x.Sign()))))
	i, _ := h.Int(nil)
	return i
}

// Exp returns e^x.
func Exp(p uint, x *F) *F {
	q := p + 40 + uint(max(exp2of(x), 0))
	k := nearest(div(q, x, Ln2(q)))
	r := sub(q, x, mul(q, at(q).SetInt(k), Ln2(q)))
	const halvings = 10
	r = scale(r, -halvings)
	s := expm1Series(q, r)
	for range halvings { // (1 + s)² − 1 = s·(2 + s)
		s = mul(q, s, add(q, s, num(q, 2)))
	}
	return at(p).Set(scale(add(q, s, num(q, 1)), int(k.Int64())))
}

func expm1Series(p uint, r *F) *F {
	s, t := num(p, 0), at(p).Set(r)
	for k := int64(2); t.Sign() != 0 && exp2of(t) > exp2of(r)-int(p)-4; k++ {
		s = add(p, s, t)
		t = div(p, mul(p, t, r), at(p).SetInt64(k))
	}
	return s
}

// Expm1 returns e^x − 1.
func Expm1(p uint, x *F) *F {
	if exp2of(x) < -8 {
		return at(p).Set(expm1Series(p+16, x))
	}
	q := p + 32
	return at(p).Sub(Exp(q, x), num(q, 1))
}

// Log returns the natural logarithm of x > 0.
func Log(p uint, x *F) *F {
	q := p + 48
	m := at(q)
	e := x.MantExp(m)
	f, _ := m.Float64()
	if f < 0.7 {
		m, e = scale(m, 1), e-1
		f *= 2
	}
	// Near one the logarithm is as small as x − 1, so more bits are needed.
	d := sub(q, m, num(q, 1))
	if d.Sign() == 0 {
		return at(p).Mul(at(q).SetInt64(int64(e)), Ln2(q))
	}
	q += uint(-min(exp2of(d), 0))
	m = at(q).Set(m)
	y := num(q, math.Log(f))
	for good := 40; good < int(q); good *= 3 {
		// y + 2·(m − e^y)/(m + e^y)
		t := Exp(q, y)
		c := div(q, sub(q, m, t), add(q, m, t))
		y = add(q, y, scale(c, 1))
	}
	return at(p).Add(y, mul(q, at(q).SetInt64(int64(e)), Ln2(q)))
}

// Log1p returns log(1 + x) for x > −1.
func Log1p(p uint, x *F) *F {
	if e := exp2of(x); e < -60 {
		// x − x²/2 + x³/3 − x⁴/4
		q := p + 16
		s, t := num(q, 0), at(q).Set(x)
		for k := int64(1); t.Sign() != 0 && exp2of(t) > e-int(q); k++ {
			s = add(q, s, div(q, t, at(q).SetInt64(k)))
			t = mul(q, t, at(q).Neg(x))
		}
		return at(p).Set(s)
	}
	q := p + 80
	if e := exp2of(x); e > 60 {
		q += uint(e)
	}
	return Log(p, add(q+128, x, num(q, 1)))
}

// Sqrt returns √x.
func Sqrt(p uint, x *F) *F { return at(p).Sqrt(at(p + 8).Set(x)) }

// reduce returns n and r with x = n·π/2 + r.
func reduce(p uint, x *F) (n int, r *F) {
	q := p + 96 + uint(max(exp2of(x), 0))
	h := scale(Pi(q), -1)
	k := nearest(div(q, x, h))
	r = sub(q, x, mul(q, at(q).SetInt(k), h))
	return int(new(big.Int).And(k, big.NewInt(3)).Int64()), at(p + 32).Set(r)
}

func sinSeries(p uint, r *F, first int64) *F {
	// first = 1: sin; 0: cos.
	z := at(p).Neg(mul(p, r, r))
	t := num(p, 1)
	if first == 1 {
		t = at(p).Set(r)
	}
	e := exp2of(t)
	s := num(p, 0)
	for k := first; t.Sign() != 0 && exp2of(t) > e-int(p)-4; k += 2 {
		s = add(p, s, t)
		t = div(p, mul(p, t, z), at(p).SetInt64((k+1)*(k+2)))
	}
	return s
}

// SinCos returns the sine and cosine of x.
func SinCos(p uint, x *F) (sin, cos *F) {
	n, r := reduce(p, x)
	q := p + 32
	s, c := sinSeries(q, r, 1), sinSeries(q, r, 0)
	switch n {
	case 1:
		s, c = c, at(q).Neg(s)
	case 2:
		s, c = at(q).Neg(s), at(q).Neg(c)
	case 3:
		s, c = at(q).Neg(c), s
	}
	return at(p).Set(s), at(p).Set(c)
}

// Tan returns the tangent.
func Tan(p uint, x *F) *F {
	s, c := SinCos(p+16, x)
	return div(p, s, c)
}

// Atan returns the arc tangent.
func Atan(p uint, x *F) *F {
	q := p + 48
	t := at(q).Set(x)
	one := num(q, 1)
	const halvings = 5
	n := 0
	for ; n < halvings && exp2of(t) > -12; n++ {
		// tan(a/2) = t/(1 + √(1 + t²))
		t = div(q, t, add(q, one, Sqrt(q, add(q, one, mul(q, t, t)))))
	}
	z := at(q).Neg(mul(q, t, t))
	s, e := num(q, 0), exp2of(t)
	for k := int64(1); t.Sign() != 0 && exp2of(t) > e-int(q)-4; k += 2 {
		s = add(q, s, div(q, t, at(q).SetInt64(k)))
		t = mul(q, t, z)
	}
	return at(p).Set(scale(s, n))
}

// Atan2 returns the angle of (x, y); not both may be zero.
func Atan2(p uint, y, x *F) *F {
	q := p + 16
	if x.Sign() == 0 {
		h := scale(Pi(q), -1)
		if y.Sign() < 0 {
			h.Neg(h)
		}
		return at(p).Set(h)
	}
	a := Atan(q, div(q+16, y, x))
	if x.Sign() < 0 {
		if y.Signbit() {
			a = sub(q, a, Pi(q))
		} else {
			a = add(q, a, Pi(q))
		}
	}
	return at(p).Set(a)
}
