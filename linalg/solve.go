package linalg

import (
	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/custom"
	"github.com/weft-go/weft/internal/nd"
	"github.com/weft-go/weft/lax"
)

// Solve returns the x with a·x = b, for square a, by LU factorization with row exchanges. A
// vector b has one axis; other b are matrices of right sides. The derivative is a solve with the
// same factors.
func Solve(a, b weft.Array) weft.Array { return solveNamed("Solve", a, b) }

func solveNamed(op string, a, b weft.Array) weft.Array {
	return system(op, a, b, func(a, b weft.Array) weft.Array {
		requireSquare(op, a)
		if a.Dim(-1) == 0 {
			return b
		}
		f := LU(weft.StopGradient(a))
		return custom.LinearSolve(a.MatMul, b,
			func(_ func(weft.Array) weft.Array, b weft.Array) weft.Array { return f.solve(b) },
			func(_ func(weft.Array) weft.Array, b weft.Array) weft.Array { return f.solveTransposed(b) })
	})
}

// Inv returns the inverses of square matrices.
func Inv(a weft.Array) weft.Array {
	a = squareMatrix("Inv", a)
	return solveNamed("Inv", a, identity(a, a.Dim(-1)))
}

// LUFactors are the factors of A: row i of P·A = L·U is row Permutation[i] of A. Packed has L below
// the diagonal (on its diagonal L is 1) and U on and above it; row k was exchanged with row
// Pivots[k].
type LUFactors struct{ Packed, Pivots, Permutation weft.Array }

// LU factors matrices by Gaussian elimination with row exchanges.
func LU(a weft.Array) LUFactors {
	p, q, r := lax.LU(matrix("LU", a))
	return LUFactors{p, q, r}
}

// L returns the lower triangular factor.
func (f LUFactors) L() weft.Array {
	m, n := f.Packed.Dim(-2), f.Packed.Dim(-1)
	l := weft.Tril(f.Packed.Index("...", weft.R(0, min(m, n))), -1)
	return l.Add(weft.Eye(m, min(m, n)).AsType(l.DType()))
}

// U returns the upper triangular factor.
func (f LUFactors) U() weft.Array {
	m, n := f.Packed.Dim(-2), f.Packed.Dim(-1)
	return weft.Triu(f.Packed.Index("...", weft.R(0, min(m, n)), weft.All))
}

// P returns the permutation matrix with P·A = L·U.
func (f LUFactors) P() weft.Array {
	return weft.OneHot(f.Permutation, f.Packed.Dim(-2)).AsType(f.Packed.DType())
}

// LUSolve returns the x with a·x = b, where f are the factors of square a.
func LUSolve(f LUFactors, b weft.Array) weft.Array {
	const op = "LUSolve"
	return system(op, f.Packed, b, func(a, b weft.Array) weft.Array {
		requireSquare(op, a)
		g := LUFactors{a, f.Pivots, f.Permutation}
		if batch := batchOf(a); len(batch) > 0 {
			g.Permutation = f.Permutation.BroadcastTo(shapeOf(batch, a.Dim(-1))...)
		}
		return g.solve(b)
	})
}

func (f LUFactors) solve(b weft.Array) weft.Array {
	b = takeRows(b, f.Permutation)
	b = lax.TriangularSolve(f.Packed, b, lax.TriangularConfig{LeftSide: true, Lower: true, UnitDiagonal: true})
	return lax.TriangularSolve(f.Packed, b, lax.TriangularConfig{LeftSide: true})
}

func (f LUFactors) solveTransposed(b weft.Array) weft.Array {
	b = lax.TriangularSolve(f.Packed, b, lax.TriangularConfig{LeftSide: true, TransposeA: true})
	b = lax.TriangularSolve(f.Packed, b, lax.TriangularConfig{LeftSide: true, Lower: true, UnitDiagonal: true, TransposeA: true})
	return takeRows(b, f.Permutation.ArgSort(-1))
}

