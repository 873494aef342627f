package reference

import (
	"slices"
	"unsafe"

	"github.com/weft-go/weft/core"
)

// move copies src[s+…] to dst[d+…] over the nest of axes, which it may rewrite.
// Bits are copied as they are: nothing here depends on what an element means.
func move(dst, src *Tensor, d, s int, axes []axis) {
	axes, ok := tidy(axes)
	if !ok {
		return
	}
	moveTidy(dst, src, d, s, axes)
}

// moveTidy is move over a nest that is tidy and not empty; it keeps the nest.
func moveTidy(dst, src *Tensor, d, s int, axes []axis) {
	if len(dst.Data) > 0 && len(src.Data) > 0 {
		size := dst.DType.Size()
		moveBits(unsafe.Pointer(&dst.Data[0]), len(dst.Data)/size, unsafe.Pointer(&src.Data[0]), len(src.Data)/size, size, d, s, axes)
	}
}

// moveAs is moveTidy for slices.
func moveAs[T any](dst, src []T, d, s int, axes []axis) {
	moveBits(unsafe.Pointer(unsafe.SliceData(dst)), len(dst), unsafe.Pointer(unsafe.SliceData(src)), len(src), elementBytes[T](), d, s, axes)
}

// moveBits moves between m elements and n ones of the given size: only that matters.
func moveBits(dst unsafe.Pointer, m int, src unsafe.Pointer, n, size, d, s int, axes []axis) {
	switch size {
	case 1:
		moveRuns(vec[uint8](dst, m), vec[uint8](src, n), d, s, axes)
	case 2:
		moveRuns(vec[uint16](dst, m), vec[uint16](src, n), d, s, axes)
	case 4:
		moveRuns(vec[uint32](dst, m), vec[uint32](src, n), d, s, axes)
	case 8:
		moveRuns(vec[uint64](dst, m), vec[uint64](src, n), d, s, axes)
	case 16:
		moveRuns(vec[[2]uint64](dst, m), vec[[2]uint64](src, n), d, s, axes)
	}
}

func moveRuns[T any](dst, src []T, d, s int, axes []axis) {
	k := len(axes) - 1
	if k < 0 {
		dst[d] = src[s]
		return
	}
	last := axes[k]
	if k == 0 {
		moveRun(dst, src, d, s, last)
		return
	}
	if p := crossing(axes); p >= 0 {
		moveCrossing(dst, src, d, s, axes, p)
		return
	}
	if last.n*last.d == axes[k-1].d && last.d == 1 && axes[k-1].s == 0 {
		moveRepeats(dst, src, d, s, axes)
		return
	}
	var buf [fewAxes]int
	at := counters(buf[:0], k)
	for more := true; more; more = advance(axes[:k], at, &d, &s) {
		moveRun(dst, src, d, s, last)
	}
}

// moveRun copies along one axis.
func moveRun[T any](dst, src []T, d, s int, a axis) {
	switch {
	case a.d == 1 && a.s == 1:
		copy(dst[d:d+a.n], src[s:s+a.n])
	case a.d == 1 && a.s == 0:
		fillRun(dst[d:d+a.n], src[s])
	case a.d == 1 && a.s == -1:
		from := src[s-a.n+1 : s+1]
		to := dst[d : d+a.n]
		for i := range to {
			to[i] = from[len(from)-1-i]
		}
	case a.d == 1:
		for i := range dst[d : d+a.n] {
			dst[d+i] = src[s]
			s += a.s
		}
	default:
		for range a.n {
			dst[d] = src[s]
			d += a.d
			s += a.s
		}
	}
}

// fillRun sets all of dst to v.
func fillRun[T any](dst []T, v T) {
	n := min(len(dst), 64)
	for i := range dst[:n] {
		dst[i] = v
	}
	for n < len(dst) {
		n += copy(dst[n:], dst[:n])
	}
}

