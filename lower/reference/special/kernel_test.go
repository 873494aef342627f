package special_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/internal/test/ireval"
	"github.com/weft-go/weft/lower/reference"
	"github.com/weft-go/weft/lower/reference/special"
)

// corners are numbers at which functions change their formulas, and what is not finite.
var corners = []float64{0, math.Copysign(0, -1), 1, -1, 2, -3, 0.5, -0.5, 40, 1e-300, 0x1p-1074, 1e300, math.Inf(1), math.Inf(-1), math.NaN(), 1000, 1e6, 1e-19, 1e31, math.MaxFloat64}

// around returns a bound and its neighbours.
func around(x float64) []float64 {
	return []float64{math.Nextafter(x, math.Inf(-1)), x, math.Nextafter(x, math.Inf(1))}
}

// cross returns the arguments that are made of one number of each list.
func cross(lists ...[]float64) [][]float64 {
	args := [][]float64{nil}
	for _, list := range lists {
		var longer [][]float64
		for _, a := range args {
			for _, x := range list {
				longer = append(longer, append(slices.Clip(a), x))
			}
		}
		args = longer
	}
	return args
}

// gammaBounds returns arguments on both sides of the bounds of the formulas of incomplete gamma functions.
func gammaBounds(r *rand.Rand) (args [][]float64) {
	between := func(least, most float64) []float64 { return []float64{least + r.Float64()*(most-least)} }
	for range 5 {
		small, medium, large := between(0.01, 8), between(8, 60), between(1000, 5000)
		for _, list := range [][][]float64{
			cross(around(0x1p-40), between(0, 3)),
			cross([]float64{1e-310, 1e-20, 1e-12}, slices.Concat(between(0, 1), between(1, 40), around(1), []float64{0x1p-1074})),
			cross(around(0x1p-10), between(0, 10)),
			cross(around(8), between(10, 13)),
			cross(around(15), between(5, 40)), // a + 1 is 16
			cross(around(16), between(5, 40)),
			cross(around(39), between(5, 40)), // a + 1 is 40
			cross(around(60), between(45, 75)),
			cross(around(1000), between(400, 1600)),
			cross(around(1e6), between(1.01e6, 1.02e6)),
			cross(small, append(around(0x1p400), 1e250)),
			cross(small, slices.Concat(around(0x1p-30), around(1), around(small[0]), around(small[0]+2), around(small[0]+4))),
			cross(medium, slices.Concat(around(0x1p-30), around(medium[0]), around(medium[0]+2), around(medium[0]+4), around(120))),
			cross(large, slices.Concat(around(large[0]*0.4), around(large[0]*0.99), around(large[0]*1.01), around(large[0]*1.6))),
		} {
			args = append(args, list...)
		}
	}
	return args
}

// betaBounds returns arguments on both sides of the bounds of the formulas of the incomplete beta function.
func betaBounds(r *rand.Rand) (args [][]float64) {
	between := func(least, most float64) []float64 { return []float64{least + r.Float64()*(most-least)} }
	for range 8 {
		a, b, x := between(0.01, 30), between(0.01, 30), between(0, 1)
		high, low := between(10, 30), between(0.01, 0.5)
		for _, list := range [][][]float64{
			cross(around(0x1p-10), b, x),
			cross(a, around(0x1p-10), x),
			cross(around(30), b, x),
			cross(a, around(30), x),
			cross(low, b, around(0x1p-30)),
			cross(a, low, around(1-0x1p-30)),
			cross(a, b, around((a[0]+1)/(a[0]+b[0]+2))),
			cross(high, low, around(0.9)),
			cross(low, high, around(0.1)),
			cross(a, b, slices.Concat(around(0.3), around(0.7))),
			cross(a, around(0x1p-40), between(0.5, 1)),
			cross([]float64{1e-310, 1e-20, 1, 1e4}, []float64{1e-310, 1e-20}, slices.Concat(x, []float64{0.99999})),
			cross(around(1022), b, []float64{1 - b[0]/1022}),
			cross([]float64{a[0], 1e3, 1e5}, []float64{1e6, 1e20, 1e300}, []float64{1e-6, 1e-16, 1e-300, 1e-298}),
			cross([]float64{1e6, 1e10}, a, []float64{0.9999, 1 - 0x1p-32, 1 - 0x1p-53}),
			cross([]float64{0x1p22}, []float64{0x1p22, 0x1p22 - 0x1p-30}, []float64{0.5002}),
			cross([]float64{1e7, 1e10, 1e100, 1e308, math.MaxFloat64}, []float64{1e7, 1e100, math.MaxFloat64}, []float64{0.5, 1e-3, 9.9e-4, 0.999, 0.4999, 0.5001}),
		} {
			args = append(args, list...)
		}
	}
	return args
}

