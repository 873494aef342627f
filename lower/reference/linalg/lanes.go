package linalg

import (
	"math/bits"
	"unsafe"

	"github.com/weft-go/weft/lower/reference/internal/block"
)

// Small matrices of a batch are factored side by side: element (i, j) of laneCount matrices is a
// run of numbers, and each operation of the factorization is one on such runs. Every number is
// computed as it is in a loop over the matrices.

const (
	laneCount = 32
	// laneSize is the largest size of such matrices.
	laneSize = 16
	// canonLanes makes the NaNs of all lanes canonical.
	canonLanes = 1<<16 - 1
)

// laneOps are the machine's operations on the matrices of one register, width of them. t points
// to the first of their runs.
type laneOps[A any] struct {
	width int
	// transpose transposes width × width numbers, steps in bytes; loads and stores have a bit
	// for each column that is read and written. NaNs become canonical if canon has bits. Memory
	// loadAhead and storeAhead bytes ahead is prefetched: rows of matrices are too far apart for
	// the machine to foresee.
	transpose func(dst unsafe.Pointer, dstStep int, src unsafe.Pointer, srcStep int, loads, stores, canon uint, loadAhead, storeAhead int)
	// factor is Cholesky's factorization; bad has a bit for each matrix with a pivot that is not
	// positive.
	factor func(t unsafe.Pointer, n int) (bad uint)
	// mean makes the lower triangles of all matrices those of (a + aᵀ)/2, and zeros above them.
	mean func(t unsafe.Pointer, n int)
	// substitute solves n equations with m right sides. Element (i, k) of the matrices is si·i +
	// sk·k bytes from t, and element (i, j) of the right sides ui·i + uj·j from x.
	substitute func(t unsafe.Pointer, si, sk int, x unsafe.Pointer, ui, uj, n, m, unit int)
	// eliminate factors m × n matrices; false if one has a zero column at some step. Pivots are
	// runs.
	eliminate func(t unsafe.Pointer, m, n int, pivots unsafe.Pointer) bool
	// The factorizations by these operations; a symmetric root is that of [SymmetricRootP].
	cholesky func(f *field[A], y, x []A, n int, symmetric bool)
	solve    func(f *field[A], y, a, b []A, s triangularSystem)
	lu       func(f *field[A], a, x []A, pivots, perm []int32, m, n int) bool
	system   func(s *smallSystem[A], y, a, b []A) bool
}

// inLanes reports whether the next matrices of a batch, n × n, are to be factored side by side.
func (f *field[A]) inLanes(n, left int) bool {
	return f.lanes != nil && n <= laneSize && left >= laneCount
}

// runs borrows runs of the elements of matrices with size elements each; blocks that are
// transposed may be longer.
func (o *laneOps[A]) runs(size int) ([]A, *block.Loan) {
	return block.Borrow[A]((size + o.width) * laneCount)
}

// toLanes makes runs of the elements of matrices with size elements each.
func (o *laneOps[A]) toLanes(t, x []A, size int) {
	_ = x[laneCount*size-1]
	ahead := laneCount * size * block.ElementBytes[A]() // the next matrices
	o.blocks(size, func(run, element int, cols uint) {
		o.transpose(unsafe.Pointer(&t[run]), laneCount*block.ElementBytes[A](), unsafe.Pointer(&x[element]), size*block.ElementBytes[A](), cols, 1<<o.width-1, 0, ahead, 0)
	})
}

// fromLanes is the inverse of toLanes; NaNs become canonical if canon has bits.
func (o *laneOps[A]) fromLanes(x, t []A, size int, canon uint) {
	_ = x[laneCount*size-1]
	ahead := laneCount * size * block.ElementBytes[A]()
	o.blocks(size, func(run, element int, cols uint) {
		o.transpose(unsafe.Pointer(&x[element]), size*block.ElementBytes[A](), unsafe.Pointer(&t[run]), laneCount*block.ElementBytes[A](), 1<<o.width-1, cols, canon, 0, ahead)
	})
}

// blocks calls f with the blocks of some elements of the matrices of a register: where they
// begin among the runs and in the matrices, and a bit for each element.
func (o *laneOps[A]) blocks(size int, f func(run, element int, cols uint)) {
	for l := 0; l < laneCount; l += o.width {
		for e := 0; e < size; e += o.width {
			f(e*laneCount+l, l*size+e, 1<<min(o.width, size-e)-1)
		}
	}
}

