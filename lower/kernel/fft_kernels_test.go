package kernel

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/weft-go/weft/core"
)

// Transforms have the bits of the loops in Go where the machine has code for their stages: alone and side by side, of usual numbers
// and of those that are zero, infinite or NaN.
func TestFourierKernels(t *testing.T) {
	if fftStageKernel == nil {
		t.Skip("this machine has no code for stages")
	}
	r := rand.New(rand.NewPCG(9, 9))
	unusual := []float64{0, math.Copysign(0, -1), math.Inf(1), math.Inf(-1), math.NaN(), 5e-324, 1e308}
	lengths := []int{360, 375, 405, 500, 512, 625, 640, 729, 1000, 1024, 1080, 2048, 4096, 8192}
	for n := 1; n <= 256; n++ {
		lengths = append(lengths, n)
	}
	for _, n := range lengths {
		p := newPlanFFT(n)
		if p.inner != nil {
			continue
		}
		var factors []int
		for _, s := range p.stages {
			factors = append(factors, s.q)
		}
		loops := p.stagesOf(factors, nil)
		for _, together := range []int{1, 3, 4} {
			stages := p.stages
			if together > 1 {
				stages = p.sideBySide()
			}
			for _, share := range []float64{0, 0.02} {
				x := make([]cplx, n*together)
				for i := range x {
					x[i] = cplx{r.NormFloat64(), r.NormFloat64()}
					if r.Float64() < share {
						x[i].re = unusual[r.IntN(len(unusual))]
						x[i].im = unusual[r.IntN(len(unusual))]
					}
				}
				got, want, scratch := make([]cplx, len(x)), make([]cplx, len(x)), make([]cplx, len(x))
				p.run(loops, together, want, x, scratch)
				p.run(stages, together, got, x, scratch)
				canonAll(got)
				canonAll(want)
				requireBits(t, fmt.Sprintf("%d transforms of", together), n, got, want)
				for name, place := range map[string][]cplx{"in place": got, "from scratch": scratch} {
					copy(place, x)
					p.run(stages, together, got, place, scratch)
					canonAll(got)
					requireBits(t, name, n, got, want)
				}
			}
		}
	}
}

// Conversions around transforms have the bits of the loops in Go, for every length.
func TestFourierConversions(t *testing.T) {
	unusual := []float64{0, math.Copysign(0, -1), math.Inf(1), math.Float64frombits(0xfff0000000000001), 1e-45, 1e300, 1.1, -3}
	for _, dt := range []core.DType{core.Float32, core.Float64, core.Complex64, core.Complex128} {
		for n := range 14 {
			const at = 3
			x := NewTensor(core.Aval(dt, n+at))
			for i := range n + at {
				v, w := unusual[i%len(unusual)], unusual[(3*i+1)%len(unusual)]
				switch dt {
				case core.Float32:
					View[float32](x)[i] = float32(v)
				case core.Float64:
					View[float64](x)[i] = v
				case core.Complex64:
					View[complex64](x)[i] = complex(float32(v), float32(w))
				default:
					View[complex128](x)[i] = complex(v, w)
				}
			}
			all, some := make([]cplx, n), make([]cplx, n)
			widen(all, x, at)
			for i := range some {
				widen(some[i:i+1], x, at+i)
			}
			canonAll(all)
			canonAll(some)
			requireBits(t, "widen "+dt.String(), n, all, some)
			whole, parts := NewTensor(core.Aval(dt, n+at)), NewTensor(core.Aval(dt, n+at))
			narrow(whole, at, all)
			for i := range n {
				narrow(parts, at+i, some[i:i+1])
			}
			if string(whole.Data) != string(parts.Data) {
				t.Errorf("narrow to %v, %d numbers: got % x, want % x", dt, n, whole.Data, parts.Data)
			}
		}
	}
}
