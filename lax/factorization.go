package lax

import (
	"fmt"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/core/prim/matrices"
)

// LU factors every matrix of x by Gaussian elimination with row exchanges. It returns L and U in
// one matrix, for each k the row that was exchanged with row k, and the permutation of the rows.
func LU(x weft.Array) (lu, pivots, permutation weft.Array) {
	a, b, c := matrices.LU(x.Value())
	return wrap(a), wrap(b), wrap(c)
}

// LUPivotsToPermutation returns the permutation of size rows that the row exchanges pivots
// produce.
func LUPivotsToPermutation(pivots weft.Array, size int) weft.Array {
	return wrap(matrices.LUPivotsToPermutation(pivots.Value(), size))
}

// QRConfig selects the QR factors that are computed. The zero QRConfig computes the smaller ones.
type QRConfig struct {
	Full     bool // Q is square
	Pivoting bool // columns are exchanged, and their order is a third result
}

// QR factors every matrix of x into Q with orthonormal columns and an upper triangular R. With
// Pivoting the third result is the order of the columns.
func QR(x weft.Array, c QRConfig) []weft.Array {
	return wrapAll(core.Bind(matrices.QRP{Full: c.Full, Pivoting: c.Pivoting}, x.Value()))
}

// Geqrf returns R and the Householder reflectors of the QR factorization in one matrix, and the
// coefficients of the reflectors.
func Geqrf(x weft.Array) (packed, taus weft.Array) {
	a, b := matrices.Geqrf(x.Value())
	return wrap(a), wrap(b)
}

// HouseholderProduct returns the leading columns of a product of Householder reflectors.
func HouseholderProduct(packed, taus weft.Array) weft.Array {
	return wrap(matrices.HouseholderProduct(packed.Value(), taus.Value()))
}

// Ormqr returns Q·c if left, else c·Q, where Q is a product of reflectors. If transpose, Qᴴ takes
// the place of Q.
func Ormqr(packed, taus, c weft.Array, left, transpose bool) weft.Array {
	return wrap(matrices.Ormqr(packed.Value(), taus.Value(), c.Value(), left, transpose))
}

// EighConfig configures [Eigh].
type EighConfig struct {
	Upper    bool // the upper triangle is read
	AsIs     bool // the matrix is not made Hermitian first
	Unsorted bool // eigenvalues may have any order
	Subset   [2]int
}

// Eigh returns the eigenvectors, as columns, and the eigenvalues, increasing unless Unsorted, of
// every Hermitian matrix of x. Unless AsIs, each matrix is first replaced by the mean of itself and
// its conjugate transpose, which is written as equations in front of that of eigh.
func Eigh(x weft.Array, c EighConfig) (v, w weft.Array) {
	a := x.Value()
	if !c.AsIs {
		n := a.Aval().Rank()
		if n < 2 {
			core.FailOp(core.ErrShape, "eigh", []core.ShapedArray{a.Aval()}, "takes matrices, got %v; give it two axes or more", a.Aval().Full())
		}
		t := prim.Transpose(a, core.Range(0, n-2).Append(n-1, n-2))
		if a.Aval().DType.IsComplex() {
			t = prim.Conj(t)
		}
		sum := prim.Add(a, t)
		a = prim.Div(sum, prim.Num(sum.Aval().WithShape(core.Dims{}), 2))
	}
	p := matrices.EighP{Lower: !c.Upper, Sorted: !c.Unsorted, Subset: matrices.Subset{Lo: c.Subset[0], Hi: c.Subset[1]}}
	out := core.Bind(p, a)
	return wrap(out[0]), wrap(out[1])
}

// SVDConfig selects the singular vectors that are computed. The zero SVDConfig computes as many
// as there are singular values.
type SVDConfig struct {
	Full       bool // both matrices of vectors are square
	ValuesOnly bool
	Subset     [2]int // a range of the values; the zero range is all
}

