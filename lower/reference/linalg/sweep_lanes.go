package linalg

import (
	"math"
	"unsafe"

	"github.com/weft-go/weft/lower/reference/internal/block"
)

// sweepLanes are the sweeps of eight matrices, each with elements in the order of its sweep:
// element k of d, and of r[1:] those beside it.
type sweepLanes struct {
	count [8]int64
	g, p  [8]float64
	d     [laneSize][8]float64
	r     [laneSize + 1][8]float64
	c, s  [laneSize][8]float64 // the rotations; of bidiagonal matrices the right ones
	// The left rotations.
	c2, s2 [laneSize][8]float64
}

// tridiagonal is a sweep of each of at most eight matrices.
func (s *sweepLanes) tridiagonal(some []*tridiagonalQL) {
	longest := 0
	for j, q := range some { // without branches that depend on numbers, so that matrices do not wait for each other
		s.g[j] = q.first()
	}
	for j, q := range some {
		d, e := q.block()
		longest = max(longest, len(e))
		s.count[j] = int64(len(e))
		count := len(e)
		s.d[count][j] = q.d[q.l]
		to, beside := s.d[:count], s.r[1:count+1]
		if q.dir < 0 {
			for k, x := range e {
				to[k][j], beside[k][j] = d[k], x
			}
			continue
		}
		for k, x := range e {
			to[count-1-k][j], beside[count-1-k][j] = d[k+1], x
		}
	}
	for j := len(some); j < 8; j++ {
		s.count[j] = 0
	}
	bad := runs64.sweepTridiagonal(unsafe.Pointer(s), longest)
	for j, q := range some {
		if bad>>j&1 > 0 {
			q.sweep()
			continue
		}
		d, e := q.block()
		count := len(e)
		rots := q.rots[:count]
		c, sin, from, beside := s.c[:count], s.s[:count], s.d[:count], s.r[1:count+1]
		if q.dir < 0 {
			for k := range rots {
				d[k], e[k] = from[k][j], beside[k][j] // the last e is overwritten
				rots[k] = rotation{c[k][j], sin[k][j]}
			}
		} else {
			d = d[1:]
			for k := range rots {
				at := count - 1 - k
				d[k], e[k] = from[at][j], beside[at][j]
				rots[k] = rotation{c[at][j], -sin[at][j]}
			}
		}
		q.swept(count, s.g[j], s.p[j])
	}
}

// bidiagonal is a sweep with a shift of each of at most eight matrices.
func (s *sweepLanes) bidiagonal(some []*bidiagonal) {
	longest := 0
	for j, b := range some {
		count := b.hi - b.lo
		longest = max(longest, count)
		s.count[j] = int64(count)
		i, at, dir := b.lo, b.lo, 1
		if !b.down {
			i, at, dir = b.hi, b.hi-1, -1
		}
		s.g[j] = block.Times(math.Abs(b.d[i])-b.shift, math.Copysign(1, b.d[i])+b.shift/b.d[i])
		s.p[j] = b.e[at]
		for k := range count {
			s.d[k][j], s.r[k+1][j] = b.d[i], b.e[at]
			i += dir
			at += dir
		}
		s.d[count][j] = b.d[i]
	}
	for j := len(some); j < 8; j++ {
		s.count[j] = 0
	}
	bad := runs64.sweepBidiagonal(unsafe.Pointer(s), longest)
	for j, b := range some {
		if bad>>j&1 > 0 {
			b.sweep()
			continue
		}
		count := b.hi - b.lo
		v, u := b.v[:count], b.u[:count]
		if b.down {
			for k := range count {
				b.d[b.lo+k], b.e[b.lo+k] = s.d[k][j], s.r[k+1][j]
				v[k], u[k] = rotation{s.c[k][j], s.s[k][j]}, rotation{s.c2[k][j], s.s2[k][j]}
			}
			b.d[b.hi], b.e[b.hi-1] = s.d[count][j], s.g[j]
			b.apply(b.lo, v, u, false)
			b.clip(b.hi - 1)
			continue
		}
		for k := range count {
			b.d[b.hi-k], b.e[b.hi-1-k] = s.d[k][j], s.r[k+1][j]
			u[count-1-k], v[count-1-k] = rotation{s.c[k][j], -s.s[k][j]}, rotation{s.c2[k][j], -s.s2[k][j]}
		}
		b.d[b.lo], b.e[b.lo] = s.d[count][j], s.g[j]
		b.apply(b.lo, v, u, true)
		b.clip(b.lo)
	}
}

// iterateTogether diagonalizes all matrices but the skipped ones, by sweeps of at most eight at
// a time, and returns which did not converge.
func iterateTogether[T any, Q interface {
	*T
	step() progress
	sort()
}](all *[laneCount]T, skip uint, sweep func(some []Q)) (bad uint) {
	var active [laneCount]Q
	count := 0
	for l := range all {
		if skip>>l&1 == 0 {
			active[count] = &all[l]
			count++
		}
	}
	for count > 0 {
		waiting := active[:0]
		for _, q := range active[:count] {
			switch q.step() {
			case wantsSweep:
				waiting = append(waiting, q)
			case failed:
				for l := range all {
					if q == &all[l] {
						bad |= 1 << l
					}
				}
			case converged:
				q.sort()
			}
		}
		count = len(waiting)
		for k := 0; k < count; k += 8 {
			sweep(waiting[k:min(k+8, count)])
		}
	}
	return bad
}
