package expand

import (
	"math"

	"github.com/weft-go/weft/lower/scalar"
)

// fn is a builder of functions in the float type t. In f64, brief is set if the result is rounded
// to f32 afterwards, so that shorter polynomials suffice.
type fn struct {
	builder
	t     scalar.Type
	brief bool
}

// throughF64 returns a function of a float, computed in f64 and rounded to f32 for f32.
func throughF64(f func(m fn, x scalar.Ref) scalar.Ref) func(builder, scalar.Ref) scalar.Ref {
	return func(b builder, x scalar.Ref) scalar.Ref {
		if b.TypeOf(x) == scalar.F64 {
			return f(fn{b, scalar.F64, false}, x)
		}
		return b.Convert(scalar.F32, f(fn{b, scalar.F64, true}, b.Convert(scalar.F64, x)))
	}
}

func throughF64x2(f func(m fn, x, y scalar.Ref) scalar.Ref) func(builder, scalar.Ref, scalar.Ref) scalar.Ref {
	return func(b builder, x, y scalar.Ref) scalar.Ref {
		if b.TypeOf(x) == scalar.F64 {
			return f(fn{b, scalar.F64, false}, x, y)
		}
		return b.Convert(scalar.F32, f(fn{b, scalar.F64, true}, b.Convert(scalar.F64, x), b.Convert(scalar.F64, y)))
	}
}

// native returns a function of a float, computed in the float's own type.
//
// It is not inlined: each call would have its own copy of the closure.
//
//go:noinline
func native(f func(m fn, x scalar.Ref) scalar.Ref) func(builder, scalar.Ref) scalar.Ref {
	return func(b builder, x scalar.Ref) scalar.Ref { return f(fn{b, b.TypeOf(x), false}, x) }
}

// eachType returns a function of a float that has one definition for f32 and one for f64.
func eachType(f32, f64 func(m fn, x scalar.Ref) scalar.Ref) func(builder, scalar.Ref) scalar.Ref {
	return func(b builder, x scalar.Ref) scalar.Ref {
		if b.TypeOf(x) == scalar.F32 {
			return f32(fn{b, scalar.F32, false}, x)
		}
		return f64(fn{b, scalar.F64, false}, x)
	}
}

func native2(f func(m fn, x, y scalar.Ref) scalar.Ref) func(builder, scalar.Ref, scalar.Ref) scalar.Ref {
	return func(b builder, x, y scalar.Ref) scalar.Ref { return f(fn{b, b.TypeOf(x), false}, x, y) }
}

//go:noinline // keeps programs small
func (m fn) c(x float64) scalar.Ref { return m.Float(m.t, x) }

// choose returns the coefficients for the type of m, or for a brief m.
func (m fn) choose(f32, f64, brief []float64) []float64 {
	switch {
	case m.t == scalar.F32:
		return f32
	case m.brief:
		return brief
	}
	return f64
}

// poly returns c[0] + c[1]·z + c[2]·z² + …, by Horner's rule.
func (m fn) poly(z scalar.Ref, c []float64) scalar.Ref {
	r := m.c(c[len(c)-1])
	for i := len(c) - 2; i >= 0; i-- {
		r = m.FMA(r, z, m.c(c[i]))
	}
	return r
}

// A triple is a real number as the unevaluated sum of three f64: about 160 bits.
type triple [3]float64

var (
	ln2       = triple{0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56, 0x1.7b57a079a1934p-111}
	log2e     = triple{0x1.71547652b82fep+0, 0x1.777d0ffda0d24p-56, -0x1.60bb8a5442ab9p-110}
	piHalf    = triple{0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54, -0x1.f1976b7ed8fbcp-110}
	twoOverPi = triple{0x1.45f306dc9c883p-1, -0x1.6b01ec5417056p-55, -0x1.6447e493ad4cep-109}
)

// times returns p·s for a power of two s.
func (p triple) times(s float64) triple { return triple{p[0] * s, p[1] * s, p[2] * s} }

// parts returns the number as a sum of three constants of type m.t.
func (m fn) parts(p triple) (a, b, c scalar.Ref) {
	if m.t == scalar.F64 {
		return m.c(p[0]), m.c(p[1]), m.c(p[2])
	}
	// The f64 differences are exact.
	h := float64(float32(p[0]))
	d := p[0] - h
	l := float64(float32(d))
	return m.c(h), m.c(l), m.c((d - l) + p[1])
}

// magic returns the constant whose sum with a number of moderate size has that number,
// rounded to an integer, in its lowest bits.
func (m fn) magic() float64 {
	if m.t == scalar.F32 {
		return 0x1.8p23
	}
	return 0x1.8p52
}

// toInt returns x·scale rounded to an integer: as a float and as a signed integer.
func (m fn) toInt(x, scale scalar.Ref) (k, n scalar.Ref) {
	big := m.c(m.magic())
	s := m.FMA(x, scale, big)
	i := m.t.Signed()
	return m.Sub(s, big), m.Sub(m.Bitcast(i, s), m.Bitcast(i, big))
}

// fromInt returns the small integer n as a float.
func (m fn) fromInt(n scalar.Ref) scalar.Ref {
	if m.t == scalar.F32 {
		return m.Convert(scalar.F32, n)
	}
	big := m.c(m.magic())
	return m.Sub(m.Bitcast(scalar.F64, m.Add(n, m.Bitcast(scalar.I64, big))), big)
}

func (m fn) mantissa() int {
	if m.t == scalar.F32 {
		return 23
	}
	return 52
}

func (m fn) bias() int {
	if m.t == scalar.F32 {
		return 127
	}
	return 1023
}

// power2 returns 2ⁿ for an integer n of a normal exponent.
func (m fn) power2(n scalar.Ref) scalar.Ref {
	i := m.TypeOf(n)
	return m.Bitcast(m.t, m.ShlN(m.Add(n, m.Int(i, int64(m.bias()))), m.mantissa()))
}

// scale returns y·2ⁿ for n up to twice the range of exponents. It rounds once if y and its product
// with the first factor are normal.
func (m fn) scale(y, n scalar.Ref) scalar.Ref {
	h := m.ShrN(n, 1)
	return m.Mul(m.Mul(y, m.power2(h)), m.power2(m.Sub(n, h)))
}

// lesser returns x, or y where y < x: y must not be NaN.
func (m fn) lesser(x scalar.Ref, y scalar.Ref) scalar.Ref { return m.Select(m.Lt(y, x), y, x) }

// greater returns x, or y where x < y: y must not be NaN.
func (m fn) greater(x scalar.Ref, y scalar.Ref) scalar.Ref { return m.Select(m.Lt(x, y), y, x) }

// dd is the unevaluated sum of two floats, the second smaller than the first. Other comments call it a sum of two.
type dd struct{ hi, lo scalar.Ref }

// within returns whether |x| ≤ c, false for NaN.
func (m fn) within(x scalar.Ref, c float64) scalar.Ref { return m.Le(m.Abs(x), m.c(c)) }

func pow2(n int) float64 { return math.Ldexp(1, n) }
