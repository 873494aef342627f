package composed_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/lower/composed"
	"github.com/weft-go/weft/lower/kernel"
)

// corners are numbers at which functions change their formulas, and what is not finite.
var corners = []float64{0, math.Copysign(0, -1), 1, -1, 2, -3, 0.5, -0.5, 40, 1e-300, 0x1p-1074, 1e300, math.Inf(1), math.Inf(-1), math.NaN(), 1000, 1e6, 1e-19}

// Kernels of special functions have the reference's bits: for arguments of every branch, numbers that
// are not finite, and those at which a function changes its formula.
func TestSpecial(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 7))
	magnitude := func() float64 { return math.Exp(r.Float64()*15 - 6) }
	unit := func() float64 { return r.Float64() }
	functions := []struct {
		p    core.Primitive
		args []func() float64
	}{
		{prim.IgammaP{}, []func() float64{magnitude, magnitude}},
		{prim.IgammacP{}, []func() float64{magnitude, magnitude}},
		{prim.IgammaGradAP{}, []func() float64{magnitude, magnitude}},
		{prim.RandomGammaGradP{}, []func() float64{magnitude, magnitude}},
		{prim.RegularizedIncompleteBetaP{}, []func() float64{magnitude, magnitude, unit}},
		{prim.ZetaP{}, []func() float64{func() float64 { return 1 + magnitude()/50 }, func() float64 { return magnitude() - 3 }}},
	}
	const n = 200
	for _, f := range functions {
		in := make([]*kernel.Tensor, len(f.args))
		for i := range in {
			in[i] = kernel.NewTensor(core.Aval(core.Float64, n))
		}
		for k := range n {
			for i, arg := range f.args {
				x := arg()
				switch {
				case k < 80 && r.IntN(3) > 0:
					x = corners[r.IntN(len(corners))]
				case k > 150 && i == 1: // near the first argument
					x = kernel.View[float64](in[0])[k] * (1 + r.NormFloat64()/20)
				}
				kernel.View[float64](in[i])[k] = x
			}
		}
		want, got := kernel.NewTensor(core.Aval(core.Float64, n)), kernel.NewTensor(core.Aval(core.Float64, n))
		run, _ := kernel.Lookup(f.p)
		run(f.p, in, []*kernel.Tensor{want})
		var buffers [][]byte
		for _, x := range append(in, got) {
			buffers = append(buffers, x.Data)
		}
		if err := composed.Special(f.p, n).Run(nil, buffers); err != nil {
			t.Fatal(err)
		}
		for k := range n {
			if x, y := math.Float64bits(kernel.View[float64](got)[k]), math.Float64bits(kernel.View[float64](want)[k]); x != y {
				var args []float64
				for _, a := range in {
					args = append(args, kernel.View[float64](a)[k])
				}
				t.Errorf("%s of %v: got %x (%v), want %x (%v)", f.p.Name(), args, x, kernel.View[float64](got)[k], y, kernel.View[float64](want)[k])
			}
		}
	}
}
