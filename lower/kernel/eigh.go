package kernel

import (
	"math"

	"github.com/weft-go/weft/core/prim"
)

// eigh decomposes each matrix: see prim.EighP.
func eigh(in, out []*Tensor, p prim.EighP) {
	l := matrixLoop{in: in, out: out, baseIn: []int{2}, baseOut: []int{2, 1}}
	n := in[0].Shape.At(-1)
	inWideType(l, eighOf[float64](n, p), eighOf[complex128](n, p))
}

func eighOf[A any](n int, p prim.EighP) func(f *field[A], in, out [][]A) {
	return func(f *field[A], in, out [][]A) {
		v, w, ok := eigenvectors(f, hermitian(f, in[0], n, p.Lower), n)
		if !ok {
			fillRun(out[0], f.nan)
			fillRun(out[1], f.nan)
			return
		}
		lo, k := p.Subset.Lo, len(out[1])
		for j := range k {
			out[1][j] = f.of(w[lo+j], 0)
			for i := range n {
				out[0][i*k+j] = v[i*n+lo+j]
			}
		}
	}
}

// eigenvectors returns the eigenvectors of a Hermitian matrix as columns, and the
// eigenvalues; false if it is not finite or iterations do not converge.
func eigenvectors[A any](f *field[A], a []A, n int) (v []A, w []float64, ok bool) {
	big := largest(f, a)
	if math.IsNaN(big) || math.IsInf(big, 0) {
		return nil, nil, false
	}
	shift := exponentOf(big)
	scaleBy(f, a, -shift)
	d, e, taus := make([]float64, n), make([]float64, max(n-1, 0)), make([]A, max(n-1, 0))
	tridiagonalForm(f, a, n, d, e, taus)
	zt := fieldF64.identityOf(n, n)
	if !tridiagonalQL(d, e, &turner{z: zt, n: n}, n, f.grain) {
		return nil, nil, false
	}
	v = make([]A, n*n)
	for i := range n {
		for j := range n {
			v[i*n+j] = f.of(zt[j*n+i], 0)
		}
	}
	if n > 1 {
		// Reflector k acts on the rows from k + 1 on.
		f.applyReflectors(a[n:], n, n-1, taus, v[n:], n, false)
	}
	for i := range d {
		d[i] = math.Ldexp(d[i], shift)
	}
	return v, d, true
}

// scaleBy multiplies the elements by a power of two.
func scaleBy[A any](f *field[A], x []A, e int) {
	if e == 0 {
		return
	}
	for i, v := range x {
		re, im := f.parts(v)
		x[i] = f.of(math.Ldexp(re, e), math.Ldexp(im, e))
	}
}

// givens returns the rotation with c·f + s·g = r and c·g − s·f = 0.
func givens(f, g float64) (rot rotation, r float64) {
	switch {
	case g == 0:
		return rotation{1, 0}, f
	case f == 0:
		return rotation{0, math.Copysign(1, g)}, math.Abs(g)
	}
	r = math.Copysign(hypot(f, g), f)
	return rotation{math.Abs(f) / math.Abs(r), g / r}, r
}

// tridiagonalQL diagonalizes the symmetric tridiagonal matrix with diagonal d and elements e beside
// it, by LAPACK's steqr; zt takes the rotations. Eigenvalues increase. At most 30·n iterations.
func tridiagonalQL(d, e []float64, zt *turner, n int, grain precision) bool {
	left := 30 * n
	for l1 := 0; l1 < n; {
		if l1 > 0 {
			e[l1-1] = 0
		}
		m := l1
		for ; m < n-1; m++ {
			t := math.Abs(e[m])
			if t == 0 {
				break
			}
			if t <= times(math.Sqrt(math.Abs(d[m])), math.Sqrt(math.Abs(d[m+1])))*grain.eps {
				e[m] = 0
				break
			}
		}
		l, end := l1, m
		l1 = m + 1
		if l == end {
			continue
		}
		if left = diagonalizeBlock(d, e, zt, l, end, left, grain); left < 0 {
			return false
		}
	}
	zt.flush()
	// Selection: each eigenvalue takes its place with its vector.
	for i := range n {
		k := i
		for j := i + 1; j < n; j++ {
			if d[j] < d[k] {
				k = j
			}
		}
		if k != i {
			d[i], d[k] = d[k], d[i]
			zt.swapRows(i, k)
		}
	}
	return true
}

// diagonalizeBlock diagonalizes rows l … end by QL iterations, or QR if the last diagonal element is
// the smaller one, and returns how many iterations are left; negative without convergence.
func diagonalizeBlock(d, e []float64, zt *turner, l, end, left int, grain precision) int {
	big := 0.0
	for i := l; i <= end; i++ {
		big = max(big, math.Abs(d[i]))
		if i < end {
			big = max(big, math.Abs(e[i]))
		}
	}
	shift := exponentOf(big)
	rescale := func(by int) {
		for i := l; i <= end; i++ {
			d[i] = math.Ldexp(d[i], by)
			if i < end {
				e[i] = math.Ldexp(e[i], by)
			}
		}
	}
	rescale(-shift)
	// Neither end of the block moves while it is worked on.
	lo, hi := l, end
	if math.Abs(d[hi]) < math.Abs(d[lo]) {
		left = qrIterations(d, e, zt, hi, lo, left, grain)
	} else {
		left = qlIterations(d, e, zt, lo, hi, left, grain)
	}
	rescale(shift)
	return left
}

