package linalg

import (
	"math"

	"github.com/weft-go/weft/lower/reference/internal/block"
)

// complexSchur brings the Hessenberg matrix h[n, n] to upper triangular form by iterations with one
// shift, after LAPACK's lahqr; z takes the reflections. It returns false without convergence.
func complexSchur(h, z []complex128, n int, grain precision) bool {
	f := &fieldC128
	at := func(i, j int) block.Complex { return f.c(h[i*n+j]) }
	// Make the elements below the diagonal real.
	for i := 1; i < n; i++ {
		sub := at(i, i-1)
		if sub.Im == 0 {
			continue
		}
		phase := sub.Scale(1 / sub.Size())
		phase = phase.Conj().Scale(1 / phase.Abs())
		h[i*n+i-1] = complex(sub.Abs(), 0)
		for j := i; j < n; j++ {
			h[i*n+j] = f.a(at(i, j).Mul(phase))
		}
		for r := range min(n, i+2) {
			h[r*n+i] = f.a(at(r, i).Mul(phase.Conj()))
		}
		for r := range n {
			z[r*n+i] = f.a(f.c(z[r*n+i]).Mul(phase.Conj()))
		}
	}
	limit := 30 * max(10, n)
	ulp := grain.ulp()
	tiny := grain.least * (float64(n) / ulp)
	split := func(hi int) int {
		for k := hi; k > 0; k-- {
			sub := at(k, k-1).Size()
			if sub <= tiny {
				return k
			}
			near := at(k-1, k-1).Size() + at(k, k).Size()
			if near == 0 {
				if k >= 2 {
					near += math.Abs(at(k-1, k-2).Re)
				}
				if k < n-1 {
					near += math.Abs(at(k+1, k).Re)
				}
			}
			if math.Abs(at(k, k-1).Re) > ulp*near {
				continue
			}
			up, diff := at(k-1, k).Size(), at(k-1, k-1).Sub(at(k, k)).Size()
			ab, ba := max(sub, up), min(sub, up)
			aa, bb := max(at(k, k).Size(), diff), min(at(k, k).Size(), diff)
			sum := aa + ab
			if block.Times(ba, ab/sum) <= max(tiny, ulp*block.Times(bb, aa/sum)) {
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
func complexShift(h []complex128, n, lo, hi, try int) block.Complex {
	f := &fieldC128
	at := func(i, j int) block.Complex { return f.c(h[i*n+j]) }
	switch {
	case try%20 == 0:
		return at(hi, hi).Add(block.Complex{Re: 0.75 * math.Abs(at(hi, hi-1).Re), Im: 0})
	case try%10 == 0:
		return at(lo, lo).Add(block.Complex{Re: 0.75 * math.Abs(at(lo+1, lo).Re), Im: 0})
	}
	t := at(hi, hi)
	u := at(hi-1, hi).Sqrt().Mul(at(hi, hi-1).Sqrt())
	s := u.Size()
	if s == 0 {
		return t
	}
	x := at(hi-1, hi-1).Sub(t).Scale(0.5)
	sx := x.Size()
	s = max(s, sx)
	xs, us := x.Scale(1/s), u.Scale(1/s)
	y := xs.Mul(xs).Add(us.Mul(us)).Sqrt().Scale(s)
	if sx > 0 && math.FMA(x.Re/sx, y.Re, block.Times(x.Im/sx, y.Im)) < 0 {
		y = y.Neg()
	}
	return t.Sub(u.Mul(u.Div(x.Add(y))))
}

func complexSweep(h, z []complex128, n, lo, hi int, shift block.Complex, ulp float64) {
	f := &fieldC128
	at := func(i, j int) block.Complex { return f.c(h[i*n+j]) }
	var v [2]block.Complex
	m := hi - 1
	for ; ; m-- {
		d := at(m, m).Sub(shift)
		sub := at(m+1, m).Re
		s := d.Size() + math.Abs(sub)
		v = [2]block.Complex{d.Scale(1 / s), {Re: sub / s, Im: 0}}
		if m == lo {
			break
		}
		near := at(m, m).Size() + at(m+1, m+1).Size()
		if block.Times(math.Abs(at(m, m-1).Re), math.Abs(v[1].Re)) <= ulp*block.Times(v[0].Size(), near) {
			break
		}
	}
	for k := m; k < hi; k++ {
		if k > m {
			v = [2]block.Complex{at(k, k-1), at(k+1, k-1)}
		}
		x := [2]complex128{f.a(v[0]), f.a(v[1])}
		beta, t := reflector(f, x[:])
		tau, w := f.c(t), f.c(x[1])
		if k > m {
			h[k*n+k-1], h[(k+1)*n+k-1] = complex(beta, 0), 0
		}
		for j := k; j < n; j++ {
			sum := tau.Conj().Mul(at(k, j).Add(w.Conj().Mul(at(k+1, j))))
			h[k*n+j] = f.a(at(k, j).Sub(sum))
			h[(k+1)*n+j] = f.a(at(k+1, j).Sub(sum.Mul(w)))
		}
		right := func(e []complex128, rows int) {
			for i := range rows {
				a, b := f.c(e[i*n+k]), f.c(e[i*n+k+1])
				sum := tau.Mul(a.Add(w.Mul(b)))
				e[i*n+k] = f.a(a.Sub(sum))
				e[i*n+k+1] = f.a(b.Sub(sum.Mul(w.Conj())))
			}
		}
		right(h, min(k+2, hi)+1)
		right(z, n)
		if k == m && m > lo {
			// The reflection multiplies h[m, m−1] by 1 − τ̄. Scaling rows and columns by a phase makes the
			// element real again; as in LAPACK, its modulus is left as it was.
			phase := block.Complex{Re: 1, Im: 0}.Sub(tau)
			phase = phase.Scale(1 / phase.Abs())
			h[(m+1)*n+m] = f.a(at(m+1, m).Mul(phase.Conj()))
			if m+2 <= hi {
				h[(m+2)*n+m+1] = f.a(at(m+2, m+1).Mul(phase))
			}
			for j := m; j <= hi; j++ {
				if j == m+1 {
					continue
				}
				for c := j + 1; c < n; c++ {
					h[j*n+c] = f.a(at(j, c).Mul(phase))
				}
				for r := range j {
					h[r*n+j] = f.a(at(r, j).Mul(phase.Conj()))
				}
				for r := range n {
					z[r*n+j] = f.a(f.c(z[r*n+j]).Mul(phase.Conj()))
				}
			}
		}
	}
	// The last element below the diagonal is made real.
	last := at(hi, hi-1)
	if last.Im == 0 {
		return
	}
	r := last.Abs()
	h[hi*n+hi-1] = complex(r, 0)
	phase := last.Scale(1 / r)
	for c := hi + 1; c < n; c++ {
		h[hi*n+c] = f.a(at(hi, c).Mul(phase.Conj()))
	}
	for i := range hi {
		h[i*n+hi] = f.a(at(i, hi).Mul(phase))
	}
	for i := range n {
		z[i*n+hi] = f.a(f.c(z[i*n+hi]).Mul(phase))
	}
}
