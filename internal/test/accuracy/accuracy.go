// Package accuracy measures how far the elementwise kernels are from the truth, in ulps.
// The truth of f64 is that of package double, and of package oracle where that does not
// reach; of f32 and smaller types an f64 from elsewhere decides first, and the truth what
// that leaves open.
package accuracy

import (
	"math"
	"math/big"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/internal/test/oracle"
	"github.com/weft-go/weft/lower/reference"
)

// Function is a function of one real argument and how to find the truth of it.
type Function struct {
	Name   string
	Prim   core.Primitive
	Truth  func(p uint, x *oracle.F) *oracle.F
	Domain func(x float64) bool // where Truth may be asked
	Lo, Hi float64              // the usual arguments
	// Unit is the least number whose ulp counts: 1 for functions that are only
	// promised absolutely near their zeros.
	Unit float64
	Slow bool // the truth is: fewer arguments
}

// Functions returns every function that is not exact.
func Functions() []Function {
	finite := func(x float64) bool { return x != 0 && !math.IsInf(x, 0) && x == x }
	within := func(lo, hi float64) func(float64) bool {
		return func(x float64) bool { return finite(x) && x > lo && x < hi }
	}
	positive := within(0, math.Inf(1))
	notPole := func(x float64) bool { return finite(x) && (x > 0 || x != math.Floor(x)) && x > -1e15 && x < 1e300 }
	return []Function{
		{Name: "exp", Prim: prim.ExpP{}, Truth: oracle.Exp, Domain: within(-800, 800), Lo: -87, Hi: 88},
		{Name: "exp2", Prim: prim.Exp2P{}, Truth: oracle.Exp2, Domain: within(-1200, 1100), Lo: -125, Hi: 127},
		{Name: "expm1", Prim: prim.Expm1P{}, Truth: oracle.Expm1, Domain: within(-800, 800), Lo: -10, Hi: 80},
		{Name: "log", Prim: prim.LogP{}, Truth: oracle.Log, Domain: positive, Lo: 1e-3, Hi: 1e3},
		{Name: "log1p", Prim: prim.Log1pP{}, Truth: oracle.Log1p, Domain: within(-1, math.Inf(1)), Lo: -0.999, Hi: 100},
		{Name: "tanh", Prim: prim.TanhP{}, Truth: oracle.Tanh, Domain: within(-100, 100), Lo: -9, Hi: 9},
		{Name: "logistic", Prim: prim.LogisticP{}, Truth: oracle.Logistic, Domain: within(-800, 100), Lo: -30, Hi: 30},
		{Name: "sin", Prim: prim.SinP{}, Truth: sine, Domain: finite, Lo: -100, Hi: 100},
		{Name: "cos", Prim: prim.CosP{}, Truth: cosine, Domain: finite, Lo: -100, Hi: 100},
		{Name: "tan", Prim: prim.TanP{}, Truth: oracle.Tan, Domain: finite, Lo: -100, Hi: 100},
		{Name: "asin", Prim: prim.AsinP{}, Truth: oracle.Asin, Domain: within(-1, 1), Lo: -1, Hi: 1},
		{Name: "acos", Prim: prim.AcosP{}, Truth: oracle.Acos, Domain: within(-1, 1), Lo: -1, Hi: 1},
		{Name: "atan", Prim: prim.AtanP{}, Truth: oracle.Atan, Domain: finite, Lo: -20, Hi: 20},
		{Name: "sinh", Prim: prim.SinhP{}, Truth: oracle.Sinh, Domain: within(-715, 715), Lo: -80, Hi: 80},
		{Name: "cosh", Prim: prim.CoshP{}, Truth: oracle.Cosh, Domain: within(-715, 715), Lo: -80, Hi: 80},
		{Name: "asinh", Prim: prim.AsinhP{}, Truth: oracle.Asinh, Domain: finite, Lo: -100, Hi: 100},
		{Name: "acosh", Prim: prim.AcoshP{}, Truth: oracle.Acosh, Domain: within(1, math.Inf(1)), Lo: 1, Hi: 100},
		{Name: "atanh", Prim: prim.AtanhP{}, Truth: oracle.Atanh, Domain: within(-1, 1), Lo: -0.999, Hi: 0.999},
		{Name: "sqrt", Prim: prim.SqrtP{}, Truth: oracle.Sqrt, Domain: positive, Lo: 0, Hi: 1000},
		{Name: "rsqrt", Prim: prim.RsqrtP{}, Truth: rsqrt, Domain: positive, Lo: 1e-3, Hi: 1e3},
		{Name: "cbrt", Prim: prim.CbrtP{}, Truth: cbrt, Domain: finite, Lo: -1000, Hi: 1000},
		{Name: "erf", Prim: prim.ErfP{}, Truth: oracle.Erf, Domain: within(-7, 7), Lo: -4, Hi: 4, Slow: true},
		{Name: "erfc", Prim: prim.ErfcP{}, Truth: oracle.Erfc, Domain: within(-7, 28), Lo: -4, Hi: 10, Slow: true},
		{Name: "erf_inv", Prim: prim.ErfInvP{}, Truth: erfInv, Domain: within(-1, 1), Lo: -0.999, Hi: 0.999, Slow: true},
		{Name: "lgamma", Prim: prim.LgammaP{}, Truth: oracle.Lgamma, Domain: notPole, Lo: -20, Hi: 50, Unit: 1, Slow: true},
		{Name: "digamma", Prim: prim.DigammaP{}, Truth: oracle.Digamma, Domain: notPole, Lo: -20, Hi: 50, Unit: 1, Slow: true},
		{Name: "bessel_i0e", Prim: prim.BesselI0eP{}, Truth: oracle.BesselI0e, Domain: finite, Lo: -20, Hi: 20, Slow: true},
		{Name: "bessel_i1e", Prim: prim.BesselI1eP{}, Truth: oracle.BesselI1e, Domain: finite, Lo: -20, Hi: 20, Slow: true},
	}
}

