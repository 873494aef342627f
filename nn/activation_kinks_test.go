package nn_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/internal/test/testcheck"
	"github.com/weft-go/weft/nn"
)

// Derivatives at kinks and around them are those of jax 0.10.2.
func TestDerivativesAtKinks(t *testing.T) {
	type A = weft.Array
	inf := math.Inf(1)
	for _, c := range []struct {
		name   string
		f      func(A) A
		at, dy []float64
	}{
		{"Relu", nn.Relu, []float64{-1, math.Copysign(0, -1), 0, 1}, []float64{0, 0, 0, 1}},
		{"Relu6", nn.Relu6, []float64{-inf, -1, 0, 3, 6, 7, inf, math.NaN()}, []float64{0, 0, 0, 1, 0, 0, 0, 0}},
		{"HardTanh", nn.HardTanh, []float64{-2, -1, 0, 1, 2}, []float64{0, 1, 1, 1, 0}},
		{"HardSigmoid", nn.HardSigmoid, []float64{-4, -3, 0, 3, 4}, []float64{0, 0, 1. / 6, 0, 0}},
		{"HardSilu", nn.HardSilu, []float64{-4, -3, 0, 3, 4}, []float64{0, 0, 0.5, 1, 1}},
		{"LeakyRelu", nn.LeakyRelu, []float64{-1, 0, 1}, []float64{0.01, 1, 1}},
		{"Elu", nn.Elu, []float64{-1, 0, 1}, []float64{math.Exp(-1), 1, 1}},
		{"Celu", func(x A) A { return nn.Celu(x, 1) }, []float64{-1, 0, 1}, []float64{math.Exp(-1), 1, 1}},
		{"Selu", nn.Selu, []float64{-1, 0, 1}, []float64{0.6467686295509338, 1.7580993175506592, 1.0507010221481323}},
		{"Softsign", nn.Softsign, []float64{-1, 0, 1}, []float64{0.25, 1, 0.25}},
		{"SquarePlus", nn.SquarePlus, []float64{0}, []float64{0.5}},
		{"LogSigmoid", nn.LogSigmoid, []float64{0}, []float64{0.5}},
		{"Clip", func(x A) A { return weft.Clip(x, 0, 6) }, []float64{-1, 0, 3, 6, 7}, []float64{0, 0.5, 1, 0.5, 0}},
		{"Abs", weft.Abs, []float64{-1, 0, 1}, []float64{-1, 1, 1}},
		{"Maximum", func(x A) A { return weft.Maximum(x, 0) }, []float64{-1, 0, 1}, []float64{0, 0.5, 1}},
		{"Minimum", func(x A) A { return weft.Minimum(x, 0) }, []float64{-1, 0, 1}, []float64{1, 0.5, 0}},
		{"Fmax", func(x A) A { return weft.Fmax(x, 0) }, []float64{-1, 0, 1}, []float64{0, 0, 1}},
		{"Fmin", func(x A) A { return weft.Fmin(x, 0) }, []float64{-1, 0, 1}, []float64{1, 0, 0}},
		{"Sign", weft.Sign, []float64{0}, []float64{0}},
		{"Copysign", func(x A) A { return weft.Copysign(x, -1) }, []float64{-1, 1}, []float64{1, -1}},
	} {
		got := weft.ToSlice[float32](weft.Vmap(weft.Grad(c.f))(weft.FromSlice(c.at).AsType(weft.Float32)))
		for k, want := range c.dy {
			testcheck.Within(t, fmt.Sprintf("derivative of %s at %g", c.name, c.at[k]), float64(got[k]), want, 0x1p-24)
		}
	}
	// The values of Relu6.
	x := weft.Of(-inf, -1, math.Copysign(0, -1), 0, 3, 6, 7, inf, math.NaN())
	if got, want := nn.Relu6(x), weft.Of(0., 0, 0, 0, 3, 6, 6, 6, math.NaN()); !got.Equal(want) {
		t.Errorf("Relu6 returns %v", got)
	}
	if got := nn.Relu6(weft.Of(-1, 3, 9)); got.DType() != weft.Float32 || !got.Equal(weft.Of(0., 3, 6)) {
		t.Errorf("Relu6 of integers returns %+v", got)
	}
}

// Both sides of LogAddExp share the derivative at every tie, that of infinities too.
func TestLogAddExpAtTies(t *testing.T) {
	inf := math.Inf(1)
	grad := weft.Grad(func(p [2]weft.Array) weft.Array { return weft.LogAddExp(p[0], p[1]) })
	at := func(x, y float64) (dx, dy float64) {
		d := grad([2]weft.Array{weft.Scalar(x), weft.Scalar(y)})
		return d[0].Float(), d[1].Float()
	}
	for _, v := range []float64{-inf, inf, 0, -3, 1e30} {
		if dx, dy := at(v, v); dx != 0.5 || dy != 0.5 {
			t.Errorf("at %g: %g and %g", v, dx, dy)
		}
	}
	if dx, dy := at(-inf, 0); dx != 0 || dy != 1 {
		t.Errorf("beside −∞: %g and %g", dx, dy)
	}
	if dx, dy := at(math.NaN(), 0); !math.IsNaN(dx) || !math.IsNaN(dy) {
		t.Errorf("of NaN: %g and %g", dx, dy)
	}
}
