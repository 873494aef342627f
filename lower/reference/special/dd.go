package special

import (
	"github.com/weft-go/weft/lower/reference/internal/block"
	"math"
)

// A Double is the sum of two f64, the second at most half an ulp of the first. Tables and
// special functions are computed with it where f64 loses digits. Only sums, products and fma
// are used, so that all machines have the same bits.
type Double struct{ Hi, Lo float64 }

var DoublePi = Double{math.Pi, 0x1.1a62633145c07p-53}

func (a Double) Value() float64 { return a.Hi + a.Lo }

// sumOf returns a + b exactly.
func sumOf(a, b float64) Double {
	s := a + b
	t := s - a
	return Double{s, (a - (s - t)) + (b - t)}
}

// fastSum returns a + b exactly if |a| ≥ |b|.
func fastSum(a, b float64) Double {
	s := a + b
	return Double{s, b - (s - a)}
}

// productOf returns a·b exactly.
func productOf(a, b float64) Double {
	p := block.Times(a, b)
	return Double{p, math.FMA(a, b, -p)}
}

// QuotientOf returns a/b.
func QuotientOf(a, b float64) Double {
	q := a / b
	return fastSum(q, math.FMA(-q, b, a)/b)
}

func (a Double) Neg() Double { return Double{-a.Hi, -a.Lo} }

func (a Double) Add(b Double) Double {
	s, t := sumOf(a.Hi, b.Hi), sumOf(a.Lo, b.Lo)
	s = fastSum(s.Hi, s.Lo+t.Hi)
	return fastSum(s.Hi, s.Lo+t.Lo)
}

func (a Double) Sub(b Double) Double { return a.Add(b.Neg()) }

func (a Double) AddFloat(b float64) Double {
	s := sumOf(a.Hi, b)
	return fastSum(s.Hi, s.Lo+a.Lo)
}

func (a Double) Mul(b Double) Double {
	p := productOf(a.Hi, b.Hi)
	return fastSum(p.Hi, math.FMA(a.Hi, b.Lo, math.FMA(a.Lo, b.Hi, p.Lo)))
}

func (a Double) MulFloat(b float64) Double {
	p := productOf(a.Hi, b)
	return fastSum(p.Hi, math.FMA(a.Lo, b, p.Lo))
}

func (a Double) DivFloat(b float64) Double {
	q := a.Hi / b
	return fastSum(q, (math.FMA(-q, b, a.Hi)+a.Lo)/b)
}

func (a Double) div(b Double) Double {
	q := a.Hi / b.Hi
	r := a.Sub(b.MulFloat(q))
	q2 := r.Hi / b.Hi
	r = r.Sub(b.MulFloat(q2))
	s := fastSum(q, q2)
	return s.AddFloat(r.Hi / b.Hi)
}
