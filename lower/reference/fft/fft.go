package fft

import (
	"github.com/weft-go/weft/lower/reference/internal/block"
	"math"
	"unsafe"
)

// transform writes the forward transform of src to dst; scratch has as many elements. src may be
// dst, or scratch.
func (p *fftPlan) transform(dst, src, scratch []block.Complex) {
	if p.inner == nil {
		p.run(p.stages, 1, dst, src, scratch)
		return
	}
	m := p.inner.n
	y, ly := block.Borrow[block.Complex](m)
	s, ls := block.Borrow[block.Complex](m)
	defer ly.Back()
	defer ls.Back()
	for k, v := range src[:p.n] {
		y[k] = v.Mul(p.chirp[k])
	}
	clear(y[p.n:])
	p.inner.transform(y, y, s)
	for k, v := range y {
		y[k] = v.Mul(p.kernel[k]).Conj()
	}
	p.inner.transform(y, y, s)
	inverse := 1 / float64(m)
	for k := range p.n {
		dst[k] = y[k].Conj().Scale(inverse).Mul(p.chirp[k])
	}
}

// operand returns dst or scratch: the one in which an operand may lie so that the transform does
// not copy it first.
func (p *fftPlan) operand(dst, scratch []block.Complex) []block.Complex {
	if len(p.stages)%2 == 1 {
		return scratch
	}
	return dst
}

// run computes transforms whose elements lie side by side, by stages (Stockham): after the
// stages of factors with product l, element j of the transform of x[t], x[t + n/l], … lies at
// j·n/l + t. The data moves between dst and scratch, so that the results need no permutation.
func (p *fftPlan) run(stages []fftStage, together int, dst, src, scratch []block.Complex) {
	from, to, other := src, dst, scratch
	switch {
	case len(stages) == 0:
		copy(dst, src)
		return
	case len(stages)%2 == 0:
		to, other = scratch, dst
	}
	if unsafe.SliceData(from) == unsafe.SliceData(to) { // the first stage must not write what it still reads
		copy(other, from)
		from = other
	}
	for i := range stages {
		stages[i].run(p, from, to, together)
		from, to, other = to, other, to
	}
}

// run computes one stage. The machine's kernel, if it has one, computes all groups except some at the start and at the
// end.
func (s *fftStage) run(p *fftPlan, from, to []block.Complex, together int) {
	m, first, last := s.m*together, 0, 0
	var v [largestFactor]block.Complex
	if s.kernel != nil {
		first, last = s.first, s.first+s.groups
		s.runKernel(from, to, m)
	}
	for j := 0; j < s.l; j++ {
		if j == first && first < last {
			if j = last; j == s.l {
				break
			}
		}
		step := s.m * j // twiddles e^(−2πi·j·r/(l·q)) are w[j·r·m]
		switch s.q {
		case 2:
			stage2(from, to, p.w, s.l, m, j, step)
		case 4:
			stage4(from, to, p.w, s.l, m, j, step)
		default:
			p.stage(from, to, s.q, s.l, m, j, step, v[:])
		}
	}
}

// stage2 joins pairs of transforms: element j of each.
func stage2(from, to, w []block.Complex, l, m, j, step int) {
	t := w[step]
	src, a, b := from[j*2*m:], to[j*m:], to[l*m+j*m:]
	for i := range m {
		x, y := src[i], src[m+i].Mul(t)
		a[i], b[i] = x.Add(y), x.Sub(y)
	}
}

// stage4 joins four transforms: element j of each.
func stage4(from, to, w []block.Complex, l, m, j, step int) {
	t1, t2, t3 := w[step], w[2*step], w[3*step]
	quarter := l * m
	src := from[j*4*m:]
	for i := range m {
		a, b := src[i], src[m+i].Mul(t1)
		c, d := src[2*m+i].Mul(t2), src[3*m+i].Mul(t3)
		ac, bd := a.Add(c), b.Add(d)
		amc, bmd := a.Sub(c), b.Sub(d)
		o := j*m + i
		to[o] = ac.Add(bd)
		to[o+2*quarter] = ac.Sub(bd)
		// −i·(b − d).
		to[o+quarter] = block.Complex{Re: amc.Re + bmd.Im, Im: amc.Im - bmd.Re}
		to[o+3*quarter] = block.Complex{Re: amc.Re - bmd.Im, Im: amc.Im + bmd.Re}
	}
}

// stage joins q transforms, q an odd prime: element j of each. v is scratch for q elements. With
// a[r] = v[r] + v[q−r] and b[r] = v[r] − v[q−r], r < q/2, elements k and q − k are C ± i·D,
// where
//
//	C = v[0] + Σ a[r]·cos,  D = Σ b[r]·sin
//
// are chains of fma over r in order, with the parts of e^(−2πi·r·k/q) as cosine and sine.
func (p *fftPlan) stage(from, to []block.Complex, q, l, m, j, step int, v []block.Complex) {
	part := l * m
	turn := p.n / q
	half := q / 2
	src := from[j*q*m:]
	for i := range m {
		for r := range q {
			v[r] = src[r*m+i]
			if r > 0 && j > 0 {
				v[r] = v[r].Mul(p.w[r*step])
			}
		}
		sum := v[0]
		for r := 1; r <= half; r++ {
			a, b := v[r].Add(v[q-r]), v[r].Sub(v[q-r])
			v[r], v[q-r] = a, b
			sum = sum.Add(a)
		}
		to[j*m+i] = sum
		for k := 1; k <= half; k++ {
			c, d, at := v[0], block.Complex{}, 0 // at is r·k mod q
			for r := 1; r <= half; r++ {
				if at += k; at >= q {
					at -= q
				}
				w, a, b := p.w[at*turn], v[r], v[q-r]
				c.Re, c.Im = math.FMA(a.Re, w.Re, c.Re), math.FMA(a.Im, w.Re, c.Im)
				d.Re, d.Im = math.FMA(b.Re, w.Im, d.Re), math.FMA(b.Im, w.Im, d.Im)
			}
			to[k*part+j*m+i] = block.Complex{Re: c.Re - d.Im, Im: c.Im + d.Re}
			to[(q-k)*part+j*m+i] = block.Complex{Re: c.Re + d.Im, Im: c.Im - d.Re}
		}
	}
}

// runKernel computes the groups of a stage for which the machine has code.
func (s *fftStage) runKernel(from, to []block.Complex, m int) {
	l, src, dst := s.l, from[:s.l*s.q*m], to[:s.l*s.q*m]
	if s.m == 1 && s.first > 0 {
		m, l = l, s.groups // the results of a group are l numbers apart
		src, dst = src[s.first*s.q:], dst[s.first:]
	}
	s.kernel(unsafe.Pointer(&src[0]), unsafe.Pointer(&dst[0]), m, l, unsafe.Pointer(&s.w[0]))
}
