package reference

import (
	"github.com/weft-go/weft/core/prim/indexed"
	"github.com/weft-go/weft/lower/reference/internal/block"
)

// An updater changes elements of type T in a scatter: it applies n updates, from update u on, to elements that
// are `step` apart, from element d on.
type updater[T any] func(dst, upd []T, d, step, u, n int)

func (f updater[T]) of(y, u *block.Tensor) func(d, step, u, n int) {
	dst, upd := block.View[T](y), block.View[T](u)
	return func(d, step, u, n int) { f(dst, upd, d, step, u, n) }
}

// setUpdate returns the updater that overwrites elements of the size of a T.
func setUpdate[T any](y, u *block.Tensor) func(d, step, u, n int) {
	return updater[T](setElements[T]).of(y, u)
}

// scatter writes x to y, changed by the updates u, one after the other in their row-major order, each rounded to the
// type of x. Windows that reach out of the array are left out, or moved inside where the mode is Clip.
func scatter(op indexed.Combiner, y, x, idx, u *block.Tensor, p indexed.Scattering) {
	startFrom(y, x)
	if u.Size() == 0 {
		return
	}
	if op == indexed.CombineSet {
		switch x.DType.Size() {
		case 1:
			scatterInto(setUpdate[uint8](y, u), y, idx, u, p)
		case 2:
			scatterInto(setUpdate[uint16](y, u), y, idx, u, p)
		case 4:
			scatterInto(setUpdate[uint32](y, u), y, idx, u, p)
		case 8:
			scatterInto(setUpdate[uint64](y, u), y, idx, u, p)
		case 16:
			scatterInto(setUpdate[[2]uint64](y, u), y, idx, u, p)
		}
		return
	}
	n := numericOf(x.DType)
	scatterInto(n.update(op, y, u), y, idx, u, p)
	n.wrap(y)
}

// scatterInto walks the updates in row-major order. An axis of the updates moves either within the window or
// from window to window.
func scatterInto(update func(d, step, u, n int), y, idx, u *block.Tensor, p indexed.Scattering) {
	var bx, bs, bi [block.FewAxes]int
	var ba [block.FewAxes]block.Axis
	g := indexing{shape: y.Shape, strides: block.RowMajor(bx[:0], y.Shape), sizes: bs[:0], mapped: p.ScatterDimsToOperandDims,
		batch: p.OperandBatchingDims, indexAxes: p.ScatterIndicesBatchingDims, drop: p.Mode != indexed.Clip}
	si := block.RowMajor(bi[:0], idx.Shape)
	vector := max(idx.Shape.At(idx.Rank()-1), 1)
	axes := ba[:0] // D: within the window, in elements of y; S: from window to window
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
		a := block.Axis{N: n}
		if p.UpdateWindowDims.Has(i) {
			for single(p, window) {
				window++
			}
			a.D = g.strides[window]
			window++
		} else {
			a.S = si[place] / vector
			place++
		}
		axes = append(axes, a)
	}
	at, l := g.places(idx)
	axes, _ = block.Tidy(axes)
	last := block.Axis{N: 1}
	if k := len(axes) - 1; k >= 0 {
		last, axes = axes[k], axes[:k]
	}
	var bc [block.FewAxes]int
	pos := block.Counters(bc[:0], len(axes))
	var d, s int
	at0 := 0
	for more := true; more; more = block.Advance(axes, pos, &d, &s) {
		if last.S == 0 {
			if from := at[s]; from != nowhere {
				update(from+d, last.D, at0, last.N)
			}
		} else {
			for i := range last.N {
				if from := at[s+i*last.S]; from != nowhere {
					update(from+d, 0, at0+i, 1)
				}
			}
		}
		at0 += last.N
	}
	l.Back()
}

// single reports whether a window has no axis of its own along axis i of the array.
func single(p indexed.Scattering, i int) bool {
	return p.InsertedWindowDims.Has(i) || p.OperandBatchingDims.Has(i)
}