// zetaBounds returns arguments on both sides of the bounds of the formulas of ζ(s, q).
func zetaBounds(*rand.Rand) [][]float64 {
	return cross(slices.Concat(around(1), around(2), around(3)), slices.Concat(around(-1), []float64{-2.5}, around(0), around(1), around(12)))
}

// Kernels of special functions have the reference's bits: for arguments of every branch, numbers that
// are not finite, and both sides of the bounds at which a function changes its formula.
func TestSpecial(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 7))
	magnitude := func() float64 { return math.Exp(r.Float64()*15 - 6) }
	unit := func() float64 { return r.Float64() }
	functions := []struct {
		p      core.Primitive
		args   []func() float64
		bounds func(r *rand.Rand) [][]float64
	}{
		{prim.IgammaP{}, []func() float64{magnitude, magnitude}, gammaBounds},
		{prim.IgammacP{}, []func() float64{magnitude, magnitude}, gammaBounds},
		{prim.IgammaGradAP{}, []func() float64{magnitude, magnitude}, gammaBounds},
		{prim.RandomGammaGradP{}, []func() float64{magnitude, magnitude}, gammaBounds},
		{prim.RegularizedIncompleteBetaP{}, []func() float64{magnitude, magnitude, unit}, betaBounds},
		{prim.ZetaP{}, []func() float64{func() float64 { return 1 + magnitude()/50 }, func() float64 { return magnitude() - 3 }}, zetaBounds},
	}
	const random = 200
	for _, f := range functions {
		bounds := f.bounds(r)
		n := random + len(bounds)
		in := make([]*reference.Tensor, len(f.args))
		for i := range in {
			in[i] = reference.NewTensor(core.Aval(core.Float64, n))
		}
		for k := range random {
			for i, arg := range f.args {
				x := arg()
				switch {
				case k < 80 && r.IntN(3) > 0:
					x = corners[r.IntN(len(corners))]
				case k > 150 && i == 1: // near the first argument
					x = reference.View[float64](in[0])[k] * (1 + r.NormFloat64()/20)
				}
				reference.View[float64](in[i])[k] = x
			}
		}
		for k, args := range bounds {
			for i, x := range args {
				reference.View[float64](in[i])[random+k] = x
			}
		}
		want, got := reference.NewTensor(core.Aval(core.Float64, n)), reference.NewTensor(core.Aval(core.Float64, n))
		run, _ := reference.Lookup(f.p)
		run(f.p, in, []*reference.Tensor{want})
		var buffers [][]byte
		for _, x := range append(in, got) {
			buffers = append(buffers, x.Data)
		}
		if err := ireval.Run(special.Kernel(f.p, n), nil, buffers); err != nil {
			t.Fatal(err)
		}
		for k := range n {
			if x, y := math.Float64bits(reference.View[float64](got)[k]), math.Float64bits(reference.View[float64](want)[k]); x != y {
				var args []float64
				for _, a := range in {
					args = append(args, reference.View[float64](a)[k])
				}
				t.Errorf("%s of %v: got %x (%v), want %x (%v)", f.p.Name(), args, x, reference.View[float64](got)[k], y, reference.View[float64](want)[k])
			}
		}
	}
}
