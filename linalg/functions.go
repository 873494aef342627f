package linalg

import (
	"math"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/internal/nd"
)

// MatrixPower returns the n-th powers of square matrices, by squaring; for negative n the powers
// of the inverses.
func MatrixPower(a weft.Array, n int) weft.Array {
	const op = "MatrixPower"
	v := nd.ValueOf(op, a)
	requireSquare(op, a)
	count := uint(n)
	if n < 0 {
		a, count = Inv(a), -count
	}
	return nd.WithJAXPromotion(func() weft.Array {
		y := weft.Eye(a.Dim(-1)).AsType(a.DType()).BroadcastTo(v.Aval().Shape.Ints()...)
		first := true
		for square := a; count > 0; count >>= 1 {
			if count&1 == 1 {
				if first {
					y, first = square, false
				} else {
					y = y.MatMul(square)
				}
			}
			if count > 1 {
				square = square.MatMul(square)
			}
		}
		return y
	})
}

// Padé approximants of e^A, after Higham, SIAM J. Matrix Anal. Appl. 26 (2005): coefficients, and
// the norm up to which their error is below the precision of f32 and f64.
var (
	pade7  = []float64{17297280, 8648640, 1995840, 277200, 25200, 1512, 56, 1}
	pade13 = []float64{64764752532480000, 32382376266240000, 7771770303897600, 1187353796428800, 129060195264000, 10559470521600,
		670442572800, 33522128640, 1323241920, 40840800, 960960, 16380, 182, 1}
)

const (
	theta7  = 3.925724783138660
	theta13 = 5.371920351148152
	// Where the norm of A is above 2⁶⁴ times theta, the result overflows, is 0, or is lost in the rounding errors of A.
	maxSquarings = 64
)

// Expm returns the exponential of square matrices, Σ aᵏ/k!, by scaling and squaring. Matrices
// with NaN or infinite elements make NaN.
func Expm(a weft.Array) weft.Array {
	a = squareMatrix("Expm", a)
	return nd.WithJAXPromotion(func() weft.Array {
		if a.Dim(-1) == 0 {
			return a
		}
		c, theta := pade7, theta7
		if a.DType().Real() == weft.Float64 {
			c, theta = pade13, theta13
		} else if a.DType().Bits() < 32 {
			return Expm(a.AsType(weft.Float32)).AsType(a.DType())
		}
		norm := weft.StopGradient(weft.Abs(a).Sum(-2, weft.Keep).Max(-1, weft.Keep))
		squarings := weft.Ceil(weft.Log2(weft.Maximum(norm.Div(theta), 1.)))
		squarings = weft.Where(weft.IsFinite(squarings), weft.Minimum(squarings, float64(maxSquarings)), 0.)
		x := a.Mul(weft.Exp2(squarings.Neg()).AsType(a.DType()))
		// Odd and even powers: U and V with e^A ≈ (V − U)⁻¹·(V + U).
		eye := identity(a, a.Dim(-1))
		square := x.MatMul(x)
		u, v := eye.Mul(c[1]), eye.Mul(c[0])
		power := square
		for k := 2; k < len(c); k += 2 {
			v, u = v.Add(power.Mul(c[k])), u.Add(power.Mul(c[k+1]))
			if k+2 < len(c) {
				power = power.MatMul(square)
			}
		}
		u = x.MatMul(u)
		y := Solve(v.Sub(u), v.Add(u))
		type state struct{ Y, K weft.Array }
		out, _ := weft.Scan(func(s state, k weft.Array) (state, struct{}) {
			more := k.AsType(s.K.DType()).Lt(s.K)
			next := weft.Cond(more.Any(), func() weft.Array { return weft.Where(more, s.Y.MatMul(s.Y), s.Y) }, func() weft.Array { return s.Y })
			return state{next, s.K}, struct{}{}
		}, state{y, squarings}, weft.Iota(weft.Int32, 0, maxSquarings))
		return weft.Where(weft.IsFinite(norm), out.Y, math.NaN())
	})
}

// Funm returns f of Hermitian matrices, a = V·diag(w)·Vᴴ: V·diag(f(w))·Vᴴ. f receives the real
// eigenvalues, increasing along the last axis, and returns as many numbers. Derivatives need
// eigenvalues that differ.
func Funm(a weft.Array, f func(w weft.Array) weft.Array) weft.Array {
	const op = "Funm"
	if f == nil {
		core.FailOp(core.ErrStatic, op, nil, "the function is nil; pass one")
	}
	w, v := Eigh(squareMatrix(op, a))
	return nd.WithJAXPromotion(func() weft.Array {
		y := f(w)
		if aval(y).Shape != aval(w).Shape {
			core.FailOp(core.ErrShape, op, []core.ShapedArray{aval(y), aval(w)}, "the function must return as many numbers as there are eigenvalues (got %v, want the shape of %v); apply it element by element", aval(y).Full(), aval(w).Full())
		}
		if !y.DType().IsComplex() {
			y = y.AsType(v.DType())
		}
		return v.Mul(asColumns(y)).MatMul(adjoint(v))
	})
}

// Sqrtm returns the positive semidefinite square roots of positive semidefinite Hermitian
// matrices. Negative eigenvalues make NaN, but those within rounding of 0 count as 0.
func Sqrtm(a weft.Array) weft.Array {
	a = squareMatrix("Sqrtm", a)
	return Funm(a, func(w weft.Array) weft.Array {
		if w.Dim(-1) == 0 {
			return w
		}
		noise := weft.StopGradient(weft.Abs(w).Max(-1, weft.Keep)).Mul(float64(a.Dim(-1)) * epsilon(a))
		none := weft.Abs(w).Le(noise)
		return weft.Where(none, 0., weft.Sqrt(weft.Where(none, 1., w)))
	})
}
