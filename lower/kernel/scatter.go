package kernel

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
)

// An updater is how a scatter changes elements of type T: along a run of n updates
// from u on, where the elements lie step apart from d on.
type updater[T any] func(dst, upd []T, d, step, u, n int)

// of returns the updater of dst with updates from upd.
func (f updater[T]) of(dst, upd []T) func(d, step, u, n int) {
	return func(d, step, u, n int) { f(dst, upd, d, step, u, n) }
}

// scatter is x changed by the updates u, one after the other in their row-major
// order, each rounded to the type of x; what lies out of bounds is left out, or
// moved inside where the mode is Clip.
func scatter(op prim.Combiner, y, x, idx, u *Tensor, p prim.Scattering) {
	copy(y.Data, x.Data)
	if u.Size() == 0 {
		return
	}
	if op == prim.CombineSet {
		switch x.DType.Size() {
		case 1:
			scatterInto(updater[uint8](setElements[uint8]).of(View[uint8](y), View[uint8](u)), y, idx, u, p)
		case 2:
			scatterInto(updater[uint16](setElements[uint16]).of(View[uint16](y), View[uint16](u)), y, idx, u, p)
		case 4:
			scatterInto(updater[uint32](setElements[uint32]).of(View[uint32](y), View[uint32](u)), y, idx, u, p)
		case 8:
			scatterInto(updater[uint64](setElements[uint64]).of(View[uint64](y), View[uint64](u)), y, idx, u, p)
		case 16:
			scatterInto(updater[[2]uint64](setElements[[2]uint64]).of(View[[2]uint64](y), View[[2]uint64](u)), y, idx, u, p)
		}
		return
	}
	switch dt := x.DType; dt {
	case core.Bool:
		scatterInto(updatersBool[op].of(View[int8](y), View[int8](u)), y, idx, u, p)
	case core.Int2, core.Int4:
		scatterInto(updatersI8[op].of(View[int8](y), View[int8](u)), y, idx, u, p)
		shorten(foldSum, View[int8](y), uint(dt.Bits()))
	case core.Int8:
		scatterInto(updatersI8[op].of(View[int8](y), View[int8](u)), y, idx, u, p)
	case core.Int16:
		scatterInto(updatersI16[op].of(View[int16](y), View[int16](u)), y, idx, u, p)
	case core.Int32:
		scatterInto(updatersI32[op].of(View[int32](y), View[int32](u)), y, idx, u, p)
	case core.Int64:
		scatterInto(updatersI64[op].of(View[int64](y), View[int64](u)), y, idx, u, p)
	case core.Uint2, core.Uint4:
		scatterInto(updatersU8[op].of(View[int8](y), View[int8](u)), y, idx, u, p)
		shorten(foldSum, View[uint8](y), uint(dt.Bits()))
	case core.Uint8:
		scatterInto(updatersU8[op].of(View[int8](y), View[int8](u)), y, idx, u, p)
	case core.Uint16:
		scatterInto(updatersU16[op].of(View[int16](y), View[int16](u)), y, idx, u, p)
	case core.Uint32:
		scatterInto(updatersU32[op].of(View[int32](y), View[int32](u)), y, idx, u, p)
	case core.Uint64:
		scatterInto(updatersU64[op].of(View[int64](y), View[int64](u)), y, idx, u, p)
	case core.BFloat16:
		scatterInto(updatersBF16[op].of(View[uint16](y), View[uint16](u)), y, idx, u, p)
	case core.Float16:
		scatterInto(updatersF16[op].of(View[uint16](y), View[uint16](u)), y, idx, u, p)
	case core.Float32:
		scatterInto(updatersF32[op].of(View[float32](y), View[float32](u)), y, idx, u, p)
	case core.Float64:
		scatterInto(updatersF64[op].of(View[float64](y), View[float64](u)), y, idx, u, p)
	case core.Complex64:
		scatterInto(updatersC64[op].of(View[complex64](y), View[complex64](u)), y, idx, u, p)
	case core.Complex128:
		scatterInto(updatersC128[op].of(View[complex128](y), View[complex128](u)), y, idx, u, p)
	default:
		if !dt.IsMinorFloat() {
			refuse(dt)
		}
		scatterInto(minorUpdater(op, dt).of(View[uint8](y), View[uint8](u)), y, idx, u, p)
	}
}

// scatterInto walks the updates in row-major order. An axis of theirs moves either
// within the window or from window to window.
func scatterInto(update func(d, step, u, n int), y, idx, u *Tensor, p prim.Scattering) {
	var bx, bs, bi [fewAxes]int
	var ba [fewAxes]axis
	g := indexing{shape: y.Shape, strides: rowMajor(bx[:0], y.Shape), sizes: bs[:0], mapped: p.ScatterDimsToOperandDims,
		batch: p.OperandBatchingDims, indexAxes: p.ScatterIndicesBatchingDims, drop: p.Mode != prim.Clip}
	si := rowMajor(bi[:0], idx.Shape)
	vector := max(idx.Shape.At(idx.Rank()-1), 1)
	axes := ba[:0] // d: within the window, in elements of y; s: from window to window
	window := 0
	for i := range y.Rank() {
		n := 1
		if !single(p, i) {
			n = u.Shape.At(p.UpdateWindowDims.At(window))
			window++
		}
		g.sizes = append(g.sizes, n)
	}
	window = 0
	place := 0
	for i, n := range u.Shape.All() {
		a := axis{n: n}
		if p.UpdateWindowDims.Has(i) {
			for single(p, window) {
				window++
			}
			a.d = g.strides[window]
			window++
		} else {
			a.s = si[place] / vector
			place++
		}
		axes = append(axes, a)
	}
	at, l := g.places(idx)
	axes, _ = tidy(axes)
	last := axis{n: 1}
	if k := len(axes) - 1; k >= 0 {
		last, axes = axes[k], axes[:k]
	}
	var bc [fewAxes]int
	pos := counters(bc[:0], len(axes))
	var d, s int
	at0 := 0
	for more := true; more; more = advance(axes, pos, &d, &s) {
		if last.s == 0 {
			if from := at[s]; from != nowhere {
				update(from+d, last.d, at0, last.n)
			}
		} else {
			for i := range last.n {
				if from := at[s+i*last.s]; from != nowhere {
					update(from+d, 0, at0+i, 1)
				}
			}
		}
		at0 += last.n
	}
	l.back()
}

// single reports whether a window has no axis of its own along axis i of the array.
func single(p prim.Scattering, i int) bool {
	return p.InsertedWindowDims.Has(i) || p.OperandBatchingDims.Has(i)
}
