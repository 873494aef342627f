package linalg

import (
	"math"

	"github.com/weft-go/weft/lower/reference/internal/block"
)

// A realSchur brings the Hessenberg matrix h[n, n] to real Schur form, by LAPACK's lahqr:
// iterations with two shifts at once. z takes the reflections and rotations. Rows of both begin every ld
// elements.
type realSchur struct {
	h, z  []float64
	n, ld int
	grain precision
}

// spacedSchur brings h to real Schur form. If rows are multiples of 1 KB, it works on copies with
// spaced rows: else the elements of a column would share few lines of the first-level cache.
func spacedSchur(h, z []float64, n int, grain precision) bool {
	s := realSchur{h: h, z: z, n: n, ld: n, grain: grain}
	if n%128 != 0 {
		return s.iterate()
	}
	s.ld = n + 8
	s.h, s.z = make([]float64, n*s.ld), make([]float64, n*s.ld)
	for i := range n {
		copy(s.h[i*s.ld:], h[i*n:(i+1)*n])
		copy(s.z[i*s.ld:], z[i*n:(i+1)*n])
	}
	ok := s.iterate()
	for i := range n {
		copy(h[i*n:(i+1)*n], s.h[i*s.ld:])
		copy(z[i*n:(i+1)*n], s.z[i*s.ld:])
	}
	return ok
}

func (s *realSchur) at(i, j int) float64 { return s.h[i*s.ld+j] }

// iterate works on the last block that is not in Schur form, until there is none; false without
// convergence.
func (s *realSchur) iterate() bool {
	n := s.n
	limit := 30 * max(10, n)
	for hi := n - 1; hi >= 0; {
		done := false
		for tries := 0; tries <= limit; tries++ {
			lo := s.split(hi)
			if lo > 0 {
				s.h[lo*s.ld+lo-1] = 0
			}
			if lo >= hi-1 {
				if lo == hi-1 {
					s.standardize(lo)
				}
				hi = lo - 1
				done = true
				break
			}
			s.sweep(lo, hi, tries+1)
		}
		if !done {
			return false
		}
	}
	return true
}

// split returns the first row of the block that ends with row hi: above it the subdiagonal is
// negligible.
func (s *realSchur) split(hi int) int {
	ulp := s.grain.ulp()
	tiny := s.grain.least * (float64(s.n) / ulp)
	for k := hi; k > 0; k-- {
		sub := math.Abs(s.at(k, k-1))
		if sub <= tiny {
			return k
		}
		near := math.Abs(s.at(k-1, k-1)) + math.Abs(s.at(k, k))
		if near == 0 {
			if k >= 2 {
				near += math.Abs(s.at(k-1, k-2))
			}
			if k < s.n-1 {
				near += math.Abs(s.at(k+1, k))
			}
		}
		if sub > ulp*near {
			continue
		}
		up := math.Abs(s.at(k-1, k))
		ab, ba := max(sub, up), min(sub, up)
		diff := math.Abs(s.at(k-1, k-1) - s.at(k, k))
		aa, bb := max(math.Abs(s.at(k, k)), diff), min(math.Abs(s.at(k, k)), diff)
		sum := aa + ab
		if block.Times(ba, ab/sum) <= max(tiny, ulp*block.Times(bb, aa/sum)) {
			return k
		}
	}
	return 0
}

// shifts returns the two shifts of an iteration: the eigenvalues of the last 2 × 2 block. If they are real,
// both shifts are the one nearer to the last element. Every tenth time the block is made of other numbers.
func (s *realSchur) shifts(lo, hi, try int) (r1, i1, r2, i2 float64) {
	a, b := s.at(hi-1, hi-1), s.at(hi-1, hi)
	c, d := s.at(hi, hi-1), s.at(hi, hi)
	if try%10 == 0 {
		x, y := math.Abs(s.at(hi, hi-1)), math.Abs(s.at(hi-1, hi-2))
		at := s.at(hi, hi)
		if try%20 != 0 {
			x, y = math.Abs(s.at(lo+1, lo)), math.Abs(s.at(lo+2, lo+1))
			at = s.at(lo, lo)
		}
		sum := x + y
		a = math.FMA(0.75, sum, at)
		b, c, d = -0.4375*sum, sum, a
	}
	sum := math.Abs(a) + math.Abs(b) + math.Abs(c) + math.Abs(d)
	if sum == 0 {
		return 0, 0, 0, 0
	}
	a, b, c, d = a/sum, b/sum, c/sum, d/sum
	tr := (a + d) / 2
	det := math.FMA(a-tr, d-tr, -block.Times(b, c))
	root := math.Sqrt(math.Abs(det))
	if det >= 0 {
		re, im := block.Times(tr, sum), block.Times(root, sum)
		return re, im, re, -im
	}
	x, y := tr+root, tr-root
	if math.Abs(x-d) <= math.Abs(y-d) {
		y = x
	}
	re := block.Times(y, sum)
	return re, 0, re, 0
}

