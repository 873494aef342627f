package linalg

import (
	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim/matrices"
	"github.com/weft-go/weft/custom"
	"github.com/weft-go/weft/internal/nd"
	"github.com/weft-go/weft/lax"
)

// QR returns Q with orthonormal columns and upper triangular R with Q·R = a. Q has as many
// columns as the smaller size of a. [lax.QR] has the full Q, and exchanges of columns.
// Derivatives need columns that are linearly independent, of a wide matrix the first ones, as many
// as it has rows.
func QR(a weft.Array) (q, r weft.Array) {
	out := lax.QR(matrix("QR", a), lax.QRConfig{})
	return out[0], out[1]
}

// Eigh returns the eigenvalues, increasing, and the eigenvectors, as columns, of Hermitian
// matrices: a·v = v·diag(w). Each matrix is first replaced by the mean of itself and its
// conjugate transpose.
func Eigh(a weft.Array) (w, v weft.Array) {
	v, w = lax.Eigh(squareMatrix("Eigh", a), lax.EighConfig{})
	return w, v
}

// EigvalsH returns the eigenvalues of Hermitian matrices, increasing. Derivatives exist even
// where eigenvalues are equal, for functions that do not depend on their order.
func EigvalsH(a weft.Array) weft.Array {
	a = squareMatrix("EigvalsH", a)
	return nd.WithJAXPromotion(func() weft.Array {
		mean := a.Add(adjoint(a)).Div(2)
		return weft.FromValue(core.Bind(matrices.EighP{Lower: true, Sorted: true, ValuesOnly: true}, mean.Value())[0])
	})
}

// Eig returns the eigenvalues, complex and in no order, and the eigenvectors of norm 1, as
// columns. Only the eigenvalues can be differentiated, and only forward; see [lax.Eig].
func Eig(a weft.Array) (w, v weft.Array) {
	out := lax.Eig(squareMatrix("Eig", a), lax.EigConfig{Right: true})
	return out[0], out[1]
}

// EigVals returns the eigenvalues, complex and in no order.
func EigVals(a weft.Array) weft.Array {
	return lax.Eig(squareMatrix("EigVals", a), lax.EigConfig{})[0]
}

// SVD returns the singular values s, decreasing, and matrices with orthonormal columns and rows:
// a = U·diag(s)·Vᴴ. [lax.SVD] has the square matrices.
func SVD(a weft.Array) (u, s, vh weft.Array) {
	out := lax.SVD(matrix("SVD", a), lax.SVDConfig{})
	return out[0], out[1], out[2]
}

// SingularValues returns the singular values, decreasing.
func SingularValues(a weft.Array) weft.Array {
	return lax.SVD(matrix("SingularValues", a), lax.SVDConfig{ValuesOnly: true})[0]
}

// Polar returns the unitary u and the positive semidefinite Hermitian p with u·p = a. For a that is
// not square, u has orthonormal columns or, if there are more of them than rows, orthonormal rows.
func Polar(a weft.Array) (u, p weft.Array) {
	x, s, vh := SVD(matrix("Polar", a))
	return x.MatMul(vh), adjoint(vh).MatMul(asRows(s).AsType(vh.DType()).Mul(vh))
}

// MatrixRank returns the number of singular values above rtol times the largest. rtol is a number,
// or an Array with a number for each matrix; unless it is given, it is max(m, n) times the precision of
// the type.
func MatrixRank(a weft.Array, rtol ...any) weft.Array {
	const op = "MatrixRank"
	a = matrix(op, a)
	return nd.WithJAXPromotion(func() weft.Array {
		s := SingularValues(a)
		return s.Gt(toleranceOf(op, a, rtol).of(s)).AsType(weft.Int32).Sum(-1)
	})
}

// PInv returns the pseudoinverse, by singular values; those up to rtol times the largest count as
// 0. rtol is a number, or an Array with a number for each matrix; unless it is given, it is max(m, n)
// times the precision of the type. The derivative assumes that the rank does not change; it
// exists for equal singular values, too.
func PInv(a weft.Array, rtol ...any) weft.Array {
	const op = "PInv"
	a = matrix(op, a)
	return nd.WithJAXPromotion(func() weft.Array { return pinv(a, toleranceOf(op, a, rtol)) })
}

func pinv(a weft.Array, rtol tolerance) weft.Array {
	f := custom.JVP(
		func(a weft.Array) weft.Array {
			u, s, vh := SVD(a)
			keep := s.Gt(rtol.of(s))
			inverse := weft.Where(keep, weft.Reciprocal(weft.Where(keep, s, 1.)), 0.)
			return adjoint(vh).MatMul(asRows(inverse).AsType(u.DType()).Mul(adjoint(u)))
		},
		func(a, t weft.Array) (weft.Array, weft.Array) {
			p := pinv(a, rtol)
			th, ph := adjoint(t), adjoint(p)
			rows := p.MatMul(ph).MatMul(th.Sub(th.MatMul(a).MatMul(p)))
			columns := th.Sub(p.MatMul(a).MatMul(th)).MatMul(ph).MatMul(p)
			return p, rows.Add(columns).Sub(p.MatMul(t).MatMul(p))
		}, weft.Name("pinv"))
	return f(a)
}

// LeastSquares is the result of [Lstsq].
type LeastSquares struct {
	X              weft.Array // the shortest x with the least |a·x − b|²
	Residuals      weft.Array // the sums of squares |a·x − b|², one per right side
	Rank           weft.Array // how many singular values do not count as 0
	SingularValues weft.Array // of a, decreasing
}

