package reference

import (
	"slices"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/lower/reference/internal/block"
)

// copyAll copies all elements in row-major order, regardless of the shapes.
func copyAll(in, out []*block.Tensor) { copy(out[0].Data, in[0].Data) }

func fillScalar(dst, v *block.Tensor) {
	block.Move(dst, v, 0, 0, []block.Axis{{N: dst.Size(), D: 1, S: 0}})
}

// broadcastInDim puts axis i of x at axis dims[i] of y and repeats it along the
// others; an axis of size 1 is repeated too.
func broadcastInDim(y, x *block.Tensor, dims core.Dims) {
	var ba [block.FewAxes]block.Axis
	axes := ba[:0]
	k := x.Shape.Len() - 1 // dims increase
	for i, sx, sy := y.Shape.Len()-1, 1, 1; i >= 0; i-- {
		a := block.Axis{N: y.Shape.At(i), D: sy}
		if k >= 0 && dims.At(k) == i {
			n := x.Shape.At(k)
			if n != 1 {
				a.S = sx
			}
			sx *= max(n, 1) // the strides of an empty array have no meaning, and must not overflow
			k--
		}
		sy *= max(a.N, 1)
		if a.N != 1 {
			axes = append(axes, a)
		}
	}
	slices.Reverse(axes)
	block.Move(y, x, 0, 0, axes)
}

// transpose: axis i of y is axis perm[i] of x.
func transpose(y, x *block.Tensor, perm core.Dims) {
	var bx, by [block.FewAxes]int
	var ba [block.FewAxes]block.Axis
	sx, sy := block.RowMajor(bx[:0], x.Shape), block.RowMajor(by[:0], y.Shape)
	axes := ba[:0]
	for i, from := range perm.All() {
		axes = append(axes, block.Axis{N: y.Shape.At(i), D: sy[i], S: sx[from]})
	}
	block.Move(y, x, 0, 0, axes)
}

func reverse(y, x *block.Tensor, dims core.Dims) {
	var bx [block.FewAxes]int
	var ba [block.FewAxes]block.Axis
	sx := block.RowMajor(bx[:0], x.Shape)
	axes := ba[:0]
	s := 0
	for i, n := range x.Shape.All() {
		a := block.Axis{N: n, D: sx[i], S: sx[i]}
		if n > 0 && dims.Has(i) {
			s += (n - 1) * sx[i]
			a.S = -a.S
		}
		axes = append(axes, a)
	}
	block.Move(y, x, 0, s, axes)
}

// slice takes the elements of x from position `start` on, every strides[i]th of axis i, as
// many as y holds. Empty strides are ones.
func slice(y, x *block.Tensor, start, strides core.Dims) {
	var bx, by [block.FewAxes]int
	var ba [block.FewAxes]block.Axis
	sx, sy := block.RowMajor(bx[:0], x.Shape), block.RowMajor(by[:0], y.Shape)
	axes := ba[:0]
	s := 0
	for i, n := range y.Shape.All() {
		by := 1
		if strides.Len() > 0 {
			by = strides.At(i)
		}
		s += start.At(i) * sx[i]
		if n == 1 {
			by = 0 // one element: the stride may be anything
		}
		axes = append(axes, block.Axis{N: n, D: sy[i], S: by * sx[i]})
	}
	block.Move(y, x, 0, s, axes)
}

// window copies the box of the given shape between two dense arrays: from offset
// s of an array of strides ss to offset d of one of strides ds.
func window(dst, src *block.Tensor, shape core.Dims, d, s int, ds, ss []int) {
	var ba [block.FewAxes]block.Axis
	axes := ba[:0]
	for i, n := range shape.All() {
		axes = append(axes, block.Axis{N: n, D: ds[i], S: ss[i]})
	}
	block.Move(dst, src, d, s, axes)
}

func concatenate(y *block.Tensor, in []*block.Tensor, dim int) {
	var bx, by [block.FewAxes]int
	sy := block.RowMajor(by[:0], y.Shape)
	at := 0
	for _, x := range in {
		window(y, x, x.Shape, at, 0, sy, block.RowMajor(bx[:0], x.Shape))
		at += x.Shape.At(dim) * sy[dim]
	}
}

func split(out []*block.Tensor, x *block.Tensor, dim int) {
	var bx, by [block.FewAxes]int
	sx := block.RowMajor(bx[:0], x.Shape)
	at := 0
	for _, y := range out {
		window(y, x, y.Shape, 0, at, block.RowMajor(by[:0], y.Shape), sx)
		at += y.Shape.At(dim) * sx[dim]
	}
}

func stack(y *block.Tensor, in []*block.Tensor, dim int) {
	var bx, by [block.FewAxes]int
	sy := block.RowMajor(by[:0], y.Shape)
	step := sy[dim]
	sy = append(sy[:dim], sy[dim+1:]...)
	for i, x := range in {
		window(y, x, x.Shape, i*step, 0, sy, block.RowMajor(bx[:0], x.Shape))
	}
}

// unstack copies the slice at each index of the axis to a result of its own.
func unstack(out []*block.Tensor, x *block.Tensor, dim int) {
	var bx, by [block.FewAxes]int
	sx := block.RowMajor(bx[:0], x.Shape)
	step := sx[dim]
	sx = append(sx[:dim], sx[dim+1:]...)
	for i, y := range out {
		window(y, x, y.Shape, 0, i*step, block.RowMajor(by[:0], y.Shape), sx)
	}
}

func tileCopies(y, x *block.Tensor, reps core.Dims) {
	var bx, by [block.FewAxes]int
	var ba [2 * block.FewAxes]block.Axis
	sx, sy := block.RowMajor(bx[:0], x.Shape), block.RowMajor(by[:0], y.Shape)
	axes := ba[:0]
	for i, n := range x.Shape.All() {
		axes = append(axes, block.Axis{N: reps.At(i), D: n * sy[i], S: 0}, block.Axis{N: n, D: sy[i], S: sx[i]})
	}
	block.Move(y, x, 0, 0, axes)
}

// pad puts element j of axis i of x at lo + j·(interior+1), where y has such a
// position, and v everywhere else. config is low, high, interior for each axis.
func pad(y, x, v *block.Tensor, config core.Dims) {
	var bx, by [block.FewAxes]int
	var ba [block.FewAxes]block.Axis
	sx, sy := block.RowMajor(bx[:0], x.Shape), block.RowMajor(by[:0], y.Shape)
	axes := ba[:0]
	d, s := 0, 0
	covered := true
	for i, n := range x.Shape.All() {
		lo, step, m := config.At(3*i), config.At(3*i+2)+1, y.Shape.At(i)
		if n <= 1 {
			step = 1
		}
		first, last := 0, n-1 // the elements that stay
		if lo < 0 {
			first = min(-(lo+1)/step+1, n)
		}
		if m == 0 || lo > m-1 || first > last {
			first, last = 0, -1
		} else {
			last = min(last, (m-1-lo)/step)
		}
		d += (lo + first*step) * sy[i]
		s += first * sx[i]
		axes = append(axes, block.Axis{N: last - first + 1, D: step * sy[i], S: sx[i]})
		covered = covered && last-first+1 == m
	}
	if !covered {
		fillScalar(y, v)
	}
	block.Move(y, x, d, s, axes)
}
