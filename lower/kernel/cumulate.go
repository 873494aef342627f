package kernel

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/lower/scalar"
)

// cumulate is the running fold of x along the axis, from the end if reverse. The
// elements are taken in chunks of 256, in a chunk in order from the identity; what
// the first chunk gives stands, and the others' results are offset ∘ local, where
// the offset is the last result of the chunk before. Floats of fewer than 32 bits
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
	buf, lb := borrow[A](inner)
	local, ll := borrow[A](inner)
	step := inner
	for o := range outer {
		at := o * n * inner
		if reverse {
			at += (n - 1) * inner
			step = -inner
		}
		var offset []A
		for i := range n {
			if i%chunkSize == 0 {
				fillRun(local, f.id)
				if i > 0 {
					offset = y[at-step:][:inner]
				}
			}
			f.into(local, x.at(at, inner, buf))
			row := y[at : at+inner]
			if offset == nil {
				copy(row, local)
			} else {
				copy(row, offset)
				f.into(row, local)
			}
			at += step
		}
	}
	ll.back()
	lb.back()
	canon(y)
}

// cumulateRow is the running fold of a row. A step of −1 goes through it backwards.
func cumulateRow[A any](f *fold[A], y, x []A, reverse bool) {
	n := len(x)
	at, step := 0, 1
	if reverse {
		at, step = n-1, -1
	}
	for lo := 0; lo < n; lo += chunkSize {
		m := min(chunkSize, n-lo)
		f.scan(f.id, y, x, at, step, m)
		if lo > 0 {
			// offset ∘ local, where the chunk's locals lie.
			first := at
			if reverse {
				first = at - m + 1
			}
			f.onto(y[at-step], y[first:first+m])
		}
		at += m * step
	}
}
