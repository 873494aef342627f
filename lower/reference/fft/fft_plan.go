package fft

import (
	"github.com/weft-go/weft/lower/reference/internal/block"
	"github.com/weft-go/weft/lower/reference/special"
	"math"
	"math/bits"
	"sync"
	"unsafe"
)

// largestFactor is the largest prime factor for which a transform has a stage of its own.
const largestFactor = 61

// An fftPlan describes how a transform of n numbers is computed. It depends on n only.
type fftPlan struct {
	n      int
	stages []fftStage
	w      []block.Complex // e^(−2πi·k/n), rounded
	// sideBySide returns the stages of transforms side by side, made when they are needed.
	sideBySide func() []fftStage
	// For Bluestein's algorithm: the chirp e^(−πi·k²/n), the transform of its conjugate, and the
	// plan of a power of two.
	chirp, kernel []block.Complex
	inner         *fftPlan
}

// fftPlans keeps plans by n. When they have too many elements together, all are dropped.
var fftPlans struct {
	sync.Mutex
	byLength map[int]*fftPlan
	size     int
}

func planFFT(n int) *fftPlan {
	fftPlans.Lock()
	p := fftPlans.byLength[n]
	fftPlans.Unlock()
	if p != nil {
		return p
	}
	p = newPlanFFT(n)
	fftPlans.Lock()
	defer fftPlans.Unlock()
	if fftPlans.byLength == nil || fftPlans.size > 1<<23 {
		fftPlans.byLength, fftPlans.size = map[int]*fftPlan{}, 0
	}
	fftPlans.byLength[n] = p
	fftPlans.size += len(p.w) + len(p.chirp) + len(p.kernel)
	return p
}

func newPlanFFT(n int) *fftPlan {
	p := &fftPlan{n: n}
	var factors []int
	rest := n
	for rest%4 == 0 {
		factors = append(factors, 4)
		rest /= 4
	}
	for q := 2; rest > 1 && q <= largestFactor; q++ {
		for rest%q == 0 {
			factors = append(factors, q)
			rest /= q
		}
	}
	if rest > 1 {
		p.bluestein()
		return p
	}
	p.w = rootsOfUnity(n)
	p.stages = p.stagesOf(factors, fftStageKernel)
	p.sideBySide = sync.OnceValue(func() []fftStage { return p.stagesOf(factors, fftRowsKernel) })
	return p
}

// An fftStage joins q transforms at a time, in l groups of q rows of m numbers.
type fftStage struct {
	q, l, m int
	// kernel does `groups` groups of the stage, from group `first` on, with the twiddles w. It is nil where the
	// machine has no kernel.
	kernel        fftKernel
	first, groups int
	w             []block.Complex
}

// An fftKernel computes groups of a stage in the machine's vector registers.
type fftKernel func(src, to unsafe.Pointer, m, l int, w unsafe.Pointer)

// fftStageKernel completes a stage of a single transform with the machine's kernel and its
// twiddles, fftRowsKernel a stage of transforms side by side.
var fftStageKernel, fftRowsKernel func(s *fftStage, n int, w []block.Complex)

func (p *fftPlan) stagesOf(factors []int, complete func(*fftStage, int, []block.Complex)) []fftStage {
	l := 1
	stages := make([]fftStage, len(factors))
	for i, q := range factors {
		s := &stages[i]
		s.q, s.l, s.m = q, l, p.n/(l*q)
		if complete != nil {
			complete(s, p.n, p.w)
		}
		l *= q
	}
	return stages
}

