package double

import (
	"math"
	"math/big"
	"sync"

	"github.com/weft-go/weft/internal/test/oracle"
)

// Of g(x) = e^(x²)·erfc x, Taylor's coefficients about points an eighth apart, up to
// where erfc is nothing: g' = 2xg − 2/√π implies (n+1)·a[n+1] = 2c·a[n] + 2·a[n−1].
const (
	centers = 30 * 8
	terms   = 26
)

var erfcTable = sync.OnceValue(func() [][]D {
	const p = 420 // the recurrence loses up to eight bits a step
	t := make([][]D, centers)
	two := oracle.Num(2)
	for i := range t {
		x := oracle.Num(float64(i) / 8)
		num := func() *big.Float { return new(big.Float).SetPrec(p) }
		g := num().Mul(oracle.Erfc(p, x), oracle.Exp(p, num().Mul(x, x)))
		root := num().Quo(two, oracle.Sqrt(p, oracle.Pi(p)))
		a := []*big.Float{g}
		next := num().Mul(x, g)
		a = append(a, next.Mul(next, two).Sub(next, root))
		for n := 1; n < terms; n++ {
			s := num().Mul(x, a[n])
			s.Add(s, a[n-1]).Mul(s, two)
			a = append(a, s.Quo(s, oracle.Num(float64(n+1))))
		}
		for _, v := range a {
			t[i] = append(t[i], Round(v))
		}
	}
	return t
})

// erfcx returns e^(x²)·erfc x for 0 ≤ x < 29.
func erfcx(x D) D {
	i := math.RoundToEven(x.Hi * 8)
	return series(x.Sub(Of(i/8)), erfcTable()[int(i)], 9)
}

var erfCoef = ratios(26, alternating, func(k int64) *big.Int {
	return new(big.Int).Mul(factorial(k), big.NewInt(2*k+1))
})

var twoOverRootPi = Of(2).Div(pi.Sqrt())

// Erf returns the error function.
func Erf(x D) D {
	if math.Abs(x.Hi) < 1 {
		return x.Mul(twoOverRootPi).Mul(series(x.Mul(x), erfCoef, 13))
	}
	if math.Abs(x.Hi) > 20 {
		return signed(Of(1), x)
	}
	return signed(Of(1).Sub(Erfc(x.Abs())), x)
}

// Erfc returns 1 − erf x.
func Erfc(x D) D {
	if x.Hi < 0 {
		return Of(1).Sub(Erf(x))
	}
	return erfcx(x).Mul(Exp(x.Mul(x).Neg()))
}

// ErfInv returns the inverse of Erf for |x| < 1: two steps of Halley's.
func ErfInv(x D) D {
	y := Of(math.Erfinv(x.Hi))
	for range 2 {
		var f D
		switch a := y.Abs(); {
		case a.Hi < 0.5:
			f = Erf(y).Sub(x)
		case y.Hi > 0:
			f = Of(1).Sub(x).Sub(Erfc(y))
		default:
			f = Erfc(y.Neg()).Sub(Of(1).Add(x))
		}
		d := f.Mul(Exp(y.Mul(y))).Div(twoOverRootPi)
		y = y.Sub(d.Div(Of(1).Add(d.Mul(y))))
	}
	return y
}

// far is the number from which the asymptotic series of lgamma and digamma are accurate.
const far = 26

var (
	halfLog2Pi = Log(pi.scale(2)).scale(0.5)
	// stirling are B₂ₖ/(2k(2k−1)) and psi B₂ₖ/2k for k = 1, 2, ….
	stirling, psi = func() (s, p []D) {
		for k := int64(1); k <= 16; k++ {
			b := oracle.Bernoulli(int(2 * k))
			q := new(big.Rat).Quo(b, big.NewRat(2*k, 1))
			p = append(p, Round(new(big.Float).SetPrec(200).SetRat(q)))
			q = new(big.Rat).Quo(q, big.NewRat(2*k-1, 1))
			s = append(s, Round(new(big.Float).SetPrec(200).SetRat(q)))
		}
		return s, p
	}()
)

// sinPi returns |sin πx| and π·cot πx for the f64 x.
func sinPi(x float64) (sin, cot D) {
	d := x - math.RoundToEven(x)
	n := 0
	// sin and cos of π|d| ≤ π/2.
	a := Product(math.Abs(d), pi.Hi).Add(Of(math.Abs(d) * pi.Lo))
	if math.Abs(d) > 0.25 {
		b := 0.5 - math.Abs(d)
		a = Product(b, pi.Hi).Add(Of(b * pi.Lo)).Neg()
		n = 1
	}
	s, c := turn(n, a)
	return s, signed(pi.Mul(c.Div(s)), Of(d))
}

// Lgamma returns log|Γ(x)| of the f64 x, with a small absolute error near its zeros; x must not
// be an integer ≤ 0.
func Lgamma(v D) D {
	x := v.Hi
	if x < 0 {
		// Γ(x)·Γ(−x) = −π/(x·sin πx)
		s, _ := sinPi(x)
		return Log(pi.Div(s)).Sub(Log(Of(-x))).Sub(Lgamma(Of(-x)))
	}
	y, prod := Of(x), Of(1)
	for y.Hi < far {
		prod = prod.Mul(y)
		y = y.Add(Of(1))
	}
	w := Of(1).Div(y)
	r := y.Sub(Of(0.5)).Mul(Log(y)).Sub(y).Add(halfLog2Pi)
	if y.Hi < 0x1p60 {
		r = r.Add(w.Mul(series(w.Mul(w), stirling, 4)))
	}
	return r.Sub(Log(prod))
}

// Digamma returns Γ'(x)/Γ(x) of the f64 x, with a small absolute error near its zeros; x must not
// be an integer ≤ 0.
func Digamma(v D) D {
	x := v.Hi
	if x < 0 {
		// ψ(x) = ψ(−x) − 1/x − π·cot πx
		_, cot := sinPi(x)
		return Digamma(Of(-x)).Sub(Of(1).Div(v)).Sub(cot)
	}
	y, s := Of(x), D{}
	for y.Hi < far {
		s = s.Sub(Of(1).Div(y))
		y = y.Add(Of(1))
	}
	w := Of(1).Div(y)
	s = s.Add(Log(y)).Sub(w.scale(0.5))
	if y.Hi < 0x1p60 {
		z := w.Mul(w)
		s = s.Sub(z.Mul(series(z, psi, 4)))
	}
	return s
}
