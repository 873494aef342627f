package fuzzgen

import (
	"fmt"
	"math"
	"math/bits"
	"math/cmplx"
	"slices"

	"github.com/weft-go/weft/core"
)

// leaf evaluates a leaf operation on numbers.
func (m *machine) leaf(n *Node, in []*arr) []*arr {
	if m.steps++; m.steps > maxSteps {
		panic(errTooLong)
	}
	if f, ok := unaries[n.Op]; ok && in[0].dt.IsInexact() {
		dt := in[0].dt
		return one(m.each(dt, in, func(x []num) num { return f(m, dt, x[0]) }))
	}
	switch n.Op {
	case "add", "sub", "mul", "div", "max", "min", "pow":
		return one(m.arithmetic(n.Op, in))
	case "rem", "and", "or", "xor", "shl", "shr":
		return one(integerOp(n.Op, in))
	case "neg", "abs", "sign", "not", "popcnt", "clz", "square":
		return one(integerUnary(n.Op, in[0]))
	case "lt", "le", "gt", "ge", "eq", "ne":
		return one(m.compare(n.Op, in))
	case "isfinite":
		return one(m.eachTest(in, func(x []num) bool { return !cmplx.IsNaN(x[0].v) && !cmplx.IsInf(x[0].v) }))
	case "ipow":
		y := in[0]
		for range n.N - 1 {
			y = m.arithmetic("mul", []*arr{y, in[0]})
		}
		return one(y)
	case "real", "imag", "cabs":
		return one(m.each(in[0].dt.Real(), in, func(x []num) num {
			switch n.Op {
			case "real":
				return num{complex(real(x[0].v), 0), x[0].e}
			case "imag":
				return num{complex(imag(x[0].v), 0), x[0].e}
			}
			return m.rounded(in[0].dt.Real(), complex(cmplx.Abs(x[0].v), 0), x[0].e, 4)
		}))
	case "complex":
		dt := core.Complex64
		if in[0].dt == core.Float64 {
			dt = core.Complex128
		}
		return one(m.each(dt, in, func(x []num) num { return num{complex(real(x[0].v), real(x[1].v)), x[0].e + x[1].e} }))
	case "convert":
		return one(m.convert(in[0], n.DType))
	case "select":
		return one(m.selection(in))
	case "copy", "stop", "name":
		return one(pick(in[0], in[0].shape, indices(in[0].shape, func(at []int) int { return ravel(in[0].shape, at) })))
	case "barrier":
		return slices.Clone(in)
	}
	if out := m.move(n, in); out != nil {
		return out
	}
	if out := m.combine(n, in); out != nil {
		return out
	}
	panic(fmt.Sprintf("no meaning for %q of %v", n.Op, in[0].dt))
}

func one(x *arr) []*arr { return []*arr{x} }

// slope returns a result with the derivative d of the function at x, and a bound d2 of its
// second derivative nearby.
func (m *machine) slope(dt core.DType, v complex128, x num, d, d2 float64) num {
	return m.rounded(dt, v, d*x.e+d2*x.e*x.e, 4)
}

// awayFrom0 checks that a singularity at 0 is not near.
func (m *machine) awayFrom0(x num) {
	if cmplx.Abs(x.v) <= 8*x.e || x.v == 0 {
		m.tied("a singularity")
	}
}

func re(f func(float64) float64, z complex128) complex128 { return complex(f(real(z)), 0) }

