package linalg

import (
	"math"
	"unsafe"

	"github.com/weft-go/weft/lower/reference/internal/block"
)

// runOps are the machine's operations on runs of [laneCount] numbers, one number of each small
// matrix. Steps are in bytes, counts at least 1.
type runOps struct {
	// less is y[i] = fma(−a, x[i], y[i]), more y[i] = fma(a, x[i], y[i]), scale y[i] = a·y[i].
	less, more func(y unsafe.Pointer, yStep int, x unsafe.Pointer, xStep int, a unsafe.Pointer, count int)
	scale      func(y unsafe.Pointer, yStep int, a unsafe.Pointer, count int)
	// inner is c = Σ x[i]·y[i] with the numbers of dot_general; sum rounds products and sums.
	inner, sum func(c, x unsafe.Pointer, xStep int, y unsafe.Pointer, yStep, count int)
	// largest is the largest |x[i]|, NaN if one is.
	largest func(big, x unsafe.Pointer, xStep, count int)
	// reflector is the function of that name for two elements or more; bad has a bit for each
	// matrix for which it is undefined.
	reflector func(x unsafe.Pointer, xStep, count int, beta, tau unsafe.Pointer) (bad uint)
	// These are count steps of a sweep of each of the matrices of a sweepLanes; bad has a bit
	// for each that has zeros.
	sweepTridiagonal, sweepBidiagonal func(s unsafe.Pointer, count int) (bad uint)
}

// runs64 is nil if the machine has no such operations.
var runs64 *runOps

// runBytes is the size of a run.
const runBytes = 8 * laneCount

// runAt returns where run i begins.
func runAt(x []float64, i int) unsafe.Pointer {
	return unsafe.Pointer(&x[i*laneCount : (i+1)*laneCount][0])
}

// runMatrices are scaled matrices side by side. Matrices that cannot be reduced this way have a
// bit in bad and are reduced one by one.
type runMatrices struct {
	shift  [laneCount]int
	factor [laneCount]float64
	bad    uint
}

// scale multiplies the elements of n × m matrices by powers of two, such that the largest is
// within [½, 1).
func (r *runMatrices) scale(a []float64, size int) {
	runs64.largest(unsafe.Pointer(&r.factor), runAt(a, 0), runBytes, size)
	for l, big := range r.factor {
		r.shift[l] = exponentOf(big)
		if !(big > 0x1p-900) || big > 0x1p900 {
			r.bad |= 1 << l
			r.shift[l] = 0
		}
		r.factor[l] = math.Float64frombits(uint64(1023-r.shift[l]) << 52)
	}
	runs64.scale(runAt(a, 0), runBytes, unsafe.Pointer(&r.factor), size)
}

// reflect makes a reflector of count elements, row by row step runs apart, as the function of
// that name.
func (r *runMatrices) reflect(x []float64, at, step, count int, beta, tau []float64, k int) {
	if count == 1 {
		copy(beta[k*laneCount:(k+1)*laneCount], x[at*laneCount:])
		clear(tau[k*laneCount : (k+1)*laneCount])
		block.FillRun(x[at*laneCount:(at+1)*laneCount], 1)
		return
	}
	_ = x[(at+step*(count-1)+1)*laneCount-1]
	r.bad |= runs64.reflector(runAt(x, at), step*runBytes, count, runAt(beta, k), runAt(tau, k))
}

// runReflectors multiplies the rows c0 … of c, of matrices with n columns, by the product of w
// reflectors from the left: H₀·H₁·…, where the elements of reflector k are the runs k·ld + first
// … of v, of which those before number k count as zero. There are m rows.
func runReflectors(c []float64, c0, n int, v []float64, first, ld, m, w int, tau []float64) {
	if w == 0 {
		return
	}
	buffer, l := block.Borrow[float64]((2*w*w + 2*w*n + 2*n + 1) * laneCount)
	gram, t := buffer[:w*w*laneCount], buffer[w*w*laneCount:2*w*w*laneCount]
	x := buffer[2*w*w*laneCount:]
	y := x[w*n*laneCount:]
	rest := y[w*n*laneCount:]
	ones := rest[2*n*laneCount:][:laneCount]
	block.FillRun(ones, 1)
	for j := range w {
		for i := range j {
			runs64.inner(runAt(gram, i*w+j), runAt(v, i*ld+first+j), runBytes, runAt(v, j*ld+first+j), runBytes, m-j)
		}
		copy(t[(j*w+j)*laneCount:], tau[j*laneCount:(j+1)*laneCount])
		for i := range j {
			s := t[(i*w+j)*laneCount : (i*w+j+1)*laneCount]
			runs64.sum(unsafe.Pointer(&s[0]), runAt(t, i*w+i), runBytes, runAt(gram, i*w+j), w*runBytes, j-i)
			runs64.scale(unsafe.Pointer(&s[0]), runBytes, runAt(tau, j), 1)
			for k, e := range s {
				s[k] = -e
			}
		}
	}
	row := n * runBytes
	for p := range w {
		for k := range n {
			runs64.inner(runAt(x, p*n+k), runAt(v, p*ld+first+p), runBytes, runAt(c, (c0+p)*n+k), row, m-p)
		}
	}
	for p := range w {
		for k := range n {
			runs64.inner(runAt(y, p*n+k), runAt(t, p*w+p), runBytes, runAt(x, p*n+k), row, w-p)
		}
	}
	for i := range m {
		for k := range n {
			runs64.inner(runAt(rest, k), runAt(v, first+i), ld*runBytes, runAt(y, k), row, min(i+1, w))
		}
		runs64.less(runAt(c, (c0+i)*n), runBytes, runAt(rest, 0), runBytes, unsafe.Pointer(&ones[0]), n)
	}
	l.Back()
}
