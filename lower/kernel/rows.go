package kernel

import (
	"unsafe"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/lower/scalar"
)

// rows returns stretches of an array as accumulators: where they lie, or widened
// into a buffer, which holds as many elements as are asked for.
type rows[A any] struct {
	plain []A
	small func(off, n int, buf []A) []A // nil where the elements are accumulators themselves
}

func (r rows[A]) at(off, n int, buf []A) []A {
	if r.small != nil {
		return r.small(off, n, buf)
	}
	return r.plain[off : off+n]
}

// smallRows are floats of fewer than 32 bits, which compute in f32.
type smallRows struct {
	dt core.DType
	h  []uint16
	b  []uint8
}

func smallRowsOf(t *Tensor) smallRows {
	if t.DType.Size() == 2 {
		return smallRows{dt: t.DType, h: View[uint16](t)}
	}
	return smallRows{dt: t.DType, b: View[uint8](t)}
}

func (r smallRows) at(off, n int, buf []float32) []float32 {
	buf = buf[:n]
	switch r.dt {
	case core.BFloat16:
		for i, h := range r.h[off : off+n] {
			buf[i] = scalar.FromBF16(h)
		}
	case core.Float16:
		for i, h := range r.h[off : off+n] {
			buf[i] = scalar.FromF16(h)
		}
	default:
		w := scalar.WidenTable(r.dt)
		for i, c := range r.b[off : off+n] {
			buf[i] = w[c]
		}
	}
	return buf
}

// narrowTo rounds x into t, a float type of fewer than 32 bits, from element off on.
func narrowTo(t *Tensor, off int, x []float32) {
	switch t.DType {
	case core.BFloat16:
		y := View[uint16](t)[off : off+len(x)]
		for i, v := range x {
			y[i] = scalar.ToBF16(v)
		}
	case core.Float16:
		y := View[uint16](t)[off : off+len(x)]
		for i, v := range x {
			y[i] = scalar.ToF16(v)
		}
	default:
		y := View[uint8](t)[off : off+len(x)]
		for i, v := range x {
			y[i] = uint8(scalar.NarrowSmall(t.DType, v))
		}
	}
}

// lanesOf returns the number of accumulators that fill the lanes.
func lanesOf[A any]() int {
	return laneBytes / elementBytes[A]()
}

// elementBytes returns the size of an A.
func elementBytes[A any]() int {
	var a A
	return int(unsafe.Sizeof(a))
}