var unaries = map[string]func(m *machine, dt core.DType, x num) num{
	"neg":    func(m *machine, dt core.DType, x num) num { return num{-x.v, x.e} },
	"conj":   func(m *machine, dt core.DType, x num) num { return num{cmplx.Conj(x.v), x.e} },
	"square": func(m *machine, dt core.DType, x num) num { return m.times(dt, x, x) },
	"sin": func(m *machine, dt core.DType, x num) num {
		if dt.IsComplex() {
			g := math.Cosh(math.Abs(imag(x.v)) + x.e)
			return m.slope(dt, cmplx.Sin(x.v), x, g, g)
		}
		return m.slope(dt, re(math.Sin, x.v), x, math.Abs(math.Cos(real(x.v))), 1)
	},
	"cos": func(m *machine, dt core.DType, x num) num {
		if dt.IsComplex() {
			g := math.Cosh(math.Abs(imag(x.v)) + x.e)
			return m.slope(dt, cmplx.Cos(x.v), x, g, g)
		}
		return m.slope(dt, re(math.Cos, x.v), x, math.Abs(math.Sin(real(x.v))), 1)
	},
	"exp": func(m *machine, dt core.DType, x num) num {
		y := cmplx.Exp(x.v)
		if !dt.IsComplex() {
			y = re(math.Exp, x.v)
		}
		a := cmplx.Abs(y) * math.Exp(min(x.e, 1))
		return m.slope(dt, y, x, a, a)
	},
	"tanh": func(m *machine, dt core.DType, x num) num { return m.slope(dt, re(math.Tanh, x.v), x, 1, 1) },
	"atan": func(m *machine, dt core.DType, x num) num { return m.slope(dt, re(math.Atan, x.v), x, 1, 1) },
	"erf":  func(m *machine, dt core.DType, x num) num { return m.slope(dt, re(math.Erf, x.v), x, 1.13, 1) },
	"logistic": func(m *machine, dt core.DType, x num) num {
		return m.slope(dt, re(func(v float64) float64 { return 1 / (1 + math.Exp(-v)) }, x.v), x, 0.25, 0.1)
	},
	"log": func(m *machine, dt core.DType, x num) num {
		m.awayFrom0(x)
		a := cmplx.Abs(x.v)
		y := m.slope(dt, re(math.Log, x.v), x, 1.2/a, 0)
		y.e += unit(dt) // near 1 the logarithm is small
		return y
	},
	"log1p": func(m *machine, dt core.DType, x num) num {
		d := num{1 + x.v, x.e}
		m.awayFrom0(d)
		return m.slope(dt, re(math.Log1p, x.v), x, 1.2/cmplx.Abs(d.v), 0)
	},
	"expm1": func(m *machine, dt core.DType, x num) num {
		a := math.Exp(real(x.v) + min(x.e, 1))
		return m.slope(dt, re(math.Expm1, x.v), x, a, a)
	},
	"sqrt": func(m *machine, dt core.DType, x num) num {
		m.awayFrom0(x)
		y := re(math.Sqrt, x.v)
		return m.slope(dt, y, x, 0.6/cmplx.Abs(y), 0)
	},
	"rsqrt": func(m *machine, dt core.DType, x num) num {
		m.awayFrom0(x)
		y := re(func(v float64) float64 { return 1 / math.Sqrt(v) }, x.v)
		return m.slope(dt, y, x, 0.6*cmplx.Abs(y)/cmplx.Abs(x.v), 0)
	},
	"abs": func(m *machine, dt core.DType, x num) num { return num{re(math.Abs, x.v), x.e} },
	"sign": func(m *machine, dt core.DType, x num) num {
		m.apart("sign", x, num{})
		switch {
		case real(x.v) > 0:
			return num{v: 1}
		case real(x.v) < 0:
			return num{v: -1}
		}
		return num{}
	},
	"floor": func(m *machine, dt core.DType, x num) num {
		m.whole("floor", x, 0)
		return num{v: re(math.Floor, x.v)}
	},
	"round": func(m *machine, dt core.DType, x num) num {
		m.whole("round", x, 0.5)
		return num{v: re(math.RoundToEven, x.v)}
	},
}

// times returns a product of numbers.
func (m *machine) times(dt core.DType, x, y num) num {
	a, b := cmplx.Abs(x.v), cmplx.Abs(y.v)
	k := 2.0
	if dt.IsComplex() {
		k = 8
	}
	r := m.rounded(dt, x.v*y.v, a*y.e+b*x.e+x.e*y.e, 0)
	r.e += k * unit(dt) * a * b
	return r
}

func (m *machine) arithmetic(op string, in []*arr) *arr {
	dt := in[0].dt
	if !dt.IsInexact() {
		return integerOp(op, in)
	}
	return m.each(dt, in, func(x []num) num {
		a, b := x[0], x[1]
		switch op {
		case "add":
			return m.rounded(dt, a.v+b.v, a.e+b.e, 2)
		case "sub":
			return m.rounded(dt, a.v-b.v, a.e+b.e, 2)
		case "mul":
			return m.times(dt, a, b)
		case "div":
			m.awayFrom0(b)
			q := a.v / b.v
			k := 4.0
			if dt.IsComplex() {
				k = 16
			}
			return m.rounded(dt, q, 1.2*(a.e+cmplx.Abs(q)*b.e)/cmplx.Abs(b.v), k)
		case "pow":
			m.awayFrom0(a)
			v := math.Pow(real(a.v), real(b.v))
			e := v * 1.5 * (math.Abs(real(b.v))*a.e/real(a.v) + math.Abs(math.Log(real(a.v)))*b.e)
			return m.rounded(dt, complex(v, 0), e, 8)
		case "max":
			if real(b.v) > real(a.v) {
				a, b = b, a
			}
		case "min":
			if real(b.v) < real(a.v) {
				a, b = b, a
			}
		}
		return num{a.v, max(a.e, b.e)}
	})
}

