package reference

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/lower/reference/internal/block"
)

// cumulate writes the running fold of x along the axis, from the end if reverse is set. Each chunk
// of 32 elements is folded in order from the identity. These results stand in the first
// chunk. In every other chunk they become offset ∘ result, where offset is the running fold
// of the totals of the chunks before it, by the same rule. Floats of fewer than 32 bits are
// f32 throughout and each result is rounded once.
func cumulate(op foldOp, y, x *block.Tensor, axis int, reverse bool) {
	if x.DType.IsBool() {
		block.Refuse(x.DType)
	}
	numericOf(x.DType).cumulate(op, y, x, axis, reverse)
}

func cumulateInto[A any](f *fold[A], y []A, x block.Rows[A], shape core.Dims, axis int, reverse bool) {
	if len(y) == 0 {
		return
	}
	outer, n, inner := around(shape, axis)
	if inner == 1 {
		buf, l := block.Borrow[A](n)
		for o := range outer {
			cumulateRow(f, y[o*n:(o+1)*n], x.At(o*n, n, buf), reverse)
		}
		l.Back()
		block.Canon(y)
		return
	}
	buf, l := block.Borrow[A](inner)
	for o := range outer {
		at, step := o*n*inner, inner
		if reverse {
			at, step = at+(n-1)*inner, -inner
		}
		cumulateColumns(f, y, func(at int) []A { return x.At(at, inner, buf) }, at, step, n, inner)
	}
	l.Back()
	block.Canon(y)
}

// cumulateColumns writes the running fold of n rows of `inner` elements, which x returns. Rows begin at
// position `at` and are `step` apart.
func cumulateColumns[A any](f *fold[A], y []A, x func(at int) []A, at, step, n, inner int) {
	m := (n + cumChunk - 1) / cumChunk
	totals, lt := block.Borrow[A](m * inner)
	row := func(i int) []A { return y[at+i*step:][:inner] }
	local, ll := block.Borrow[A](inner)
	for i := range n {
		if i%cumChunk == 0 {
			block.FillRun(local, f.id)
		}
		f.into(local, x(at+i*step))
		copy(row(i), local)
		if (i+1)%cumChunk == 0 || i == n-1 {
			copy(totals[i/cumChunk*inner:][:inner], local)
		}
	}
	if m > 1 {
		cumulateColumns(f, totals, func(at int) []A { return totals[at : at+inner] }, 0, inner, m, inner)
		for i := cumChunk; i < n; i++ {
			copy(local, totals[(i/cumChunk-1)*inner:][:inner])
			f.into(local, row(i))
			copy(row(i), local)
		}
	}
	ll.Back()
	lt.Back()
}

// cumulateRow writes the running fold of a row, from its end if reverse is set.
func cumulateRow[A any](f *fold[A], y, x []A, reverse bool) {
	n := len(x)
	at, step := 0, 1
	if reverse {
		at, step = n-1, -1
	}
	if n <= cumChunk {
		f.scan(f.id, y, x, at, step, n)
		return
	}
	m := (n + cumChunk - 1) / cumChunk
	totals, l := block.Borrow[A](m)
	for c := range m {
		size := min(cumChunk, n-c*cumChunk)
		f.scan(f.id, y, x, at, step, size)
		at += size * step
		totals[c] = y[at-step]
	}
	cumulateRow(f, totals, totals, false)
	for c := 1; c < m; c++ {
		lo, hi := c*cumChunk, min((c+1)*cumChunk, n)
		if reverse {
			lo, hi = n-hi, n-lo
		}
		f.onto(totals[c-1], y[lo:hi])
	}
	l.Back()
}
