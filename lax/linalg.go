package lax

import (
	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/core/prim/matrices"
)

// Cholesky returns the lower Cholesky factor of every positive definite matrix of x, with zeros
// above the diagonal. It is NaN for a matrix that is not positive definite. Each matrix is first
// replaced by the mean of itself and its conjugate transpose, so that the derivative is
// symmetric. Integers are converted to floats. A call writes the equations of the mean, the
// conversion, the factor and its lower triangle.
func Cholesky(x weft.Array) weft.Array {
	v := x.Value()
	a := v.Aval()
	n := a.Rank()
	if n < 2 || a.Shape.At(n-1) != a.Shape.At(n-2) {
		core.FailOp(core.ErrShape, "cholesky", []core.ShapedArray{a}, "takes square matrices, got %v; make the last two axes equal", a.Full())
	}
	t := prim.Transpose(v, core.Range(0, n-2).Append(n-1, n-2))
	if a.DType.IsComplex() {
		t = prim.Conj(t)
	}
	sum := prim.Add(v, t)
	if a.DType.IsInteger() {
		dt := core.Float32
		if a.DType.Bits() == 64 {
			dt = core.Float64
		}
		sum = prim.Convert(sum, dt, false)
	}
	half := sum.Aval().WithShape(core.Dims{})
	root := matrices.Cholesky(prim.Div(sum, prim.Num(half, 2)))
	return wrap(lower(root))
}

func lower(x core.Value) core.Value {
	a := x.Aval()
	n := a.Rank()
	square := a.Shape.Slice(n-2, n)
	row := prim.Add(prim.Iota(core.Int32, square, 0), prim.Num(core.Aval(core.Int32), 0))
	mask := prim.Ge(row, prim.Iota(core.Int32, square, 1))
	mask = prim.BroadcastInDim(mask, a.Shape, core.MakeDims(n-2, n-1))
	return prim.Where(mask, x, prim.Zeros(a))
}

// TriangularConfig selects the triangular systems of [TriangularSolve]: whether A is on the left
// or on the right of the unknowns, which triangle it is, whether it is transposed or conjugated
// first, and whether its diagonal counts as ones.
type TriangularConfig struct {
	LeftSide, Lower, TransposeA, ConjugateA, UnitDiagonal bool
}

// TriangularSolve solves op(A)·X = B, or X·op(A) = B, for every matrix of a. b may have one axis
// fewer than a: then it contains vectors.
func TriangularSolve(a, b weft.Array, c TriangularConfig) weft.Array {
	x, y := a.Value(), b.Value()
	n := x.Aval().Rank()
	p := matrices.TriangularSolveP(c)
	p.ConjugateA = c.ConjugateA && x.Aval().DType.IsComplex()
	if y.Aval().Rank() != n-1 {
		return wrap(matrices.TriangularSolve(x, y, p))
	}
	// A vector is a matrix of one column, or of one row.
	at := n - 2
	if c.LeftSide {
		at = n - 1
	}
	one := core.MakeDims(at)
	return wrap(prim.Squeeze(matrices.TriangularSolve(x, prim.ExpandDims(y, one), p), one))
}
