package reference

import "unsafe"

// Where one operand of a dot is a single row, tiles would first have to turn the other.
// Chains read both where they lie: eight at once, so that none waits for itself.

const chainRows = 8

// column computes y[m] = x[m, k] · v[k].
func (t *tiles[A]) column(kernel dotKernel[A], y, x, v []A, m, k int, stop stopper) {
	t.columnOf(kernel, y, x, k, v, m, k, stop)
}

// columnOf is column of a matrix whose rows are ld apart.
func (t *tiles[A]) columnOf(kernel dotKernel[A], y, x []A, ld int, v []A, m, k int, stop stopper) {
	sums, l := borrow[A](chainRows)
	size := elementBytes[A]()
	i := 0
	for ; i+chainRows <= m; i += chainRows {
		if stop.stopped() {
			l.back()
			return
		}
		clear(sums)
		for lo := 0; lo < k && (lo%deepRun != deepRun-dotChunk || !stop.stopped()); lo += dotChunk {
			t.chains(unsafe.Pointer(&sums[0]), unsafe.Pointer(&x[i*ld+lo]), ld*size, unsafe.Pointer(&v[lo]), 0, min(dotChunk, k-lo))
		}
		copy(y[i:], sums)
	}
	for ; i < m && !stop.stopped(); i++ {
		y[i] = t.one(kernel, x[i*ld:i*ld+k], v[:k], sums, stop)
	}
	l.back()
	canon(y[:m])
}

// inner returns a · b.
func (t *tiles[A]) inner(kernel dotKernel[A], a, b []A) A {
	sums, l := borrow[A](chainRows)
	s := t.one(kernel, a, b, sums, nil)
	l.back()
	return s + 0
}

// one returns a · b, eight chunks at a time: what is left over is filled up with zeros,
// whose products change no chain but from −0 to +0, which the sum does not distinguish.
func (t *tiles[A]) one(kernel dotKernel[A], a, b, sums []A, stop stopper) A {
	const together = chainRows * dotChunk
	const few = 32
	var total A
	step := dotChunk * elementBytes[A]()
	add := func(a, b []A) {
		clear(sums)
		t.chains(unsafe.Pointer(&sums[0]), unsafe.Pointer(&a[0]), step, unsafe.Pointer(&b[0]), step, dotChunk)
		for _, s := range sums {
			total += s
		}
	}
	for n := 1; len(a) >= together; n, a, b = n+1, a[together:], b[together:] {
		if n%(copyRun/together) == 0 && stop.stopped() {
			return total
		}
		add(a, b)
	}
	switch {
	case len(a) >= few:
		filled, l := borrow[A](2 * together)
		fa, fb := filled[:together], filled[together:]
		clear(fa[copy(fa, a):])
		clear(fb[copy(fb, b):])
		add(fa, fb)
		l.back()
	case len(a) > 0:
		clear(sums)
		kernel(sums[:1], a, b)
		total += sums[0]
	}
	return total
}
