package special

import (
	"github.com/weft-go/weft/lower/reference/internal/block"
	"math"
)

// cubeRoot returns the cube root of an x that is not negative, with an error below 0.7 ulp. Every product is rounded
// by itself: math.Cbrt has other bits where the compiler makes one fma of a product and a sum.
func cubeRoot(x float64) float64 {
	if x == 0 || math.IsInf(x, 1) {
		return x
	}
	// A third of the exponent and the mantissa's bits: 5 bits.
	t := math.Float64frombits(math.Float64bits(x)/3 + 715094163<<32)
	if x < 0x1p-1022 {
		t = math.Float64frombits(math.Float64bits(block.Times(0x1p54, x))/3 + 696219795<<32)
	}
	// A rational function: 23 bits. Then 22 bits, above the root.
	r := block.Times(t, t) / x
	s := 5.42857142857142815906e-01 + block.Times(r, t)
	t = block.Times(t, 3.57142857142857150787e-01+1.60714285714285720630e+00/(s+1.41428571428571436819e+00+-7.05306122448979611050e-01/s))
	t = math.Float64frombits(math.Float64bits(t)&(0xFFFFFFFFC<<28) + 1<<30)
	// A step of Newton's method.
	r = x / block.Times(t, t)
	r = (r - t) / (t + t + r)
	return t + block.Times(t, r)
}
