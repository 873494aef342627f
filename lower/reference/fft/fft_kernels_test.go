package fft

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/lower/reference/internal/block"
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
				x := make([]block.Complex, n*together)
				for i := range x {
					x[i] = block.Complex{Re: r.NormFloat64(), Im: r.NormFloat64()}
					if r.Float64() < share {
						x[i].Re = unusual[r.IntN(len(unusual))]
						x[i].Im = unusual[r.IntN(len(unusual))]
					}
				}
				got, want, scratch := make([]block.Complex, len(x)), make([]block.Complex, len(x)), make([]block.Complex, len(x))
				p.run(loops, together, want, x, scratch)
				p.run(stages, together, got, x, scratch)
				canonAll(got)
				canonAll(want)
				requireSame(t, fmt.Sprintf("%d transforms of", together), n, got, want)
				for name, place := range map[string][]block.Complex{"in place": got, "from scratch": scratch} {
					copy(place, x)
					p.run(stages, together, got, place, scratch)
					canonAll(got)
					requireSame(t, name, n, got, want)
				}
			}
		}
	}
}

// Transforms in f32 have the bits of the loops in Go, too: of complex numbers and of real ones.
func TestFourierSingleKernels(t *testing.T) {
	if singleKernels == nil {
		t.Skip("this machine has no code for stages")
	}
	r := rand.New(rand.NewPCG(9, 9))
	unusual := []float32{0, float32(math.Copysign(0, -1)), float32(math.Inf(1)), float32(math.Inf(-1)), float32(math.NaN()), 1e-45, 1e38}
	number := func(share float64) float32 {
		if r.Float64() < share {
			return unusual[r.IntN(len(unusual))]
		}
		return float32(r.NormFloat64())
	}
	same := func(what string, n int, got, want []cplx32) {
		t.Helper()
		for i, v := range want {
			g := got[i]
			if math.Float32bits(canonical(g.re)) != math.Float32bits(canonical(v.re)) || math.Float32bits(canonical(g.im)) != math.Float32bits(canonical(v.im)) {
				t.Fatalf("%s, n = %d: element %d is %v, want %v", what, n, i, g, v)
			}
		}
	}
	for exp := range 14 {
		p := planSingle(exp)
		loops := *p
		for _, stages := range []*[]singleStage{&loops.stages, &loops.sideBySide} {
			*stages = append([]singleStage(nil), *stages...)
			for i := range *stages {
				(*stages)[i].kernel, (*stages)[i].real = nil, nil
			}
		}
		for _, together := range []int{1, singlesTogether} {
			for _, share := range []float64{0, 0.02} {
				x, reals := make([]cplx32, p.n*together), make([]float32, p.n)
				for i := range x {
					x[i] = cplx32{number(share), number(share)}
				}
				for i := range reals {
					reals[i] = number(share)
				}
				got, want, scratch := make([]cplx32, len(x)), make([]cplx32, len(x)), make([]cplx32, len(x))
				loops.run(together, want, x, scratch, nil)
				p.run(together, got, x, scratch, nil)
				same(fmt.Sprintf("%d transforms", together), p.n, got, want)
				for name, place := range map[string][]cplx32{"in place": got, "from scratch": scratch} {
					copy(place, x)
					p.run(together, got, place, scratch, nil)
					same(name, p.n, got, want)
				}
				if together > 1 {
					continue
				}
				loops.run(1, want, nil, scratch, reals)
				p.run(1, got, nil, scratch, reals)
				same("real numbers", p.n, got, want)
				for i, v := range reals {
					x[i] = cplx32{v, 0}
				}
				p.run(1, got, x, scratch, nil)
				same("real numbers with imaginary parts", p.n, got, want)
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
			x := block.NewTensor(core.Aval(dt, n+at))
			for i := range n + at {
				v, w := unusual[i%len(unusual)], unusual[(3*i+1)%len(unusual)]
				switch dt {
				case core.Float32:
					block.View[float32](x)[i] = float32(v)
				case core.Float64:
					block.View[float64](x)[i] = v
				case core.Complex64:
					block.View[complex64](x)[i] = complex(float32(v), float32(w))
				default:
					block.View[complex128](x)[i] = complex(v, w)
				}
			}
			all, some := make([]block.Complex, n), make([]block.Complex, n)
			widen(all, x, at)
			for i := range some {
				widen(some[i:i+1], x, at+i)
			}
			canonAll(all)
			canonAll(some)
			requireSame(t, "widen "+dt.String(), n, all, some)
			whole, parts := block.NewTensor(core.Aval(dt, n+at)), block.NewTensor(core.Aval(dt, n+at))
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

// Transforms of several axes have the bits of the loops in Go where the machine loads and stores columns.
func TestFourierColumns(t *testing.T) {
	if columnLoad == nil {
		t.Skip("this machine has no code for columns")
	}
	load, stores, single := columnLoad, columnStores, singleStore
	defer func() { columnLoad, columnStores, singleStore = load, stores, single }()
	r := rand.New(rand.NewPCG(9, 9))
	for _, lens := range [][]int{{6}, {1, 1}, {5, 6}, {8, 9}, {3, 4, 10}, {16, 7}, {4, 67}, {67, 4}, {64, 512}, {1, 8}, {8, 1}, {4, 2, 16}, {512, 16}} {
		for _, kind := range []prim.FFTKind{prim.FFTForward, prim.FFTInverse, prim.FFTReal, prim.FFTRealInverse} {
			for _, wide := range []bool{false, true} {
				p := prim.FFTP{Kind: kind, Lengths: core.MakeDims(lens...)}
				half := core.MakeDims(append(append([]int{2}, lens[:len(lens)-1]...), lens[len(lens)-1]/2+1)...)
				whole := core.MakeDims(append([]int{2}, lens...)...)
				in, out, from, to := whole, whole, core.Complex64, core.Complex64
				switch kind {
				case prim.FFTReal:
					out, from = half, core.Float32
				case prim.FFTRealInverse:
					in, to = half, core.Float32
				}
				if wide {
					from, to = map[core.DType]core.DType{core.Float32: core.Float64, core.Complex64: core.Complex128}[from],
						map[core.DType]core.DType{core.Float32: core.Float64, core.Complex64: core.Complex128}[to]
				}
				x := block.NewTensor(core.Aval(from, in.Ints()...))
				parts := len(x.Data) / 4
				if wide {
					parts /= 2
				}
				for i := range parts {
					v := r.NormFloat64()
					if i == 7 {
						v = math.Inf(1)
					}
					if wide {
						binary.NativeEndian.PutUint64(x.Data[8*i:], math.Float64bits(v))
					} else {
						binary.NativeEndian.PutUint32(x.Data[4*i:], math.Float32bits(float32(v)))
					}
				}
				got, want := block.NewTensor(core.Aval(to, out.Ints()...)), block.NewTensor(core.Aval(to, out.Ints()...))
				columnLoad, columnStores, singleStore = load, stores, single
				fourier(got, x, p)
				columnLoad, singleStore = nil, nil
				clear(columnStores[:])
				fourier(want, x, p)
				if string(got.Data) != string(want.Data) {
					t.Errorf("%v of %v to %v: got other bits than the loops", p.Params(), from, to)
				}
			}
		}
	}
}

func requireSame[A comparable](t *testing.T, what string, n int, got, want []A) {
	t.Helper()
	for i := range want {
		if got[i] != want[i] && (got[i] == got[i] || want[i] == want[i]) {
			t.Fatalf("%s, n = %d: element %d is %v, want %v", what, n, i, got[i], want[i])
		}
	}
}
