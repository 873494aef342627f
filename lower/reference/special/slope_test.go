package special

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// Cube roots have an error below 0.7 ulp, and the same bits on all machines: those of the map would be the next number
// if the compiler made one fma of a product and a sum.
func TestCubeRootSameBits(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	for k := range 20000 {
		x := math.Ldexp(1+r.Float64(), r.IntN(2046)-1022)
		if k%50 == 0 {
			x = math.Float64frombits(1 + r.Uint64N(1<<52-1))
		}
		y := now.cubeRoot(x)
		// |y³ − x| ≤ 3·y²·0.7 ulp.
		exact := new(big.Float).SetPrec(300).SetFloat64(y)
		cube := new(big.Float).SetPrec(300).Mul(exact, exact)
		slope := new(big.Float).SetPrec(300).Mul(cube, big.NewFloat(2.1*(math.Nextafter(y, math.Inf(1))-y)))
		cube.Mul(cube, exact).Sub(cube, big.NewFloat(x))
		if cube.Abs(cube).Cmp(slope) > 0 {
			t.Fatalf("cube root of %g: got %g, which is more than 0.7 ulp off", x, y)
		}
	}
	for x, want := range map[float64]float64{
		0x1.52c83570ba842p+00: 0x1.190f89a15e3d8p+00, 0x1.5afbf795d7faap+00: 0x1.1b4f94d2f1d84p+00,
		0x1.1aa8cbc49c678p+00: 0x1.08983ca47ec0ep+00, 0x1.698ea169b687ap-01: 0x1.c7f015785728cp-01,
	} {
		if got := now.cubeRoot(x); got != want {
			t.Errorf("cube root of %x: got %x, want %x", x, got, want)
		}
	}
	for _, x := range []float64{0, math.Inf(1), 1, 8, 0x1p-1074, 0x1p-1022, math.MaxFloat64} {
		if got, want := now.cubeRoot(x), math.Cbrt(x); math.Abs(got-want) > 0x1p-52*want {
			t.Errorf("cube root of %g: got %g, want %g", x, got, want)
		}
	}
}

// Samples whose squares are no numbers have derivatives: log x − ψ(a), and no probability is left.
func TestFarSamples(t *testing.T) {
	for _, x := range []float64{0x1p399, 0x1p400, 1e154, 1e160, 1e250, math.MaxFloat64} {
		for a, psi := range map[float64]float64{0.5: -1.9635100260214235, 1: -0.5772156649015329, 7: 1.8727843350984671} {
			if got, want := now.igammaGrad(a, x, true), math.Log(x)-psi; math.Abs(got-want) > 0x1p-51*want {
				t.Errorf("the derivative of the sample %g of shape %g: got %g, want %g", x, a, got, want)
			}
			if got := now.igammaGrad(a, x, false); got != 0 {
				t.Errorf("dP(%g, %g)/da: got %g, want 0", a, x, got)
			}
		}
	}
}
