package double

import (
	"math"

	"github.com/weft-go/weft/internal/test/oracle"
)

const steps = 64 // points of exp's table per unit

var (
	ln2 = Round(oracle.Ln2(250))
	// ln2Rest is log 2 − ln2.
	ln2Rest = func() float64 {
		r, _ := oracle.Ln2(250).Sub(oracle.Ln2(250), ln2.Big()).Float64()
		return r
	}()
	expCoef  = ratios(15, one, factorial)
	expTable = func() (t [steps + 1]D) {
		for i := range t {
			t[i] = Round(oracle.Exp(200, oracle.Num(float64(i-steps/2)/steps)))
		}
		return t
	}()
)

// expParts returns n and e^x/2ⁿ within [½, 2].
func expParts(x D) (n int, e D) {
	k := math.RoundToEven(x.Hi / ln2.Hi)
	r := x.Sub(Product(k, ln2.Hi)).Sub(Product(k, ln2.Lo)).Sub(Of(k * ln2Rest))
	i := math.RoundToEven(r.Hi * steps)
	r = r.Sub(Of(i / steps))
	return int(k), expTable[int(i)+steps/2].Mul(series(r, expCoef, 4))
}

// Exp returns e^x.
func Exp(x D) D {
	n, e := expParts(x)
	return D{math.Ldexp(e.Hi, n), math.Ldexp(e.Lo, n)}
}

// Expm1 returns e^x − 1.
func Expm1(x D) D {
	if math.Abs(x.Hi) < 1.0/steps {
		return x.Mul(series(x, expCoef[1:], 4))
	}
	return Exp(x).Sub(Of(1))
}

// Exp2 returns 2^x.
func Exp2(x D) D {
	k := math.RoundToEven(x.Hi)
	e := Exp(x.Sub(Of(k)).Mul(ln2))
	return D{math.Ldexp(e.Hi, int(k)), math.Ldexp(e.Lo, int(k))}
}

// atanhCoef are 2, 2/3, 2/5, …: of log((1 + s)/(1 − s)).
var atanhCoef = func() []D {
	c := make([]D, 14)
	for k := range c {
		c[k] = Of(2).Div(Of(float64(2*k + 1)))
	}
	return c
}()

// Log returns log x for x > 0.
func Log(x D) D {
	if x.Hi < 0x1p-900 {
		// Go's own logarithm of subnormal numbers is wrong on some processors.
		return Log(D{x.Hi * 0x1p200, x.Lo * 0x1p200}).Sub(ln2.Times(200))
	}
	if d := x.Sub(Of(1)); math.Abs(d.Hi) < 1.0/32 {
		return Log1p(d)
	}
	y := math.Log(x.Hi)
	n, e := expParts(Of(-y))
	d := D{math.Ldexp(x.Hi, n), math.Ldexp(x.Lo, n)}.Mul(e).Sub(Of(1))
	return Of(y).Add(d.Sub(d.Mul(d).scale(0.5)))
}

// Log1p returns log(1 + x) for x > −1.
func Log1p(x D) D {
	if math.Abs(x.Hi) < 1.0/16 {
		s := x.Div(x.Add(Of(2)))
		return s.Mul(series(s.Mul(s), atanhCoef, 5))
	}
	return Log(x.Add(Of(1)))
}

// Logistic returns 1/(1 + e^−x).
func Logistic(x D) D {
	if x.Hi < 0 {
		e := Exp(x)
		return e.Div(e.Add(Of(1)))
	}
	return Of(1).Div(Exp(x.Neg()).Add(Of(1)))
}

// Sinh returns (e^x − e^−x)/2.
func Sinh(x D) D {
	t := Expm1(x.Abs())
	return signed(t.Add(t.Div(t.Add(Of(1)))).scale(0.5), x)
}

// Cosh returns (e^x + e^−x)/2.
func Cosh(x D) D {
	e := Exp(x.Abs())
	return e.Add(Of(1).Div(e)).scale(0.5)
}

// Tanh returns sinh x/cosh x.
func Tanh(x D) D {
	if math.Abs(x.Hi) > 60 {
		return signed(Of(1), x)
	}
	t := Expm1(x.Abs().scale(2))
	return signed(t.Div(t.Add(Of(2))), x)
}

// signed returns y, or −y where x is negative.
func signed(y, x D) D {
	if x.Hi < 0 {
		return y.Neg()
	}
	return y
}

// Asinh returns log(x + √(x² + 1)).
func Asinh(x D) D {
	a := x.Abs()
	if a.Hi > 0x1p60 {
		return signed(Log(a).Add(ln2), x)
	}
	z := a.Mul(a)
	return signed(Log1p(a.Add(z.Div(Of(1).Add(z.Add(Of(1)).Sqrt())))), x)
}

// Acosh returns log(x + √(x² − 1)) for x ≥ 1.
func Acosh(x D) D {
	if x.Hi > 0x1p60 {
		return Log(x).Add(ln2)
	}
	t := x.Sub(Of(1))
	return Log1p(t.Add(t.Mul(t.Add(Of(2))).Sqrt()))
}

// Atanh returns ½·log((1 + x)/(1 − x)) for |x| < 1.
func Atanh(x D) D {
	a := x.Abs()
	return signed(Log1p(a.scale(2).Div(Of(1).Sub(a))).scale(0.5), x)
}

// Rsqrt returns 1/√x for x > 0.
func Rsqrt(x D) D { return Of(1).Div(x.Sqrt()) }

// Cbrt returns the cube root.
func Cbrt(x D) D {
	y := Of(math.Cbrt(x.Hi))
	if y.Hi == 0 {
		return D{}
	}
	y2 := y.Mul(y)
	return y.Sub(y2.Mul(y).Sub(x).Div(y2.Times(3)))
}

// Pow returns x^y for x > 0.
func Pow(x, y D) D { return Exp(y.Mul(Log(x))) }
