package reference

import "github.com/weft-go/weft/core"

// nowhere is the offset of a window that is left out.
const nowhere = -1

// An indexing is what gather and scatter have in common: index vectors, the last
// axis of an integer array, are where windows of an array begin. Window sizes are
// those along all axes of the array.
type indexing struct {
	shape            core.Dims // of the array
	strides          []int
	sizes            []int     // of a window
	mapped           core.Dims // component k of a vector is along axis mapped[k]
	batch, indexAxes core.Dims // along axis batch[k] windows begin at the position along indexAxes[k]
	drop             bool      // windows that reach out are left out; else they are moved inside
}

// places returns the offset at which each window begins in the array, in the row-major
// order of the index array's other axes.
func (x *indexing) places(idx *Tensor) ([]int, *loan) {
	n := idx.Rank() - 1
	vector := idx.Shape.At(n)
	var ba [fewAxes]axis
	axes := ba[:0]
	total := 1
	for i := range n {
		axes = append(axes, axis{n: idx.Shape.At(i)})
		total *= idx.Shape.At(i)
	}
	for k, a := range x.batch.All() {
		axes[x.indexAxes.At(k)].s = x.strides[a]
	}
	// Component k: an axis of so many steps, each d far.
	var bc [fewAxes]axis
	comps := bc[:0]
	for _, a := range x.mapped.All() {
		comps = append(comps, axis{n: x.shape.At(a) - x.sizes[a], d: x.strides[a]})
	}
	at, l := borrow[int](total)
	for i, n := range x.sizes {
		if n > x.shape.At(i) { // an axis of size 0 has no room for a window, wherever it begins
			fillRun(at, nowhere)
			return at, l
		}
	}
	v, lv := indices(idx)
	var bp [fewAxes]int
	pos := counters(bp[:0], n)
	var d, base int
	for p := range at {
		at[p] = x.place(v[p*vector:(p+1)*vector], comps, base)
		advance(axes, pos, &d, &base)
	}
	lv.back()
	return at, l
}

// place returns where the window of an index vector begins.
func (x *indexing) place(v []int, comps []axis, base int) int {
	for k, c := range comps {
		i := v[k]
		if uint(i) > uint(c.n) {
			if x.drop {
				return nowhere
			}
			i = max(0, min(i, c.n))
		}
		base += i * c.d
	}
	return base
}

// indices returns the elements of an integer array as ints; see indexAt.
func indices(x *Tensor) ([]int, *loan) {
	v, l := borrow[int](x.Size())
	if x.DType == core.Int32 {
		for i, n := range View[int32](x) {
			v[i] = int(n)
		}
		return v, l
	}
	for i := range v {
		v[i] = indexAt(x, i)
	}
	return v, l
}
