package matrices

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/core/prim/internal/rule"
	"github.com/weft-go/weft/jaxpr"
)

// SVDP returns the singular values of every matrix of an array, and with Vectors its
// singular vectors.
//
//	A = U · diag(s) · Vᴴ
//
// The results are s, decreasing, then U and Vᴴ: square if Full, else with as many columns
// and rows as the smaller size of A.
//
// Numbers: computed in f64 or c128, rounded once. A is scaled by a power of two. Where one size is
// at least 11/6 of the other, the matrix is reduced to triangular form by reflectors first. The
// matrix, or the adjoint of a wide one, is brought to bidiagonal form by reflectors, a column and a
// row in turn, 32 columns per panel (see TridiagonalP). Then implicitly shifted QR iterations,
// after LAPACK's bdsqr: without a shift where that would cost relative accuracy, from the larger
// end of a block, until the elements off the diagonal count as zero by the precision of the
// operand's type. For n values there are at most 6·n² rotations of either side; without convergence, as for a
// matrix with NaN or ∞, all results are NaN. If there are at most 25 values, singular vectors have
// the signs that this leaves; else those of LAPACK's divide and conquer: component n/2 of a
// left vector of the upper bidiagonal matrix is not positive.
type SVDP struct {
	Algorithm     string // JAX's name of a method, "" for None; it means nothing here
	Full, Vectors bool
	Subset        Subset
}

func (SVDP) Name() string { return "svd" }

func (SVDP) read(r *jaxpr.ParamReader) core.Primitive {
	p := SVDP{Full: r.Bool("full_matrices"), Vectors: r.Bool("compute_uv"), Subset: readSubset(r)}
	if r.Has("algorithm") {
		p.Algorithm = rule.OptionalText(r, "algorithm")
	}
	return p
}

func (p SVDP) Params() []core.Param {
	return []core.Param{
		rule.Param("algorithm", rule.NoneIfEmpty(p.Algorithm)),
		rule.Param("compute_uv", rule.PyBool(p.Vectors)),
		rule.Param("full_matrices", rule.PyBool(p.Full)),
		rule.Param("subset_by_index", p.Subset),
	}
}

func (p SVDP) Abstract(in []core.ShapedArray) []core.ShapedArray {
	rule.Operands(in, 1)
	batch, m, n := matrices(in[0])
	lo, hi := p.Subset.of(min(m, n))
	if p.Full && hi-lo < min(m, n) {
		core.Failf(core.ErrShape, "full matrices of a range %v of the singular values are not defined; set full_matrices=False", p.Subset)
	}
	x := in[0]
	s := x.WithShape(batch.Append(hi - lo)).WithDType(x.DType.Real())
	if !p.Vectors {
		return []core.ShapedArray{s}
	}
	rows, cols := hi-lo, hi-lo
	if p.Full {
		rows, cols = m, n
	}
	return []core.ShapedArray{s, x.WithShape(batch.Append(m, rows)), x.WithShape(batch.Append(cols, n))}
}

// JVP returns the tangents of the values, the real diagonal of X = Uᴴ·Ȧ·V, and of the vectors, by
// X off the diagonal over the differences of squares of singular values: NaN or infinite where
// two are equal.
func (p SVDP) JVP(in, out, t []core.Value) []core.Value {
	a := in[0].Aval()
	_, m, n := matrices(a)
	k := min(m, n)
	if lo, hi := p.Subset.of(k); lo > 0 || hi < k {
		core.Failf(core.ErrNoRule, "has no derivative for a range of the singular values; take all and slice")
	}
	if p.Vectors && p.Full && m != n {
		core.Failf(core.ErrNoRule, "has no derivative for full matrices of %v; set full_matrices=False", a.Full())
	}
	s := out[0]
	var u, vh core.Value
	if p.Vectors {
		u, vh = out[1], out[2]
	} else {
		all := core.Bind(SVDP{Vectors: true}, in[0])
		s, u, vh = all[0], all[1], all[2]
	}
	uh, v := adjoint(u), adjoint(vh)
	da := t[0]
	x := prim.MatMul(prim.MatMul(uh, da), v)
	ds := diagonalOf(realMatrix(x))
	if !p.Vectors {
		return rule.One(ds)
	}
	dt := a.DType
	rows, cols := asRows(s), asColumns(s)
	diff := prim.Mul(prim.Add(rows, cols), prim.Sub(rows, cols))
	sa := diff.Aval()
	ones := prim.Full(sa, 1)
	eye := prim.Where(diagonalMask(sa), ones, prim.Zeros(sa))
	f := inType(prim.Sub(prim.Div(ones, prim.Add(diff, eye)), eye), dt)
	xs, sx := prim.Mul(inType(rows, dt), x), prim.Mul(inType(cols, dt), x)
	inside := prim.Mul(f, prim.Add(xs, adjoint(xs)))
	if dt.IsComplex() {
		// The imaginary diagonal of X rotates the phases of U's columns.
		zero := prim.Eq(cols, prim.Zeros(sa))
		inv := prim.Where(zero, prim.Zeros(sa), prim.Div(ones, prim.Where(zero, ones, cols)))
		skew := prim.Mul(prim.Sub(x, adjoint(x)), prim.Num(core.ShapedArray{DType: dt}, 0.5))
		inside = prim.Add(inside, prim.Mul(skew, inType(prim.Where(diagonalMask(sa), inv, prim.Zeros(sa)), dt)))
	}
	du := prim.MatMul(u, inside)
	dv := prim.MatMul(v, prim.Mul(f, prim.Add(sx, adjoint(sx))))
	if m > n {
		dav := prim.MatMul(da, v)
		du = prim.Add(du, prim.Div(prim.Sub(dav, prim.MatMul(u, prim.MatMul(uh, dav))), overRows(s, m, dt)))
	}
	if n > m {
		dau := prim.MatMul(adjoint(da), u)
		dv = prim.Add(dv, prim.Div(prim.Sub(dau, prim.MatMul(v, prim.MatMul(vh, dau))), overRows(s, n, dt)))
	}
	return []core.Value{ds, du, adjoint(dv)}
}

// overRows repeats vectors as n rows, in another dtype.
func overRows(s core.Value, n int, dt core.DType) core.Value {
	shape := s.Aval().Shape
	r := shape.Len()
	return inType(prim.BroadcastInDim(s, shape.Slice(0, r-1).Append(n, shape.At(r-1)), core.Range(0, r-1).Append(r)), dt)
}

func (p SVDP) Batch(_ int, in []core.Value, _ []bool) ([]core.Value, []bool) {
	return rule.Bound(p, in[0])
}
