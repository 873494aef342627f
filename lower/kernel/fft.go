package kernel

import (
	"math"

	"github.com/weft-go/weft/core/prim"
)

// transform replaces x by its forward transform; scratch has as many elements.
func (p *fftPlan) transform(x, scratch []cplx) {
	if p.inner == nil {
		p.run(x, scratch)
		return
	}
	m := p.inner.n
	y, ly := borrow[cplx](m)
	s, ls := borrow[cplx](m)
	defer ly.back()
	defer ls.back()
	for k, v := range x {
		y[k] = v.mul(p.chirp[k])
	}
	clear(y[len(x):])
	p.inner.run(y, s)
	for k, v := range y {
		y[k] = v.mul(p.kernel[k]).conj()
	}
	p.inner.run(y, s)
	inverse := 1 / float64(m)
	for k := range x {
		x[k] = y[k].conj().scale(inverse).mul(p.chirp[k])
	}
}

// run is the transform by stages (Stockham): after the stages of factors with product l, element j of the
// transform of x[t], x[t + n/l], … lies at j·n/l + t. The data moves between x and scratch, so that no
// order needs to be reversed.
func (p *fftPlan) run(x, scratch []cplx) {
	from, to := x, scratch[:len(x)]
	l, n := 1, p.n
	var v [largestFactor]cplx
	var twiddles [3]cplx
	for _, q := range p.factors {
		m := n / (l * q)
		for j := range l {
			step := m * j // twiddles e^(−2πi·j·r/(l·q)) are w[j·r·m]
			switch {
			case q == 4 && m%4 == 0 && fftStage4 != nil:
				twiddles = [3]cplx{p.w[step], p.w[2*step], p.w[3*step]}
				fftStage4(from[j*4*m:], to[j*m:], m, l*m, &twiddles)
			case q == 2:
				stage2(from, to, p.w, l, m, j, step)
			case q == 4:
				stage4(from, to, p.w, l, m, j, step)
			default:
				p.stage(from, to, q, l, m, j, v[:])
			}
		}
		from, to = to, from
		l *= q
	}
	if len(p.factors)%2 == 1 {
		copy(x, from)
	}
}

// stage2 joins pairs of transforms: element j of each.
func stage2(from, to, w []cplx, l, m, j, step int) {
	t := w[step]
	src, a, b := from[j*2*m:], to[j*m:], to[l*m+j*m:]
	for i := range m {
		x, y := src[i], src[m+i].mul(t)
		a[i], b[i] = x.add(y), x.sub(y)
	}
}

// stage4 joins four transforms: element j of each.
func stage4(from, to, w []cplx, l, m, j, step int) {
	t1, t2, t3 := w[step], w[2*step], w[3*step]
	quarter := l * m
	src := from[j*4*m:]
	for i := range m {
		a, b := src[i], src[m+i].mul(t1)
		c, d := src[2*m+i].mul(t2), src[3*m+i].mul(t3)
		ac, bd := a.add(c), b.add(d)
		amc, bmd := a.sub(c), b.sub(d)
		o := j*m + i
		to[o] = ac.add(bd)
		to[o+2*quarter] = ac.sub(bd)
		// −i·(b − d).
		to[o+quarter] = cplx{amc.re + bmd.im, amc.im - bmd.re}
		to[o+3*quarter] = cplx{amc.re - bmd.im, amc.im + bmd.re}
	}
}

// stage joins q transforms, q an odd prime: element j of each. v is scratch for q elements. With a[r] = v[r] + v[q−r] and
// b[r] = v[r] − v[q−r], r < q/2, elements k and q − k are C ± i·D, where
//
//	C = v[0] + Σ a[r]·cos,  D = Σ b[r]·sin
//
// are chains of fma over r in order, with the parts of w[r·k] as cosine and sine.
func (p *fftPlan) stage(from, to []cplx, q, l, m, j int, v []cplx) {
	part := l * m
	turn := p.n / q
	half := q / 2
	src := from[j*q*m:]
	for i := range m {
		for r := range q {
			v[r] = src[r*m+i]
			if r > 0 && j > 0 {
				v[r] = v[r].mul(p.w[r*j*m])
			}
		}
		sum := v[0]
		for r := 1; r <= half; r++ {
			a, b := v[r].add(v[q-r]), v[r].sub(v[q-r])
			v[r], v[q-r] = a, b
			sum = sum.add(a)
		}
		to[j*m+i] = sum
		for k := 1; k <= half; k++ {
			c, d, at := v[0], cplx{}, 0 // at is r·k mod q
			for r := 1; r <= half; r++ {
				if at += k; at >= q {
					at -= q
				}
				w, a, b := p.w[at*turn], v[r], v[q-r]
				c.re, c.im = math.FMA(a.re, w.re, c.re), math.FMA(a.im, w.re, c.im)
				d.re, d.im = math.FMA(b.re, w.im, d.re), math.FMA(b.im, w.im, d.im)
			}
			to[k*part+j*m+i] = cplx{c.re - d.im, c.im + d.re}
			to[(q-k)*part+j*m+i] = cplx{c.re + d.im, c.im - d.re}
		}
	}
}

