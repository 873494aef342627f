package product

import (
	"github.com/weft-go/weft/lower/reference/internal/block"
	"unsafe"
)

// ChainRows is the number of chains that are computed side by side, since each fma of a chain waits for
// the one before. If one operand of a dot is a single row, chains read both where they lie; for tiles the
// other operand would have to be transposed first.
const ChainRows = 8

// column computes y[m] = x[m, k] · v[k].
func (t *tiles[A]) column(kernel DotKernel[A], y, x, v []A, m, k int, stop block.Stopper) {
	t.ColumnOf(kernel, y, x, k, v, m, k, stop)
}

// ColumnOf is column of a matrix whose rows are ld apart.
func (t *tiles[A]) ColumnOf(kernel DotKernel[A], y, x []A, ld int, v []A, m, k int, stop block.Stopper) {
	sums, l := block.Borrow[A](ChainRows)
	size := block.ElementBytes[A]()
	i := 0
	for ; i+ChainRows <= m; i += ChainRows {
		if stop.Stopped() {
			l.Back()
			return
		}
		clear(sums)
		for lo := 0; lo < k && (lo%deepRun != deepRun-DotChunk || !stop.Stopped()); lo += DotChunk {
			t.chains(unsafe.Pointer(&sums[0]), unsafe.Pointer(&x[i*ld+lo]), ld*size, unsafe.Pointer(&v[lo]), 0, min(DotChunk, k-lo))
		}
		copy(y[i:], sums)
	}
	for ; i < m && !stop.Stopped(); i++ {
		y[i] = t.one(kernel, x[i*ld:i*ld+k], v[:k], sums, stop)
	}
	l.Back()
	block.Canon(y[:m])
}

// Inner returns a · b.
func (t *tiles[A]) Inner(kernel DotKernel[A], a, b []A) A {
	sums, l := block.Borrow[A](ChainRows)
	s := t.one(kernel, a, b, sums, nil)
	l.Back()
	return s + 0
}

// one returns a · b, eight chunks at a time. What is left over is filled up with zeros, unless it is short. Their
// products change a chain only from −0 to +0, and the sum is the same for both.
func (t *tiles[A]) one(kernel DotKernel[A], a, b, sums []A, stop block.Stopper) A {
	const together = ChainRows * DotChunk
	const few = 32
	var total A
	step := DotChunk * block.ElementBytes[A]()
	add := func(a, b []A) {
		clear(sums)
		t.chains(unsafe.Pointer(&sums[0]), unsafe.Pointer(&a[0]), step, unsafe.Pointer(&b[0]), step, DotChunk)
		for _, s := range sums {
			total += s
		}
	}
	for n := 1; len(a) >= together; n, a, b = n+1, a[together:], b[together:] {
		if n%(copyRun/together) == 0 && stop.Stopped() {
			return total
		}
		add(a, b)
	}
	switch {
	case len(a) >= few:
		filled, l := block.Borrow[A](2 * together)
		fa, fb := filled[:together], filled[together:]
		clear(fa[copy(fa, a):])
		clear(fb[copy(fb, b):])
		add(fa, fb)
		l.Back()
	case len(a) > 0:
		clear(sums)
		kernel(sums[:1], a, b)
		total += sums[0]
	}
	return total
}
