package prim_test

import (
	"math"
	"math/cmplx"
	"slices"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
)

// scalars is the naive interpreter that also implements the elementwise functions of
// mathematics, on numbers of 64-bit precision regardless of the dtype.
type scalars struct{ naive }

func (s scalars) Interpret(p core.Primitive, in []core.Value) []core.Value {
	if _, ok := p.(prim.SelectNP); ok {
		which := *concrete(in[0])
		which.e = slices.Clone(which.e)
		for i, n := range which.e {
			k := min(max(n.Int64(), 0), int64(len(in)-2))
			which.e[i] = core.IntNumber(k)
		}
		in = append([]core.Value{&which}, in[1:]...)
	}
	f := function(p)
	if f == nil {
		return s.naive.Interpret(p, in)
	}
	y := zerosOf(core.AbstractOf(p, core.AvalsOf(in))[0])
	x := make([]*array, len(in))
	for i, v := range in {
		x[i] = concrete(v)
	}
	y.fill(func(j []int) core.Number {
		z := make([]complex128, len(x))
		for i := range x {
			z[i] = x[i].spreadAt(j).Complex()
		}
		return wrap(y.DType, core.ComplexNumber(f(x[0].DType.IsComplex(), z)))
	})
	return []core.Value{y}
}

// function returns the function that p applies to each element, nil if p is not elementwise
// mathematics. Real numbers are passed and returned as complex ones; isComplex reports whether the
// first operand is complex.
func function(p core.Primitive) func(isComplex bool, z []complex128) complex128 {
	switch p := p.(type) {
	case prim.RoundP:
		return ofReals(func(x ...float64) float64 {
			if p.Method == prim.ToNearestEven {
				return math.RoundToEven(x[0])
			}
			return math.Round(x[0])
		})
	case prim.IntegerPowP:
		return either(
			func(x ...float64) float64 { return math.Pow(x[0], float64(p.Y)) },
			func(z ...complex128) complex128 {
				w := complex(1, 0)
				for range max(p.Y, -p.Y) {
					w *= z[0]
				}
				if p.Y < 0 {
					w = 1 / w
				}
				return w
			})
	case prim.ConjP:
		return func(_ bool, z []complex128) complex128 { return cmplx.Conj(z[0]) }
	case prim.ComplexP:
		return func(_ bool, z []complex128) complex128 { return complex(real(z[0]), real(z[1])) }
	case prim.RealP:
		return func(_ bool, z []complex128) complex128 { return complex(real(z[0]), 0) }
	case prim.ImagP:
		return func(_ bool, z []complex128) complex128 { return complex(imag(z[0]), 0) }
	case prim.ReducePrecisionP:
		return ofReals(func(x ...float64) float64 { return reduced(x[0], p.ExponentBits, p.MantissaBits) })
	case prim.CopyP, prim.NameP:
		return func(_ bool, z []complex128) complex128 { return z[0] }
	}
	r, c := realFunctions[p.Name()], complexFunctions[p.Name()]
	if r == nil && c == nil {
		return nil
	}
	return either(r, c)
}

func ofReals(f func(x ...float64) float64) func(bool, []complex128) complex128 {
	return either(f, nil)
}

func either(r func(x ...float64) float64, c func(z ...complex128) complex128) func(bool, []complex128) complex128 {
	return func(isComplex bool, z []complex128) complex128 {
		if isComplex {
			return c(z...)
		}
		x := make([]float64, len(z))
		for i := range z {
			x[i] = real(z[i])
		}
		return complex(r(x...), 0)
	}
}

func of1(f func(float64) float64) func(x ...float64) float64 {
	return func(x ...float64) float64 { return f(x[0]) }
}

func of2(f func(x, y float64) float64) func(x ...float64) float64 {
	return func(x ...float64) float64 { return f(x[0], x[1]) }
}

func truth(f func(x, y float64) bool) func(x ...float64) float64 {
	return func(x ...float64) float64 { return float64(btoi(f(x[0], x[1]))) }
}