// fftStage4 is stage4 of a number of elements that 4 divides, in the machine's registers; nil where it has none. src has the elements
// of four transforms, the results are quarter elements apart, and w has their twiddles.
var fftStage4 func(src, to []cplx, m, quarter int, w *[3]cplx)

// fourier transforms the last axes: see prim.FFTP.
func fourier(y, x *Tensor, p prim.FFTP) {
	if y.Size() == 0 {
		return
	}
	e, l := elementsAs[complex128](x)
	defer l.back()
	lens := p.Lengths.Ints()
	last := lens[len(lens)-1]
	inverse := p.Kind == prim.FFTInverse || p.Kind == prim.FFTRealInverse
	total := p.Lengths.Size()
	if total == 0 {
		clear(y.Data) // sums of nothing
		return
	}
	count := y.Size() / total
	width := last
	if p.Kind == prim.FFTReal {
		count = x.Size() / total
		width = last/2 + 1
	}
	in := len(e) / count
	data, ld := borrow[cplx](total)
	defer ld.back()
	out, lo := borrow[complex128](y.Size())
	defer lo.back()
	to := out
	for b := range count {
		load(data, e[b*in:(b+1)*in], lens, p.Kind)
		if inverse {
			conjugateAll(data)
		}
		axes := len(lens)
		if p.Kind == prim.FFTRealInverse {
			axes-- // the last axis comes last: its spectrum is completed then
			transformAxes(data, lens, axes-1, last)
			completeSpectrum(data, last)
			transformLast(data, last)
		} else {
			transformLast(data, last)
			transformAxes(data, lens, axes-2, width)
		}
		f := 1.0
		if inverse {
			conjugateAll(data)
			f = float64(total)
		}
		for r := 0; r < total; r += last {
			row := to[:width]
			to = to[width:]
			for i, v := range data[r : r+width] {
				row[i] = complex(v.re, v.im)
			}
			if f != 1 {
				for i, v := range row {
					row[i] = complex(real(v)/f, imag(v)/f)
				}
			}
		}
	}
	store(&fieldC128, y, out)
}

// load copies a block of elements; of half a spectrum into the first columns.
func load(data []cplx, src []complex128, lens []int, kind prim.FFTKind) {
	last := lens[len(lens)-1]
	if kind != prim.FFTRealInverse {
		for i, v := range src {
			data[i] = cplx{real(v), imag(v)}
		}
		return
	}
	clear(data)
	half := last/2 + 1
	for i, v := range src {
		data[i/half*last+i%half] = cplx{real(v), imag(v)}
	}
}

// completeSpectrum makes each row the spectrum of real numbers, of which it has the first half.
func completeSpectrum(data []cplx, n int) {
	for r := 0; r < len(data); r += n {
		row := data[r : r+n]
		row[0].im = 0
		if n%2 == 0 {
			row[n/2].im = 0
		}
		for k := 1; 2*k < n; k++ {
			row[n-k] = row[k].conj()
		}
	}
}

func conjugateAll(x []cplx) {
	for i := range x {
		x[i].im = -x[i].im
	}
}

// transformLast transforms rows of n elements.
func transformLast(data []cplx, n int) {
	plan := planFFT(n)
	scratch, l := borrow[cplx](n)
	defer l.back()
	for r := 0; r < len(data); r += n {
		plan.transform(data[r:r+n], scratch)
	}
}

// transformAxes transforms along axes axis, axis − 1, …, 0, of the last axis the first `width` elements. Some columns
// at a time are copied to lines and back, since they lie side by side.
func transformAxes(data []cplx, lens []int, axis, width int) {
	const together = 8
	last := lens[len(lens)-1]
	for ; axis >= 0; axis-- {
		n, inner := lens[axis], 1
		for _, k := range lens[axis+1:] {
			inner *= k
		}
		plan := planFFT(n)
		lines, l := borrow[cplx](together * n)
		scratch, ls := borrow[cplx](n)
		for o := 0; o < len(data); o += n * inner {
			for row := 0; row < inner; row += last {
				for i := 0; i < width; i += together {
					cols := min(together, width-i)
					block := data[o+row+i:]
					for k := range n {
						for c, v := range block[k*inner : k*inner+cols] {
							lines[c*n+k] = v
						}
					}
					for c := range cols {
						plan.transform(lines[c*n:(c+1)*n], scratch)
					}
					for k := range n {
						to := block[k*inner : k*inner+cols]
						for c := range to {
							to[c] = lines[c*n+k]
						}
					}
				}
			}
		}
		ls.back()
		l.back()
	}
}
