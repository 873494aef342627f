package matrices

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/core/prim/internal/rule"
	"github.com/weft-go/weft/jaxpr"
)

// EigP returns the eigenvalues of every square matrix of an array, complex, in no order,
// and its left and right eigenvectors as columns: A·v = w·v, uᴴ·A = w·uᴴ. Vectors have norm
// one, and a real largest component where they are complex.
//
// Numbers: computed in f64 or c128, rounded once. The matrix is scaled by powers of two until
// rows and columns have similar norms, brought to Hessenberg form (HessenbergP), then to Schur form
// by implicitly shifted QR iterations: two shifts at once for real matrices, one for complex
// ones. There are at most 30·max(10, n) iterations per eigenvalue; without convergence, as for a
// matrix with NaN or ∞, all results are NaN. An element below the diagonal counts as zero by the rule of
// LAPACK's lahqr, at the precision of the operand's type. The order of eigenvalues and the signs of
// vectors depend on the number of iterations. Eigenvectors come from the Schur form by back
// substitution.
type EigP struct {
	Left, Right    bool
	Derivatives    bool   // JVP differentiates vectors; the eigenvalues must differ
	Implementation string // JAX's name of a method, "" for None; it means nothing here
}

// Eig returns eigenvalues and right eigenvectors of x.
func Eig(x core.Value) (w, v core.Value) {
	out := core.Bind(EigP{Right: true}, x)
	return out[0], out[1]
}

func (EigP) Name() string { return "eig" }

func (EigP) read(r *jaxpr.ParamReader) core.Primitive {
	p := EigP{Left: r.Bool("compute_left_eigenvectors"), Right: r.Bool("compute_right_eigenvectors")}
	if r.Has("enable_eigvec_derivs") {
		p.Derivatives = r.Bool("enable_eigvec_derivs")
	}
	if r.Has("implementation") {
		p.Implementation = rule.OptionalText(r, "implementation")
	}
	return p
}

func (p EigP) Params() []core.Param {
	return []core.Param{
		rule.Param("compute_left_eigenvectors", rule.PyBool(p.Left)),
		rule.Param("compute_right_eigenvectors", rule.PyBool(p.Right)),
		rule.Param("enable_eigvec_derivs", rule.PyBool(p.Derivatives)),
		rule.Param("implementation", rule.NoneIfEmpty(p.Implementation)),
	}
}

// Abstract returns the types of values and vectors, all complex.
func (p EigP) Abstract(in []core.ShapedArray) []core.ShapedArray {
	rule.Operands(in, 1)
	squareMatrices(in[0])
	batch, n, _ := matrices(in[0])
	x := in[0].WithDType(eigenType(in[0].DType))
	out := []core.ShapedArray{x.WithShape(batch.Append(n))}
	if p.Left {
		out = append(out, x)
	}
	if p.Right {
		out = append(out, x)
	}
	return out
}

func eigenType(dt core.DType) core.DType {
	if dt == core.Complex128 || dt == core.Float64 {
		return core.Complex128
	}
	return core.Complex64
}

// JVP returns the tangents of the eigenvalues, the diagonal of X = V⁻¹·Ȧ·V, and of the vectors: V
// times X off the diagonal over the differences of eigenvalues, plus the multiple of the vector
// that keeps its norm and the phase of its largest component. If there are vectors, it fails
// unless Derivatives is set.
func (p EigP) JVP(in, out, t []core.Value) []core.Value {
	if (p.Left || p.Right) && !p.Derivatives {
		core.Failf(core.ErrNoRule, "has no derivative of eigenvectors unless enable_eigvec_derivs is set: they must be distinct; differentiate the eigenvalues, or use eigh")
	}
	w := out[0]
	var vl, vr core.Value
	if p.Left {
		vl = out[1]
	}
	if p.Right {
		vr = out[len(out)-1]
	} else {
		_, vr = Eig(in[0])
	}
	da := inType(t[0], w.Aval().DType)
	if !p.Left && !p.Right {
		x := prim.MatMul(solveSquare(vr, da), vr)
		return rule.One(diagonalOf(x))
	}
	dw, dv := eigenTangents(w, vr, da)
	res := []core.Value{dw}
	if p.Left {
		_, dl := eigenTangents(prim.Conj(w), vl, adjoint(da))
		res = append(res, dl)
	}
	if p.Right {
		res = append(res, dv)
	}
	return res
}

