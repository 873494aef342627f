package linalg

import (
	"math"
	"sync"
	"unsafe"

	"github.com/weft-go/weft/lower/reference/internal/block"
)

// svdScratch is the memory of svdLanes, kept between calls.
type svdScratch struct {
	n           int
	qr          [laneCount]bidiagonal
	left, right [laneCount]rotator
	ut, vt      []float64
	sweeps      sweepLanes
}

var svdScratches [laneSize + 1]sync.Pool

func svdScratchOf(n int) *svdScratch {
	if s, ok := svdScratches[n].Get().(*svdScratch); ok {
		return s
	}
	s := &svdScratch{n: n, ut: make([]float64, laneCount*n*n), vt: make([]float64, laneCount*n*n)}
	for l := range laneCount {
		s.left[l] = rotator{z: s.ut[l*n*n : (l+1)*n*n], n: n}
		s.right[l] = rotator{z: s.vt[l*n*n : (l+1)*n*n], n: n}
		s.qr[l] = bidiagonal{d: make([]float64, n), e: make([]float64, n-1), n: n, v: make([]rotation, n), u: make([]rotation, n)}
	}
	return s
}

// svdLanes is svdOf for [laneCount] square matrices side by side: see eighLanes.
func svdLanes(f *field[float64], in, out [][]float64, n int, vectors bool, alone func(f *field[float64], in, out [][]float64)) {
	o := f.lanes
	size := n * n
	a, la := o.runs(size)
	o.toLanes(a, in[0], size)
	var r runMatrices
	r.scale(a, size)
	memory, lm := block.Borrow[float64]((4*n + 2*size) * laneCount)
	part := func(runs int) []float64 {
		x := memory[:runs*laneCount]
		memory = memory[runs*laneCount:]
		return x
	}
	d, e, tauq, taup, v, u := part(n), part(n), part(n), part(n), part(size), part(size)
	r.bidiagonal(a, n, d, e, tauq, taup, v, u)
	s := svdScratchOf(n)
	r.bad |= s.diagonalize(d, e, r.bad, vectors, f.grain)
	if vectors {
		c, lc := o.runs(size)
		o.toLanes(c, s.ut, size)
		transposeRuns(a, c, n)
		runReflectors(a, 0, n, v, 0, n, n, n, tauq)
		o.fromLanes(out[1], a, size, 0)
		o.toLanes(c, s.vt, size)
		transposeRuns(a, c, n)
		runReflectors(a, 1, n, u, 1, n, n-1, n-1, taup)
		transposeRuns(c, a, n)
		o.fromLanes(out[2], c, size, 0)
		lc.Back()
	}
	for l := range laneCount {
		for i, w := range s.qr[l].d {
			out[0][l*n+i] = math.Ldexp(w, r.shift[l])
		}
		if r.bad>>l&1 > 0 {
			one := [][]float64{out[0][l*n : (l+1)*n]}
			for _, x := range out[1:] {
				one = append(one, x[l*size:(l+1)*size])
			}
			alone(f, [][]float64{in[0][l*size : (l+1)*size]}, one)
		}
	}
	svdScratches[n].Put(s)
	lm.Back()
	la.Back()
}

// transposeRuns makes y the transpose of n × n matrices.
func transposeRuns(y, x []float64, n int) {
	for i := range n {
		for j := range n {
			copy(y[(i*n+j)*laneCount:(i*n+j+1)*laneCount], x[(j*n+i)*laneCount:])
		}
	}
}

// bidiagonal is bidiagonalForm for square matrices of at most panelWidth rows: reflector k of Q
// is in the runs k·n + k … of v, that of P in k·n + k + 1 … of u.
func (r *runMatrices) bidiagonal(a []float64, n int, d, e, tauq, taup, v, u []float64) {
	buffer, l := block.Borrow[float64]((2*n*n + 1) * laneCount)
	xs, ys, dot := buffer[:n*n*laneCount], buffer[n*n*laneCount:2*n*n*laneCount], buffer[2*n*n*laneCount:]
	c := unsafe.Pointer(&dot[0])
	// lower subtracts from elements i … of row k of y those of row q of x times a number.
	lower := func(y []float64, k int, x []float64, q, i int, by unsafe.Pointer) {
		runs64.less(runAt(y, k*n+i), runBytes, runAt(x, q*n+i), runBytes, by, n-i)
	}
	inner := func(x []float64, p int, y []float64, q, i int) unsafe.Pointer {
		runs64.inner(c, runAt(x, p*n+i), runBytes, runAt(y, q*n+i), runBytes, n-i)
		return c
	}
	for j := range n {
		for i := j; i < n; i++ {
			copy(v[(j*n+i)*laneCount:(j*n+i+1)*laneCount], a[(i*n+j)*laneCount:])
		}
		for q := range j {
			lower(v, j, v, q, j, runAt(ys, q*n+j))
			lower(v, j, xs, q, j, runAt(u, q*n+j))
		}
		r.reflect(v, j*n+j, 1, n-j, d, tauq, j)
		if j == n-1 {
			break
		}
		m := n - j - 1
		clear(ys[(j*n+j+1)*laneCount : (j+1)*n*laneCount])
		for i := j; i < n; i++ {
			runs64.more(runAt(ys, j*n+j+1), runBytes, runAt(a, i*n+j+1), runBytes, runAt(v, j*n+i), m)
		}
		for q := range j {
			lower(ys, j, ys, q, j+1, inner(v, j, v, q, j))
			lower(ys, j, u, q, j+1, inner(v, j, xs, q, j))
		}
		runs64.scale(runAt(ys, j*n+j+1), runBytes, runAt(tauq, j), m)
		copy(u[(j*n+j+1)*laneCount:(j+1)*n*laneCount], a[(j*n+j+1)*laneCount:])
		for q := range j + 1 {
			lower(u, j, ys, q, j+1, runAt(v, q*n+j))
			if q < j {
				lower(u, j, u, q, j+1, runAt(xs, q*n+j))
			}
		}
		r.reflect(u, j*n+j+1, 1, m, e, taup, j)
		for i := j + 1; i < n; i++ {
			runs64.inner(runAt(xs, j*n+i), runAt(a, i*n+j+1), runBytes, runAt(u, j*n+j+1), runBytes, m)
		}
		for q := range j + 1 {
			lower(xs, j, v, q, j+1, inner(u, j, ys, q, j+1))
			if q < j {
				lower(xs, j, xs, q, j+1, inner(u, j, u, q, j+1))
			}
		}
		runs64.scale(runAt(xs, j*n+j+1), runBytes, runAt(taup, j), m)
	}
	l.Back()
}

// diagonalize iterates on all bidiagonal matrices but the skipped ones, eight sweeps at a time,
// and returns which did not converge.
func (s *svdScratch) diagonalize(d, e []float64, skip uint, vectors bool, grain precision) (bad uint) {
	n := s.n
	for l := range laneCount {
		b := &s.qr[l]
		b.grain, b.ut, b.vt = grain, nil, nil
		for i := range n {
			b.d[i] = d[i*laneCount+l]
			if i < n-1 {
				b.e[i] = e[i*laneCount+l]
			}
		}
		if vectors {
			b.ut, b.vt = s.left[l].reset(), s.right[l].reset()
		}
		if skip>>l&1 == 0 {
			b.begin()
		}
	}
	return iterateTogether(&s.qr, skip, s.sweeps.bidiagonal)
}