// moveRepeats copies where the last axis but one repeats a contiguous run of the
// destination: the run is made once and copied.
func moveRepeats[T any](dst, src []T, d, s int, axes []axis) {
	k := len(axes) - 1
	run, times := axes[k], axes[k-1].n
	var buf [fewAxes]int
	at := counters(buf[:0], k-1)
	for more := true; more; more = advance(axes[:k-1], at, &d, &s) {
		moveRun(dst, src, d, s, run)
		all := dst[d : d+times*run.n]
		for done := run.n; done < len(all); {
			done += copy(all[done:], all[:done])
		}
	}
}

// crossing finds the axis along which the source is contiguous where the last one
// leaps in it, so that the two are better walked in square tiles; −1 if there is none.
func crossing(axes []axis) int {
	k := len(axes) - 1
	if s := axes[k].s; s >= -1 && s <= 1 {
		return -1
	}
	for i := k - 1; i >= 0; i-- {
		if axes[i].s == 1 && axes[i].n >= 4 {
			return i
		}
	}
	return -1
}

// tile is the edge of a square that is transposed through a buffer: so many
// elements are a cache line or more, and each line is read and written once.
const tile = 16

func moveCrossing[T any](dst, src []T, d, s int, axes []axis, p int) {
	k := len(axes) - 1
	a, b := axes[p], axes[k] // a: source contiguous; b: the destination's last axis
	var buf [fewAxes]axis
	rest := append(append(buf[:0], axes[:p]...), axes[p+1:k]...)
	var atBuf [fewAxes]int
	at := counters(atBuf[:0], len(rest))
	var square [tile * tile]T
	for more := true; more; more = advance(rest, at, &d, &s) {
		for i0 := 0; i0 < a.n; i0 += tile {
			ni := min(tile, a.n-i0)
			for j0 := 0; j0 < b.n; j0 += tile {
				nj := min(tile, b.n-j0)
				from := s + i0 + j0*b.s
				for j := range nj {
					copy(square[j*tile:j*tile+ni], src[from:])
					from += b.s
				}
				to := d + i0*a.d + j0*b.d
				for i := range ni {
					if b.d == 1 {
						row := dst[to+i*a.d:][:nj]
						for j := range row {
							row[j] = square[(j*tile+i)&(tile*tile-1)]
						}
						continue
					}
					for j := range nj {
						dst[to+i*a.d+j*b.d] = square[j*tile+i]
					}
				}
			}
		}
	}
}

// copyAll copies all elements in row-major order, regardless of the shapes.
func copyAll(in, out []*Tensor) { copy(out[0].Data, in[0].Data) }

// fillScalar sets all of dst to the scalar v.
func fillScalar(dst, v *Tensor) {
	move(dst, v, 0, 0, []axis{{dst.Size(), 1, 0}})
}

// broadcastInDim puts axis i of x at axis dims[i] of y and repeats it along the
// others; an axis of size 1 is repeated too.
func broadcastInDim(y, x *Tensor, dims core.Dims) {
	var ba [fewAxes]axis
	axes := ba[:0]
	k := x.Shape.Len() - 1 // dims increase
	for i, sx, sy := y.Shape.Len()-1, 1, 1; i >= 0; i-- {
		a := axis{n: y.Shape.At(i), d: sy}
		if k >= 0 && dims.At(k) == i {
			n := x.Shape.At(k)
			if n != 1 {
				a.s = sx
			}
			sx *= max(n, 1) // the strides of an empty array have no meaning, and must not overflow
			k--
		}
		sy *= max(a.n, 1)
		if a.n != 1 {
			axes = append(axes, a)
		}
	}
	slices.Reverse(axes)
	move(y, x, 0, 0, axes)
}

// transpose: axis i of y is axis perm[i] of x.
func transpose(y, x *Tensor, perm core.Dims) {
	var bx, by [fewAxes]int
	var ba [fewAxes]axis
	sx, sy := rowMajor(bx[:0], x.Shape), rowMajor(by[:0], y.Shape)
	axes := ba[:0]
	for i, from := range perm.All() {
		axes = append(axes, axis{y.Shape.At(i), sy[i], sx[from]})
	}
	move(y, x, 0, 0, axes)
}

