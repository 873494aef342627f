package fft

import (
	"sync"
	"unsafe"
)

// A cplx32 is a complex number in f32, of transforms whose lengths are powers of two.
type cplx32 struct{ re, im float32 }

// mul returns a·b. Each product and sum is rounded on its own. There is no fma, since processors
// that have none for vectors of f32 would compute it number by number, in f64.
func (a cplx32) mul(b cplx32) cplx32 {
	return cplx32{float32(a.re*b.re) - float32(a.im*b.im), float32(a.re*b.im) + float32(a.im*b.re)}
}

func (a cplx32) add(b cplx32) cplx32 { return cplx32{a.re + b.re, a.im + b.im} }
func (a cplx32) sub(b cplx32) cplx32 { return cplx32{a.re - b.re, a.im - b.im} }

// A singlePlan describes how a transform of n numbers in f32 is computed, n a power of two: by
// factors 4, then 2.
type singlePlan struct {
	n                  int
	w                  []cplx32 // e^(−2πi·k/n), rounded to f64, then to f32
	stages, sideBySide []singleStage
}

// A singleStage is an fftStage of factor 4 or 2. The first one, l = 1, does not multiply.
type singleStage struct {
	q, l, m int
	// kernel is the machine's kernel for the whole stage, real the kernel for real operands; nil where the
	// machine has none. w has the twiddles of kernel.
	kernel, real fftKernel
	w            []cplx32
}

// singleKernels completes a stage with the machine's kernels: a stage of a single transform, or
// of eight transforms side by side.
var singleKernels func(s *singleStage, together int, w []cplx32)

// singles keeps plans by the logarithm of n.
var singles [64]struct {
	sync.Once
	plan *singlePlan
}

// planSingle returns the plan of 2^exp numbers.
func planSingle(exp int) *singlePlan {
	s := &singles[exp]
	s.Do(func() {
		p := &singlePlan{n: 1 << exp}
		for _, v := range planFFT(p.n).w {
			p.w = append(p.w, cplx32{float32(v.Re), float32(v.Im)})
		}
		p.stages, p.sideBySide = p.stagesFor(1), p.stagesFor(singlesTogether)
		s.plan = p
	})
	return s.plan
}

func (p *singlePlan) stagesFor(together int) (stages []singleStage) {
	for l := 1; l < p.n; {
		q := 4
		if p.n/l == 2 {
			q = 2
		}
		s := singleStage{q: q, l: l, m: p.n / (l * q)}
		if singleKernels != nil {
			singleKernels(&s, together, p.w)
		}
		stages = append(stages, s)
		l *= q
	}
	return stages
}

// operand is fftPlan.operand.
func (p *singlePlan) operand(dst, scratch []cplx32) []cplx32 {
	if len(p.stages)%2 == 1 {
		return scratch
	}
	return dst
}

// run is fftPlan.run. If reals is not nil, the first stage reads these real numbers instead of
// src.
func (p *singlePlan) run(together int, dst, src, scratch []cplx32, reals []float32) {
	stages := p.stages
	if together > 1 {
		stages = p.sideBySide
	}
	from, to, other := src, dst, scratch
	if len(stages)%2 == 0 {
		to, other = scratch, dst
	}
	switch {
	case len(stages) == 0 || reals != nil && stages[0].real == nil:
		if reals != nil {
			from = other
			if len(stages) == 0 {
				from = dst
			}
			for i, v := range reals[:p.n] {
				from[i] = cplx32{v, 0}
			}
		}
		if len(stages) == 0 {
			copy(dst, from[:p.n*together])
			return
		}
		reals = nil
	case reals == nil && unsafe.SliceData(from) == unsafe.SliceData(to): // the first stage must not write what it still reads
		copy(other, from)
		from = other
	}
	for i := range stages {
		s := &stages[i]
		switch {
		case i == 0 && reals != nil:
			s.real(unsafe.Pointer(&reals[:p.n][0]), unsafe.Pointer(&to[:p.n][0]), s.m, 1, nil)
		case s.kernel != nil:
			count := s.l * s.q * s.m * together
			s.kernel(unsafe.Pointer(&from[:count][0]), unsafe.Pointer(&to[:count][0]), s.m*together, s.l, unsafe.Pointer(unsafe.SliceData(s.w)))
		default:
			for j := range s.l {
				s.loop(p.w, from, to, s.m*together, j)
			}
		}
		from, to, other = to, other, to
	}
}

// loop joins q transforms: element j of each, in rows of m numbers.
func (s *singleStage) loop(w, from, to []cplx32, m, j int) {
	src, part, step, first := from[j*s.q*m:], s.l*m, j*s.m, s.l == 1
	x, y := src[:m], src[m:2*m]
	if s.q == 2 {
		r, t, v := to[j*m:][:m], to[j*m+part:][:m], w[step]
		for i, a := range x {
			b := y[i]
			if !first {
				b = b.mul(v)
			}
			r[i], t[i] = a.add(b), a.sub(b)
		}
		return
	}
	z, u := src[2*m:3*m], src[3*m:4*m]
	r0, r1, r2, r3 := to[j*m:][:m], to[j*m+part:][:m], to[j*m+2*part:][:m], to[j*m+3*part:][:m]
	t1, t2, t3 := w[step], w[2*step], w[3*step]
	for i, a := range x {
		b, c, d := y[i], z[i], u[i]
		if !first {
			b, c, d = b.mul(t1), c.mul(t2), d.mul(t3)
		}
		ac, bd, amc, bmd := a.add(c), b.add(d), a.sub(c), b.sub(d)
		r0[i], r2[i] = ac.add(bd), ac.sub(bd)
		// −i·(b − d).
		r1[i] = cplx32{amc.re + bmd.im, amc.im - bmd.re}
		r3[i] = cplx32{amc.re - bmd.im, amc.im + bmd.re}
	}
}