var realFunctions = map[string]func(x ...float64) float64{
	"neg":    of1(func(x float64) float64 { return -x }),
	"abs":    of1(math.Abs),
	"square": of1(func(x float64) float64 { return x * x }),
	"floor":  of1(math.Floor),
	"sign": of1(func(x float64) float64 {
		if x == 0 || x != x {
			return x
		}
		return math.Copysign(1, x)
	}),
	"exp":      of1(math.Exp),
	"exp2":     of1(math.Exp2),
	"expm1":    of1(math.Expm1),
	"log":      of1(math.Log),
	"log1p":    of1(math.Log1p),
	"logistic": of1(func(x float64) float64 { return 1 / (1 + math.Exp(-x)) }),
	"sqrt":     of1(math.Sqrt),
	"rsqrt":    of1(func(x float64) float64 { return 1 / math.Sqrt(x) }),
	"cbrt":     of1(math.Cbrt),
	"sin":      of1(math.Sin),
	"cos":      of1(math.Cos),
	"tan":      of1(math.Tan),
	"asin":     of1(math.Asin),
	"acos":     of1(math.Acos),
	"atan":     of1(math.Atan),
	"sinh":     of1(math.Sinh),
	"cosh":     of1(math.Cosh),
	"tanh":     of1(math.Tanh),
	"asinh":    of1(math.Asinh),
	"acosh":    of1(math.Acosh),
	"atanh":    of1(math.Atanh),
	"erf":      of1(math.Erf),
	"erfc":     of1(math.Erfc),
	"erf_inv":  of1(math.Erfinv),
	"lgamma":   of1(func(x float64) float64 { y, _ := math.Lgamma(x); return y }),
	"digamma":  of1(digamma),
	"add":      of2(func(x, y float64) float64 { return x + y }),
	"add_any":  of2(func(x, y float64) float64 { return x + y }),
	"sub":      of2(func(x, y float64) float64 { return x - y }),
	"mul":      of2(func(x, y float64) float64 { return x * y }),
	"div":      of2(func(x, y float64) float64 { return x / y }),
	"rem":      of2(math.Mod),
	"max":      of2(math.Max),
	"min":      of2(math.Min),
	"pow":      of2(math.Pow),
	"atan2":    of2(math.Atan2),
	"and":      of2(func(x, y float64) float64 { return x * y }), // of truth values
	"polygamma": of2(func(m, x float64) float64 {
		return polygamma(int(m), x)
	}),
	"clamp": func(x ...float64) float64 { return math.Min(math.Max(x[1], x[0]), x[2]) },
	"lt":    truth(func(x, y float64) bool { return x < y }),
	"le":    truth(func(x, y float64) bool { return x <= y }),
	"gt":    truth(func(x, y float64) bool { return x > y }),
	"ge":    truth(func(x, y float64) bool { return x >= y }),
	"eq":    truth(func(x, y float64) bool { return x == y }),
}

func ofComplex(f func(complex128) complex128) func(z ...complex128) complex128 {
	return func(z ...complex128) complex128 { return f(z[0]) }
}

var complexFunctions = map[string]func(z ...complex128) complex128{
	"neg":      ofComplex(func(z complex128) complex128 { return -z }),
	"abs":      ofComplex(func(z complex128) complex128 { return complex(cmplx.Abs(z), 0) }),
	"square":   ofComplex(func(z complex128) complex128 { return z * z }),
	"exp":      ofComplex(cmplx.Exp),
	"exp2":     ofComplex(func(z complex128) complex128 { return cmplx.Exp(z * math.Ln2) }),
	"expm1":    ofComplex(func(z complex128) complex128 { return cmplx.Exp(z) - 1 }),
	"log":      ofComplex(cmplx.Log),
	"log1p":    ofComplex(func(z complex128) complex128 { return cmplx.Log(1 + z) }),
	"logistic": ofComplex(func(z complex128) complex128 { return 1 / (1 + cmplx.Exp(-z)) }),
	"sqrt":     ofComplex(cmplx.Sqrt),
	"rsqrt":    ofComplex(func(z complex128) complex128 { return 1 / cmplx.Sqrt(z) }),
	"sin":      ofComplex(cmplx.Sin),
	"cos":      ofComplex(cmplx.Cos),
	"tan":      ofComplex(cmplx.Tan),
	"asin":     ofComplex(cmplx.Asin),
	"acos":     ofComplex(cmplx.Acos),
	"atan":     ofComplex(cmplx.Atan),
	"sinh":     ofComplex(cmplx.Sinh),
	"cosh":     ofComplex(cmplx.Cosh),
	"tanh":     ofComplex(cmplx.Tanh),
	"asinh":    ofComplex(cmplx.Asinh),
	"acosh":    ofComplex(cmplx.Acosh),
	"atanh":    ofComplex(cmplx.Atanh),
	"add":      func(z ...complex128) complex128 { return z[0] + z[1] },
	"add_any":  func(z ...complex128) complex128 { return z[0] + z[1] },
	"sub":      func(z ...complex128) complex128 { return z[0] - z[1] },
	"mul":      func(z ...complex128) complex128 { return z[0] * z[1] },
	"div":      func(z ...complex128) complex128 { return z[0] / z[1] },
	"pow":      func(z ...complex128) complex128 { return cmplx.Pow(z[0], z[1]) },
	"atan2": func(z ...complex128) complex128 {
		return -1i * cmplx.Log((z[1]+1i*z[0])/cmplx.Sqrt(z[0]*z[0]+z[1]*z[1]))
	},
	"eq": func(z ...complex128) complex128 { return complex(float64(btoi(z[0] == z[1])), 0) },
}