// reverse: along dims, y has the elements of x in reverse order.
func reverse(y, x *Tensor, dims core.Dims) {
	var bx [fewAxes]int
	var ba [fewAxes]axis
	sx := rowMajor(bx[:0], x.Shape)
	axes := ba[:0]
	s := 0
	for i, n := range x.Shape.All() {
		a := axis{n, sx[i], sx[i]}
		if n > 0 && dims.Has(i) {
			s += (n - 1) * sx[i]
			a.s = -a.s
		}
		axes = append(axes, a)
	}
	move(y, x, 0, s, axes)
}

// slice takes the elements of x from start on, every strides[i]th of axis i, as
// many as y holds. Empty strides are ones.
func slice(y, x *Tensor, start, strides core.Dims) {
	var bx, by [fewAxes]int
	var ba [fewAxes]axis
	sx, sy := rowMajor(bx[:0], x.Shape), rowMajor(by[:0], y.Shape)
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
		axes = append(axes, axis{n, sy[i], by * sx[i]})
	}
	move(y, x, 0, s, axes)
}

// window copies the box of the given shape between two dense arrays: from offset
// s of an array of strides ss to offset d of one of strides ds.
func window(dst, src *Tensor, shape core.Dims, d, s int, ds, ss []int) {
	var ba [fewAxes]axis
	axes := ba[:0]
	for i, n := range shape.All() {
		axes = append(axes, axis{n, ds[i], ss[i]})
	}
	move(dst, src, d, s, axes)
}

// concatenate puts the operands behind each other along the axis.
func concatenate(y *Tensor, in []*Tensor, dim int) {
	var bx, by [fewAxes]int
	sy := rowMajor(by[:0], y.Shape)
	at := 0
	for _, x := range in {
		window(y, x, x.Shape, at, 0, sy, rowMajor(bx[:0], x.Shape))
		at += x.Shape.At(dim) * sy[dim]
	}
}

// split cuts x along the axis into the results.
func split(out []*Tensor, x *Tensor, dim int) {
	var bx, by [fewAxes]int
	sx := rowMajor(bx[:0], x.Shape)
	at := 0
	for _, y := range out {
		window(y, x, y.Shape, 0, at, rowMajor(by[:0], y.Shape), sx)
		at += y.Shape.At(dim) * sx[dim]
	}
}

// stack puts the operands beside each other along a new axis.
func stack(y *Tensor, in []*Tensor, dim int) {
	var bx, by [fewAxes]int
	sy := rowMajor(by[:0], y.Shape)
	step := sy[dim]
	sy = append(sy[:dim], sy[dim+1:]...)
	for i, x := range in {
		window(y, x, x.Shape, i*step, 0, sy, rowMajor(bx[:0], x.Shape))
	}
}

// unstack copies each index of the axis to a result of its own.
func unstack(out []*Tensor, x *Tensor, dim int) {
	var bx, by [fewAxes]int
	sx := rowMajor(bx[:0], x.Shape)
	step := sx[dim]
	sx = append(sx[:dim], sx[dim+1:]...)
	for i, y := range out {
		window(y, x, y.Shape, 0, i*step, rowMajor(by[:0], y.Shape), sx)
	}
}

// tileCopies repeats x along axis i reps[i] times.
func tileCopies(y, x *Tensor, reps core.Dims) {
	var bx, by [fewAxes]int
	var ba [2 * fewAxes]axis
	sx, sy := rowMajor(bx[:0], x.Shape), rowMajor(by[:0], y.Shape)
	axes := ba[:0]
	for i, n := range x.Shape.All() {
		axes = append(axes, axis{reps.At(i), n * sy[i], 0}, axis{n, sy[i], sx[i]})
	}
	move(y, x, 0, 0, axes)
}

// pad puts element j of axis i of x at lo + j·(interior+1), where y has such a
// position, and v everywhere else. config is low, high, interior for each axis.
func pad(y, x, v *Tensor, config core.Dims) {
	var bx, by [fewAxes]int
	var ba [fewAxes]axis
	sx, sy := rowMajor(bx[:0], x.Shape), rowMajor(by[:0], y.Shape)
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
		axes = append(axes, axis{last - first + 1, step * sy[i], sx[i]})
		covered = covered && last-first+1 == m
	}
	if !covered {
		fillScalar(y, v)
	}
	move(y, x, d, s, axes)
}
