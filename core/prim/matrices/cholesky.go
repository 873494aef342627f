package matrices

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/core/prim/internal/rule"
)

// CholeskyP is the lower triangular root of every positive definite matrix of an array.
//
//	A = L · Lᴴ
//
// Only the lower triangle of A is read, of its diagonal only the real part. Above the diagonal
// the result has A's elements, as LAPACK and JAX on CPUs leave them: mask them. Where a pivot is
// not positive the whole result is NaN. Numbers: column by column from the left, the diagonal
// element of column j becomes the root of the pivot, and those below are divided by it. Then
// column j times conj L[k, j] is subtracted from every later column k, one fma per element. f16
// and bf16 work in f32.
type CholeskyP struct{}

// Cholesky returns the lower triangular root of x.
func Cholesky(x core.Value) core.Value { return core.Apply1(CholeskyP{}, x) }

func (CholeskyP) Name() string { return "cholesky" }

func (CholeskyP) Abstract(in []core.ShapedArray) []core.ShapedArray {
	rule.Operands(in, 1)
	squareMatrices(in[0])
	return []core.ShapedArray{in[0]}
}

// JVP returns the tangent of the root along Hermitian tangents:
//
//	L̇ = L · Φ(L⁻¹ Ȧ L⁻ᴴ)
//
// where Φ is the lower triangle with half of the diagonal. It is linear in all of Ȧ, as in JAX,
// and zero above the diagonal.
func (CholeskyP) JVP(in, out, t []core.Value) []core.Value {
	l := triangle{lower: true}.of(out[0])
	right := TriangularSolve(l, t[0], TriangularSolveP{Lower: true, TransposeA: true, ConjugateA: true})
	both := TriangularSolve(l, right, TriangularSolveP{Lower: true, LeftSide: true})
	return rule.One(prim.MatMul(l, halfLower(both)))
}

// halfLower returns the lower triangle of x with half of its diagonal.
func halfLower(x core.Value) core.Value {
	a := x.Aval()
	n := a.Rank()
	square := a.Shape.Slice(n-2, n)
	diagonal := prim.Eq(prim.Iota(core.Int32, square, 0), prim.Iota(core.Int32, square, 1))
	w := a.WithShape(square)
	weight := prim.Where(diagonal, prim.Full(w, 0.5), prim.Full(w, 1))
	return triangle{lower: true}.of(prim.Mul(x, prim.BroadcastInDim(weight, a.Shape, core.MakeDims(n-2, n-1))))
}

func (p CholeskyP) Batch(_ int, in []core.Value, _ []bool) ([]core.Value, []bool) {
	return rule.Bound(p, in[0])
}
