package accuracy

import (
	"math"
	"math/big"
	"math/rand/v2"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/internal/test/double"
	"github.com/weft-go/weft/internal/test/oracle"
	"github.com/weft-go/weft/lower/reference"
)

// Binary is a function of two real numbers that are not zero and not infinite.
type Binary struct {
	Name   string
	Prim   core.Primitive
	args   func(rng *rand.Rand, fm format) (x, y float64)
	near   func(x, y float64, dt core.DType) float64 // nearly right for f32; exact for all if double is nil
	double func(x, y double.D) double.D              // the truth where numbers are moderate
	truth  func(p uint, x, y *oracle.F) *oracle.F    // elsewhere
	inside func(x, y float64) bool                   // where double reaches
	domain func(x, y float64) bool                   // where there is a truth; nil: everywhere
	parts  bool                                      // the numbers are those of one complex number
}

// BinaryFunctions returns every function of two real numbers that is not one operation of the
// machine.
func BinaryFunctions() []Binary {
	return []Binary{
		{
			Name: "pow", Prim: prim.PowP{}, args: powArguments, domain: hasPower,
			near:   func(x, y float64, _ core.DType) float64 { return powSign(x, y) * math.Exp(y*math.Log(math.Abs(x))) },
			inside: func(x, y float64) bool { return moderate(y) },
			double: func(x, y double.D) double.D { return double.Pow(x.Abs(), y).Times(powSign(x.Hi, y.Hi)) },
			truth: func(p uint, x, y *oracle.F) *oracle.F {
				u, _ := x.Float64()
				v, _ := y.Float64()
				r := oracle.Pow(p, new(oracle.F).Abs(x), y)
				return r.Mul(r, oracle.Num(powSign(u, v)))
			},
		},
		{
			Name: "atan2", Prim: prim.Atan2P{}, args: angleArguments,
			near:   func(x, y float64, _ core.DType) float64 { return math.Atan2(x, y) },
			inside: func(x, y float64) bool { return moderate(x) && moderate(y) && moderate(x/y) },
			double: double.Atan2, truth: oracle.Atan2,
		},
		{
			Name: "abs", Prim: prim.AbsP{}, args: angleArguments, parts: true,
			near:   func(x, y float64, _ core.DType) float64 { return math.Sqrt(x*x + y*y) },
			inside: func(x, y float64) bool { return moderate(x*x) && moderate(y*y) },
			double: func(x, y double.D) double.D { return x.Mul(x).Add(y.Mul(y)).Sqrt() },
			truth:  func(p uint, x, y *oracle.F) *oracle.F { return oracle.AbsC(p, oracle.C{Re: x, Im: y}) },
		},
		{
			Name: "rem", Prim: prim.RemP{}, args: remArguments,
			near: func(x, y float64, _ core.DType) float64 { return math.Mod(x, y) },
		},
		{
			Name: "nextafter", Prim: prim.NextafterP{}, args: angleArguments,
			near: func(x, y float64, dt core.DType) float64 {
				if dt == core.Float32 {
					return float64(math.Nextafter32(float32(x), float32(y)))
				}
				return math.Nextafter(x, y)
			},
		},
	}
}

// sized returns a number of any exponent of the format, its subnormal numbers included.
func sized(rng *rand.Rand, fm format) float64 {
	x := math.Ldexp(1+rng.Float64(), fm.least+rng.IntN(fm.most-fm.least+1))
	if rng.IntN(2) == 0 {
		return -x
	}
	return x
}

// closeTo returns a number near x, at a random distance.
func closeTo(rng *rand.Rand, x float64) float64 {
	return x * (1 + rng.NormFloat64()*math.Ldexp(1, -rng.IntN(56)))
}

// angleArguments returns numbers of any size, or two whose quotient is near one, near the tangent
// of π/8, or not far from one.
func angleArguments(rng *rand.Rand, fm format) (x, y float64) {
	x, y = sized(rng, fm), sized(rng, fm)
	switch rng.IntN(6) {
	case 0:
		y = closeTo(rng, x)
	case 1:
		y = closeTo(rng, x*(math.Sqrt2-1))
	case 2:
		y = x * (rng.Float64()*4 - 2)
	case 3:
		y = math.Ldexp(x, rng.IntN(121)-60)
	}
	if rng.IntN(2) == 0 {
		return y, x
	}
	return x, y
}

// powArguments returns bases of all sizes, and near one, with exponents that leave the
// power in the type's range, often just, or lead out of it.
func powArguments(rng *rand.Rand, fm format) (x, y float64) {
	switch rng.IntN(4) {
	case 0:
		x = sized(rng, fm)
	case 1:
		x = closeTo(rng, 1)
	case 2:
		x = 20 * rng.Float64()
	default:
		x = closeTo(rng, math.Ldexp(1, rng.IntN(21)-10))
	}
	y = (rng.Float64()*2 - 1) * 1.08 * float64(fm.most) * math.Ln2 / math.Log(math.Abs(x))
	switch rng.IntN(4) {
	case 0:
		y = math.Round(y)
	case 1:
		y = closeTo(rng, float64(rng.IntN(13)-6)/2)
	}
	if x > 0 && y == math.Round(y) && rng.IntN(2) == 0 {
		x = -x
	}
	return x, y
}

func hasPower(x, y float64) bool { return x > 0 || y == math.Trunc(y) }

// powSign returns the sign of x^y, NaN where there is no power.
func powSign(x, y float64) float64 {
	switch {
	case x > 0:
		return 1
	case y != math.Trunc(y):
		return math.NaN()
	case math.Mod(y, 2) != 0:
		return -1
	}
	return 1
}