func (s *realSchur) sweep(lo, hi, try int) {
	h, n, ld := s.h, s.n, s.ld
	r1, i1, r2, i2 := s.shifts(lo, hi, try)
	var v [3]float64
	m := hi - 2
	for ; ; m-- {
		below := math.Abs(s.at(m+1, m))
		sum := math.Abs(s.at(m, m)-r2) + math.Abs(i2) + below
		sub := s.at(m+1, m) / sum
		x := math.FMA(sub, s.at(m, m+1), block.Times(s.at(m, m)-r1, (s.at(m, m)-r2)/sum))
		v[0] = math.FMA(-i1, i2/sum, x)
		v[1] = block.Times(sub, s.at(m, m)+s.at(m+1, m+1)-r1-r2)
		v[2] = block.Times(sub, s.at(m+2, m+1))
		size := math.Abs(v[0]) + math.Abs(v[1]) + math.Abs(v[2])
		for i := range v {
			v[i] /= size
		}
		if m == lo {
			break
		}
		near := math.Abs(s.at(m-1, m-1)) + math.Abs(s.at(m, m)) + math.Abs(s.at(m+1, m+1))
		if block.Times(math.Abs(s.at(m, m-1)), math.Abs(v[1])+math.Abs(v[2])) <= block.Times(s.grain.ulp()*math.Abs(v[0]), near) {
			break
		}
	}
	for k := m; k < hi; k++ {
		nr := min(3, hi-k+1)
		if k > m {
			for i := range nr {
				v[i] = s.at(k+i, k-1)
			}
		}
		beta, tau := reflector(&fieldF64, v[:nr])
		switch {
		case k > m:
			h[k*ld+k-1] = beta
			for i := 1; i < nr; i++ {
				h[(k+i)*ld+k-1] = 0
			}
		case m > lo:
			h[k*ld+k-1] = block.Times(h[k*ld+k-1], 1-tau)
		}
		s.fromLeft(k, nr, tau, v)
		fromRight(h, ld, min(k+3, hi)+1, k, nr, tau, v)
		fromRight(s.z, ld, n, k, nr, tau, v)
		v[0], v[1], v[2] = 0, 0, 0
	}
}

// fromLeft reflects rows k … k + nr − 1, from column k on.
func (s *realSchur) fromLeft(k, nr int, tau float64, v [3]float64) {
	row := func(i int) []float64 { return s.h[i*s.ld+k : i*s.ld+s.n] }
	x, y := row(k), row(k+1)
	if nr == 2 {
		for j, a := range x {
			t := block.Times(tau, math.FMA(v[1], y[j], a))
			x[j] = a - t
			y[j] = math.FMA(-t, v[1], y[j])
		}
		return
	}
	w := row(k + 2)
	for j, a := range x {
		t := block.Times(tau, math.FMA(v[2], w[j], math.FMA(v[1], y[j], a)))
		x[j] = a - t
		y[j] = math.FMA(-t, v[1], y[j])
		w[j] = math.FMA(-t, v[2], w[j])
	}
}

