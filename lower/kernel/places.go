package kernel

import "github.com/weft-go/weft/core"

// nowhere is the place of a window that is left out.
const nowhere = -1

// An indexing is what gather and scatter have in common: index vectors, the last
// axis of an integer array, say where windows of an array begin. Window sizes are
// those along all axes of the array.
type indexing struct {
	shape            core.Dims // of the array
	strides          []int
	sizes            []int     // of a window
	mapped           core.Dims // component k of a vector is along axis mapped[k]
	batch, indexAxes core.Dims // along axis batch[k] windows begin at the position along indexAxes[k]
	drop             bool      // windows that reach out are left out; else they are moved inside
}

// places gives the offset at which each window begins in the array, in the row-major
// order of the index array's other axes.
func (x *indexing) places(idx *Tensor) ([]int, *loan) {
	n := idx.Rank() - 1
	vector := idx.Shape.At(n)
	var buf [fewAxes]axis
	axes := buf[:0]
	total := 1
	for i := range n {
		axes = append(axes, axis{n: idx.Shape.At(i)})
		total *= idx.Shape.At(i)
	}
	at, l := borrow[int](total)
	var o odometer
	o.over(axes)
	var d, s int
	for p := range at {
		at[p] = x.place(idx, p*vector, o.at)
		o.next(&d, &s)
	}
	return at, l
}

// place is where the window of the vector at element v begins; pos is the vector's
// position.
func (x *indexing) place(idx *Tensor, v int, pos []int) int {
	off := 0
	for k, a := range x.mapped.All() {
		start, most := indexAt(idx, v+k), x.shape.At(a)-x.sizes[a]
		if start < 0 || start > most {
			if x.drop {
				return nowhere
			}
			start = max(0, min(start, most))
		}
		off += start * x.strides[a]
	}
	for k, a := range x.batch.All() {
		off += pos[x.indexAxes.At(k)] * x.strides[a]
	}
	return off
}
