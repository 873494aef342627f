package accuracy

import (
	"math"
	"math/rand/v2"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/internal/test/double"
	"github.com/weft-go/weft/internal/test/oracle"
	"github.com/weft-go/weft/lower/reference"
)

// doubles are the truth of f64 where numbers are of moderate size.
var doubles = map[string]func(double.D) double.D{
	"exp": double.Exp, "exp2": double.Exp2, "expm1": double.Expm1, "log": double.Log, "log1p": double.Log1p,
	"tanh": double.Tanh, "logistic": double.Logistic, "sin": double.Sin, "cos": double.Cos, "tan": double.Tan,
	"asin": double.Asin, "acos": double.Acos, "atan": double.Atan, "sinh": double.Sinh, "cosh": double.Cosh,
	"asinh": double.Asinh, "acosh": double.Acosh, "atanh": double.Atanh, "sqrt": double.D.Sqrt, "rsqrt": double.Rsqrt,
	"cbrt": double.Cbrt, "erf": double.Erf, "erfc": double.Erfc, "erf_inv": double.ErfInv, "lgamma": double.Lgamma,
	"digamma": double.Digamma, "bessel_i0e": double.BesselI0e, "bessel_i1e": double.BesselI1e,
}

// Float64 measures f at n arguments: a third each of usual ones, of all exponents alike,
// and near edges.
func (f Function) Float64(n int, seed uint64) Result {
	var t tally
	rng := rand.New(rand.NewPCG(seed, 1))
	a := newRunner(f.Prim, core.Float64)
	x, y := reference.View[float64](a.in), reference.View[float64](a.out)
	for done := 0; done < n; {
		k := min(chunk, n-done)
		for i := range k {
			x[i] = f.argument(rng, i%3)
		}
		a.runSome(k)
		for i := range k {
			t.add(x[i], f.off64(x[i], y[i]))
		}
		done += k
	}
	return t.result()
}

func (f Function) argument(rng *rand.Rand, kind int) float64 {
	for {
		var x float64
		switch kind {
		case 0:
			x = f.Lo + (f.Hi-f.Lo)*rng.Float64()
		case 1:
			x = anySize(rng)
		default:
			x = nearEdge(rng)
		}
		if f.Domain(x) {
			return x
		}
	}
}

// anySize returns a number of any exponent and sign. Those beyond ±900, whose truth takes long to
// find, are rare.
func anySize(rng *rand.Rand) float64 {
	e := rng.IntN(1801) - 900
	if rng.IntN(100) == 0 {
		e = rng.IntN(2098) - 1074
	}
	x := math.Ldexp(1+rng.Float64(), e)
	if rng.IntN(2) == 0 {
		x = -x
	}
	return x
}

// nearEdge returns a number at one of the places where functions change the way in which they
// are computed, or are zero: multiples of π/4, of ½ and of ½·log 2, powers of two and
// their roots, and the zeros of lgamma and digamma; or near it, at every distance.
func nearEdge(rng *rand.Rand) float64 {
	var x float64
	k := float64(rng.IntN(2001) - 1000)
	switch rng.IntN(7) {
	case 0:
		x = k * math.Pi / 4
	case 1:
		x = k / 2
	case 2:
		x = k * math.Ln2 / 2
	case 3:
		x = math.Ldexp(1, rng.IntN(200)-100)
	case 4:
		x = math.Ldexp(math.Sqrt2, rng.IntN(200)-100)
	case 5:
		x = float64(rng.IntN(64)-32) / 8
	default:
		// Below zero both gamma functions have a zero between two integers.
		x = []float64{1.4616321449683622, -0.504083008264455, -1.573498473162390, -2.4570247382208, -2.7476826467274, -2.610720868444145, -3.635293366436901}[rng.IntN(7)]
	}
	if rng.IntN(2) == 0 {
		x = -x
	}
	if rng.IntN(2) == 0 {
		return x + math.Abs(x)*float64(rng.IntN(65)-32)*0x1p-53
	}
	return x * (1 + rng.NormFloat64()*math.Ldexp(1, -rng.IntN(53)))
}

// off64 returns the error of got = f(x).
func (f Function) off64(x, got float64) float64 {
	fm := formats[core.Float64]
	gamma := f.Unit != 0 // their logarithms and quotients reach farther
	if moderate(x) || gamma && math.Abs(x) > 0x1p-1000 {
		if w := doubles[f.Name](double.Of(x)); reached(w) {
			return offDouble(fm, got, w, f.Unit)
		}
	}
	return offUnit(fm, got, f.Truth(100, oracle.Num(x)), f.Unit)
}

// moderate reports whether package double can compute at x.
func moderate(x float64) bool { return math.Abs(x) > 0x1p-900 && math.Abs(x) < 0x1p900 }

// reached reports whether a result has as many bits as it should.
func reached(w double.D) bool { return math.Abs(w.Hi) > 0x1p-960 && math.Abs(w.Hi) < 0x1p1023 }

// offDouble returns the error of got where the truth is want.
func offDouble(fm format, got float64, want double.D, unit float64) float64 {
	if got != got || math.IsInf(got, 0) || math.Signbit(got) != math.Signbit(want.Hi) && unit == 0 {
		return fm.off(got, want.Hi, unit)
	}
	return math.Abs((got-want.Hi)-want.Lo) / fm.ulp(max(math.Abs(want.Hi), unit))
}
