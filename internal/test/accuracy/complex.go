package accuracy

import (
	"math"
	"math/cmplx"
	"math/rand/v2"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/internal/test/oracle"
	"github.com/weft-go/weft/lower/reference"
)

// Complex is a complex function of one argument.
type Complex struct {
	Name  string
	Prim  core.Primitive
	Truth func(p uint, z oracle.C) oracle.C
}

// ComplexFunctions returns every complex function.
func ComplexFunctions() []Complex {
	return []Complex{
		{"exp", prim.ExpP{}, oracle.ExpC}, {"exp2", prim.Exp2P{}, oracle.Exp2C}, {"expm1", prim.Expm1P{}, oracle.Expm1C},
		{"log", prim.LogP{}, oracle.LogC}, {"log1p", prim.Log1pP{}, oracle.Log1pC},
		{"sqrt", prim.SqrtP{}, oracle.SqrtC}, {"rsqrt", prim.RsqrtP{}, oracle.RsqrtC},
		{"sin", prim.SinP{}, oracle.SinC}, {"cos", prim.CosP{}, oracle.CosC}, {"tan", prim.TanP{}, oracle.TanC},
		{"sinh", prim.SinhP{}, oracle.SinhC}, {"cosh", prim.CoshP{}, oracle.CoshC}, {"tanh", prim.TanhP{}, oracle.TanhC},
		{"asin", prim.AsinP{}, oracle.AsinC}, {"acos", prim.AcosP{}, oracle.AcosC}, {"atan", prim.AtanP{}, oracle.AtanC},
		{"asinh", prim.AsinhP{}, oracle.AsinhC}, {"acosh", prim.AcoshP{}, oracle.AcoshC}, {"atanh", prim.AtanhP{}, oracle.AtanhC},
		{"logistic", prim.LogisticP{}, oracle.LogisticC}, {"sign", prim.SignP{}, oracle.SignC}, {"square", prim.SquareP{}, oracle.SquareC},
	}
}

// complexArgument returns a random complex number: with parts of very different sizes, on unit
// circles, or near the points where functions have zeros and poles.
func complexArgument(rng *rand.Rand, single bool) complex128 {
	part := func() float64 {
		switch rng.IntN(4) {
		case 0:
			return math.Ldexp(rng.Float64()*2-1, rng.IntN(60)-40)
		case 1:
			return float64(rng.IntN(9)-4) * math.Pi / 2 * (1 + rng.NormFloat64()*math.Ldexp(1, -rng.IntN(50)))
		case 2:
			return float64(rng.IntN(5)-2) + rng.NormFloat64()*math.Ldexp(1, -rng.IntN(50))
		}
		return rng.NormFloat64() * 4
	}
	z := complex(part(), part())
	if rng.IntN(5) == 0 {
		z = cmplx.Rect(1, rng.Float64()*7) * complex(1+rng.NormFloat64()*math.Ldexp(1, -rng.IntN(50)), 0)
		if rng.IntN(2) == 0 {
			z--
		}
	}
	if single {
		z = complex128(complex64(z))
	}
	switch z {
	case 0, 1, -1, 1i, -1i: // poles and branch points: corners, not accuracy
		return complexArgument(rng, single)
	}
	return z
}

// Measure measures f at n random arguments of c64 or c128 against math/big, in ulps of
// the modulus. At and At2 are the parts of the worst argument.
func (f Complex) Measure(dt core.DType, n int, seed uint64) Result {
	rng := rand.New(rand.NewPCG(seed, 2))
	return measureComplex(dt, n, rng, 1, func(in, out []*reference.Tensor) { run(f.Prim, in, out) }, func(z []complex128) oracle.C {
		return f.Truth(120, oracle.NumC(z[0]))
	})
}

// Pair2 measures a function of two complex arguments.
func Pair2(p core.Primitive, t func(p uint, z, w oracle.C) oracle.C, dt core.DType, n int, seed uint64) Result {
	rng := rand.New(rand.NewPCG(seed, 3))
	return measureComplex(dt, n, rng, 2, func(in, out []*reference.Tensor) { run(p, in, out) }, func(z []complex128) oracle.C {
		return t(120, oracle.NumC(z[0]), oracle.NumC(z[1]))
	})
}

func run(p core.Primitive, in, out []*reference.Tensor) {
	dts := make([]core.DType, len(in))
	for i, x := range in {
		dts[i] = x.DType
	}
	pl, ok := reference.PlanOf(p, dts, out[0].DType)
	if !ok {
		panic("no expansion of " + p.Name())
	}
	pl.Run(in, out)
}

func measureComplex(dt core.DType, n int, rng *rand.Rand, operands int, f func(in, out []*reference.Tensor), want func(z []complex128) oracle.C) Result {
	a := core.Aval(dt, n)
	var in []*reference.Tensor
	args := make([][]complex128, n)
	for range operands {
		x := reference.NewTensor(a)
		for i := range n {
			z := complexArgument(rng, dt == core.Complex64)
			args[i] = append(args[i], z)
			if dt == core.Complex64 {
				reference.View[complex64](x)[i] = complex64(z)
			} else {
				reference.View[complex128](x)[i] = z
			}
		}
		in = append(in, x)
	}
	out := reference.NewTensor(a)
	f(in, []*reference.Tensor{out})
	var t tally
	fm := formats[dt.Real()]
	top := math.Ldexp(1, fm.most)
	for i := range n {
		got := complex128(0)
		if dt == core.Complex64 {
			got = complex128(reference.View[complex64](out)[i])
		} else {
			got = reference.View[complex128](out)[i]
		}
		w := want(args[i])
		re, _ := w.Re.Float64()
		im, _ := w.Im.Float64()
		m := math.Hypot(re, im)
		if m > top || m == 0 { // beyond the type, or exact
			continue
		}
		e := math.NaN()
		if !cmplx.IsNaN(got) && !cmplx.IsInf(got) {
			e = oracle.Off(got, w, fm.ulp(m))
		}
		before := t.Max
		t.add(real(args[i][0]), e)
		if t.Max != before {
			t.At2 = imag(args[i][0])
		}
	}
	return t.result()
}