// Lstsq returns the shortest of the x for which the sum of squares |a·x − b|² is least. Singular
// values of a up to rtol times the largest count as 0. rtol is a number, or an Array with a number for
// each matrix; unless it is given, it is max(m, n) times the precision of the type.
func Lstsq(a, b weft.Array, rtol ...any) LeastSquares {
	const op = "Lstsq"
	var r LeastSquares
	r.X = system(op, a, b, func(a, b weft.Array) weft.Array {
		r.SingularValues = SingularValues(a)
		least := toleranceOf(op, a, rtol)
		r.Rank = r.SingularValues.Gt(least.of(r.SingularValues)).AsType(weft.Int32).Sum(-1)
		x := shortest(leastSquares{a, b}, least)
		d := weft.Abs(a.MatMul(x).Sub(b))
		r.Residuals = weft.Square(d).Sum(-2)
		return x
	})
	if b.Rank() == 1 {
		r.Residuals = r.Residuals.Squeeze(-1)
	}
	return r
}

// leastSquares are matrices and right sides of one batch.
type leastSquares struct{ A, B weft.Array }

// shortest returns the x of [Lstsq], PInv(a)·b. For matrices with at least as many rows as
// columns that are far from a lower rank, it is computed by a QR factorization: see
// wellConditioned.
func shortest(s leastSquares, rtol tolerance) weft.Array {
	f := custom.JVP(
		func(s leastSquares) weft.Array {
			m, n := s.A.Dim(-2), s.A.Dim(-1)
			if m < n || s.A.Size() == 0 || s.B.Size() == 0 {
				return pinv(s.A, rtol).MatMul(s.B)
			}
			packed, taus := lax.Geqrf(s.A)
			upper := packed.Index("...", weft.R(0, n), weft.All)
			solve := func(b weft.Array) weft.Array {
				return lax.TriangularSolve(upper, b, lax.TriangularConfig{LeftSide: true})
			}
			x := solve(lax.Ormqr(packed, taus, s.B, true, true).Index("...", weft.R(0, n), weft.All))
			inverse := solve(identity(s.A, n).BroadcastTo(upper.Shape()...))
			well := wellConditioned(s.A, inverse, rtol)
			return weft.Cond(well.All(), func() weft.Array { return x }, func() weft.Array {
				return weft.Where(well, x, pinv(s.A, rtol).MatMul(s.B))
			})
		},
		func(s, t leastSquares) (weft.Array, weft.Array) {
			x, p := shortest(s, rtol), pinv(s.A, rtol)
			ph, th := adjoint(p), adjoint(t.A)
			left := th.MatMul(s.B.Sub(s.A.MatMul(x)))
			right := th.MatMul(ph.MatMul(x))
			dx := p.MatMul(t.B.Sub(t.A.MatMul(x))).Add(p.MatMul(ph.MatMul(left)))
			return x, dx.Add(right).Sub(p.MatMul(s.A.MatMul(right)))
		}, weft.Name("lstsq"))
	return f(s)
}

// wellConditioned reports for each matrix whether the product of the norms of a and of inverse is
// below the largest condition for rtol. inverse is that of a or of its factor R. The product of
// Frobenius norms bounds the ratio of the largest to the smallest singular value, so all singular
// values are then above rtol times the largest.
func wellConditioned(a, inverse weft.Array, rtol tolerance) weft.Array {
	size := func(x weft.Array) weft.Array { return weft.Sqrt(weft.Square(weft.Abs(x)).Sum(-2, -1, weft.Keep)) }
	return size(a).Mul(size(inverse)).Lt(rtol.largestCondition(a))
}

// Kron returns the products of all elements of x with all of y: for matrices, blocks x[i, j]·y.
func Kron(x, y weft.Array) weft.Array {
	return weft.FromValue(nd.Kron(nd.ValueOf("Kron", x), nd.ValueOf("Kron", y)))
}

// BlockDiag returns the matrix with the given matrices as blocks along its diagonal, and zeros
// elsewhere. Vectors are rows.
func BlockDiag(xs ...weft.Array) weft.Array {
	const op = "BlockDiag"
	if len(xs) == 0 {
		core.FailOp(core.ErrShape, op, nil, "there are no blocks; pass one matrix or more")
	}
	vs := make([]core.Value, len(xs))
	for i, x := range xs {
		vs[i] = nd.ValueOf(op, x)
	}
	dt, weak := nd.PromoteTypes(op, append(vs, vs[0])...)
	columns := 0
	blocks := make([]weft.Array, len(vs))
	for i, v := range vs {
		x := weft.FromValue(nd.Convert(op, v, dt, weak))
		if x.Rank() > 2 {
			core.FailOp(core.ErrShape, op, core.AvalsOf(vs), "block %d has %d axes (%v); pass matrices, or map over the others with Vmap", i, x.Rank(), v.Aval().Full())
		}
		blocks[i] = weft.FromValue(nd.AtLeast(x.Value(), 2))
		columns += blocks[i].Dim(1)
	}
	before := 0
	for i, x := range blocks {
		n := x.Dim(1)
		blocks[i] = weft.Pad(x, [][2]int{{0, 0}, {before, columns - before - n}}, weft.PadConfig{})
		before += n
	}
	return weft.Concat(0, blocks...)
}