// small reports whether an element beside the diagonal is negligible.
func (p precision) small(e, a, b float64) bool {
	return times(e, e) <= math.FMA(times(p.eps*p.eps, math.Abs(a)), math.Abs(b), p.least)
}

// qlIterations finds the eigenvalues of rows l … end from the top.
func qlIterations(d, e []float64, zt *turner, l, end, left int, grain precision) int {
	all := make([]rotation, end-l)
	for l <= end {
		m := l
		for m < end && !grain.small(e[m], d[m], d[m+1]) {
			m++
		}
		if m < end {
			e[m] = 0
		}
		p := d[l]
		switch m {
		case l:
			l++
			continue
		case l + 1:
			var rot rotation
			d[l], d[l+1], rot = symmetric2(d[l], e[l], d[l+1])
			zt.add(l, true, rot)
			e[l] = 0
			l += 2
			continue
		}
		if left--; left < 0 {
			return left
		}
		g := (d[l+1] - p) / (2 * e[l])
		r := hypot(g, 1)
		g = d[m] - p + e[l]/(g+math.Copysign(r, g))
		rot := rotation{1, 1}
		rots := all[:m-l]
		p = 0
		for i := m - 1; i >= l; i-- {
			f, b := times(rot.s, e[i]), times(rot.c, e[i])
			rot, r = givens(g, f)
			if i != m-1 {
				e[i+1] = r
			}
			g = d[i+1] - p
			r = math.FMA(d[i]-g, rot.s, times(2*rot.c, b))
			p = times(rot.s, r)
			d[i+1] = g + p
			g = math.FMA(rot.c, r, -b)
			rots[i-l] = rotation{rot.c, -rot.s}
		}
		zt.add(l, true, rots...)
		d[l] -= p
		e[l] = g
	}
	return left
}

// qrIterations finds the eigenvalues of rows end … l from the bottom.
func qrIterations(d, e []float64, zt *turner, l, end, left int, grain precision) int {
	all := make([]rotation, l-end)
	for l >= end {
		m := l
		for m > end && !grain.small(e[m-1], d[m], d[m-1]) {
			m--
		}
		if m > end {
			e[m-1] = 0
		}
		p := d[l]
		switch m {
		case l:
			l--
			continue
		case l - 1:
			var rot rotation
			d[l-1], d[l], rot = symmetric2(d[l-1], e[l-1], d[l])
			zt.add(l-1, false, rot)
			e[l-1] = 0
			l -= 2
			continue
		}
		if left--; left < 0 {
			return left
		}
		g := (d[l-1] - p) / (2 * e[l-1])
		r := hypot(g, 1)
		g = d[m] - p + e[l-1]/(g+math.Copysign(r, g))
		rot := rotation{1, 1}
		rots := all[:l-m]
		p = 0
		for i := m; i < l; i++ {
			f, b := times(rot.s, e[i]), times(rot.c, e[i])
			rot, r = givens(g, f)
			if i != m {
				e[i-1] = r
			}
			g = d[i] - p
			r = math.FMA(d[i+1]-g, rot.s, times(2*rot.c, b))
			p = times(rot.s, r)
			d[i] = g + p
			g = math.FMA(rot.c, r, -b)
			rots[i-m] = rot
		}
		zt.add(m, false, rots...)
		d[l] -= p
		e[l-1] = g
	}
	return left
}

// symmetric2 returns the eigenvalues of [[a, b], [b, c]], the one with the larger absolute value
// first, and the first one's eigenvector.
func symmetric2(a, b, c float64) (rt1, rt2 float64, v rotation) {
	sum, diff, twice := a+c, a-c, b+b
	rt := hypot(diff, twice)
	more, less := a, c
	if math.Abs(a) <= math.Abs(c) {
		more, less = c, a
	}
	sign := 1.0
	switch {
	case sum < 0:
		rt1, sign = 0.5*(sum-rt), -1
		rt2 = math.FMA(more/rt1, less, -times(b/rt1, b))
	case sum > 0:
		rt1 = 0.5 * (sum + rt)
		rt2 = math.FMA(more/rt1, less, -times(b/rt1, b))
	default:
		rt1, rt2 = 0.5*rt, -0.5*rt
	}
	cs, sign2 := diff+rt, 1.0
	if diff < 0 {
		cs, sign2 = diff-rt, -1
	}
	switch ab := math.Abs(twice); {
	case math.Abs(cs) > ab:
		t := -twice / cs
		v.s = 1 / math.Sqrt(math.FMA(t, t, 1))
		v.c = times(t, v.s)
	case ab == 0:
		v = rotation{1, 0}
	default:
		t := -cs / twice
		v.c = 1 / math.Sqrt(math.FMA(t, t, 1))
		v.s = times(t, v.c)
	}
	if sign == sign2 {
		v.c, v.s = -v.s, v.c
	}
	return rt1, rt2, v
}
