package matrices

import (
	"strconv"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/core/prim/internal/rule"
	"github.com/weft-go/weft/jaxpr"
)

// A Subset is a range [Lo, Hi) of eigenvalues or singular values; the zero Subset is all.
type Subset struct{ Lo, Hi int }

// String returns None for all, else (Lo, Hi).
func (s Subset) String() string {
	if s == (Subset{}) {
		return "None"
	}
	return "(" + strconv.Itoa(s.Lo) + ", " + strconv.Itoa(s.Hi) + ")"
}

// of returns the limits of the range among n values, and fails if it is no range of them.
func (s Subset) of(n int) (lo, hi int) {
	if s == (Subset{}) {
		return 0, n
	}
	if s.Lo < 0 || s.Hi < s.Lo || s.Hi > n {
		core.Failf(core.ErrShape, "subset_by_index %v is not a range of %d values; use 0 ≤ lo ≤ hi ≤ %d", s, n, n)
	}
	return s.Lo, s.Hi
}

func readSubset(r *jaxpr.ParamReader) Subset {
	if r.IsNone("subset_by_index") {
		return Subset{}
	}
	d := r.Dims("subset_by_index")
	if d.Len() != 2 {
		core.FailOp(core.ErrParse, "", nil, "parameter subset_by_index must be a pair (lo, hi) (got %v); write two integers", d)
	}
	return Subset{d.At(0), d.At(1)}
}

// EighP returns the eigenvectors, as columns, and the eigenvalues of every Hermitian matrix of an
// array: A·V = V·diag(w). Eigenvalues increase. With ValuesOnly the eigenvalues are the only
// result, with the same bits. Only the lower triangle of A is read, or the upper one if Lower is
// false; of the diagonal only the real part.
//
// Numbers: f32 and c64 compute in f64 and c128 and are rounded once at the end, f16 and bf16
// likewise. A is scaled by a power of two such that its largest part is within [½, 1). It is
// brought to tridiagonal form: see TridiagonalP. Then implicitly shifted QL or QR iterations,
// after LAPACK's steqr: the end of the block with the smaller diagonal element is diagonalized
// first; the shift is Wilkinson's; off-diagonal elements count as zero by the precision of the
// operand's type, as in LAPACK. There are at most 30·n iterations; without convergence, as for a
// matrix with NaN or ∞, all results are NaN. The rotations are applied to the eigenvectors of the
// tridiagonal matrix, each by two products and an fma, then the reflectors, in panels. Iterations
// depend on the matrix alone, so that batches, threads and machines have the same bits.
// Eigenvectors of at most 25 rows have the signs that this leaves. Longer ones have the signs of
// LAPACK's divide and conquer: for the tridiagonal matrix with elements e beside the diagonal and
// its eigenvector x, xₖ₋₁ + sign(eₖ₋₁)·xₖ is not positive for k = n/2. An upper triangle is brought to
// tridiagonal form as TridiagonalP describes, so that the last component of a complex eigenvector
// is real, not the first.
type EighP struct {
	Algorithm string // JAX's name of a method, "" for None; it means nothing here
	Lower     bool
	Sorted    bool
	Subset    Subset
	// ValuesOnly, which JAX lacks, is printed where it is true.
	ValuesOnly bool
}

func (EighP) Name() string { return "eigh" }

func (EighP) read(r *jaxpr.ParamReader) core.Primitive {
	p := EighP{Algorithm: rule.OptionalText(r, "algorithm"), Lower: r.Bool("lower"), Sorted: r.Bool("sort_eigenvalues"), Subset: readSubset(r)}
	if r.Has("values_only") {
		p.ValuesOnly = r.Bool("values_only")
	}
	return p
}

func (p EighP) Params() []core.Param {
	params := []core.Param{
		rule.Param("algorithm", rule.NoneIfEmpty(p.Algorithm)),
		rule.Param("lower", rule.PyBool(p.Lower)),
		rule.Param("sort_eigenvalues", rule.PyBool(p.Sorted)),
		rule.Param("subset_by_index", p.Subset),
	}
	if p.ValuesOnly {
		params = append(params, rule.Param("values_only", rule.PyBool(true)))
	}
	return params
}

