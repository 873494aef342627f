package kernel

// Small matrices of a batch are factored side by side: element (i, j) of laneCount matrices is a run of
// numbers, and each operation of the factorization is one on such runs. Every number is computed as it is in a loop
// over the matrices.

const (
	laneCount = 32
	// laneSize is the largest size of such matrices.
	laneSize = 16
)

// laneOps are the operations of the machine on runs of numbers.
type laneOps[A any] struct {
	less   func(y, a, x []A) // y = fma(−a, x, y)
	divide func(y, d []A)    // y = y/d
	// The factorizations by these operations.
	cholesky func(f *field[A], y, x []A, n int)
	solve    func(f *field[A], y, a, b []A, s triangularSystem)
	lu       func(f *field[A], a, x []A, pivots, perm []int32, m, n int) bool
}

// inLanes reports whether the next matrices of a batch, n × n, are to be factored side by side.
func (f *field[A]) inLanes(n, left int) bool {
	return f.lanes != nil && n <= laneSize && left >= laneCount
}

// toLanes makes runs of the elements of matrices with size elements each.
func toLanes[A any](t, x []A, size int) {
	for l := range laneCount {
		for e, v := range x[l*size : (l+1)*size] {
			t[e*laneCount+l] = v
		}
	}
}

// fromLanes is the inverse of toLanes.
func fromLanes[A any](x, t []A, size int) {
	for l := range laneCount {
		row := x[l*size : (l+1)*size]
		for e := range row {
			row[e] = t[e*laneCount+l]
		}
	}
}

// runOf returns the run of element e.
func runOf[A any](t []A, e int) []A { return t[e*laneCount : (e+1)*laneCount : (e+1)*laneCount] }

func choleskyLanes[A any](f *field[A], y, x []A, n int) {
	t, l := borrow[A](n * n * laneCount)
	toLanes(t, x, n*n)
	var bad [laneCount]bool
	one := f.of(1, 0)
	for j := range n {
		d := runOf(t, j*n+j)
		for i, v := range d {
			root, ok := f.root(v)
			if !ok {
				bad[i], root = true, one
			}
			d[i] = root
		}
		for i := j + 1; i < n; i++ {
			f.lanes.divide(runOf(t, i*n+j), d)
		}
		for k := j + 1; k < n; k++ {
			for i := k; i < n; i++ {
				f.lanes.less(runOf(t, i*n+k), runOf(t, i*n+j), runOf(t, k*n+j))
			}
		}
	}
	var zero A
	for i := range n {
		for j := i + 1; j < n; j++ {
			fillRun(runOf(t, i*n+j), zero)
		}
	}
	fromLanes(y, t, n*n)
	l.back()
	for l, b := range bad {
		for i := 0; b && i < n; i++ {
			fillRun(y[(l*n+i)*n:(l*n+i)*n+i+1], f.nan)
		}
	}
	canon(y)
}

// solveLanes is solveInto for a batch of small systems.
func solveLanes[A any](f *field[A], y, a, b []A, s triangularSystem) {
	n, m := s.n, s.m
	t, lt := borrow[A](n * n * laneCount)
	x, lx := borrow[A](n * m * laneCount)
	toLanes(t, a, n*n)
	toLanes(x, b, n*m)
	at := func(i, k int) []A { // element of op(A) by the order of equations
		i, k = s.equation(i), s.equation(k)
		if s.transposed {
			i, k = k, i
		}
		return runOf(t, i*n+k)
	}
	unknown := func(i, j int) []A {
		if i = s.equation(i); s.onRight {
			return runOf(x, j*n+i)
		}
		return runOf(x, i*m+j)
	}
	for k := range n {
		d := at(k, k)
		for j := range m {
			v := unknown(k, j)
			if !s.unit {
				f.lanes.divide(v, d)
			}
			for i := k + 1; i < n; i++ {
				f.lanes.less(unknown(i, j), at(i, k), v)
			}
		}
	}
	fromLanes(y, x, n*m)
	lx.back()
	lt.back()
	canon(y)
}

// luLanes factors a batch of small matrices; false, with nothing done, if one has a zero column at some step.
func luLanes[A float](f *field[A], a, x []A, pivots, perm []int32, m, n int) bool {
	t, l := borrow[A](m * n * laneCount)
	defer l.back()
	toLanes(t, x, m*n)
	for i := range perm {
		perm[i] = int32(i % m)
	}
	k := min(m, n)
	for p := range k {
		for l := range laneCount {
			best, big := p, A(-1)
			for i := p; i < m; i++ {
				best, big = largerPivot(best, big, i, t[(i*n+p)*laneCount+l])
			}
			if big == 0 {
				return false
			}
			pivots[l*k+p] = int32(best)
			if best == p {
				continue
			}
			perm[l*m+p], perm[l*m+best] = perm[l*m+best], perm[l*m+p]
			for j := range n {
				u, v := (p*n+j)*laneCount+l, (best*n+j)*laneCount+l
				t[u], t[v] = t[v], t[u]
			}
		}
		for i := p + 1; i < m; i++ {
			below := runOf(t, i*n+p)
			f.lanes.divide(below, runOf(t, p*n+p))
			for j := p + 1; j < n; j++ {
				f.lanes.less(runOf(t, i*n+j), below, runOf(t, p*n+j))
			}
		}
	}
	fromLanes(a, t, m*n)
	return true
}

// largerPivot returns the better of a pivot and element i: the one with the larger |v|, the first of equals, or the first NaN.
func largerPivot[A float](best int, big A, i int, v A) (int, A) {
	if v < 0 {
		v = -v
	}
	if v > big || v != v && big == big {
		return i, v
	}
	return best, big
}