// reduced returns x rounded to fewer bits, as ReducePrecisionP is defined.
func reduced(x float64, exponent, mantissa int) float64 {
	frac, exp := math.Frexp(x)
	if x == 0 || x != x || math.IsInf(x, 0) {
		return x
	}
	ulp := math.Ldexp(1, exp-1-mantissa)
	y := math.RoundToEven(x/ulp) * ulp
	bias := 1<<(exponent-1) - 1
	switch a := math.Abs(y); {
	case a >= math.Ldexp(1, bias+1):
		return math.Copysign(math.Inf(1), frac)
	case a < math.Ldexp(1, 1-bias):
		return math.Copysign(0, frac)
	}
	return y
}

// digamma(x) = ln x − 1/2x − Σ B₂ₖ/(2k·x²ᵏ), after steps up to where that converges
// and reflection for x ≤ 0.
func digamma(x float64) float64 {
	switch {
	case x <= 0 && x == math.Floor(x):
		return math.NaN()
	case x < 0:
		return digamma(1-x) - math.Pi/math.Tan(math.Pi*x)
	}
	s := 0.0
	for ; x < 10; x++ {
		s -= 1 / x
	}
	return s + math.Log(x) - 1/(2*x) - tail(x, func(k int) float64 { return bernoulli[k-1] / float64(2*k) })
}

var bernoulli = []float64{1. / 6, -1. / 30, 1. / 42, -1. / 30, 5. / 66, -691. / 2730, 7. / 6}

// tail returns Σ c(k)·x⁻²ᵏ over k ≥ 1.
func tail(x float64, c func(k int) float64) float64 {
	s, w := 0.0, 1.0
	for k := 1; k <= len(bernoulli); k++ {
		w /= x * x
		s += c(k) * w
	}
	return s
}

// polygamma of order m at x > 0 is (−1)ᵐ⁺¹·m!·Σ (x + k)^(−m−1), summed up to where
// the asymptotic series of Euler and Maclaurin takes over.
func polygamma(m int, x float64) float64 {
	if m == 0 {
		return digamma(x)
	}
	fact := 1.0
	for i := 2; i <= m; i++ {
		fact *= float64(i)
	}
	n := float64(m)
	s := 0.0
	for ; x < 20; x++ {
		s += math.Pow(x, -n-1)
	}
	s += math.Pow(x, -n)/n + math.Pow(x, -n-1)/2
	// Σ B₂ₖ/(2k)!·(m+1)(m+2)…(m+2k−1)·x^(−m−2k)
	c := n + 1
	s += math.Pow(x, -n) * tail(x, func(k int) float64 {
		even := float64(2 * k)
		if k > 1 {
			c *= (n + even - 2) * (n + even - 1)
		}
		c /= (even - 1) * even
		return bernoulli[k-1] * c
	})
	if m%2 == 0 {
		fact = -fact
	}
	return fact * s
}