// bluestein prepares the convolution with a chirp.
func (p *fftPlan) bluestein() {
	n := p.n
	m := 1
	for m < 2*n-1 {
		m *= 2
	}
	p.inner = planFFT(m)
	roots := rootsOfUnity(2 * n)
	p.chirp = make([]block.Complex, n)
	for k := range n {
		hi, lo := bits.Mul64(uint64(k), uint64(k))
		p.chirp[k] = roots[bits.Rem64(hi, lo, uint64(2*n))]
	}
	p.kernel = make([]block.Complex, m)
	for k, c := range p.chirp {
		p.kernel[k] = c.Conj()
		if k > 0 {
			p.kernel[m-k] = c.Conj()
		}
	}
	p.inner.transform(p.kernel, p.kernel, make([]block.Complex, m))
}

// rootsOfUnity returns e^(−2πi·k/n) for k < n, rounded to f64: the first eighth as products of two roots in
// twice the precision, the others by symmetry.
func rootsOfUnity(n int) []block.Complex {
	w := make([]block.Complex, n)
	// Angles are u·2π/8n with u ≤ n: u = i·step + r.
	step := int(math.Sqrt(float64(n))) + 1
	type turn struct{ c, s special.Double }
	table := func(unit int) []turn {
		t := make([]turn, n/step+step+2)
		for i := range t {
			if i*unit > n {
				break
			}
			t[i].c, t[i].s = SinCosTurn(i*unit, n)
		}
		return t
	}
	coarse, fine := table(step), table(1)
	for k := range n {
		a, b := k, n
		var swap, negCos, negSin bool
		if 2*a > b {
			a, negSin = b-a, true
		}
		if 4*a > b {
			a, b, negCos = b-2*a, 2*b, true // a/b ← ½ − a/b
		}
		if 8*a > b {
			a, b, swap = b-4*a, 4*b, true // a/b ← ¼ − a/b
		}
		u := a * (8 * n / b)
		x, y := coarse[u/step], fine[u%step]
		c := x.c.Mul(y.c).Sub(x.s.Mul(y.s)).Value()
		s := x.s.Mul(y.c).Add(x.c.Mul(y.s)).Value()
		if swap {
			s, c = c, s
		}
		if negCos {
			c = -c
		}
		if !negSin {
			s = 0 - s
		}
		w[k] = block.Complex{Re: c, Im: s}
	}
	return w
}

// SinCosTurn returns cosine and sine of u·2π/8n, u ≤ n, by Taylor's series in sums of two f64.
func SinCosTurn(u, n int) (cos, sin special.Double) {
	if u == 0 {
		return special.Double{Hi: 1, Lo: 0}, special.Double{}
	}
	x := special.QuotientOf(float64(u), 4*float64(n)).Mul(special.DoublePi)
	z := x.Mul(x)
	one := special.Double{Hi: 1, Lo: 0}
	for k := 13; k >= 1; k-- {
		sin = sin.Add(one).Mul(z).DivFloat(-float64(2 * k * (2*k + 1)))
		cos = cos.Add(one).Mul(z).DivFloat(-float64((2*k - 1) * 2 * k))
	}
	return cos.Add(one), sin.Add(one).Mul(x)
}

// A FourierPlan describes how transforms of one length are computed, for targets that compute it
// in kernels. Complex numbers are pairs.
type FourierPlan struct {
	Factors []int     // of the stages
	Roots   []float64 // e^(−2πi·k/n)
	// For Bluestein's algorithm: the chirp e^(−πi·k²/n), the transform of its conjugate, and the
	// length of the transforms that convolve with it; 0 where there are factors.
	Chirp, Kernel []float64
	Length        int
}

// PlanFourier returns the plan of transforms of n numbers.
func PlanFourier(n int) *FourierPlan {
	p := planFFT(n)
	pairs := func(x []block.Complex) []float64 {
		if len(x) == 0 {
			return nil
		}
		return unsafe.Slice(&x[0].Re, 2*len(x))
	}
	f := &FourierPlan{Roots: pairs(p.w), Chirp: pairs(p.chirp), Kernel: pairs(p.kernel)}
	for _, s := range p.stages {
		f.Factors = append(f.Factors, s.q)
	}
	if p.inner != nil {
		f.Length = p.inner.n
	}
	return f
}
