package accuracy

import (
	"math"
	"math/big"
	"math/rand/v2"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/lower/kernel"
	"github.com/weft-go/weft/lower/kernel/internal/truth"
)

// Binary is a function of two real arguments.
type Binary struct {
	Name  string
	Prim  core.Primitive
	Truth func(p uint, x, y *truth.F) *truth.F // of nonzero finite arguments; nil where there is no value
	Args  func(rng *rand.Rand) (x, y float64)
	Exact bool
}

// BinaryFunctions is every function of two arguments that is not one operation of the
// machine.
func BinaryFunctions() []Binary {
	wide := func(rng *rand.Rand) float64 { return math.Ldexp(rng.Float64()*2-1, rng.IntN(240)-120) }
	return []Binary{
		{Name: "pow", Prim: prim.PowP{}, Truth: truth.Pow, Args: powArguments},
		{Name: "atan2", Prim: prim.Atan2P{}, Truth: truth.Atan2, Args: func(rng *rand.Rand) (x, y float64) {
			if x, y = wide(rng), wide(rng); rng.IntN(2) == 0 {
				y = x * (rng.Float64()*4 - 2)
			}
			return x, y
		}},
		{Name: "rem", Prim: prim.RemP{}, Exact: true, Truth: remainder, Args: func(rng *rand.Rand) (x, y float64) {
			if x, y = wide(rng), wide(rng); rng.IntN(2) == 0 {
				y = x / float64(1+rng.IntN(1000)) * (1 + rng.NormFloat64()*math.Ldexp(1, -rng.IntN(60)))
			}
			return x, y
		}},
	}
}

// powArguments are bases of all sizes, and near one, with exponents that leave the
// power in the type's range, often just.
func powArguments(rng *rand.Rand) (x, y float64) {
	switch rng.IntN(3) {
	case 0:
		x = math.Ldexp(0.5+rng.Float64(), rng.IntN(240)-120)
	case 1:
		x = 1 + rng.NormFloat64()*math.Ldexp(1, -1-rng.IntN(22))
	default:
		x = 20 * rng.Float64()
	}
	x = math.Abs(float64(float32(x)))
	if x == 0 || x == 1 {
		return powArguments(rng)
	}
	y = (rng.Float64()*2 - 1) * 88 / math.Log(x)
	if rng.IntN(2) == 0 {
		y = math.Round(y)
	}
	if y = float64(float32(y)); y == 0 || math.IsInf(y, 0) {
		return powArguments(rng)
	}
	return x, y
}

// remainder is x − trunc(x/y)·y.
func remainder(p uint, x, y *truth.F) *truth.F {
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

// Measure measures f at n random arguments of f32 or f64.
func (f Binary) Measure(dt core.DType, n int, seed uint64) Result {
	rng := rand.New(rand.NewPCG(seed, 4))
	a := core.Aval(dt, n)
	x, y, out := kernel.NewTensor(a), kernel.NewTensor(a), kernel.NewTensor(a)
	xs, ys := make([]float64, n), make([]float64, n)
	for i := range n {
		for {
			u, v := f.Args(rng)
			if dt == core.Float32 {
				u, v = float64(float32(u)), float64(float32(v))
			}
			if u != 0 && v != 0 && !math.IsInf(u, 0) && !math.IsInf(v, 0) {
				xs[i], ys[i] = u, v
				break
			}
		}
		if dt == core.Float32 {
			kernel.View[float32](x)[i], kernel.View[float32](y)[i] = float32(xs[i]), float32(ys[i])
		} else {
			kernel.View[float64](x)[i], kernel.View[float64](y)[i] = xs[i], ys[i]
		}
	}
	run(f.Prim, []*kernel.Tensor{x, y}, []*kernel.Tensor{out})
	var t tally
	fm := formats[dt]
	for i := range n {
		got := 0.0
		if dt == core.Float32 {
			got = float64(kernel.View[float32](out)[i])
		} else {
			got = kernel.View[float64](out)[i]
		}
		w := f.Truth(120, truth.Num(xs[i]), truth.Num(ys[i]))
		t.add(xs[i], offBig(fm, got, w))
	}
	return t.result()
}

// offBig is the error of got against a truth that no float holds.
func offBig(fm format, got float64, want *truth.F) float64 {
	w, _ := want.Float64()
	if math.IsInf(got, 0) || math.IsInf(w, 0) || got != got || math.Abs(w) > math.Ldexp(1, fm.most) {
		return fm.off(got, w, 0)
	}
	if w != 0 && got != 0 && math.Signbit(got) != math.Signbit(w) {
		return math.NaN()
	}
	d := new(big.Float).SetPrec(150).Sub(truth.Num(got), want)
	e, _ := d.Quo(d, truth.Num(fm.ulp(w))).Float64()
	return math.Abs(e)
}
