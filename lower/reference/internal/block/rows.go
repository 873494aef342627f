package block

import "unsafe"

// Rows gives access to runs of an array as accumulators: where they lie, or widened into a
// buffer, which must hold the run.
type Rows[A any] struct {
	Plain []A
	Small func(off, n int, buf []A) []A // nil where the elements are accumulators themselves
}

func (r Rows[A]) At(off, n int, buf []A) []A {
	if r.Small != nil {
		return r.Small(off, n, buf)
	}
	return r.Plain[off : off+n]
}

// smallRows are floats of fewer than 32 bits, which compute in f32.
type smallRows struct {
	widen loop
	size  int
	data  []byte
}

func SmallRowsOf(t *Tensor) smallRows {
	return smallRows{smallFloats[t.DType].widen, t.DType.Size(), t.Data}
}

func (r smallRows) At(off, n int, buf []float32) []float32 {
	buf = buf[:n]
	if n > 0 {
		from := r.data[off*r.size : (off+n)*r.size]
		r.widen(unsafe.Pointer(&buf[0]), unsafe.Pointer(&from[0]), nil, nil, n)
	}
	return buf
}

// NarrowTo rounds x into t, a float type of fewer than 32 bits, from element `off` on.
func NarrowTo(t *Tensor, off int, x []float32) {
	if len(x) == 0 {
		return
	}
	size := t.DType.Size()
	to := t.Data[off*size : (off+len(x))*size]
	smallFloats[t.DType].narrow(unsafe.Pointer(&to[0]), unsafe.Pointer(&x[0]), nil, nil, len(x))
}

// ElementBytes returns the size of an A.
func ElementBytes[A any]() int {
	var a A
	return int(unsafe.Sizeof(a))
}
