package linalg

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/lower/reference/internal/block"
)

// SymmetricRootP is a step of executors: for each matrix of f32 or f64 of an array the lower
// triangle of [prim.CholeskyP] of (a + aᵀ)/2, with zeros above the diagonal. It has the bits of
// these equations one after the other.
type SymmetricRootP struct{}

// Name returns the name of the equation that it replaces.
func (SymmetricRootP) Name() string { return prim.CholeskyP{}.Name() }

// Abstract keeps the type.
func (SymmetricRootP) Abstract(in []core.ShapedArray) []core.ShapedArray { return in }

// HasSymmetricRoot reports whether matrices of a type are so small, and so many, that
// SymmetricRootP saves time.
func HasSymmetricRoot(a core.ShapedArray) bool {
	r := a.Rank()
	if a.DType != core.Float32 && a.DType != core.Float64 || r < 3 {
		return false
	}
	n := a.Shape.At(r - 1)
	return n == a.Shape.At(r-2) && n > 0 && n <= laneSize && a.Size() >= laneCount*n*n
}

func symmetricRoots(y, x *block.Tensor) {
	n := x.Shape.At(-1)
	if x.DType == core.Float32 {
		symmetricRootsInto(&fieldF32, block.View[float32](y), block.View[float32](x), n)
		return
	}
	symmetricRootsInto(&fieldF64, block.View[float64](y), block.View[float64](x), n)
}

func symmetricRootsInto[A block.Float](f *field[A], y, x []A, n int) {
	size := n * n
	for f.inLanes(n, len(x)/size) {
		f.lanes.cholesky(f, y[:laneCount*size], x[:laneCount*size], n, true)
		y, x = y[laneCount*size:], x[laneCount*size:]
	}
	mean, lm := block.Borrow[A](size)
	panel, lp := block.Borrow[A](blockWidth(n) * n)
	for ; len(x) > 0; y, x = y[size:], x[size:] {
		clear(mean)
		for i := range n {
			for j := range i + 1 {
				mean[i*n+j] = (x[i*n+j] + x[j*n+i]) / 2
			}
		}
		choleskyOne(f, y[:size], mean, panel, n)
		clearAbove(y[:size], n)
	}
	lp.Back()
	lm.Back()
}

// clearAbove writes zeros above the diagonal.
func clearAbove[A any](y []A, n int) {
	for i := range n {
		clear(y[i*n+i+1 : (i+1)*n])
	}
}
