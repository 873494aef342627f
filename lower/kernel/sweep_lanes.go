package kernel

import (
	"math"
	"unsafe"
)

// sweepLanes are the sweeps of eight matrices, each with elements in the order of its sweep: element k of d, and of r[1:] those beside it.
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
	for j, q := range some {
		count := (q.m - q.l) * q.dir
		longest = max(longest, count)
		s.count[j], s.g[j] = int64(count), q.g
		i, at := q.m, q.m-(q.dir+1)/2
		for k := range count {
			s.d[k][j], s.r[k+1][j] = q.d[i], q.e[at]
			i -= q.dir
			at -= q.dir
		}
		s.d[count][j] = q.d[i]
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
		count := (q.m - q.l) * q.dir
		i, at := q.m, q.m-(q.dir+1)/2
		for k := range count {
			q.d[i] = s.d[k][j]
			if k < count-1 {
				q.e[at] = s.r[k+1][j]
			}
			q.rots[k] = rotation{s.c[k][j], s.s[k][j]}
			i -= q.dir
			at -= q.dir
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
		s.g[j] = times(math.Abs(b.d[i])-b.shift, math.Copysign(1, b.d[i])+b.shift/b.d[i])
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

// iterateTogether diagonalizes all matrices but the skipped ones, by sweeps of at most eight at a time, and returns which did
// not converge.
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
