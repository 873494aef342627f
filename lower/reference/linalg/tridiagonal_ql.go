package linalg

import (
	"math"

	"github.com/weft-go/weft/lower/reference/internal/block"
)

// givens returns the rotation with c·f + s·g = r and c·g − s·f = 0.
func givens(f, g float64) (rot rotation, r float64) {
	switch {
	case g == 0:
		return rotation{1, 0}, f
	case f == 0:
		return rotation{0, math.Copysign(1, g)}, math.Abs(g)
	}
	// Hypot, written out: each rotation waits for the one before, and a call would take longer.
	const sign = 1 << 63
	i, k := math.Float64bits(f)&^sign, math.Float64bits(g)&^sign
	a, b := math.Float64frombits(max(i, k)), math.Float64frombits(min(i, k))
	h := a
	if a <= math.MaxFloat64 {
		q := b / a
		h = block.Times(a, math.Sqrt(math.FMA(q, q, 1)))
	}
	r = math.Copysign(h, f)
	return rotation{math.Abs(f) / h, g / r}, r
}

// A tridiagonalQL diagonalizes the symmetric tridiagonal matrix with diagonal d and elements e
// beside it, by LAPACK's steqr; zt takes the rotations. It works on a block at a time: by QL
// iterations from its first row to its last, or by QR iterations from the last to the first if
// the last diagonal element is the smaller one.
type tridiagonalQL struct {
	d, e  []float64
	zt    *rotator
	n     int
	grain precision
	left  int // how many iterations are allowed
	next  int // the first row behind the blocks so far
	// Of the block that is worked on:
	lo, hi, shift int
	l, end, dir   int // the row whose eigenvalue is next, and the block's last row in direction dir, 1 or −1
	m             int // a sweep goes from row m to row l
	rots          []rotation
}

func newTridiagonalQL(d, e []float64, zt *rotator, n int, grain precision) *tridiagonalQL {
	return &tridiagonalQL{d: d, e: e, zt: zt, n: n, grain: grain, left: 30 * n, rots: make([]rotation, max(n-1, 0))}
}

// run diagonalizes the matrix, with increasing eigenvalues; false without convergence in 30·n
// iterations.
func (q *tridiagonalQL) run() bool {
	for q.nextBlock() {
		for q.nextSweep() {
			if q.left--; q.left < 0 {
				return false
			}
			q.sweep()
		}
		q.rescale(q.shift)
	}
	q.sort()
	return true
}

// nextBlock finds the next block of more than one row, and scales it.
func (q *tridiagonalQL) nextBlock() bool {
	d, e := q.d, q.e
	for q.next < q.n {
		if q.next > 0 {
			e[q.next-1] = 0
		}
		m := q.next
		for ; m < q.n-1; m++ {
			t := math.Abs(e[m])
			if t == 0 {
				break
			}
			if t <= block.Times(math.Sqrt(math.Abs(d[m])), math.Sqrt(math.Abs(d[m+1])))*q.grain.eps {
				e[m] = 0
				break
			}
		}
		q.lo, q.hi, q.next = q.next, m, m+1
		if q.lo == q.hi {
			continue
		}
		big := 0.0
		for i := q.lo; i <= q.hi; i++ {
			big = max(big, math.Abs(d[i]))
			if i < q.hi {
				big = max(big, math.Abs(e[i]))
			}
		}
		q.shift = exponentOf(big)
		q.rescale(-q.shift)
		q.l, q.end, q.dir = q.lo, q.hi, 1
		if math.Abs(d[q.hi]) < math.Abs(d[q.lo]) {
			q.l, q.end, q.dir = q.hi, q.lo, -1
		}
		return true
	}
	return false
}

// rescale multiplies the block by a power of two.
func (q *tridiagonalQL) rescale(by int) {
	if by == 0 {
		return
	}
	for i := q.lo; i <= q.hi; i++ {
		q.d[i] = math.Ldexp(q.d[i], by)
		if i < q.hi {
			q.e[i] = math.Ldexp(q.e[i], by)
		}
	}
}