func takeRows(b, index weft.Array) weft.Array {
	if b.Size() == 0 {
		return b
	}
	batch := batchOf(b)
	if len(batch) == 0 {
		return weft.TakeAlongAxis(b, index.ExpandDims(-1).BroadcastTo(b.Shape()...), 0)
	}
	// Take moves whole rows; TakeAlongAxis would look up each element.
	take := func(b, index weft.Array) weft.Array { return weft.Take(b, index, 0) }
	for range batch {
		take = weft.Vmap(take)
	}
	return take(b, index.BroadcastTo(shapeOf(batch, b.Dim(-2))...))
}

// Cholesky returns the lower triangular L with L·Lᴴ = a, for positive definite a. Each matrix is
// first replaced by the mean of itself and its conjugate transpose. The result is NaN where a is
// not positive definite.
func Cholesky(a weft.Array) weft.Array { return lax.Cholesky(squareMatrix("Cholesky", a)) }

// CholSolve returns the x with L·Lᴴ·x = b, where l is [Cholesky] of a matrix.
func CholSolve(l, b weft.Array) weft.Array {
	const op = "CholSolve"
	return system(op, l, b, func(l, b weft.Array) weft.Array {
		requireSquare(op, l)
		b = lax.TriangularSolve(l, b, lax.TriangularConfig{LeftSide: true, Lower: true})
		return lax.TriangularSolve(l, b, lax.TriangularConfig{LeftSide: true, Lower: true, TransposeA: true, ConjugateA: true})
	})
}

// Triangle configures [TriangularSolve]; the zero Triangle is upper triangular.
type Triangle struct {
	Lower        bool
	Transpose    bool // a is transposed first
	Conjugate    bool // a is conjugated first
	UnitDiagonal bool // the diagonal is not read, and counts as 1
}

// TriangularSolve returns the x with a·x = b for triangular a, of which it reads one triangle.
func TriangularSolve(a, b weft.Array, t Triangle) weft.Array {
	const op = "TriangularSolve"
	return system(op, a, b, func(a, b weft.Array) weft.Array {
		requireSquare(op, a)
		return lax.TriangularSolve(a, b, lax.TriangularConfig{LeftSide: true, Lower: t.Lower, TransposeA: t.Transpose, ConjugateA: t.Conjugate, UnitDiagonal: t.UnitDiagonal})
	})
}

// TridiagonalSolve returns the x with A·x = b, where A has the diagonal d, lower[k] before d[k]
// and upper[k] after it; lower[0] and upper[n−1] are not read. lower, d and upper have the same
// length along the last axis. b has that length along the last but one, or is a vector. The time
// is proportional to n. Rows are exchanged where that is more accurate.
func TridiagonalSolve(lower, d, upper, b weft.Array) weft.Array {
	const op = "TridiagonalSolve"
	in := inexact(op, lower, d, upper, b)
	given := []core.ShapedArray{aval(in[0]), aval(in[1]), aval(in[2]), aval(in[3])}
	vector := in[3].Rank() == 1
	if vector {
		in[3] = in[3].ExpandDims(1)
	}
	n := -1
	if in[1].Rank() > 0 {
		n = in[1].Dim(-1)
	}
	for i, x := range in {
		if x.Rank() == 0 || i < 3 && x.Dim(-1) != n || i == 3 && x.Dim(-2) != n {
			core.FailOp(core.ErrShape, op, given, "the diagonals must have one length, and the right side as many rows (got %v, %v, %v and %v); pad the outer diagonals by one element",
				given[0].Full(), given[1].Full(), given[2].Full(), given[3].Full())
		}
	}
	return nd.WithJAXPromotion(func() weft.Array {
		one := func(x weft.Array) core.ShapedArray {
			return aval(x).WithShape(core.MakeDims(x.Shape()[:x.Rank()-1]...))
		}
		batch := nd.BroadcastShapes(op, one(in[0]), one(in[1]), one(in[2]), aval(in[3]).WithShape(core.MakeDims(batchOf(in[3])...))).Ints()
		for i := range 3 {
			in[i] = in[i].BroadcastTo(shapeOf(batch, n)...)
		}
		in[3] = in[3].BroadcastTo(shapeOf(batch, n, in[3].Dim(-1))...)
		x := lax.TridiagonalSolve(in[0], in[1], in[2], in[3])
		if vector {
			x = x.Squeeze(-1)
		}
		return x
	})
}
