package reference

import (
	"math"
	"math/cmplx"
	"math/rand/v2"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/lower/reference/fft"
	"github.com/weft-go/weft/lower/reference/internal/block"
	"github.com/weft-go/weft/lower/reference/special"
)

// Transforms are the sums of their definition, for lengths with small and large prime factors.
func TestFourierSums(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for _, n := range []int{1, 2, 3, 4, 5, 7, 8, 12, 16, 30, 61, 64, 67, 97, 100, 121, 128, 134, 210, 256, 509} {
		checkFourier(t, r, n)
	}
}

// checkFourier compares transforms of n numbers with sums in twice the precision: all of them, or of long ones a few.
func checkFourier(t *testing.T, r *rand.Rand, n int) {
	checkFourierOf[complex128](t, r, n, core.Complex128, 53)
	checkFourierOf[complex64](t, r, n, core.Complex64, 24)
}

func checkFourierOf[A complex64 | complex128](t *testing.T, r *rand.Rand, n int, dt core.DType, digits int) {
	x, e := block.NewTensor(core.Aval(dt, n)), make([]complex128, n)
	for i := range e {
		block.View[A](x)[i] = A(complex(r.NormFloat64(), r.NormFloat64()))
		e[i] = complex128(block.View[A](x)[i])
	}
	outputs := []int{0, n / 2, n - 1}
	for k := range n {
		if n <= 1000 {
			outputs = append(outputs, k)
		} else if len(outputs) < 10 {
			outputs = append(outputs, r.IntN(n))
		}
	}
	cos, sin := turnsOf(n)
	for _, kind := range []prim.FFTKind{prim.FFTForward, prim.FFTInverse} {
		y := make([]complex128, n)
		for k, v := range block.View[A](apply(t, prim.FFTP{Kind: kind, Lengths: core.MakeDims(n)}, x)[0]) {
			y[k] = complex128(v)
		}
		worst, big := 0.0, 0.0
		for _, v := range y {
			big = max(big, cmplx.Abs(v))
		}
		for _, k := range outputs {
			var re, im special.Double
			for j, v := range e {
				at := int(uint64(j) * uint64(k) % uint64(n))
				c, s := cos[at], sin[at]
				if kind == prim.FFTForward {
					s = s.Neg()
				}
				re = re.Add(c.MulFloat(real(v))).Sub(s.MulFloat(imag(v)))
				im = im.Add(c.MulFloat(imag(v))).Add(s.MulFloat(real(v)))
			}
			if kind == prim.FFTInverse {
				re, im = re.DivFloat(float64(n)), im.DivFloat(float64(n))
			}
			worst = max(worst, math.Abs(re.AddFloat(-real(y[k])).Value()), math.Abs(im.AddFloat(-imag(y[k])).Value()))
		}
		_, exp := math.Frexp(big)
		ulps := worst / math.Ldexp(1, exp-digits)
		if limit := 0.5*math.Log2(float64(n)) + 2; !(ulps <= limit) {
			t.Errorf("%v, n = %d, kind %d: %.2f ulps of the largest, want at most %.2f", dt, n, kind, ulps, limit)
		}
	}
}

// turnsOf returns cosine and sine of 2π·k/n, k < n, in twice the precision, as products of coarse and fine steps.
func turnsOf(n int) (cos, sin []special.Double) {
	cos, sin = make([]special.Double, n), make([]special.Double, n)
	step := int(math.Sqrt(float64(n))) + 1
	type turn struct{ c, s special.Double }
	var coarse, fine []turn
	for i := range step {
		c, s := sinCosOf(i, n)
		fine = append(fine, turn{c, s})
	}
	for i := 0; i < n; i += step {
		c, s := sinCosOf(i, n)
		coarse = append(coarse, turn{c, s})
	}
	for k := range n {
		x, y := coarse[k/step], fine[k%step]
		cos[k] = x.c.Mul(y.c).Sub(x.s.Mul(y.s))
		sin[k] = x.s.Mul(y.c).Add(x.c.Mul(y.s))
	}
	return cos, sin
}

// sinCosOf returns cosine and sine of 2π·k/n, from an angle of the first eighth.
func sinCosOf(k, n int) (c, s special.Double) {
	oct := 8 * k / n
	turn, rest := oct/2*2, 8*k-oct/2*2*n // angle = turn/8 + rest/8n, rest < 2n
	if rest > n {
		s, c = fft.SinCosTurn(2*n-rest, n)
	} else {
		c, s = fft.SinCosTurn(rest, n)
	}
	for range turn / 2 {
		c, s = s.Neg(), c
	}
	return c, s
}
