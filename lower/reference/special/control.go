package special

import (
	"math"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
)

// of returns the function of a primitive and the number of its operands; nil for other
// primitives.
func (f functions) of(p core.Primitive) (compute func(x []number) number, operands int) {
	switch p.(type) {
	case prim.IgammaP:
		return func(x []number) number { return f.igamma(x[0], x[1], false) }, 2
	case prim.IgammacP:
		return func(x []number) number { return f.igamma(x[0], x[1], true) }, 2
	case prim.IgammaGradAP:
		return func(x []number) number { return f.igammaGrad(x[0], x[1], false) }, 2
	case prim.RandomGammaGradP:
		return func(x []number) number { return f.igammaGrad(x[0], x[1], true) }, 2
	case prim.RegularizedIncompleteBetaP:
		return func(x []number) number { return f.betainc(x[0], x[1], x[2]) }, 3
	case prim.ZetaP:
		return func(x []number) number { return f.hurwitz(x[0], x[1]) }, 2
	}
	return nil, 0
}

func (f functions) half(a number) number          { return f.div(a, f.num(2)) }
func (f functions) isNaN(a number) condition      { return f.ne(a, a) }
func (f functions) isPositive(a number) condition { return f.lt(f.num(0), a) }
func (f functions) isNegative(a number) condition { return f.lt(a, f.num(0)) }
func (f functions) isZero(a number) condition     { return f.eq(a, f.num(0)) }
func (f functions) isInf(a number) condition      { return f.eq(a, f.num(math.Inf(1))) }

func (f functions) within(v number, least, most float64) condition {
	return f.all(f.le(f.num(least), v), f.le(v, f.num(most)))
}

// ifElse returns the result of `then` where c is true, else that of `other`.
func (f functions) ifElse(c condition, then, other func() number) number {
	var v number
	f.either(c, func() { v = then() }, func() { v = other() }, &v)
	return v
}

func (f functions) pairIfElse(c condition, then, other func() pair) pair {
	var v pair
	f.either(c, func() { v = then() }, func() { v = other() }, &v)
	return v
}

// unless returns the value of the first exception whose condition is true, else the result of `general`.
func (f functions) unless(cases []exception, general func() number) number {
	c := cases[0].cond
	for _, next := range cases[1:] {
		c = f.any(c, next.cond)
	}
	return f.ifElse(c, func() number {
		r := cases[len(cases)-1].value
		for i := len(cases) - 2; i >= 0; i-- {
			r = f.sel(cases[i].cond, cases[i].value, r)
		}
		return r
	}, general)
}

// where returns the results of `fast` if inBounds is true, else 0 and false.
func (f functions) where(inBounds condition, fast func() (v number, ok condition)) (v number, ok condition) {
	no := f.no()
	f.either(inBounds, func() { v, ok = fast() }, func() { v, ok = f.num(0), no }, &v, &ok)
	return v, ok
}

// polynomial returns c₀·x^n + … + cₙ by fma.
func (f functions) polynomial(x number, c []float64) number {
	v := f.num(c[0])
	for _, next := range c[1:] {
		v = f.fma(v, x, f.num(next))
	}
	return v
}

// homogeneous returns c₀·x^n + c₁·x^(n−1)·y + … + cₙ·yⁿ.
func (f functions) homogeneous(c []float64, x, y number) number {
	s, power := f.num(0), f.num(1)
	for _, v := range c {
		s = f.fma(s, x, f.mul(f.num(v), power))
		power = f.mul(power, y)
	}
	return s
}
