package cpu_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/random"
	"github.com/weft-go/weft/runtime"
	"github.com/weft-go/weft/special"
)

// copiesPrograms are functions whose vectors are computed several side by side: with rare branches,
// with several of one condition, and with random bits in front.
func copiesPrograms() map[string]func(x weft.Array) weft.Array {
	return map[string]func(x weft.Array) weft.Array{
		"sin":        weft.Sin,
		"tan":        weft.Tan,
		"sin of sin": func(x weft.Array) weft.Array { return weft.Sin(x).Add(weft.Sin(x.Mul(3))) },
		"sin cos":    func(x weft.Array) weft.Array { return weft.Sin(x).Mul(weft.Cos(x)) },
		"log":        weft.Log,
		"log1p":      weft.Log1p,
		"softplus":   func(x weft.Array) weft.Array { return weft.Log1p(weft.Exp(x)) },
		"erf_inv":    func(x weft.Array) weft.Array { return special.ErfInv(x) },
		"erfc":       special.Erfc,
		"acosh":      weft.Acosh,
		"lgamma":     special.Gammaln,
		"erf":        special.Erf,
		"rsqrt":      weft.Rsqrt,
		"pow":        func(x weft.Array) weft.Array { return x.Pow(x.Mul(0.5)) },
		"mixed":      func(x weft.Array) weft.Array { return weft.Tan(x).Add(weft.Log(x)).AsType(weft.Float16) },
	}
}

// Vectors that are computed side by side have the reference's bits, whichever of them
// take a rare branch and however many elements are left behind them.
func TestCopies(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 0))
	odd := []float64{1e9, 3e38, -1e20, math.Inf(1), math.Inf(-1), math.NaN(), 0, math.Copysign(0, -1), 1, -1, 1e-40, 5e-324, -0.9999999, 200_000, 1e300}
	for name, f := range copiesPrograms() {
		for _, dt := range []weft.DType{weft.Float32, weft.Float64} {
			for _, n := range []int{7, 64, 129, 1021} {
				x := make([]float64, n)
				for i := range x {
					x[i] = 4*r.Float64() - 2
				}
				for range r.IntN(1 + n/8) {
					x[r.IntN(n)] = odd[r.IntN(len(odd))]
				}
				j, args := traced(t, func(in []weft.Array) []weft.Array { return []weft.Array{f(in[0])} }, []weft.Array{weft.FromSlice(x).AsType(dt)})
				matches(t, fmt.Sprint(name, " ", dt, " ", n), j, args)
			}
		}
	}
}

// Random numbers have the reference's bits, however many elements are left behind the
// vectors that are computed side by side.
func TestCopiesOfRandomBits(t *testing.T) {
	draws := map[string]func(k random.Key, n int) weft.Array{
		"bits":    func(k random.Key, n int) weft.Array { return random.Bits(k, n) },
		"uniform": func(k random.Key, n int) weft.Array { return random.Uniform(k, n) },
		"normal":  func(k random.Key, n int) weft.Array { return random.Normal(k, n) },
		"dropout": func(k random.Key, n int) weft.Array {
			return weft.Where(random.Uniform(k, n).Lt(0.25), weft.Tan(random.Normal(k.FoldIn(1), n)), 1e6)
		},
	}
	for name, f := range draws {
		for _, n := range []int{1, 15, 127, 128, 129, 1000, 5000} {
			j, args := traced(t, func(in []weft.Array) []weft.Array {
				return []weft.Array{f(random.Key{Data: in[0]}, n)}
			}, []weft.Array{random.New(uint64(n)).Data})
			matches(t, fmt.Sprint(name, " ", n), j, args)
		}
	}
}

// Comparisons with constants, shifts and rotations by constants have the reference's bits.
func TestIntegersAndConstants(t *testing.T) {
	r := rand.New(rand.NewPCG(12, 0))
	for _, dt := range []weft.DType{weft.Uint8, weft.Uint16, weft.Uint32, weft.Uint64, weft.Int8, weft.Int16, weft.Int32, weft.Int64} {
		bits := 8 * dt.Size()
		x := make([]int64, 173)
		for i := range x {
			x[i] = int64(r.Uint64() >> r.IntN(64))
		}
		in := weft.FromSlice(x).AsType(dt)
		for _, n := range []int{1, 7, bits / 2, bits - 8, bits - 1} {
			if n <= 0 {
				continue
			}
			j, args := traced(t, func(in []weft.Array) []weft.Array {
				x := in[0]
				rotated := x.Shl(n).Or(x.Shr(bits - n))
				return []weft.Array{rotated, x.Shr(n), weft.Abs(x.Shr(n).Sub(3)), weft.Where(x.Lt(100), x, rotated), weft.Where(x.Ge(n), rotated, 1), x.Gt(in[0].Shr(1))}
			}, []weft.Array{in})
			matches(t, fmt.Sprint(dt, " ", n), j, args)
		}
	}
}

// matches fails where a native executor has other bits than the reference, or no code.
func matches(t *testing.T, what string, j *jaxpr.Jaxpr, args []*runtime.Array) {
	t.Helper()
	ctx := context.Background()
	want, err := runtime.Evaluate(ctx, runtime.Reference, j, args)
	if err != nil {
		t.Fatal(err)
	}
	onNative(t, func(t *testing.T, e runtime.Executor) {
		c, err := runtime.Compile(e, &runtime.Request{Jaxpr: j})
		if err != nil {
			t.Fatal(err)
		}
		got, err := c.Run(ctx, args)
		if err != nil {
			t.Fatal(err)
		}
		if a := c.Account(); len(a.Fallbacks) > 0 {
			t.Errorf("%s: fallbacks: got %v, want none", what, a.Fallbacks)
		}
		for i := range want {
			same(t, what, got[i], want[i])
		}
	})
}
