package double

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/weft-go/weft/internal/test/oracle"
)

// between returns numbers of every size from lo to hi and of both signs, among them some
// near 1, 2 and multiples of π/2.
func between(rng *rand.Rand, lo, hi float64) float64 {
	for {
		x := math.Ldexp(1+rng.Float64(), math.Ilogb(lo)+rng.IntN(math.Ilogb(hi)-math.Ilogb(lo)+1))
		switch rng.IntN(8) {
		case 0:
			x = 1 + rng.NormFloat64()*math.Ldexp(1, -rng.IntN(52))
		case 1:
			x = 2 + rng.NormFloat64()*math.Ldexp(1, -rng.IntN(52))
		case 2:
			x = float64(rng.IntN(1000)) * math.Pi / 2 * (1 + float64(rng.IntN(5)-2)*0x1p-52)
		}
		if a := math.Abs(x); a < lo || a > hi {
			continue
		}
		if rng.IntN(2) == 0 {
			return -x
		}
		return x
	}
}

// Every function agrees with math/big to 2⁻⁸⁰ or more, lgamma and digamma absolutely where
// they are below one.
func TestFunctions(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	sine := func(p uint, x *oracle.F) *oracle.F { s, _ := oracle.SinCos(p, x); return s }
	cosine := func(p uint, x *oracle.F) *oracle.F { _, c := oracle.SinCos(p, x); return c }
	rsqrt := func(p uint, x *oracle.F) *oracle.F {
		return new(oracle.F).SetPrec(p).Quo(oracle.Num(1), oracle.Sqrt(p+16, x))
	}
	cbrt := func(p uint, x *oracle.F) *oracle.F {
		y := oracle.Cbrt(p, new(oracle.F).Abs(x))
		if x.Sign() < 0 {
			y.Neg(y)
		}
		return y
	}
	erfInv := func(p uint, x *oracle.F) *oracle.F {
		f, _ := x.Float64()
		return oracle.ErfInv(p, x, math.Erfinv(f))
	}
	sqrt := func(x D) D { return x.Sqrt() }
	for _, f := range []struct {
		name   string
		f      func(D) D
		truth  func(p uint, x *oracle.F) *oracle.F
		lo, hi float64 // of |x|
		least  float64 // of x
		n      int
	}{
		{"exp", Exp, oracle.Exp, 1e-200, 600, -600, 1000},
		{"exp2", Exp2, oracle.Exp2, 1e-200, 900, -900, 1000},
		{"expm1", Expm1, oracle.Expm1, 1e-200, 600, -600, 1000},
		{"log", Log, oracle.Log, 1e-250, 1e250, 0, 1000},
		{"log1p", Log1p, oracle.Log1p, 1e-250, 1e250, -1, 1000},
		{"logistic", Logistic, oracle.Logistic, 1e-200, 600, -600, 1000},
		{"tanh", Tanh, oracle.Tanh, 1e-200, 700, -700, 1000},
		{"sinh", Sinh, oracle.Sinh, 1e-200, 600, -600, 1000},
		{"cosh", Cosh, oracle.Cosh, 1e-200, 600, -600, 1000},
		{"asinh", Asinh, oracle.Asinh, 1e-250, 1e250, -1e250, 1000},
		{"acosh", Acosh, oracle.Acosh, 1, 1e250, 1, 1000},
		{"atanh", Atanh, oracle.Atanh, 1e-250, 1 - 0x1p-53, -1, 1000},
		{"sqrt", sqrt, oracle.Sqrt, 1e-250, 1e250, 0, 1000},
		{"rsqrt", Rsqrt, rsqrt, 1e-250, 1e250, 0, 1000},
		{"cbrt", Cbrt, cbrt, 1e-250, 1e250, -1e250, 1000},
		{"sin", Sin, sine, 1e-250, 1e250, -1e250, 1000},
		{"cos", Cos, cosine, 1e-250, 1e250, -1e250, 1000},
		{"tan", Tan, oracle.Tan, 1e-250, 1e250, -1e250, 1000},
		{"atan", Atan, oracle.Atan, 1e-250, 1e250, -1e250, 1000},
		{"asin", Asin, oracle.Asin, 1e-250, 1 - 0x1p-53, -1, 1000},
		{"acos", Acos, oracle.Acos, 1e-250, 1 - 0x1p-53, -1, 1000},
		{"erf", Erf, oracle.Erf, 1e-250, 6, -6, 300},
		{"erfc", Erfc, oracle.Erfc, 1e-250, 20, -6, 200},
		{"erf_inv", ErfInv, erfInv, 1e-250, 1 - 0x1p-53, -1, 100},
		{"lgamma", Lgamma, oracle.Lgamma, 1e-250, 1e250, -1e10, 200},
		{"digamma", Digamma, oracle.Digamma, 1e-250, 1e250, -1e10, 200},
		{"bessel_i0e", BesselI0e, oracle.BesselI0e, 1e-250, 1e250, -1e250, 200},
		{"bessel_i1e", BesselI1e, oracle.BesselI1e, 1e-250, 1e250, -1e250, 200},
		{"bessel_i0e", BesselI0e, oracle.BesselI0e, 1, 100, -100, 200},
		{"bessel_i1e", BesselI1e, oracle.BesselI1e, 1, 100, -100, 200},
	} {
		t.Run(f.name, func(t *testing.T) {
			worst := math.Inf(-1)
			for range f.n {
				x := between(rng, f.lo, f.hi)
				gamma := f.name == "lgamma" || f.name == "digamma"
				if x < f.least || gamma && x < 0 && x == math.Floor(x) {
					continue
				}
				got, want := f.f(Of(x)).Big(), f.truth(160, oracle.Num(x))
				d := new(big.Float).SetPrec(300).Sub(got, want)
				if d.Sign() == 0 {
					continue
				}
				size := want.MantExp(nil)
				if gamma {
					size = max(size, 1)
				}
				e := float64(d.MantExp(nil) - size)
				if worst = max(worst, e); e > -80 {
					t.Fatalf("%s(%v) = %s, want %s: off by 2^%v", f.name, x, got.Text('g', 40), want.Text('g', 40), e)
				}
			}
			t.Logf("within 2^%v", worst)
		})
	}
}