// nextSweep finds the eigenvalues that need no sweep, then the next sweep; false at the end of
// the block. An element beside the diagonal is negligible if its square is at most eps² times
// the absolute product of its two neighbours on the diagonal, plus the least normal number.
func (q *tridiagonalQL) nextSweep() bool {
	d, e, dir := q.d, q.e, q.dir
	off := (dir - 1) / 2 // e[i+off] is between rows i and i + dir
	eps2, least := q.grain.eps*q.grain.eps, q.grain.least
	for (q.end-q.l)*dir >= 0 {
		l, m := q.l, q.l
		for a := block.Times(eps2, math.Abs(d[l])); m != q.end; m += dir {
			b := math.Abs(d[m+dir])
			if x := e[m+off]; block.Times(x, x) <= math.FMA(a, b, least) {
				break
			}
			a = block.Times(eps2, b)
		}
		if m != q.end {
			e[m+off] = 0
		}
		switch m {
		case l:
			q.l += dir
			continue
		case l + dir:
			i := min(l, m)
			var rot rotation
			d[i], d[i+1], rot = symmetric2(d[i], e[i], d[i+1])
			q.zt.add(i, false, rot)
			e[i] = 0
			q.l += 2 * dir
			continue
		}
		q.m = m
		return true
	}
	return false
}

// first returns element m of the diagonal less the shift, with which a sweep begins.
func (q *tridiagonalQL) first() float64 {
	l, beside := q.l, q.e[q.l+(q.dir-1)/2]
	g := (q.d[l+q.dir] - q.d[l]) / (2 * beside)
	r := block.Hypot(g, 1)
	return q.d[q.m] - q.d[l] + beside/(g+math.Copysign(r, g))
}

// sweep is one iteration; its rotations are kept in the order of rows.
func (q *tridiagonalQL) sweep() {
	dir, g, p := q.dir, q.first(), 0.0
	rot := rotation{1, 1}
	count := (q.m - q.l) * dir
	at := q.m - (dir+1)/2 // the element beside rows i and i − dir
	for k := range count {
		i := q.m - k*dir
		beside := &q.e[at-k*dir]
		f, b := block.Times(rot.s, *beside), block.Times(rot.c, *beside)
		var r float64
		rot, r = givens(g, f)
		if k > 0 {
			q.e[at-(k-1)*dir] = r
		}
		g = q.d[i] - p
		r = math.FMA(q.d[i-dir]-g, rot.s, block.Times(2*rot.c, b))
		p = block.Times(rot.s, r)
		q.d[i] = g + p
		g = math.FMA(rot.c, r, -b)
		if dir < 0 {
			q.rots[k] = rot
		} else {
			q.rots[count-1-k] = rotation{rot.c, -rot.s}
		}
	}
	q.d[q.l] -= p
	q.e[q.l+(q.dir-1)/2] = g
	q.zt.add(min(q.l, q.m), q.dir > 0, q.rots[:count]...)
}

// sort applies the rotations and exchanges eigenvalues and vectors by selection.
func (q *tridiagonalQL) sort() {
	q.zt.flush()
	d := q.d
	for i := range q.n {
		k := i
		for j := i + 1; j < q.n; j++ {
			if d[j] < d[k] {
				k = j
			}
		}
		if k != i {
			d[i], d[k] = d[k], d[i]
			q.zt.swapRows(i, k)
		}
	}
}

// symmetric2 returns the eigenvalues of [[a, b], [b, c]], the one with the larger absolute value
// first, and the first one's eigenvector.
func symmetric2(a, b, c float64) (rt1, rt2 float64, v rotation) {
	sum, diff, twice := a+c, a-c, b+b
	rt := block.Hypot(diff, twice)
	more, less := a, c
	if math.Abs(a) <= math.Abs(c) {
		more, less = c, a
	}
	sign := 1.0
	switch {
	case sum < 0:
		rt1, sign = 0.5*(sum-rt), -1
		rt2 = math.FMA(more/rt1, less, -block.Times(b/rt1, b))
	case sum > 0:
		rt1 = 0.5 * (sum + rt)
		rt2 = math.FMA(more/rt1, less, -block.Times(b/rt1, b))
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
		v.c = block.Times(t, v.s)
	case ab == 0:
		v = rotation{1, 0}
	default:
		t := -cs / twice
		v.c = 1 / math.Sqrt(math.FMA(t, t, 1))
		v.s = block.Times(t, v.c)
	}
	if sign == sign2 {
		v.c, v.s = -v.s, v.c
	}
	return rt1, rt2, v
}