func sine(p uint, x *oracle.F) *oracle.F   { s, _ := oracle.SinCos(p, x); return s }
func cosine(p uint, x *oracle.F) *oracle.F { _, c := oracle.SinCos(p, x); return c }

func rsqrt(p uint, x *oracle.F) *oracle.F {
	one := oracle.Num(1)
	return new(oracle.F).SetPrec(p).Quo(one, oracle.Sqrt(p+16, x))
}

func cbrt(p uint, x *oracle.F) *oracle.F {
	a := new(oracle.F).SetPrec(p).Abs(x)
	y := oracle.Cbrt(p, a)
	if x.Sign() < 0 {
		y.Neg(y)
	}
	return y
}

func erfInv(p uint, x *oracle.F) *oracle.F {
	f, _ := x.Float64()
	first := math.Erfinv(f)
	return oracle.ErfInv(p, x, first)
}

// Result is what a measurement found.
type Result struct {
	Max, Mean float64 // in ulps
	At, At2   float64 // where the greatest error is; At2 is the second argument
	N         int     // arguments
	Within1   float64 // the share within one ulp
	Wrong     int     // results of the wrong kind: NaN, infinity, sign
	FirstAt   float64 // the first of those
}

type tally struct {
	Result
	sum    float64
	within int
}

func (t *tally) add(x, err float64) {
	t.N++
	if math.IsNaN(err) {
		if t.Wrong++; t.Wrong == 1 {
			t.FirstAt = x
		}
		return
	}
	t.sum += err
	if err <= 1 {
		t.within++
	}
	if err > t.Max {
		t.Max, t.At = err, x
	}
}

func (t *tally) result() Result {
	if t.N > 0 {
		t.Mean = t.sum / float64(t.N)
		t.Within1 = float64(t.within) / float64(t.N)
	}
	return t.Result
}

// Join returns one result for several.
func Join(parts ...Result) Result {
	var r Result
	within, sum := 0.0, 0.0
	for _, p := range parts {
		if p.Max > r.Max || r.N == 0 {
			r.Max, r.At, r.At2 = p.Max, p.At, p.At2
		}
		if r.Wrong == 0 {
			r.FirstAt = p.FirstAt
		}
		r.N += p.N
		r.Wrong += p.Wrong
		within += p.Within1 * float64(p.N)
		sum += p.Mean * float64(p.N)
	}
	if r.N > 0 {
		r.Mean, r.Within1 = sum/float64(r.N), within/float64(r.N)
	}
	return r
}

// format describes a float type: mantissa bits and exponent range.
type format struct {
	mant, least, most int // ulp(1) = 2^−mant; exponents of the least subnormal and of the top
}

var formats = map[core.DType]format{
	core.Float64: {52, -1074, 1023}, core.Float32: {23, -149, 127},
	core.Float16: {10, -24, 15}, core.BFloat16: {7, -133, 127},
}

// ulp returns the distance of neighbours of the format near v.
func (f format) ulp(v float64) float64 {
	e := int(math.Float64bits(v)>>52&0x7ff) - 1023
	if e == -1023 && v != 0 {
		e = math.Ilogb(v)
	}
	if e = min(max(e-f.mant, f.least), f.most-f.mant); e > -1023 {
		return math.Float64frombits(uint64(e+1023) << 52)
	}
	return math.Ldexp(1, e)
}

// off returns the error of got where the truth is want, NaN if it is of the wrong kind.
func (f format) off(got, want, unit float64) float64 {
	switch {
	case want != want || got != got:
		if want != want && got != got {
			return 0
		}
		return math.NaN()
	case got == want && math.Signbit(got) == math.Signbit(want):
		return 0
	case math.Signbit(got) != math.Signbit(want) && unit == 0:
		return math.NaN()
	}
	if f.most < 1023 {
		top := math.Float64frombits(uint64(f.most+1+1023) << 52) // infinity, as a number
		got, want = min(max(got, -top), top), min(max(want, -top), top)
	} else if math.IsInf(got, 0) || math.IsInf(want, 0) {
		return math.NaN()
	}
	return math.Abs(got-want) / f.ulp(max(math.Abs(want), unit))
}

const chunk = 1 << 14

// runner applies a primitive to chunks of elements.
type runner struct {
	p       core.Primitive
	dt      core.DType
	in, out *reference.Tensor
}

func newRunner(p core.Primitive, dt core.DType) *runner {
	a := core.Aval(dt, chunk)
	return &runner{p, dt, reference.NewTensor(a), reference.NewTensor(a)}
}

func (r *runner) run() { r.runSome(chunk) }

// runSome computes the first n results.
func (r *runner) runSome(n int) {
	pl, ok := reference.PlanOf(r.p, []core.DType{r.dt}, r.dt)
	if !ok {
		panic("no expansion of " + r.p.Name())
	}
	pl.RunRange([]*reference.Tensor{r.in}, []*reference.Tensor{r.out}, 0, n)
}

// offUnit returns offBig, but no ulp smaller than that of unit counts.
func offUnit(fm format, got float64, want *oracle.F, unit float64) float64 {
	if unit == 0 {
		return offBig(fm, got, want)
	}
	w, _ := want.Float64()
	if math.IsInf(got, 0) || math.IsInf(w, 0) || got != got {
		return fm.off(got, w, unit)
	}
	d := new(big.Float).SetPrec(150).Sub(oracle.Num(got), want)
	e, _ := d.Quo(d, oracle.Num(fm.ulp(max(math.Abs(w), unit)))).Float64()
	return math.Abs(e)
}
