package reference

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/lower/reference/internal/block"
)

// nowhere is the offset of a window that is left out.
const nowhere = -1

// An indexing is the part that gather and scatter share: index vectors, along the last axis of an integer
// array, are the positions of windows of an array. A window has a size along each axis of the array.
type indexing struct {
	shape            core.Dims // of the array
	strides          []int
	sizes            []int     // of a window
	mapped           core.Dims // component k of a vector is along axis mapped[k]
	batch, indexAxes core.Dims // along axis batch[k] a window begins where its index vector is along axis indexAxes[k]
	drop             bool      // windows that reach out are left out; else they are moved inside
}

// places returns the offset at which each window begins in the array, in the row-major
// order of the index array's other axes.
func (x *indexing) places(idx *block.Tensor) ([]int, *block.Loan) {
	n := idx.Rank() - 1
	vector := idx.Shape.At(n)
	var ba [block.FewAxes]block.Axis
	axes := ba[:0]
	total := 1
	for i := range n {
		axes = append(axes, block.Axis{N: idx.Shape.At(i)})
		total *= idx.Shape.At(i)
	}
	for k, a := range x.batch.All() {
		axes[x.indexAxes.At(k)].S = x.strides[a]
	}
	// By component of an index vector: the last position of a window and the stride along its
	// axis.
	var bc [block.FewAxes]block.Axis
	comps := bc[:0]
	for _, a := range x.mapped.All() {
		comps = append(comps, block.Axis{N: x.shape.At(a) - x.sizes[a], D: x.strides[a]})
	}
	at, l := block.Borrow[int](total)
	for i, n := range x.sizes {
		if n > x.shape.At(i) { // such as an axis of size 0: no window fits, wherever it begins
			block.FillRun(at, nowhere)
			return at, l
		}
	}
	v, lv := indices(idx)
	var bp [block.FewAxes]int
	pos := block.Counters(bp[:0], n)
	var d, base int
	for p := range at {
		at[p] = x.place(v[p*vector:(p+1)*vector], comps, base)
		block.Advance(axes, pos, &d, &base)
	}
	lv.Back()
	return at, l
}

// place returns base plus the offset of the window of an index vector, or nowhere.
func (x *indexing) place(v []int, comps []block.Axis, base int) int {
	for k, c := range comps {
		i := v[k]
		if uint(i) > uint(c.N) {
			if x.drop {
				return nowhere
			}
			i = max(0, min(i, c.N))
		}
		base += i * c.D
	}
	return base
}

// indices returns the elements of an integer array as ints; see indexAt.
func indices(x *block.Tensor) ([]int, *block.Loan) {
	v, l := block.Borrow[int](x.Size())
	if x.DType == core.Int32 {
		for i, n := range block.View[int32](x) {
			v[i] = int(n)
		}
		return v, l
	}
	for i := range v {
		v[i] = indexAt(x, i)
	}
	return v, l
}