func (p EighP) Abstract(in []core.ShapedArray) []core.ShapedArray {
	rule.Operands(in, 1)
	squareMatrices(in[0])
	batch, n, _ := matrices(in[0])
	lo, hi := p.Subset.of(n)
	x := in[0]
	w := x.WithShape(batch.Append(hi - lo)).WithDType(x.DType.Real())
	if p.ValuesOnly {
		return []core.ShapedArray{w}
	}
	return []core.ShapedArray{x.WithShape(batch.Append(n, hi-lo)), w}
}

// JVP returns the tangents of the eigenvalues, the real diagonal of X = Vᴴ·Ȧ·V, and of the
// eigenvectors: V times the elements of X off the diagonal over the differences of eigenvalues,
// which is NaN or infinite where two eigenvalues are equal. Ȧ is Hermitian, given by the triangle
// that is read.
func (p EighP) JVP(in, out, t []core.Value) []core.Value {
	n := in[0].Aval().Shape.At(-1)
	if lo, hi := p.Subset.of(n); lo > 0 || hi < n {
		core.Failf(core.ErrNoRule, "has no derivative for a range of the eigenvalues; take all and slice")
	}
	all := out
	if p.ValuesOnly {
		full := p
		full.ValuesOnly = false
		all = core.Bind(full, in[0])
	}
	v, w := all[0], all[1]
	half := t[0]
	if !p.Lower {
		half = adjoint(half)
	}
	half = halfLower(half)
	x := prim.MatMul(prim.MatMul(adjoint(v), prim.Add(half, adjoint(half))), v)
	if p.ValuesOnly {
		return rule.One(diagonalOf(realMatrix(x)))
	}
	f := inType(inverseDifferences(w), x.Aval().DType)
	return []core.Value{prim.MatMul(v, prim.Mul(f, x)), diagonalOf(realMatrix(x))}
}

func (p EighP) Batch(_ int, in []core.Value, _ []bool) ([]core.Value, []bool) {
	return rule.Bound(p, in[0])
}

// TridiagonalP brings every Hermitian matrix of an array to tridiagonal form by
// reflectors: A = Q·T·Qᴴ. The results are T's diagonal, off-diagonal and the reflectors in one
// matrix, as LAPACK's sytrd packs them; the diagonal; the elements beside it, both real; and the
// numbers τ. Only the lower triangle is read, or the upper if Lower is false.
//
// Numbers: computed in f64 or c128, rounded once. Column by column, 32 columns per panel. A
// column takes the panel's earlier reflectors by chains of fma in their order. The product of A
// with v is a chain over rows in order; its corrections by the panel are dot products that round
// as dot_general does. After each panel one product is subtracted from A. The upper triangle is
// reduced from its last column up, as the lower triangle of the matrix with rows and columns
// reversed.
type TridiagonalP struct {
	noDerivative
	Lower bool
}

// Tridiagonal returns the packed form, the diagonal, the elements beside it and τ.
func Tridiagonal(x core.Value, lower bool) []core.Value {
	return core.Bind(TridiagonalP{Lower: lower}, x)
}

func (TridiagonalP) Name() string { return "tridiagonal" }

func (TridiagonalP) read(r *jaxpr.ParamReader) core.Primitive {
	return TridiagonalP{Lower: r.Bool("lower")}
}

func (p TridiagonalP) Params() []core.Param {
	return []core.Param{rule.Param("lower", rule.PyBool(p.Lower))}
}

func (p TridiagonalP) Abstract(in []core.ShapedArray) []core.ShapedArray {
	rule.Operands(in, 1)
	squareMatrices(in[0])
	batch, n, _ := matrices(in[0])
	if n == 0 {
		core.Failf(core.ErrShape, "matrices must have at least one row (got %v); check the shape", in[0].Full())
	}
	x := in[0]
	side := x.WithShape(batch.Append(n - 1))
	re := x.DType.Real()
	return []core.ShapedArray{x, x.WithShape(batch.Append(n)).WithDType(re), side.WithDType(re), side}
}

func (p TridiagonalP) Batch(_ int, in []core.Value, _ []bool) ([]core.Value, []bool) {
	return rule.Bound(p, in[0])
}