// remArguments returns numbers of any size, or an x not too far above y for f64, or an x near a
// multiple of y.
func remArguments(rng *rand.Rand, fm format) (x, y float64) {
	x, y = sized(rng, fm), sized(rng, fm)
	switch rng.IntN(3) {
	case 0:
		y = math.Ldexp(1+rng.Float64(), math.Ilogb(x)-rng.IntN(80))
	case 1:
		y = closeTo(rng, x/float64(1+rng.IntN(1000)))
	}
	return x, y
}

// Remainder returns x − trunc(x/y)·y by math/big.
func Remainder(x, y *oracle.F) *oracle.F {
	const q = 4300
	a, b := new(big.Float).SetPrec(q).Abs(x), new(big.Float).SetPrec(q).Abs(y)
	n, _ := new(big.Float).SetPrec(q).Quo(a, b).Int(nil)
	r := new(big.Float).SetPrec(q).Mul(new(big.Float).SetPrec(q).SetInt(n), b)
	r.Sub(a, r)
	if r.Sign() < 0 { // the quotient rounded up to an integer
		r.Add(r, b)
	}
	if x.Sign() < 0 {
		r.Neg(r)
	}
	return r
}

// Measure measures f at n random arguments of f32 or f64, or of the parts of c64 or c128.
func (f Binary) Measure(dt core.DType, n int, seed uint64) Result {
	var t tally
	rng := rand.New(rand.NewPCG(seed, 4))
	r := newPairRunner(f, dt)
	for done := 0; done < n; done += chunk {
		k := min(chunk, n-done)
		for i := range k {
			x, y := f.arguments(rng, dt)
			r.set(i, x, y)
		}
		r.run()
		for i := range k {
			x, y, got := r.at(i)
			before := t.Max
			t.add(x, f.off(dt, x, y, got, t.Max))
			if t.Max != before {
				t.At2 = y
			}
		}
	}
	return t.result()
}

func (f Binary) arguments(rng *rand.Rand, dt core.DType) (x, y float64) {
	for {
		x, y = f.args(rng, formats[dt])
		if dt == core.Float32 {
			x, y = float64(float32(x)), float64(float32(y))
		}
		if x != 0 && y != 0 && !math.IsInf(x, 0) && !math.IsInf(y, 0) && x == x && y == y {
			return x, y
		}
	}
}

// off returns the error of got = f(x, y), as exact as finding the greatest requires.
func (f Binary) off(dt core.DType, x, y, got, greatest float64) float64 {
	fm := formats[dt]
	switch {
	case f.double == nil:
		return fm.off(got, f.near(x, y, dt), 0)
	case dt == core.Float32:
		want := f.near(x, y, dt)
		err := off32(got, want)
		if !(err < 1<<20) {
			err = fm.off(got, want, 0)
		}
		if err+0x1p-16 <= max(greatest, plain) || err == 0 || f.domain != nil && !f.domain(x, y) {
			return err
		}
	case f.domain != nil && !f.domain(x, y):
		return fm.off(got, math.NaN(), 0)
	case f.inside(x, y):
		if w := f.double(double.Of(x), double.Of(y)); reached(w) {
			return offDouble(fm, got, w, 0)
		}
	}
	return offBig(fm, got, f.truth(120, oracle.Num(x), oracle.Num(y)))
}

// offBig returns the error of got against a truth that no float holds.
func offBig(fm format, got float64, want *oracle.F) float64 {
	w, _ := want.Float64()
	if math.IsInf(got, 0) || math.IsInf(w, 0) || got != got || math.Abs(w) >= 2*math.Ldexp(1, fm.most) {
		return fm.off(got, w, 0)
	}
	if w != 0 && got != 0 && math.Signbit(got) != math.Signbit(w) {
		return math.NaN()
	}
	d := new(big.Float).SetPrec(150).Sub(oracle.Num(got), want)
	e, _ := d.Quo(d, oracle.Num(fm.ulp(w))).Float64()
	return math.Abs(e)
}

// pairRunner applies a function of two numbers to chunks of them.
type pairRunner struct {
	f   Binary
	dt  core.DType
	in  []*reference.Tensor
	out *reference.Tensor
}

func newPairRunner(f Binary, dt core.DType) *pairRunner {
	r := &pairRunner{f: f, dt: dt, out: reference.NewTensor(core.Aval(dt, chunk))}
	for _, t := range f.operands(dt) {
		r.in = append(r.in, reference.NewTensor(core.Aval(t, chunk)))
	}
	return r
}

// operands returns the types of f's operands where its result has type dt.
func (f Binary) operands(dt core.DType) []core.DType {
	switch {
	case !f.parts:
		return []core.DType{dt, dt}
	case dt == core.Float64:
		return []core.DType{core.Complex128}
	}
	return []core.DType{core.Complex64}
}

func (r *pairRunner) run() { run(r.f.Prim, r.in, []*reference.Tensor{r.out}) }

// place returns where the arguments at i lie.
func place[F float32 | float64](r *pairRunner, i int) (x, y *F) {
	if r.f.parts {
		z := &reference.View[[2]F](r.in[0])[i]
		return &z[0], &z[1]
	}
	return &reference.View[F](r.in[0])[i], &reference.View[F](r.in[1])[i]
}

func (r *pairRunner) set(i int, x, y float64) {
	if r.dt == core.Float32 {
		u, v := place[float32](r, i)
		*u, *v = float32(x), float32(y)
		return
	}
	u, v := place[float64](r, i)
	*u, *v = x, y
}

func (r *pairRunner) at(i int) (x, y, got float64) {
	if r.dt == core.Float32 {
		u, v := place[float32](r, i)
		return float64(*u), float64(*v), float64(reference.View[float32](r.out)[i])
	}
	u, v := place[float64](r, i)
	return *u, *v, reference.View[float64](r.out)[i]
}