// fromRight reflects columns k … k + nr − 1 of the first rows, which begin every ld elements.
func fromRight(h []float64, ld, rows, k, nr int, tau float64, v [3]float64) {
	for i := range rows {
		r := h[i*ld+k : i*ld+k+nr]
		sum := math.FMA(v[1], r[1], r[0])
		if nr == 3 {
			sum = math.FMA(v[2], r[2], sum)
		}
		t := block.Times(tau, sum)
		r[0] -= t
		r[1] = math.FMA(-t, v[1], r[1])
		if nr == 3 {
			r[2] = math.FMA(-t, v[2], r[2])
		}
	}
}

// standardize brings the 2 × 2 block at row k to upper triangular form, or to one with equal
// diagonal elements and others of opposite signs if its eigenvalues are complex.
func (s *realSchur) standardize(k int) {
	first, second := s.h[k*s.ld:k*s.ld+s.n], s.h[(k+1)*s.ld:(k+1)*s.ld+s.n]
	rot := standardBlock(&first[k], &first[k+1], &second[k], &second[k+1], s.grain)
	rotate(first[k+2:], second[k+2:], rot.c, rot.s)
	columns := func(m []float64, rows int) {
		for i := range rows {
			r := m[i*s.ld+k : i*s.ld+k+2]
			r[0], r[1] = rot.rotate(r[0], r[1])
		}
	}
	columns(s.h, k)
	columns(s.z, s.n)
}

// standardBlock replaces [[a, b], [c, d]] by its standard form and returns the rotation, as
// LAPACK's lanv2.
func standardBlock(pa, pb, pc, pd *float64, grain precision) rotation {
	a, b, c, d := *pa, *pb, *pc, *pd
	sign := func(x float64) float64 { return math.Copysign(1, x) }
	rot := rotation{1, 0}
	switch {
	case c == 0:
	case b == 0:
		rot = rotation{0, 1}
		a, b, c, d = d, -c, 0, a
	case a == d && sign(b) != sign(c):
	default:
		diff := a - d
		p := 0.5 * diff
		big := max(math.Abs(b), math.Abs(c))
		small := block.Times(min(math.Abs(b), math.Abs(c)), sign(b)*sign(c))
		scale := max(math.Abs(p), big)
		z := math.FMA(p/scale, p, block.Times(big/scale, small))
		if z >= 4*grain.ulp() {
			z = p + math.Copysign(block.Times(math.Sqrt(scale), math.Sqrt(z)), p)
			a = d + z
			d -= block.Times(big/z, small)
			tau := block.Hypot(c, z)
			rot = rotation{z / tau, c / tau}
			b, c = b-c, 0
			break
		}
		sum := b + c
		tau := block.Hypot(sum, diff)
		rot.c = math.Sqrt(0.5 * (1 + math.Abs(sum)/tau))
		rot.s = block.Times(-(p / block.Times(tau, rot.c)), sign(sum))
		aa, bb := math.FMA(a, rot.c, block.Times(b, rot.s)), math.FMA(b, rot.c, -block.Times(a, rot.s))
		cc, dd := math.FMA(c, rot.c, block.Times(d, rot.s)), math.FMA(d, rot.c, -block.Times(c, rot.s))
		a, b = math.FMA(aa, rot.c, block.Times(cc, rot.s)), math.FMA(bb, rot.c, block.Times(dd, rot.s))
		c, d = math.FMA(cc, rot.c, -block.Times(aa, rot.s)), math.FMA(dd, rot.c, -block.Times(bb, rot.s))
		mean := 0.5 * (a + d)
		a, d = mean, mean
		if c == 0 {
			break
		}
		switch {
		case b == 0:
			b, c = -c, 0
			rot = rotation{-rot.s, rot.c}
		case sign(b) == sign(c):
			// Real eigenvalues, almost equal.
			sb, sc := math.Sqrt(math.Abs(b)), math.Sqrt(math.Abs(c))
			p = math.Copysign(block.Times(sb, sc), c)
			t := 1 / math.Sqrt(math.Abs(b+c))
			a, d = mean+p, mean-p
			b, c = b-c, 0
			c1, s1 := block.Times(sb, t), block.Times(sc, t)
			rot = rotation{math.FMA(rot.c, c1, -block.Times(rot.s, s1)), math.FMA(rot.c, s1, block.Times(rot.s, c1))}
		}
	}
	*pa, *pb, *pc, *pd = a, b, c, d
	return rot
}
