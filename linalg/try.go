package linalg

import (
	"errors"
	"fmt"
	"sort"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/lax"
)

// Errors that the Try functions return.
var (
	ErrSingular            = errors.New("the matrix is singular")
	ErrNotPositiveDefinite = errors.New("the matrix is not positive definite")
	ErrNotFinite           = errors.New("NaN or infinite elements")
	ErrNotConverged        = errors.New("the iterations did not converge")
)

func failure(op string, kind error, format string, args ...any) error {
	return fmt.Errorf("%s: %w: %s", op, kind, fmt.Sprintf(format, args...))
}

// finite returns an error that names the first element of x that is not finite.
func finite(op, what string, x weft.Array) error {
	bad := weft.IsFinite(x).Not()
	if !bad.Any().Bool() {
		return nil
	}
	at := firstOf(bad)
	return failure(op, ErrNotFinite, "element %v of %s is %v; remove it", at, what, element(x, at))
}

func firstOf(mask weft.Array) []int {
	flat := mask.Ravel().ArgMax().Int()
	at := make([]int, mask.Rank())
	for k := mask.Rank() - 1; k >= 0; k-- {
		at[k], flat = flat%mask.Dim(k), flat/mask.Dim(k)
	}
	return at
}

func element(x weft.Array, at []int) weft.Array {
	idx := make([]any, len(at))
	for i, k := range at {
		idx[i] = k
	}
	return x.Index(idx...)
}

// inBatch names a matrix of a batch; it returns "" without a batch.
func inBatch(at []int) string {
	if len(at) == 0 {
		return ""
	}
	return fmt.Sprintf(" of matrix %v", at)
}

// singularPivot returns an error that names the first zero on the diagonal of triangular matrices.
func singularPivot(op string, triangular weft.Array) error {
	zero := weft.Diagonal(triangular).Eq(0)
	if !zero.Any().Bool() {
		return nil
	}
	at := firstOf(zero)
	n := len(at) - 1
	return failure(op, ErrSingular, "pivot %d%s is 0; use Lstsq or PInv, or add to the diagonal", at[n], inBatch(at[:n]))
}

// TrySolve returns [Solve], or an error that names the zero pivot of a singular matrix or the
// first element that is not finite.
func TrySolve(a, b weft.Array) (weft.Array, error) { return trySolve("TrySolve", a, b) }

func trySolve(op string, a, b weft.Array) (weft.Array, error) {
	x := Solve(a, b)
	if err := errors.Join(finite(op, "the matrix", a), finite(op, "the right side", b)); err != nil {
		return weft.Array{}, err
	}
	if err := singularPivot(op, LU(a).Packed); err != nil {
		return weft.Array{}, err
	}
	return x, nil
}

// TryInv returns [Inv], or an error that names the zero pivot of a singular matrix or the first
// element that is not finite.
func TryInv(a weft.Array) (weft.Array, error) {
	const op = "TryInv"
	y := Inv(a)
	if err := finite(op, "the matrix", a); err != nil {
		return weft.Array{}, err
	}
	if err := singularPivot(op, LU(a).Packed); err != nil {
		return weft.Array{}, err
	}
	return y, nil
}

// TryTriangularSolve returns [TriangularSolve], or an error that names the zero on the diagonal
// or the first element that is not finite.
func TryTriangularSolve(a, b weft.Array, t Triangle) (weft.Array, error) {
	const op = "TryTriangularSolve"
	x := TriangularSolve(a, b, t)
	skip := 0 // diagonals that the solver does not read
	if t.UnitDiagonal {
		skip = 1
	}
	half := weft.Triu(a, skip)
	if t.Lower {
		half = weft.Tril(a, -skip)
	}
	err := errors.Join(finite(op, "the matrix", half), finite(op, "the right side", b))
	if err == nil && !t.UnitDiagonal {
		err = singularPivot(op, a)
	}
	if err != nil {
		return weft.Array{}, err
	}
	return x, nil
}

// TryCholesky returns [Cholesky], or an error that names the first pivot that is not positive or
// the first element that is not finite.
func TryCholesky(a weft.Array) (weft.Array, error) {
	const op = "TryCholesky"
	l := Cholesky(a)
	if err := finite(op, "the matrix", a); err != nil {
		return weft.Array{}, err
	}
	bad := weft.IsNaN(l).Any(-2, -1)
	if !bad.Any().Bool() {
		return l, nil
	}
	at := firstOf(bad)
	m := element(a, at)
	// The leading block of size k has a factor for all k up to the pivot that fails.
	n := sort.Search(m.Dim(-1), func(k int) bool {
		block := m.Index(weft.R(0, k+1), weft.R(0, k+1))
		return weft.IsNaN(lax.Cholesky(block)).Any().Bool()
	})
	return weft.Array{}, failure(op, ErrNotPositiveDefinite, "pivot %d%s is not positive; add to the diagonal, or use LU or Eigh", n, inBatch(at))
}

// TryEigh returns [Eigh], or an error that names the first element that is not finite or the
// matrix whose iterations did not converge.
func TryEigh(a weft.Array) (w, v weft.Array, err error) {
	const op = "TryEigh"
	w, v = Eigh(a)
	if err = converged(op, a, w); err != nil {
		return weft.Array{}, weft.Array{}, err
	}
	return w, v, nil
}

// TryEig returns [Eig], or an error that names the first element that is not finite or the matrix
// whose iterations did not converge.
func TryEig(a weft.Array) (w, v weft.Array, err error) {
	const op = "TryEig"
	w, v = Eig(a)
	if err = converged(op, a, w); err != nil {
		return weft.Array{}, weft.Array{}, err
	}
	return w, v, nil
}

// TrySVD returns [SVD], or an error that names the first element that is not finite or the matrix
// whose iterations did not converge.
func TrySVD(a weft.Array) (u, s, vh weft.Array, err error) {
	const op = "TrySVD"
	u, s, vh = SVD(a)
	if err = converged(op, a, s); err != nil {
		return weft.Array{}, weft.Array{}, weft.Array{}, err
	}
	return u, s, vh, nil
}

// TryLstsq returns [Lstsq], or an error that names the first element that is not finite or the
// matrix whose iterations did not converge.
func TryLstsq(a, b weft.Array, rtol ...any) (LeastSquares, error) {
	const op = "TryLstsq"
	r := Lstsq(a, b, rtol...)
	if err := errors.Join(converged(op, a, r.SingularValues), finite(op, "the right side", b)); err != nil {
		return LeastSquares{}, err
	}
	return r, nil
}

// converged returns an error if the matrices a, or values, a vector for each of them, are not finite.
func converged(op string, a, values weft.Array) error {
	if err := finite(op, "the matrix", a); err != nil {
		return err
	}
	bad := weft.IsFinite(values).Not().Any(-1)
	if !bad.Any().Bool() {
		return nil
	}
	return failure(op, ErrNotConverged, "matrix %v is too ill-conditioned; scale it", firstOf(bad))
}
