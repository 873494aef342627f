package linalg

import (
	"math"
	"sync"
	"unsafe"

	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/lower/reference/internal/block"
)

// eighScratch is the memory of eighLanes, kept between calls.
type eighScratch struct {
	n        int
	ql       [laneCount]tridiagonalQL
	rotators [laneCount]rotator
	zt       []float64
	sweeps   sweepLanes
}

var eighScratches [laneSize + 1]sync.Pool

func eighScratchOf(n int) *eighScratch {
	if s, ok := eighScratches[n].Get().(*eighScratch); ok {
		return s
	}
	s := &eighScratch{n: n, zt: make([]float64, laneCount*n*n)}
	for l := range laneCount {
		s.rotators[l] = rotator{z: s.zt[l*n*n : (l+1)*n*n], n: n}
		s.ql[l] = tridiagonalQL{d: make([]float64, n), e: make([]float64, n-1), n: n, rots: make([]rotation, n-1)}
	}
	return s
}

// eighLanes is eighOf for [laneCount] matrices side by side: their reductions and the products
// with reflectors are on runs, sweeps on eight matrices. A matrix with unusual elements goes the
// way of a single one.
func eighLanes(f *field[float64], in, out [][]float64, n int, p prim.EighP, alone func(f *field[float64], in, out [][]float64)) {
	o := f.lanes
	size := n * n
	t, lt := o.runs(size)
	a, la := o.runs(size)
	o.toLanes(t, in[0], size)
	for i := range n {
		for j := range i + 1 {
			from := i*n + j
			if !p.Lower { // as eigenvectors
				from = size - 1 - from
			}
			x := t[from*laneCount : (from+1)*laneCount]
			copy(a[(i*n+j)*laneCount:], x)
			copy(a[(j*n+i)*laneCount:], x)
		}
	}
	var r runMatrices
	r.scale(a, size)
	condensed, lc := block.Borrow[float64]((3*n + size) * laneCount)
	d, e, tau, v := condensed[:n*laneCount], condensed[n*laneCount:2*n*laneCount], condensed[2*n*laneCount:3*n*laneCount], condensed[3*n*laneCount:]
	r.tridiagonal(a, n, d, e, tau, v)
	if !p.Lower {
		reverseRuns(d, n, 1)
		reverseRuns(e, n-1, 1)
	}
	s := eighScratchOf(n)
	r.bad |= s.diagonalize(d, e, r.bad, !p.ValuesOnly, f.grain)
	if !p.ValuesOnly {
		// The vectors of the tridiagonal matrices are the rows of zt.
		o.toLanes(t, s.zt, size)
		transposeRuns(a, t, n)
		if !p.Lower {
			reverseRuns(a, n, n)
		}
		runReflectors(a, 1, n, v, 1, n, n-1, n-1, tau)
		if !p.Lower {
			reverseRuns(a, n, n)
		}
		o.fromLanes(out[0], a, size, 0)
	}
	values := out[len(out)-1]
	for l := range laneCount {
		to := values[l*n : (l+1)*n]
		copy(to, s.ql[l].d)
		if by := r.shift[l]; by != 0 {
			for i, w := range to {
				to[i] = math.Ldexp(w, by)
			}
		}
		if r.bad>>l&1 > 0 {
			one := [][]float64{values[l*n : (l+1)*n]}
			if !p.ValuesOnly {
				one = [][]float64{out[0][l*size : (l+1)*size], one[0]}
			}
			alone(f, [][]float64{in[0][l*size : (l+1)*size]}, one)
		}
	}
	eighScratches[n].Put(s)
	lc.Back()
	la.Back()
	lt.Back()
}

// reverseRuns reverses the order of rows of a number of runs.
func reverseRuns(a []float64, rows, width int) {
	width *= laneCount
	for i := range rows / 2 {
		at, from := a[i*width:(i+1)*width], a[(rows-1-i)*width:(rows-i)*width]
		for j, x := range at {
			at[j], from[j] = from[j], x
		}
	}
}

// tridiagonal is tridiagonalForm for at most panelWidth rows: reflector k is in the runs k·n + k
// + 1 … of v.
func (r *runMatrices) tridiagonal(a []float64, n int, d, e, tau, v []float64) {
	buffer, l := block.Borrow[float64]((n*n + n + 2*n + 1) * laneCount)
	w, s := buffer[:n*n*laneCount], buffer[n*n*laneCount:]
	dots := s[n*laneCount:]
	half := dots[2*n*laneCount : (2*n+1)*laneCount]
	for j := range n {
		// Column j becomes the reflector in its place.
		col := v[j*n*laneCount:]
		copy(col[j*laneCount:n*laneCount], a[(j*n+j)*laneCount:(j+1)*n*laneCount])
		for p := range j {
			runs64.less(runAt(col, j), runBytes, runAt(v, p*n+j), runBytes, runAt(w, p*n+j), n-j)
			runs64.less(runAt(col, j), runBytes, runAt(w, p*n+j), runBytes, runAt(v, p*n+j), n-j)
		}
		copy(d[j*laneCount:(j+1)*laneCount], col[j*laneCount:])
		if j == n-1 {
			break
		}
		m := n - j - 1
		r.reflect(col, j+1, 1, m, e, tau, j)
		u := w[j*n*laneCount:]
		clear(u[(j+1)*laneCount : n*laneCount])
		if m == 1 {
			continue
		}
		for i := range m {
			runs64.more(runAt(u, j+1), runBytes, runAt(a, (j+1+i)*n+j+1), runBytes, runAt(col, j+1+i), m)
		}
		for q := range j {
			runs64.inner(runAt(dots, 2*q), runAt(col, j+1), runBytes, runAt(w, q*n+j+1), runBytes, m)
			runs64.inner(runAt(dots, 2*q+1), runAt(col, j+1), runBytes, runAt(v, q*n+j+1), runBytes, m)
		}
		for q := range j {
			runs64.less(runAt(u, j+1), runBytes, runAt(v, q*n+j+1), runBytes, runAt(dots, 2*q), m)
			runs64.less(runAt(u, j+1), runBytes, runAt(w, q*n+j+1), runBytes, runAt(dots, 2*q+1), m)
		}
		runs64.scale(runAt(u, j+1), runBytes, runAt(tau, j), m)
		runs64.inner(unsafe.Pointer(&half[0]), runAt(u, j+1), runBytes, runAt(col, j+1), runBytes, m)
		runs64.scale(unsafe.Pointer(&half[0]), runBytes, runAt(tau, j), 1)
		for i, x := range half {
			half[i] = x * -0.5
		}
		runs64.more(runAt(u, j+1), runBytes, runAt(col, j+1), runBytes, unsafe.Pointer(&half[0]), m)
	}
	l.Back()
}

// diagonalize iterates on all tridiagonal matrices but the skipped ones, eight sweeps at a time,
// and returns which did not converge.
func (s *eighScratch) diagonalize(d, e []float64, skip uint, vectors bool, grain precision) (bad uint) {
	n := s.n
	for l := range laneCount {
		q := &s.ql[l]
		q.grain, q.left, q.next, q.within, q.zt = grain, 30*n, 0, false, nil
		for i := range n {
			q.d[i] = d[i*laneCount+l]
			if i < n-1 {
				q.e[i] = e[i*laneCount+l]
			}
		}
		if vectors {
			q.zt = s.rotators[l].reset()
		}
	}
	return iterateTogether(&s.ql, skip, s.sweeps.tridiagonal)
}
