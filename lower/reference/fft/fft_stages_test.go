package fft

import (
	"github.com/weft-go/weft/lower/reference/internal/block"
	"math"
	"math/cmplx"
	"math/rand/v2"
	"testing"
)

// Stages by four are transforms of four elements.
func TestFourierStages(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 9))
	const l, j = 3, 2
	for _, m := range []int{4, 8, 20} {
		from, w := make([]block.Complex, 4*l*m), make([]block.Complex, 4*l)
		for i := range from {
			from[i] = block.Complex{Re: r.NormFloat64(), Im: r.NormFloat64()}
		}
		for i := range w {
			w[i] = block.Complex{Re: r.NormFloat64(), Im: r.NormFloat64()}
		}
		from[j*4*m] = block.Complex{Re: 0, Im: math.Copysign(0, -1)}
		want := make([]block.Complex, len(from))
		stage4(from, want, w, l, m, j, j)
		for i := range m {
			for k := range 4 {
				sum, size := complex128(0), 0.0
				for q, turn := 0, complex128(1); q < 4; q, turn = q+1, turn*[]complex128{1, -1i, -1, 1i}[k] {
					x := from[j*4*m+q*m+i]
					term := complex(x.Re, x.Im) * turn
					if q > 0 {
						term *= complex(w[q*j].Re, w[q*j].Im)
					}
					sum, size = sum+term, size+cmplx.Abs(term)
				}
				got := want[k*l*m+j*m+i]
				// Each term is rounded in its product and in two sums.
				if d := cmplx.Abs(complex(got.Re, got.Im) - sum); !(d <= 6*0x1p-53*size) {
					t.Errorf("m = %d: result %d of transform %d is %v, want %v: off by %.2g", m, k, i, got, sum, d)
				}
			}
		}
	}
}
