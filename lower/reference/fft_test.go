package reference

import (
	"math"
	"math/cmplx"
	"math/rand/v2"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
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
	x, e := NewTensor(core.Aval(dt, n)), make([]complex128, n)
	for i := range e {
		View[A](x)[i] = A(complex(r.NormFloat64(), r.NormFloat64()))
		e[i] = complex128(View[A](x)[i])
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
		for k, v := range View[A](apply(t, prim.FFTP{Kind: kind, Lengths: core.MakeDims(n)}, x)[0]) {
			y[k] = complex128(v)
		}
		worst, big := 0.0, 0.0
		for _, v := range y {
			big = max(big, cmplx.Abs(v))
		}
		for _, k := range outputs {
			var re, im dd
			for j, v := range e {
				at := int(uint64(j) * uint64(k) % uint64(n))
				c, s := cos[at], sin[at]
				if kind == prim.FFTForward {
					s = s.neg()
				}
				re = re.add(c.mulFloat(real(v))).sub(s.mulFloat(imag(v)))
				im = im.add(c.mulFloat(imag(v))).add(s.mulFloat(real(v)))
			}
			if kind == prim.FFTInverse {
				re, im = re.divFloat(float64(n)), im.divFloat(float64(n))
			}
			worst = max(worst, math.Abs(re.addFloat(-real(y[k])).value()), math.Abs(im.addFloat(-imag(y[k])).value()))
		}
		_, exp := math.Frexp(big)
		ulps := worst / math.Ldexp(1, exp-digits)
		if limit := 0.5*math.Log2(float64(n)) + 2; !(ulps <= limit) {
			t.Errorf("%v, n = %d, kind %d: %.2f ulps of the largest, want at most %.2f", dt, n, kind, ulps, limit)
		}
	}
}

// turnsOf returns cosine and sine of 2π·k/n, k < n, in twice the precision, as products of coarse and fine steps.
func turnsOf(n int) (cos, sin []dd) {
	cos, sin = make([]dd, n), make([]dd, n)
	step := int(math.Sqrt(float64(n))) + 1
	type turn struct{ c, s dd }
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
		cos[k] = x.c.mul(y.c).sub(x.s.mul(y.s))
		sin[k] = x.s.mul(y.c).add(x.c.mul(y.s))
	}
	return cos, sin
}

// sinCosOf returns cosine and sine of 2π·k/n, from an angle of the first eighth.
func sinCosOf(k, n int) (c, s dd) {
	oct := 8 * k / n
	turn, rest := oct/2*2, 8*k-oct/2*2*n // angle = turn/8 + rest/8n, rest < 2n
	if rest > n {
		s, c = sinCosTurn(2*n-rest, n)
	} else {
		c, s = sinCosTurn(rest, n)
	}
	for range turn / 2 {
		c, s = s.neg(), c
	}
	return c, s
}
