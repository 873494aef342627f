package oracle

// BesselI0e returns e^(−|x|)·I₀(x).
func BesselI0e(p uint, x *F) *F { return besselScaled(p, at(x.Prec()).Abs(x), 0) }

// BesselI1e returns e^(−|x|)·I₁(x).
func BesselI1e(p uint, x *F) *F {
	y := besselScaled(p, at(x.Prec()).Abs(x), 1)
	if x.Sign() < 0 {
		y.Neg(y)
	}
	return y
}

// besselScaled returns e^(−x)·I_order(x) for x ≥ 0: by the power series, and by the asymptotic
// one where its least term is small enough.
func besselScaled(p uint, x *F, order int64) *F {
	q := p + 48
	s, t := num(q, 1), num(q, 1)
	if x.Cmp(num(32, float64(q))) < 0 {
		z := scale(mul(q, x, x), -2)
		for k := int64(1); exp2of(t) > exp2of(s)-int(q); k++ {
			t = div(q, mul(q, t, z), at(q).SetInt64(k*(k+order)))
			s = add(q, s, t)
		}
		if order == 1 {
			s = mul(q, s, scale(at(q).Set(x), -1))
		}
		return at(p).Mul(s, Exp(q, at(x.Prec()).Neg(x)))
	}
	for k := int64(1); t.Sign() != 0 && exp2of(t) > -int(q); k++ {
		odd := 2*k - 1
		t = div(q, mul(q, t, at(q).SetInt64(odd*odd-4*order)), mul(q, x, at(q).SetInt64(8*k)))
		s = add(q, s, t)
	}
	return at(p).Quo(s, Sqrt(q, mul(q, scale(Pi(q), 1), x)))
}