// SVD returns the singular values of every matrix of x, decreasing. Unless ValuesOnly, it returns
// U, s and Vᴴ: the left singular vectors are columns, and the right ones conjugated rows.
func SVD(x weft.Array, c SVDConfig) []weft.Array {
	p := matrices.SVDP{Full: c.Full, Vectors: !c.ValuesOnly, Subset: matrices.Subset{Lo: c.Subset[0], Hi: c.Subset[1]}}
	out := wrapAll(core.Bind(p, x.Value()))
	if c.ValuesOnly {
		return out
	}
	return []weft.Array{out[1], out[0], out[2]}
}

// EigConfig selects the eigenvectors that are computed. With Derivatives they have a derivative,
// which is defined where eigenvalues differ.
type EigConfig struct{ Left, Right, Derivatives bool }

// Eig returns the complex eigenvalues of every square matrix of x, followed by the left and the
// right eigenvectors, as columns, if c selects them.
func Eig(x weft.Array, c EigConfig) []weft.Array {
	return wrapAll(core.Bind(matrices.EigP{Left: c.Left, Right: c.Right, Derivatives: c.Derivatives}, x.Value()))
}

// Schur returns the Schur form t of every square matrix x and the unitary matrix q: x = q·t·qᴴ.
func Schur(x weft.Array) (t, q weft.Array) {
	a, b := matrices.Schur(x.Value())
	return wrap(a), wrap(b)
}

// Hessenberg returns the Hessenberg form of every square matrix of x with the Householder
// reflectors below it, and the coefficients of the reflectors.
func Hessenberg(x weft.Array) (packed, taus weft.Array) {
	a, b := matrices.Hessenberg(x.Value())
	return wrap(a), wrap(b)
}

// Tridiagonal returns the tridiagonal form of every Hermitian matrix of x with the Householder
// reflectors next to it, the diagonal, the off-diagonal, and the coefficients of the reflectors.
// It reads the lower triangle if lower, else the upper one.
func Tridiagonal(x weft.Array, lower bool) (packed, diagonal, beside, taus weft.Array) {
	out := wrapAll(matrices.Tridiagonal(x.Value(), lower))
	return out[0], out[1], out[2], out[3]
}

// TridiagonalSolve solves tridiagonal systems with the lower diagonal dl, whose first element is
// not read, the diagonal d, the upper diagonal du, whose last element is not read, and the right
// sides b.
func TridiagonalSolve(dl, d, du, b weft.Array) weft.Array {
	return wrap(matrices.TridiagonalSolve(dl.Value(), d.Value(), du.Value(), b.Value()))
}

// SymmetricProduct returns alpha·a·aᵀ + beta·c.
func SymmetricProduct(a, c weft.Array, alpha, beta float64) weft.Array {
	return wrap(matrices.SymmetricProduct(a.Value(), c.Value(), alpha, beta))
}

// FFTKind selects a Fourier transform.
type FFTKind = prim.FFTKind

// The kinds of Fourier transforms.
const (
	FFTForward     = prim.FFTForward
	FFTInverse     = prim.FFTInverse
	FFTReal        = prim.FFTReal
	FFTRealInverse = prim.FFTRealInverse
)

// FFT returns the Fourier transform of x over its last axes. lengths are the sizes of these axes
// in the full array, not in the half spectrum. Numbers of other types are first converted to
// complex numbers, or, for FFTReal, from integers to floats. It is traced as a call named fft.
func FFT(x weft.Array, kind FFTKind, lengths ...int) weft.Array {
	const op = "fft"
	if kind < FFTForward || kind > FFTRealInverse {
		core.FailOp(core.ErrStatic, op, nil, "there is no transform %d; pass one of the constants, as lax.FFTForward", kind)
	}
	return called(op, fmt.Sprint(kind, lengths), func(in []weft.Array) weft.Array {
		v := in[0].Value()
		dt := v.Aval().DType
		wide := dt.Bits() == 64 && !dt.IsComplex() || dt == core.Complex128
		switch {
		case kind != FFTReal && wide:
			dt = core.Complex128
		case kind != FFTReal:
			dt = core.Complex64
		case !dt.IsInexact() && wide:
			dt = core.Float64
		case !dt.IsInexact():
			dt = core.Float32
		}
		return wrap(prim.FFT(prim.Convert(v, dt, false), kind, core.MakeDims(lengths...)))
	}, x)
}