func integerOp(op string, in []*arr) *arr {
	dt := in[0].dt
	width := int64(dt.Bits())
	return eachInt(dt, in, func(x []int64) int64 {
		a, b := x[0], x[1]
		switch op {
		case "add":
			return a + b
		case "sub":
			return a - b
		case "mul":
			return a * b
		case "max":
			return max(a, b)
		case "min":
			return min(a, b)
		case "div":
			return a / b
		case "rem":
			return a % b
		case "and":
			return a & b
		case "or":
			return a | b
		case "xor":
			return a ^ b
		case "shl":
			if b < 0 || b >= width {
				return 0
			}
			return a << b
		case "shr": // arithmetic of signed, logical of unsigned types
			return a >> clamp(b, 0, 63)
		}
		panic("no integer operation " + op)
	})
}

func integerUnary(op string, x *arr) *arr {
	w := x.dt.Bits()
	return eachInt(x.dt, []*arr{x}, func(x0 []int64) int64 {
		a := x0[0]
		u := uint64(a)
		if w < 64 {
			u &= 1<<w - 1
		}
		switch op {
		case "neg":
			return -a
		case "abs":
			return max(a, -a)
		case "square":
			return a * a
		case "sign":
			return clamp(a, -1, 1)
		case "not":
			if x.dt == core.Bool {
				return 1 - a
			}
			return ^a
		case "popcnt":
			return int64(bits.OnesCount64(u))
		case "clz":
			return int64(bits.LeadingZeros64(u) - 64 + w)
		}
		panic("no integer operation " + op)
	})
}

func (m *machine) compare(op string, in []*arr) *arr {
	if !in[0].dt.IsInexact() {
		return eachInt(core.Bool, in, func(x []int64) int64 {
			if holds(op, float64(x[0]), float64(x[1])) {
				return 1
			}
			return 0
		})
	}
	return m.eachTest(in, func(x []num) bool {
		m.apart("a comparison", x[0], x[1])
		return holds(op, real(x[0].v), real(x[1].v))
	})
}

func holds(op string, a, b float64) bool {
	switch op {
	case "lt":
		return a < b
	case "le":
		return a <= b
	case "gt":
		return a > b
	case "ge":
		return a >= b
	case "eq":
		return a == b
	}
	return a != b
}

func (m *machine) convert(x *arr, dt core.DType) *arr {
	out := newArr(dt, x.shape)
	out.mark([]*arr{x})
	for k := range x.size() {
		switch {
		case x.c != nil && dt.IsInexact():
			c := x.c[k]
			if !dt.IsComplex() {
				c.v = complex(real(c.v), 0)
			}
			if unit(dt) > unit(x.dt) {
				c = m.rounded(dt, c.v, c.e, 1)
			}
			out.c[k] = c
		case x.c != nil && dt == core.Bool:
			m.apart("a conversion", x.c[k], num{})
			if x.c[k].v != 0 {
				out.i[k] = 1
			}
		case x.c != nil:
			m.whole("a conversion", x.c[k], 0)
			lo, hi := bounds(dt)
			v := math.Trunc(real(x.c[k].v))
			switch {
			case v >= float64(hi):
				out.i[k] = hi
			case v <= float64(lo):
				out.i[k] = lo
			default:
				out.i[k] = int64(v)
			}
		case dt.IsInexact():
			v := float64(x.i[k])
			out.c[k] = num{v: complex(v, 0)}
			if math.Abs(v) > 256 {
				out.c[k] = m.rounded(dt, complex(v, 0), 0, 1)
			}
		default:
			out.i[k] = wrap(dt, x.i[k])
		}
	}
	return out
}

// selection returns the second case where the predicate holds, else the first.
func (m *machine) selection(in []*arr) *arr {
	p, x, y := in[0], in[1], in[2]
	out := newArr(x.dt, x.shape)
	out.mark(in[1:])
	for k := range out.size() {
		c := x
		if p.i[spreadIndex(p, x.shape, k)] != 0 {
			c = y
		}
		if out.c != nil {
			out.c[k] = c.c[k]
		} else {
			out.i[k] = c.i[k]
		}
	}
	return out
}