func choleskyLanes[A any](f *field[A], y, x []A, n int, symmetric bool) {
	o := f.lanes
	t, l := o.runs(n * n)
	o.toLanes(t, x, n*n)
	if symmetric {
		o.mean(unsafe.Pointer(&t[0]), n)
	}
	var bad uint
	for l := 0; l < laneCount; l += o.width {
		bad |= o.factor(unsafe.Pointer(&t[l]), n) & (1<<o.width - 1) << l
	}
	o.fromLanes(y, t, n*n, 0) // a NaN below the diagonal makes a pivot NaN, so the only ones are above it
	l.Back()
	for ; bad != 0; bad &= bad - 1 {
		l := bits.TrailingZeros(bad)
		block.FillRun(y[l*n*n:(l+1)*n*n], f.nan)
		if symmetric {
			clearAbove(y[l*n*n:(l+1)*n*n], n)
		}
	}
}

// solveLanes is solveInto for a batch of small systems.
func solveLanes[A any](f *field[A], y, a, b []A, s triangularSystem) {
	n, m, o := s.n, s.m, f.lanes
	t, lt := o.runs(n * n)
	x, lx := o.runs(n * m)
	o.toLanes(t, a, n*n)
	o.toLanes(x, b, n*m)
	// The steps from equation to equation and from unknown to unknown, in elements, and where
	// the first are.
	si, sk, ui, uj, first, unknown := n, 1, m, 1, 0, 0
	if s.transposed {
		si, sk = sk, si
	}
	if s.onRight {
		ui, uj = 1, n
	}
	if !s.forward {
		first, unknown = n*n-1, (n-1)*ui
		si, sk, ui = -si, -sk, -ui
	}
	step := laneCount * block.ElementBytes[A]()
	unit := 0
	if s.unit {
		unit = 1
	}
	for l := 0; l < laneCount; l += o.width {
		o.substitute(unsafe.Pointer(&t[first*laneCount+l]), si*step, sk*step, unsafe.Pointer(&x[unknown*laneCount+l]), ui*step, uj*step, n, m, unit)
	}
	o.fromLanes(y, x, n*m, canonLanes)
	lx.Back()
	lt.Back()
}

// luLanes factors a batch of small matrices; false, with nothing done, if one has a zero column
// at some step.
func luLanes[A block.Float](f *field[A], a, x []A, pivots, perm []int32, m, n int) bool {
	o, k := f.lanes, min(m, n)
	t, l := o.runs(m * n)
	defer l.Back()
	o.toLanes(t, x, m*n)
	var rows [laneSize * laneCount]int32
	for l := 0; l < laneCount; l += o.width {
		if !o.eliminate(unsafe.Pointer(&t[l]), m, n, unsafe.Pointer(&rows[l])) {
			return false
		}
	}
	o.fromLanes(a, t, m*n, 0)
	for l := range laneCount {
		p := perm[l*m : (l+1)*m]
		for i := range p {
			p[i] = int32(i)
		}
		for i := range k {
			q := rows[i*laneCount+l]
			pivots[l*k+i] = q
			p[i], p[q] = p[q], p[i]
		}
	}
	return true
}

// transpose writes the transpose of rows × cols elements: those of a row of src are ldd apart in
// dst.
func (f *field[A]) transpose(dst []A, ldd int, src []A, lds, rows, cols int) {
	if rows == 0 || cols == 0 {
		return
	}
	_, _ = dst[(cols-1)*ldd+rows-1], src[(rows-1)*lds+cols-1]
	whole, wide := 0, 0
	if o := f.lanes; o != nil {
		size, all := block.ElementBytes[A](), uint(1)<<o.width-1
		whole, wide = rows/o.width*o.width, cols/o.width*o.width
		for i := 0; i < whole; i += o.width {
			for j := 0; j < wide; j += o.width {
				o.transpose(unsafe.Pointer(&dst[j*ldd+i]), ldd*size, unsafe.Pointer(&src[i*lds+j]), lds*size, all, all, 0, 0, 0)
			}
		}
	}
	for i := range rows {
		from := 0
		if i < whole {
			from = wide
		}
		for j, v := range src[i*lds+from : i*lds+cols] {
			dst[(from+j)*ldd+i] = v
		}
	}
}

// largerPivot returns the better of a pivot and element i: the one with the larger |v|, the
// first of equals, or the first NaN.
func largerPivot[A block.Float](best int, big A, i int, v A) (int, A) {
	if v < 0 {
		v = -v
	}
	if v > big || v != v && big == big {
		return i, v
	}
	return best, big
}
