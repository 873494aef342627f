package nn_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/internal/test/testcheck"
	"github.com/weft-go/weft/nn"
	"github.com/weft-go/weft/stats"
)

// Activations and their derivatives are right from −∞ to ∞, in every type.
func TestActivationsFarOut(t *testing.T) {
	sigmoid := func(x float64) float64 { return 1 / (1 + math.Exp(-x)) }
	cdf := func(x float64) float64 { return math.Erfc(-x/math.Sqrt2) / 2 }
	pdf := func(x float64) float64 { return math.Exp(-x*x/2) / math.Sqrt(2*math.Pi) }
	type pair struct{ y, dy float64 }
	below := func(x, y, dy float64, f func() pair) pair { // what f is for small |x|
		switch {
		case math.IsNaN(x):
			return pair{x, x}
		case x >= 2000:
			return pair{y, dy}
		case x <= -2000:
			return pair{0, 0}
		}
		return f()
	}
	for _, c := range []struct {
		name string
		f    func(weft.Array) weft.Array
		want func(x float64) pair
	}{
		{"Silu", nn.Silu, func(x float64) pair {
			return below(x, x, 1, func() pair { s := sigmoid(x); return pair{x * s, s * (1 + x*sigmoid(-x))} })
		}},
		{"Mish", nn.Mish, func(x float64) pair {
			return below(x, x, 1, func() pair {
				w := math.Tanh(math.Max(x, 0) + math.Log1p(math.Exp(-math.Abs(x))))
				return pair{x * w, w + x*(1-w*w)*sigmoid(x)}
			})
		}},
		{"Gelu", nn.Gelu, func(x float64) pair {
			return below(x, x, 1, func() pair { return pair{x * cdf(x), cdf(x) + x*pdf(x)} })
		}},
		{"GeluTanh", nn.GeluTanh, func(x float64) pair {
			return below(x, x, 1, func() pair {
				r := math.Sqrt(2 / math.Pi)
				w := math.Tanh(r * (x + 0.044715*x*x*x))
				return pair{x * (1 + w) / 2, (1+w)/2 + x/2*(1-w*w)*r*(1+3*0.044715*x*x)}
			})
		}},
		{"HardSilu", nn.HardSilu, func(x float64) pair {
			return below(x, x, 1, func() pair {
				switch {
				case x <= -3:
					return pair{}
				case x >= 3:
					return pair{x, 1}
				}
				return pair{x * (x + 3) / 6, (2*x + 3) / 6}
			})
		}},
		{"Softsign", nn.Softsign, func(x float64) pair {
			if math.IsInf(x, 0) {
				return pair{math.Copysign(1, x), 0}
			}
			d := 1 + math.Abs(x)
			return pair{x / d, 1 / d / d}
		}},
		{"SquarePlus", nn.SquarePlus, func(x float64) pair {
			h := math.Hypot(x, 2)
			if x < 0 {
				y := 2 / (h - x)
				return pair{y, y / h}
			}
			if math.IsInf(x, 0) {
				return pair{x, 1}
			}
			return pair{x/2 + h/2, (1 + x/h) / 2}
		}},
		{"Softplus", nn.Softplus, func(x float64) pair {
			return pair{math.Max(x, 0) + math.Log1p(math.Exp(-math.Abs(x))), sigmoid(x)}
		}},
		{"NormalPDF", stats.Norm{}.PDF, func(x float64) pair {
			return below(x, 0, 0, func() pair { return pair{pdf(x), -x * pdf(x)} })
		}},
		{"NormalCDF", stats.Norm{}.CDF, func(x float64) pair { return pair{cdf(x), pdf(x)} }},
		{"LogSigmoid", nn.LogSigmoid, func(x float64) pair {
			return pair{math.Min(x, 0) - math.Log1p(math.Exp(-math.Abs(x))), sigmoid(-x)}
		}},
	} {
		for dt, eps := range map[weft.DType]float64{weft.BFloat16: 1. / 128, weft.Float16: 1. / 1024, weft.Float32: 1. / (1 << 21), weft.Float64: 1. / (1 << 48)} {
			both := weft.Jit(weft.Vmap(weft.ValueAndGrad(c.f)))
			xs := weft.FromSlice([]float64{math.Inf(-1), -1e300, -3e38, -1e30, -1e20, -65504, -1e4, -1200, -1000, -250, -100, -40, -17, -15, -9, -3, -1, -0.125,
				math.Copysign(0, -1), 0, 0.5, 1, 2, 4, 15, 17, 50, 100, 1000, 1200, 1e4, 65504, 1e18, 1e20, 3e38, 1e300, math.Inf(1), math.NaN()}).AsType(dt)
			y, dy := both(xs)
			for i, x := range weft.ToSlice[float64](xs.AsType(weft.Float64)) {
				want := c.want(x)
				check := func(what string, got weft.Array, want float64) {
					g, w := got.Index(i).AsType(weft.Float64).Float(), weft.FromSlice([]float64{want}).AsType(dt).Index(0).AsType(weft.Float64).Float()
					if !testcheck.Close(g, w, 8*eps*math.Max(math.Abs(w), 1)) {
						t.Errorf("%v: %s of %s at %g is %g, want %g", dt, what, c.name, x, g, w)
					}
				}
				check("the value", y, want.y)
				if c.name != "HardSilu" || math.Abs(x) != 3 { // its kinks
					check("the derivative", dy, want.dy)
				}
			}
		}
	}
}

// SquarePlus keeps its digits where it is small.
func TestSquarePlusOfNegatives(t *testing.T) {
	for _, x := range []float64{-10, -1e4, -1e10, -1e30} {
		want := 2 / (math.Hypot(x, 2) - x)
		testcheck.Within(t, fmt.Sprintf("SquarePlus(%g)", x), nn.SquarePlus(weft.Scalar(x)).Float(), want, 2*0x1p-23*want)
	}
}