func TestTwoArguments(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	check := func(name string, x, y float64, got D, want *big.Float) {
		t.Helper()
		d := new(big.Float).SetPrec(300).Sub(got.Big(), want)
		if d.Sign() != 0 && d.MantExp(nil)-want.MantExp(nil) > -70 {
			t.Fatalf("%s(%v, %v) = %s, want %s", name, x, y, got.Big().Text('g', 40), want.Text('g', 40))
		}
	}
	for range 2000 {
		x, y := between(rng, 1e-100, 1e100), between(rng, 1e-100, 1e100)
		check("atan2", x, y, Atan2(Of(x), Of(y)), oracle.Atan2(160, oracle.Num(x), oracle.Num(y)))
		if x = math.Abs(x); x != 1 {
			y = (rng.Float64()*2 - 1) * 600 / math.Log(x)
			check("pow", x, y, Pow(Of(x), Of(y)), oracle.Pow(160, oracle.Num(x), oracle.Num(y)))
		}
	}
}

func BenchmarkFunctions(b *testing.B) {
	for _, f := range []struct {
		name string
		f    func(D) D
		x    float64
	}{{"exp", Exp, 1.3}, {"log", Log, 1.3}, {"sin", Sin, 1.3}, {"atan", Atan, 1.3}, {"erfc", Erfc, 1.3}, {"erf_inv", ErfInv, 0.7}, {"lgamma", Lgamma, 1.3}, {"digamma", Digamma, 1.3}} {
		b.Run(f.name, func(b *testing.B) {
			for b.Loop() {
				f.f(Of(f.x))
			}
		})
	}
}
