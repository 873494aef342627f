package matrices

import (
	"strconv"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/core/prim/internal/rule"
	"github.com/weft-go/weft/jaxpr"
)

// LUP factors every matrix of an array by Gaussian elimination with row exchanges.
//
//	P · A = L · U
//
// The results are L below the diagonal (its diagonal is 1) and U on and above it, in one
// matrix; the row that was exchanged with row k; and the permutation that all exchanges
// make: row i of P·A is row permutation[i] of A.
//
// Numbers: the pivot of column k is the element with the largest |x| (for complex numbers |re| +
// |im|) on or below the diagonal, the first of equals. The elements below it are divided by the
// pivot; a zero column is left as it is. Each element is one chain of fma from its own value over
// k in order: a[i, j] is lowered by a[i, k]·a[k, j]. So code that works in blocks has the same
// bits. f16 and bf16 work in f32. The numbers of a singular matrix are finite, with a zero on U's
// diagonal; those of a matrix with NaN are NaN from there on.
type LUP struct{}

// LU returns the factors of x in one matrix, the row exchanges, and the permutation.
func LU(x core.Value) (lu, pivots, permutation core.Value) {
	out := core.Bind(LUP{}, x)
	return out[0], out[1], out[2]
}

func (LUP) Name() string { return "lu" }

func (LUP) Abstract(in []core.ShapedArray) []core.ShapedArray {
	rule.Operands(in, 1)
	batch, m, n := matrices(in[0])
	x := in[0]
	index := func(k int) core.ShapedArray { return x.WithShape(batch.Append(k)).WithDType(core.Int32) }
	return []core.ShapedArray{x, index(min(m, n)), index(m)}
}

// JVP returns the tangents of the factors, where X = L⁻¹·P·Ȧ·U⁻¹:
//
//	L̇ = L · strictly lower X,  U̇ = upper X · U
//
// A matrix that is not square is completed by the identity.
func (LUP) JVP(in, out, t []core.Value) []core.Value {
	lu := out[0]
	a := lu.Aval()
	_, m, n := matrices(a)
	k := min(m, n)
	l := triangle{lower: true, strict: true}.of(sliceMatrices(lu, 0, m, 0, k))
	l = prim.Add(padMatrices(l, 0, m-k), identity(a, m))
	u := padMatrices(triangle{}.of(sliceMatrices(lu, 0, k, 0, n)), n-k, 0)
	if n > k {
		u = prim.Add(u, cornerIdentity(a, k, n))
	}
	x := takeRowsBy(t[0], out[2])
	x = TriangularSolve(l, x, TriangularSolveP{LeftSide: true, Lower: true, UnitDiagonal: true})
	x = TriangularSolve(u, x, TriangularSolveP{})
	dl := prim.MatMul(l, triangle{lower: true, strict: true}.of(x))
	du := prim.MatMul(triangle{}.of(x), u)
	return []core.Value{prim.Add(dl, du), nil, nil}
}

// padMatrices adds rows and columns of zeros after those of matrices.
func padMatrices(x core.Value, rows, cols int) core.Value {
	if rows == 0 && cols == 0 {
		return x
	}
	a := x.Aval()
	config := make([]int, 3*a.Rank())
	config[len(config)-5] = rows
	config[len(config)-2] = cols
	return prim.Pad(x, prim.Num(a, 0), core.MakeDims(config...))
}

// cornerIdentity returns n × n matrices with ones on the diagonal from k on, and zeros.
func cornerIdentity(like core.ShapedArray, k, n int) core.Value {
	square := core.MakeDims(n, n)
	row := prim.Iota(core.Int32, square, 0)
	eye := prim.And(prim.Eq(row, prim.Iota(core.Int32, square, 1)), prim.Ge(row, prim.Num(core.Aval(core.Int32), float64(k))))
	return overBatch(prim.Convert(eye, like.DType, false), like)
}

func (p LUP) Batch(_ int, in []core.Value, _ []bool) ([]core.Value, []bool) {
	return rule.Bound(p, in[0])
}

// LUPivotsToPermutationP returns the permutation of Size rows that exchanging row k with
// row pivots[k], for each k in order, makes. Negative pivots count from the end. For a pivot out of
// range row k becomes a copy of the nearest row, so the result is not a permutation.
type LUPivotsToPermutationP struct{ Size int }

func (LUPivotsToPermutationP) ZeroJVP() {}

// LUPivotsToPermutation returns the permutation of size rows that row exchanges make.
func LUPivotsToPermutation(pivots core.Value, size int) core.Value {
	return core.Apply1(LUPivotsToPermutationP{Size: size}, pivots)
}

func (LUPivotsToPermutationP) Name() string { return "lu_pivots_to_permutation" }

func (LUPivotsToPermutationP) read(r *jaxpr.ParamReader) core.Primitive {
	return LUPivotsToPermutationP{Size: r.Int("permutation_size")}
}

func (p LUPivotsToPermutationP) Params() []core.Param {
	return []core.Param{rule.Param("permutation_size", strconv.Itoa(p.Size))}
}

func (p LUPivotsToPermutationP) Abstract(in []core.ShapedArray) []core.ShapedArray {
	rule.Operands(in, 1)
	x := in[0]
	if x.DType != core.Int32 {
		core.Failf(core.ErrDType, "takes exchanges as i32, got %v; convert them first", x.Full())
	}
	batch, n := vectors(x)
	if p.Size < n {
		core.Failf(core.ErrShape, "a permutation of %d rows is shorter than the %d exchanges of %v; make permutation_size at least %d", p.Size, n, x.Full(), n)
	}
	return []core.ShapedArray{x.WithShape(batch.Append(p.Size))}
}

func (p LUPivotsToPermutationP) Batch(_ int, in []core.Value, _ []bool) ([]core.Value, []bool) {
	return rule.Bound(p, in[0])
}
