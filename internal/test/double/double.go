// Package double computes elementary and special functions with numbers that are the sum of two
// f64: to 80 bits and more, some ten times as fast as math/big. Measurements of many arguments
// use it, and its tests compare it with package oracle.
//
// Numbers have moderate sizes, from 2⁻⁹⁰⁰ to 2⁹⁰⁰: beyond, the second part leaves the range of
// f64.
package double

import (
	"math"
	"math/big"

	"github.com/weft-go/weft/internal/test/oracle"
)

// D is Hi + Lo, Lo being at most half an ulp of Hi.
type D struct{ Hi, Lo float64 }

// Of returns x.
func Of(x float64) D { return D{x, 0} }

// Round returns x to the precision of D.
func Round(x *big.Float) D {
	hi, _ := x.Float64()
	lo, _ := new(big.Float).SetPrec(x.Prec()+64).Sub(x, new(big.Float).SetFloat64(hi)).Float64()
	return D{hi, lo}
}

// Big returns x exactly.
func (x D) Big() *big.Float {
	return new(big.Float).SetPrec(2200).Add(oracle.Num(x.Hi), oracle.Num(x.Lo))
}

// sum returns x + y as a float and its rounding error, for |x| ≥ |y|.
func sum(x, y float64) D {
	s := x + y
	return D{s, y - (s - x)}
}

// Sum returns x + y exactly.
func Sum(x, y float64) D {
	s := x + y
	v := s - x
	return D{s, (x - (s - v)) + (y - v)}
}

// Product returns x·y exactly.
func Product(x, y float64) D {
	p := x * y
	return D{p, math.FMA(x, y, -p)}
}

// Add returns x + y.
func (x D) Add(y D) D {
	s, t := Sum(x.Hi, y.Hi), Sum(x.Lo, y.Lo)
	s = sum(s.Hi, s.Lo+t.Hi)
	return sum(s.Hi, s.Lo+t.Lo)
}

// Neg returns −x.
func (x D) Neg() D { return D{-x.Hi, -x.Lo} }

// Sub returns x − y.
func (x D) Sub(y D) D { return x.Add(y.Neg()) }

// Mul returns x·y.
func (x D) Mul(y D) D {
	p := Product(x.Hi, y.Hi)
	return sum(p.Hi, p.Lo+math.FMA(x.Hi, y.Lo, float64(x.Lo*y.Hi)))
}

// Div returns x/y.
func (x D) Div(y D) D {
	q := x.Hi / y.Hi
	r := x.Sub(y.Times(q))
	q2 := r.Hi / y.Hi
	r = r.Sub(y.Times(q2))
	return sum(q, q2).Add(Of(r.Hi / y.Hi))
}

// Times returns x·c.
func (x D) Times(c float64) D {
	p := Product(x.Hi, c)
	return sum(p.Hi, math.FMA(x.Lo, c, p.Lo))
}

// scale returns x·c for a power of two.
func (x D) scale(c float64) D { return D{x.Hi * c, x.Lo * c} }

// Abs returns |x|.
func (x D) Abs() D {
	if x.Hi < 0 {
		return x.Neg()
	}
	return x
}

// Sqrt returns √x for x ≥ 0.
func (x D) Sqrt() D {
	if x.Hi == 0 {
		return D{}
	}
	s := math.Sqrt(x.Hi)
	r := x.Sub(Product(s, s))
	return sum(s, r.Hi/(2*s))
}

// series returns c[0] + c[1]·z + c[2]·z² + …; from the nth term on f64 is enough.
func series(z D, c []D, n int) D {
	t := c[len(c)-1].Hi
	for i := len(c) - 2; i >= n; i-- {
		t = math.FMA(t, z.Hi, c[i].Hi)
	}
	r := Of(t)
	for i := n - 1; i >= 0; i-- {
		r = r.Mul(z).Add(c[i])
	}
	return r
}

// ratios returns p(k)/q(k) for k < n.
func ratios(n int, p, q func(k int64) *big.Int) []D {
	c := make([]D, n)
	for k := range c {
		c[k] = Round(new(big.Float).SetPrec(200).SetRat(new(big.Rat).SetFrac(p(int64(k)), q(int64(k)))))
	}
	return c
}

func factorial(k int64) *big.Int { return new(big.Int).MulRange(1, k) }

func one(int64) *big.Int { return big.NewInt(1) }

// alternating returns 1, −1, 1, … .
func alternating(k int64) *big.Int { return big.NewInt(1 - 2*(k&1)) }
