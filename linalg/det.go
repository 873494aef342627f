package linalg

import (
	"github.com/weft-go/weft"
	"github.com/weft-go/weft/custom"
	"github.com/weft-go/weft/internal/nd"
	"github.com/weft-go/weft/lax"
)

// signAndDiagonal returns the sign of the permutation of an LU factorization and U's diagonal.
func signAndDiagonal(a weft.Array) (sign, diagonal weft.Array) {
	f := LU(a)
	n := a.Dim(-1)
	odd := f.Pivots.Ne(weft.Iota(weft.Int32, 0, n)).AsType(weft.Int32).Sum(-1).And(1)
	return weft.Where(odd.Ne(0), -1., 1.).AsType(a.DType()), weft.Diagonal(f.Packed)
}

// det and slogdet have derivatives of their own, whose rules call Det and SlogDet.
var (
	det     func(weft.Array) weft.Array
	slogdet func(weft.Array) signedLog
)

// signedLog represents the number Sign·e^Log.
type signedLog struct{ Sign, Log weft.Array }

func init() {
	det = custom.JVP(
		func(a weft.Array) weft.Array {
			sign, d := signAndDiagonal(a)
			return sign.Mul(d.Prod(-1))
		},
		func(a, t weft.Array) (weft.Array, weft.Array) {
			return Det(a), cofactors(a).Mul(t).Sum(-2, -1)
		}, weft.Name("det"))
	slogdet = custom.JVP(
		func(a weft.Array) signedLog {
			sign, d := signAndDiagonal(a)
			size := weft.Abs(d)
			zero := d.Eq(0)
			each := weft.Where(zero, 0., d.Div(weft.Where(zero, 1., size).AsType(d.DType())))
			return signedLog{sign.Mul(each.Prod(-1)), weft.Log(size).Sum(-1)}
		},
		func(a, t weft.Array) (signedLog, signedLog) {
			sign, log := SlogDet(a)
			trace := weft.Diagonal(Solve(a, t)).Sum(-1)
			y := signedLog{sign, log}
			if !trace.DType().IsComplex() {
				return y, signedLog{Log: trace}
			}
			turn := lax.Complex(weft.ZerosLike(log), trace.Imag())
			return y, signedLog{sign.Mul(turn), trace.Real()}
		}, weft.Name("slogdet"))
}

// Det returns the determinants of square matrices. It has derivatives for singular matrices, too.
func Det(a weft.Array) weft.Array {
	a = squareMatrix("Det", a)
	return nd.WithJAXPromotion(func() weft.Array { return det(a) })
}

// SlogDet returns the sign of the determinants, or complex numbers of modulus 1, and the
// logarithms of their absolute values, which do not overflow: 0 and −∞ for singular matrices.
func SlogDet(a weft.Array) (sign, log weft.Array) {
	a = squareMatrix("SlogDet", a)
	y := nd.WithJAXPromotion(func() signedLog { return slogdet(a) })
	return y.Sign, y.Log
}

// cofactors returns the derivatives of the determinants with respect to the elements: det A·A⁻ᵀ,
// or, where A is singular, det(U)·det(Vᴴ)·Ū·diag(Π σⱼ, j ≠ i)·V̄ᴴ from its singular value
// decomposition.
func cofactors(a weft.Array) weft.Array {
	n := a.Dim(-1)
	d := Det(a)
	if n == 0 {
		return a
	}
	singular := d.Eq(0).ExpandDims(-1).ExpandDims(-1)
	eye := identity(a, n)
	regular := d.ExpandDims(-1).ExpandDims(-1).Mul(Inv(weft.Where(singular, eye, a)).MT())
	zero := weft.ZerosLike(a)
	other := weft.Cond(singular.Any(), func() weft.Array {
		// Regular matrices are replaced by one whose singular values differ, so that derivatives
		// are finite.
		safe := weft.Diag(weft.Iota(weft.Int32, 0, n).Add(1)).AsType(a.DType())
		u, s, vh := SVD(weft.Where(singular, a, safe))
		products := make([]weft.Array, n)
		for i := range n {
			hole := weft.Iota(weft.Int32, 0, n).Eq(i)
			products[i] = weft.Where(hole, 1., s).Prod(-1)
		}
		middle := asColumns(weft.Stack(-1, products...)).AsType(a.DType())
		unit := Det(u).Mul(Det(vh)).ExpandDims(-1).ExpandDims(-1)
		return unit.Mul(weft.Conj(u).Mul(middle).MatMul(weft.Conj(vh))).Add(zero)
	}, func() weft.Array { return zero })
	return weft.Where(singular, other, regular)
}
