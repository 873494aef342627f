package prim

import "github.com/weft-go/weft/core"

// CholeskyP is the lower triangular root of every positive definite matrix of an array.
//
//	A = L · Lᴴ
//
// Only the lower triangle of A is read, of its diagonal only the real part. Above the diagonal
// the result has A's elements, as LAPACK and JAX on CPUs leave them: mask them. Where a pivot is
// not positive the whole result is NaN. Numbers: column by column from the left, the diagonal
// element is the root of the pivot, those below are divided by it, and every later column k is
// lowered by the column times conj L[k, j], one fma per element. f16 and bf16 work in f32.
type CholeskyP struct{}

// Cholesky returns the lower triangular root of x.
func Cholesky(x Value) Value { return core.Apply1(CholeskyP{}, x) }

func (CholeskyP) Name() string { return "cholesky" }

func (CholeskyP) Abstract(in []ShapedArray) []ShapedArray {
	operands(in, 1)
	squareMatrices(in[0])
	return []ShapedArray{in[0]}
}

// JVP returns the tangent of the root along Hermitian tangents:
//
//	L̇ = L · Φ(L⁻¹ Ȧ L⁻ᴴ)
//
// where Φ is the lower triangle with half of the diagonal. It is linear in all of Ȧ, as in JAX,
// and zero above the diagonal.
func (CholeskyP) JVP(in, out, t []Value) []Value {
	l := triangle{lower: true}.of(out[0])
	right := TriangularSolve(l, t[0], TriangularSolveP{Lower: true, TransposeA: true, ConjugateA: true})
	both := TriangularSolve(l, right, TriangularSolveP{Lower: true, LeftSide: true})
	return one(MatMul(l, halfLower(both)))
}

// halfLower returns the lower triangle of x with half of its diagonal.
func halfLower(x Value) Value {
	a := x.Aval()
	n := a.Rank()
	square := a.Shape.Slice(n-2, n)
	diagonal := Eq(Iota(core.Int32, square, 0), Iota(core.Int32, square, 1))
	w := a.WithShape(square)
	weight := Where(diagonal, Full(w, 0.5), Full(w, 1))
	return triangle{lower: true}.of(Mul(x, BroadcastInDim(weight, a.Shape, core.MakeDims(n-2, n-1))))
}

func (p CholeskyP) Batch(_ int, in []Value, _ []bool) ([]Value, []bool) { return bound(p, in[0]) }
