package reference

import "math"

// complexSchur brings the Hessenberg matrix h[n, n] to upper triangular form by iterations with one
// shift, after LAPACK's lahqr; z takes the reflections. It returns false without convergence.
func complexSchur(h, z []complex128, n int, grain precision) bool {
	f := &fieldC128
	at := func(i, j int) cplx { return f.c(h[i*n+j]) }
	// Real elements below the diagonal.
	for i := 1; i < n; i++ {
		sub := at(i, i-1)
		if sub.im == 0 {
			continue
		}
		phase := sub.scale(1 / sub.size())
		phase = phase.conj().scale(1 / phase.abs())
		h[i*n+i-1] = complex(sub.abs(), 0)
		for j := i; j < n; j++ {
			h[i*n+j] = f.a(at(i, j).mul(phase))
		}
		for r := range min(n, i+2) {
			h[r*n+i] = f.a(at(r, i).mul(phase.conj()))
		}
		for r := range n {
			z[r*n+i] = f.a(f.c(z[r*n+i]).mul(phase.conj()))
		}
	}
	limit := 30 * max(10, n)
	ulp := grain.ulp()
	tiny := grain.least * (float64(n) / ulp)
	split := func(hi int) int {
		for k := hi; k > 0; k-- {
			sub := at(k, k-1).size()
			if sub <= tiny {
				return k
			}
			near := at(k-1, k-1).size() + at(k, k).size()
			if near == 0 {
				if k >= 2 {
					near += math.Abs(at(k-1, k-2).re)
				}
				if k < n-1 {
					near += math.Abs(at(k+1, k).re)
				}
			}
			if math.Abs(at(k, k-1).re) > ulp*near {
				continue
			}
			up, diff := at(k-1, k).size(), at(k-1, k-1).sub(at(k, k)).size()
			ab, ba := max(sub, up), min(sub, up)
			aa, bb := max(at(k, k).size(), diff), min(at(k, k).size(), diff)
			sum := aa + ab
			if times(ba, ab/sum) <= max(tiny, ulp*times(bb, aa/sum)) {
				return k
			}
		}
		return 0
	}
	for hi := n - 1; hi >= 0; {
		done := false
		for try := 1; try <= limit+1; try++ {
			lo := split(hi)
			if lo > 0 {
				h[lo*n+lo-1] = 0
			}
			if lo >= hi {
				hi = lo - 1
				done = true
				break
			}
			complexSweep(h, z, n, lo, hi, complexShift(h, n, lo, hi, try), ulp)
		}
		if !done {
			return false
		}
	}
	return true
}

// complexShift returns the eigenvalue of the last 2 × 2 block that is nearer to the last element;
// another number every tenth time.
func complexShift(h []complex128, n, lo, hi, try int) cplx {
	f := &fieldC128
	at := func(i, j int) cplx { return f.c(h[i*n+j]) }
	switch {
	case try%20 == 0:
		return at(hi, hi).add(cplx{0.75 * math.Abs(at(hi, hi-1).re), 0})
	case try%10 == 0:
		return at(lo, lo).add(cplx{0.75 * math.Abs(at(lo+1, lo).re), 0})
	}
	t := at(hi, hi)
	u := at(hi-1, hi).sqrt().mul(at(hi, hi-1).sqrt())
	s := u.size()
	if s == 0 {
		return t
	}
	x := at(hi-1, hi-1).sub(t).scale(0.5)
	sx := x.size()
	s = max(s, sx)
	xs, us := x.scale(1/s), u.scale(1/s)
	y := xs.mul(xs).add(us.mul(us)).sqrt().scale(s)
	if sx > 0 && math.FMA(x.re/sx, y.re, times(x.im/sx, y.im)) < 0 {
		y = y.neg()
	}
	return t.sub(u.mul(u.div(x.add(y))))
}

// complexSweep is one iteration on rows lo … hi.
func complexSweep(h, z []complex128, n, lo, hi int, shift cplx, ulp float64) {
	f := &fieldC128
	at := func(i, j int) cplx { return f.c(h[i*n+j]) }
	var v [2]cplx
	m := hi - 1
	for ; ; m-- {
		d := at(m, m).sub(shift)
		sub := at(m+1, m).re
		s := d.size() + math.Abs(sub)
		v = [2]cplx{d.scale(1 / s), {sub / s, 0}}
		if m == lo {
			break
		}
		near := at(m, m).size() + at(m+1, m+1).size()
		if times(math.Abs(at(m, m-1).re), math.Abs(v[1].re)) <= ulp*times(v[0].size(), near) {
			break
		}
	}
	for k := m; k < hi; k++ {
		if k > m {
			v = [2]cplx{at(k, k-1), at(k+1, k-1)}
		}
		x := [2]complex128{f.a(v[0]), f.a(v[1])}
		beta, t := reflector(f, x[:])
		tau, w := f.c(t), f.c(x[1])
		if k > m {
			h[k*n+k-1], h[(k+1)*n+k-1] = complex(beta, 0), 0
		}
		for j := k; j < n; j++ {
			sum := tau.conj().mul(at(k, j).add(w.conj().mul(at(k+1, j))))
			h[k*n+j] = f.a(at(k, j).sub(sum))
			h[(k+1)*n+j] = f.a(at(k+1, j).sub(sum.mul(w)))
		}
		right := func(e []complex128, rows int) {
			for i := range rows {
				a, b := f.c(e[i*n+k]), f.c(e[i*n+k+1])
				sum := tau.mul(a.add(w.mul(b)))
				e[i*n+k] = f.a(a.sub(sum))
				e[i*n+k+1] = f.a(b.sub(sum.mul(w.conj())))
			}
		}
		right(h, min(k+2, hi)+1)
		right(z, n)
		if k == m && m > lo {
			// The element before the block takes the reflection's factor; it is made real again.
			phase := cplx{1, 0}.sub(tau)
			phase = phase.scale(1 / phase.abs())
			h[(m+1)*n+m] = f.a(at(m+1, m).mul(phase.conj()))
			if m+2 <= hi {
				h[(m+2)*n+m+1] = f.a(at(m+2, m+1).mul(phase))
			}
			for j := m; j <= hi; j++ {
				if j == m+1 {
					continue
				}
				for c := j + 1; c < n; c++ {
					h[j*n+c] = f.a(at(j, c).mul(phase))
				}
				for r := range j {
					h[r*n+j] = f.a(at(r, j).mul(phase.conj()))
				}
				for r := range n {
					z[r*n+j] = f.a(f.c(z[r*n+j]).mul(phase.conj()))
				}
			}
		}
	}
	// The last element below the diagonal is made real.
	last := at(hi, hi-1)
	if last.im == 0 {
		return
	}
	r := last.abs()
	h[hi*n+hi-1] = complex(r, 0)
	phase := last.scale(1 / r)
	for c := hi + 1; c < n; c++ {
		h[hi*n+c] = f.a(at(hi, c).mul(phase.conj()))
	}
	for i := range hi {
		h[i*n+hi] = f.a(at(i, hi).mul(phase))
	}
	for i := range n {
		z[i*n+hi] = f.a(f.c(z[i*n+hi]).mul(phase))
	}
}
