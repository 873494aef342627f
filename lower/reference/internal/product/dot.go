package product

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/lower/reference/internal/block"
)

// DotInto brings both operands into rows along the contracted axes and multiplies
// every row of a with every row of b. Tiles may read b as it lies.
func DotInto[A any](kernel DotKernel[A], y []A, a, b *block.Tensor, ac, bc, ab, bb core.Dims, stop block.Stopper) {
	if len(y) == 0 {
		return
	}
	ea, la := block.ElementsAs[A](a)
	eb, lb := block.ElementsAs[A](b)
	batch, k := 1, 1
	for _, i := range ab.All() {
		batch *= a.Shape.At(i)
	}
	for _, i := range ac.All() {
		k *= a.Shape.At(i)
	}
	m, n := a.Size()/max(batch*k, 1), b.Size()/max(batch*k, 1)
	tiles := TilerOf[A]()
	complexTiles := ComplexTiler[A]()
	inTiles := func(n int) bool { return tiles != nil && Tiled(n, k) }
	x, lx := matrix(ea, a.Shape, ab, ac)
	w, lw, down, across := eb, (*block.Loan)(nil), n, 1
	if !inTiles(n) || !contractedFirst(b.Shape, bb, bc) {
		w, lw = matrix(eb, b.Shape, bb, bc)
		down, across = 1, k
	}
	switch {
	case k == 0: // no products: everything is +0, or false
		clear(y)
	case tiles != nil && n == 1:
		for i := range batch {
			tiles.column(kernel, y[i*m:(i+1)*m], x[i*m*k:(i+1)*m*k], w[i*k:(i+1)*k], m, k, stop)
		}
	case tiles != nil && m == 1 && down == 1: // the operands change places: products commute
		for i := range batch {
			tiles.column(kernel, y[i*n:(i+1)*n], w[i*n*k:(i+1)*n*k], x[i*k:(i+1)*k], n, k, stop)
		}
	case inTiles(n):
		for i := range batch {
			tiles.multiply(y[i*m*n:(i+1)*m*n], n, x[i*m*k:(i+1)*m*k], w[i*n*k:(i+1)*n*k], down, across, m, n, k, stop)
		}
	case complexTiles != nil && Tiled(n, k) && m >= 4:
		for i := range batch {
			complexTiles(y[i*m*n:(i+1)*m*n], n, x[i*m*k:(i+1)*m*k], w[i*n*k:(i+1)*n*k], m, n, k, stop)
		}
	default:
		for i := range batch {
			Multiply(kernel, y[i*m*n:(i+1)*m*n], n, x[i*m*k:(i+1)*m*k], w[i*n*k:(i+1)*n*k], m, n, k, stop)
		}
	}
	lw.Back()
	lx.Back()
	lb.Back()
	la.Back()
}

// rowRun is how many elements of long rows are multiplied before the next row, a multiple of
// DotChunk.
const rowRun = 1 << 16

// Multiply is y[m, n] = x[m, k] · w[n, k]ᵀ, where rows of y are ld apart. The rows of
// w go in groups that stay in the cache while all rows of x pass.
func Multiply[A any](kernel DotKernel[A], y []A, ld int, x, w []A, m, n, k int, stop block.Stopper) {
	run := min(k, rowRun)
	step := max(4, (1<<14)/k&^3)
	between := max(1, min(16, (1<<19)/(step*run))) // rows between two calls of stop
	var part []A                                   // parts of the rows of a group, side by side
	var l *block.Loan
	if run < k && n > 1 {
		part, l = block.Borrow[A](step * run)
		defer l.Back()
	}
	for j := 0; j < n; j += step {
		end := min(j+step, n)
		for lo := 0; lo < k; lo += run {
			hi := min(lo+run, k)
			group := w[j*k+lo : (end-1)*k+hi]
			if part != nil {
				group = part[:0]
				for r := j; r < end; r++ {
					group = append(group, w[r*k+lo:r*k+hi]...)
				}
			}
			for i := range m {
				if i%between == 0 && stop.Stopped() {
					return
				}
				c := y[i*ld+j : i*ld+end]
				if lo == 0 {
					clear(c)
				}
				kernel(c, x[i*k+lo:i*k+hi], group)
			}
		}
	}
}

// matrix returns x with its axes in the order batch, rest, contracted: x itself if they have this order
// already, else a copy.
func matrix[A any](x []A, shape, batch, contracted core.Dims) ([]A, *block.Loan) {
	var buf [block.FewAxes]int
	return Ordered(x, shape, matrixOrder(buf[:0], shape, batch, contracted))
}

// matrixOrder appends the axes to order: batch, rest, contracted.
func matrixOrder(order []int, shape, batch, contracted core.Dims) []int {
	for _, i := range batch.All() {
		order = append(order, i)
	}
	for i := range shape.Len() {
		if !batch.Has(i) && !contracted.Has(i) {
			order = append(order, i)
		}
	}
	for _, i := range contracted.All() {
		order = append(order, i)
	}
	return order
}

// Ordered returns x with its axes in the given order: x itself if they have this order already, else a copy.
// Inlining it would repeat its code in the kernels of every type.
//
//go:noinline
func Ordered[A any](x []A, shape core.Dims, order []int) ([]A, *block.Loan) {
	var ba [block.FewAxes]block.Axis
	axes, moves := orderedAxes(ba[:0], shape, order)
	if !moves {
		return x, nil
	}
	y, l := block.Borrow[A](len(x))
	block.MoveAs(y, x, 0, 0, axes)
	return y, l
}

// orderedAxes appends the axes of shape in the given order to axes, as strides of an array and
// of its copy, and reports whether elements change places.
func orderedAxes(axes []block.Axis, shape core.Dims, order []int) ([]block.Axis, bool) {
	var bx [block.FewAxes]int
	sx := block.RowMajor(bx[:0], shape)
	for _, i := range order {
		axes = append(axes, block.Axis{N: shape.At(i), S: sx[i]})
	}
	d := 1
	for i := len(axes) - 1; i >= 0; i-- {
		axes[i].D = d
		d *= max(axes[i].N, 1)
	}
	axes, ok := block.Tidy(axes)
	return axes, ok && len(axes) > 0 && (len(axes) > 1 || axes[0].S != 1)
}