// eigenTangents returns the tangents of eigenvalues and normalized eigenvectors.
func eigenTangents(w, v, da core.Value) (dw, dv core.Value) {
	x := prim.MatMul(solveSquare(v, da), v)
	u := prim.MatMul(v, prim.Mul(inverseDifferences(w), x))
	a := v.Aval()
	r := a.Rank()
	rows := core.MakeDims(r - 2)
	largest := prim.Argmax(prim.Abs(v), r-2, core.Int32)
	at := prim.Eq(prim.Iota(core.Int32, a.Shape, r-2), overColumns(largest, a.Shape))
	pick := func(z core.Value) core.Value { return prim.ReduceSum(prim.Where(at, z, prim.Zeros(a)), rows) }
	re := prim.Neg(prim.Real(prim.ReduceSum(prim.Mul(prim.Conj(v), u), rows)))
	im := prim.Neg(prim.Div(prim.Imag(pick(u)), prim.Real(pick(v))))
	c := prim.Complex(re, im)
	return diagonalOf(x), prim.Add(u, prim.Mul(v, overColumns(c, a.Shape)))
}

// overColumns returns matrices of the given shape in which every row is the vector v.
func overColumns(v core.Value, shape core.Dims) core.Value {
	r := shape.Len()
	return prim.BroadcastInDim(v, shape, core.Range(0, r-2).Append(r-1))
}

// solveSquare returns A⁻¹·B by LU.
func solveSquare(a, b core.Value) core.Value {
	lu, _, perm := LU(a)
	x := TriangularSolve(lu, takeRowsBy(b, perm), TriangularSolveP{LeftSide: true, Lower: true, UnitDiagonal: true})
	return TriangularSolve(lu, x, TriangularSolveP{LeftSide: true})
}

func (p EigP) Batch(_ int, in []core.Value, _ []bool) ([]core.Value, []bool) {
	return rule.Bound(p, in[0])
}

// SchurP brings every square matrix of an array to Schur form: A = Q·T·Qᴴ. The results are T
// and, with Vectors, Q. T is upper triangular, except that a pair of complex eigenvalues of a
// real matrix makes a 2 × 2 block on the diagonal. Its diagonal elements are equal, and the
// other two have opposite signs. Numbers: see EigP; the matrix is not scaled.
type SchurP struct {
	noDerivative
	Vectors bool
}

// Schur returns the Schur form of x and the unitary matrix.
func Schur(x core.Value) (t, q core.Value) {
	out := core.Bind(SchurP{Vectors: true}, x)
	return out[0], out[1]
}

func (SchurP) Name() string { return "schur" }

func (SchurP) read(r *jaxpr.ParamReader) core.Primitive {
	r.MustBe("select_callable", "None")
	r.MustBe("sort_eig_vals", "False")
	return SchurP{Vectors: r.Bool("compute_schur_vectors")}
}

func (p SchurP) Params() []core.Param {
	return []core.Param{
		rule.Param("compute_schur_vectors", rule.PyBool(p.Vectors)),
		rule.Param("select_callable", "None"),
		rule.Param("sort_eig_vals", "False"),
	}
}

func (p SchurP) Abstract(in []core.ShapedArray) []core.ShapedArray {
	rule.Operands(in, 1)
	squareMatrices(in[0])
	x := in[0]
	if p.Vectors {
		return []core.ShapedArray{x, x}
	}
	return []core.ShapedArray{x}
}

func (p SchurP) Batch(_ int, in []core.Value, _ []bool) ([]core.Value, []bool) {
	return rule.Bound(p, in[0])
}

// HessenbergP brings every square matrix of an array to Hessenberg form, with zeros below the
// subdiagonal, by reflectors: A = Q·H·Qᴴ. The results are H with the reflectors below its
// subdiagonal, as LAPACK's gehrd packs them, and the numbers τ. Numbers: computed in f64 or c128,
// rounded once; 32 columns per panel. A column of the panel takes the earlier reflectors by
// chains of fma; the rest of the matrix takes all of them by products that round as dot_general
// does.
type HessenbergP struct{ noDerivative }

// Hessenberg returns the packed form and τ.
func Hessenberg(x core.Value) (packed, taus core.Value) {
	out := core.Bind(HessenbergP{}, x)
	return out[0], out[1]
}

func (HessenbergP) Name() string { return "hessenberg" }

func (HessenbergP) Abstract(in []core.ShapedArray) []core.ShapedArray {
	rule.Operands(in, 1)
	squareMatrices(in[0])
	batch, n, _ := matrices(in[0])
	if n == 0 {
		core.Failf(core.ErrShape, "matrices must have at least one row (got %v); check the shape", in[0].Full())
	}
	x := in[0]
	return []core.ShapedArray{x, x.WithShape(batch.Append(n - 1))}
}

func (p HessenbergP) Batch(_ int, in []core.Value, _ []bool) ([]core.Value, []bool) {
	return rule.Bound(p, in[0])
}
