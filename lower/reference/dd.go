package reference

import "math"

// A dd is the sum of two f64, the second at most half an ulp of the first. Tables and
// special functions are computed with it where f64 loses digits. Only sums, products and fma
// are used, so that all machines have the same bits.
type dd struct{ hi, lo float64 }

var ddPi = dd{math.Pi, 0x1.1a62633145c07p-53}

func (a dd) value() float64 { return a.hi + a.lo }

// sumOf returns a + b exactly.
func sumOf(a, b float64) dd {
	s := a + b
	t := s - a
	return dd{s, (a - (s - t)) + (b - t)}
}

// fastSum returns a + b exactly if |a| ≥ |b|.
func fastSum(a, b float64) dd {
	s := a + b
	return dd{s, b - (s - a)}
}

// productOf returns a·b exactly.
func productOf(a, b float64) dd {
	p := times(a, b)
	return dd{p, math.FMA(a, b, -p)}
}

// quotientOf returns a/b.
func quotientOf(a, b float64) dd {
	q := a / b
	return fastSum(q, math.FMA(-q, b, a)/b)
}

func (a dd) neg() dd { return dd{-a.hi, -a.lo} }

func (a dd) add(b dd) dd {
	s, t := sumOf(a.hi, b.hi), sumOf(a.lo, b.lo)
	s = fastSum(s.hi, s.lo+t.hi)
	return fastSum(s.hi, s.lo+t.lo)
}

func (a dd) sub(b dd) dd { return a.add(b.neg()) }

func (a dd) addFloat(b float64) dd {
	s := sumOf(a.hi, b)
	return fastSum(s.hi, s.lo+a.lo)
}

func (a dd) mul(b dd) dd {
	p := productOf(a.hi, b.hi)
	return fastSum(p.hi, math.FMA(a.hi, b.lo, math.FMA(a.lo, b.hi, p.lo)))
}

func (a dd) mulFloat(b float64) dd {
	p := productOf(a.hi, b)
	return fastSum(p.hi, math.FMA(a.lo, b, p.lo))
}

func (a dd) divFloat(b float64) dd {
	q := a.hi / b
	return fastSum(q, (math.FMA(-q, b, a.hi)+a.lo)/b)
}

func (a dd) div(b dd) dd {
	q := a.hi / b.hi
	r := a.sub(b.mulFloat(q))
	q2 := r.hi / b.hi
	r = r.sub(b.mulFloat(q2))
	s := fastSum(q, q2)
	return s.addFloat(r.hi / b.hi)
}
