package kernel

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/lower/scalar"
)

// cumulate writes the running fold of x along the axis, from the end if reverse. The
// elements are taken in chunks of 32, in a chunk in order from the identity. The results
// of the first chunk stand; the others are offset ∘ local, where the offsets are the
// running fold of the chunks' totals by the same rule. Floats of fewer than 32 bits
// are f32 throughout and each result is rounded once.
func cumulate(op foldOp, y, x *Tensor, axis int, reverse bool) {
	switch dt := x.DType; dt {
	case core.Int2, core.Int4:
		cumulateInto(&foldsI8[op], View[int8](y), rows[int8]{plain: View[int8](x)}, x.Shape, axis, reverse)
		shorten(op, View[int8](y), uint(dt.Bits()))
	case core.Int8:
		cumulateInto(&foldsI8[op], View[int8](y), rows[int8]{plain: View[int8](x)}, x.Shape, axis, reverse)
	case core.Int16:
		cumulateInto(&foldsI16[op], View[int16](y), rows[int16]{plain: View[int16](x)}, x.Shape, axis, reverse)
	case core.Int32:
		cumulateInto(&foldsI32[op], View[int32](y), rows[int32]{plain: View[int32](x)}, x.Shape, axis, reverse)
	case core.Int64:
		cumulateInto(&foldsI64[op], View[int64](y), rows[int64]{plain: View[int64](x)}, x.Shape, axis, reverse)
	case core.Uint2, core.Uint4:
		cumulateInto(&foldsU8[op], View[int8](y), rows[int8]{plain: View[int8](x)}, x.Shape, axis, reverse)
		shorten(op, View[uint8](y), uint(dt.Bits()))
	case core.Uint8:
		cumulateInto(&foldsU8[op], View[int8](y), rows[int8]{plain: View[int8](x)}, x.Shape, axis, reverse)
	case core.Uint16:
		cumulateInto(&foldsU16[op], View[int16](y), rows[int16]{plain: View[int16](x)}, x.Shape, axis, reverse)
	case core.Uint32:
		cumulateInto(&foldsU32[op], View[int32](y), rows[int32]{plain: View[int32](x)}, x.Shape, axis, reverse)
	case core.Uint64:
		cumulateInto(&foldsU64[op], View[int64](y), rows[int64]{plain: View[int64](x)}, x.Shape, axis, reverse)
	case core.Float32:
		cumulateInto(&foldsF32[op], View[float32](y), rows[float32]{plain: View[float32](x)}, x.Shape, axis, reverse)
	case core.Float64:
		cumulateInto(&foldsF64[op], View[float64](y), rows[float64]{plain: View[float64](x)}, x.Shape, axis, reverse)
	case core.Complex64:
		cumulateInto(&foldsC64[op], View[complex64](y), rows[complex64]{plain: View[complex64](x)}, x.Shape, axis, reverse)
	case core.Complex128:
		cumulateInto(&foldsC128[op], View[complex128](y), rows[complex128]{plain: View[complex128](x)}, x.Shape, axis, reverse)
	default:
		if !scalar.IsSmallFloat(dt) {
			refuse(dt)
		}
		acc, l := borrow[float32](y.Size())
		cumulateInto(&foldsF32[op], acc, rows[float32]{small: smallRowsOf(x).at}, x.Shape, axis, reverse)
		narrowTo(y, 0, acc)
		l.back()
	}
}

func cumulateInto[A any](f *fold[A], y []A, x rows[A], shape core.Dims, axis int, reverse bool) {
	if len(y) == 0 {
		return
	}
	outer, n, inner := around(shape, axis)
	if inner == 1 {
		buf, l := borrow[A](n)
		for o := range outer {
			cumulateRow(f, y[o*n:(o+1)*n], x.at(o*n, n, buf), reverse)
		}
		l.back()
		canon(y)
		return
	}
	buf, l := borrow[A](inner)
	for o := range outer {
		at, step := o*n*inner, inner
		if reverse {
			at, step = at+(n-1)*inner, -inner
		}
		cumulateColumns(f, y, func(at int) []A { return x.at(at, inner, buf) }, at, step, n, inner)
	}
	l.back()
	canon(y)
}

// cumulateColumns writes the running fold of n rows of inner elements, which x returns, from
// the place at on, step apart.
func cumulateColumns[A any](f *fold[A], y []A, x func(at int) []A, at, step, n, inner int) {
	m := (n + cumChunk - 1) / cumChunk
	totals, lt := borrow[A](m * inner)
	row := func(i int) []A { return y[at+i*step:][:inner] }
	local, ll := borrow[A](inner)
	for i := range n {
		if i%cumChunk == 0 {
			fillRun(local, f.id)
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
	ll.back()
	lt.back()
}

// cumulateRow writes the running fold of a row, from its end if reverse.
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
	totals, l := borrow[A](m)
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
		f.onto(totals[c-1], y[lo:hi]) // offset ∘ local
	}
	l.back()
}
