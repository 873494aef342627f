package matrices

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/core/prim/internal/rule"
	"github.com/weft-go/weft/jaxpr"
)

// A reflector is H = I − τ·v·vᴴ, where v has zeros before element k, and 1 there. It is
// made from a vector x as LAPACK's larfg does: with α = x[k],
//
//	β = −sign(re α)·‖x[k:]‖,  τ = ((β − re α)/β, −im α/β),  v = x/(α − β)
//
// so that Hᴴ·x is β at k, and 0 after it; where x is 0 after k and α is real, τ is 0. The
// norm is scaled by a power of two, and is a chain of fma in f64.
//
// A product of reflectors with a matrix rounds as follows. Each 32 reflectors make a panel,
// I − V·T·Vᴴ. Its columns are updated one reflector after the other: the sums over rows are
// chains of fma from +0 in order. The columns after the panel are updated once: three
// products that round as dot_general does, then a subtraction.

// GeqrfP reduces every matrix of an array to upper triangular form by reflectors I − τ·v·vᴴ, in
// panels of 32: the head of qr.go defines them. The results are R on and above the diagonal with
// the vectors v below it, and the numbers τ. f16 and bf16 work in f32.
type GeqrfP struct{ noDerivative }

// noDerivative marks operations for which JAX has no derivative.
type noDerivative struct{}

func (noDerivative) NoJVP() string {
	return "the form is an intermediate result of a factorization; differentiate the factorization (qr, eigh, svd)"
}

// Geqrf returns R and the reflectors in one matrix, and the numbers τ.
func Geqrf(x core.Value) (packed, taus core.Value) {
	out := core.Bind(GeqrfP{}, x)
	return out[0], out[1]
}

func (GeqrfP) Name() string { return "geqrf" }

func (GeqrfP) Abstract(in []core.ShapedArray) []core.ShapedArray {
	rule.Operands(in, 1)
	batch, m, n := matrices(in[0])
	x := in[0]
	return []core.ShapedArray{x, x.WithShape(batch.Append(min(m, n)))}
}

func (p GeqrfP) Batch(_ int, in []core.Value, _ []bool) ([]core.Value, []bool) {
	return rule.Bound(p, in[0])
}

// HouseholderProductP returns the first columns of the product of reflectors H₀·H₁·…,
// which are packed as GeqrfP does: as many columns as the packed matrix has.
type HouseholderProductP struct{ noDerivative }

// HouseholderProduct returns the first columns of a product of reflectors.
func HouseholderProduct(packed, taus core.Value) core.Value {
	return core.Apply2(HouseholderProductP{}, packed, taus)
}

func (HouseholderProductP) Name() string { return "householder_product" }

func (HouseholderProductP) Abstract(in []core.ShapedArray) []core.ShapedArray {
	rule.Operands(in, 2)
	m, n := reflectors(in[0], in[1])
	if m < n {
		core.Failf(core.ErrShape, "the reflectors %v have more columns than rows; take the first %d columns", in[0].Full(), m)
	}
	x := in[0]
	x.Weak = rule.AllWeak(in)
	return []core.ShapedArray{x}
}

// reflectors demands a matrix of reflectors and their numbers, and returns its size.
func reflectors(a, taus core.ShapedArray) (m, n int) {
	batch, m, n := matrices(a)
	rule.SameDType(a, taus)
	b, k := vectors(taus)
	sameBatch(a, batch, taus, b)
	if k > min(m, n) {
		core.Failf(core.ErrShape, "%d reflectors do not fit %v (got %v, want at most %d numbers); pass fewer", k, a.Full(), taus.Full(), min(m, n))
	}
	return m, n
}

func (p HouseholderProductP) Batch(n int, in []core.Value, mapped []bool) ([]core.Value, []bool) {
	return rule.Bound(p, prim.AllAtFront(n, in, mapped)...)
}

// OrmqrP multiplies a matrix C by the product Q of reflectors that are packed as GeqrfP
// does: Q·C or C·Q, with Qᴴ in place of Q if Transposed.
type OrmqrP struct {
	noDerivative
	Left, Transposed bool
}

// Ormqr multiplies c by the product of reflectors.
func Ormqr(packed, taus, c core.Value, left, transpose bool) core.Value {
	return core.Bind1(OrmqrP{Left: left, Transposed: transpose}, packed, taus, c)
}

func (OrmqrP) Name() string { return "ormqr" }

func (OrmqrP) read(r *jaxpr.ParamReader) core.Primitive {
	return OrmqrP{Left: r.Bool("left"), Transposed: r.Bool("transpose")}
}

func (p OrmqrP) Params() []core.Param {
	return []core.Param{rule.Param("left", rule.PyBool(p.Left)), rule.Param("transpose", rule.PyBool(p.Transposed))}
}

func (p OrmqrP) Abstract(in []core.ShapedArray) []core.ShapedArray {
	rule.Operands(in, 3)
	m, _ := reflectors(in[0], in[1])
	rule.SameDType(in[0], in[2])
	r := in[0].Rank()
	cb, rows, cols := matrices(in[2])
	sameBatch(in[0], in[0].Shape.Slice(0, r-2), in[2], cb)
	if p.Left && rows != m || !p.Left && cols != m {
		core.Failf(core.ErrShape, "reflectors of %d rows do not fit %v (got %v); its rows, or with left=False its columns, must be as many", m, in[2].Full(), in[0].Full())
	}
	c := in[2]
	c.Weak = rule.AllWeak(in)
	return []core.ShapedArray{c}
}

func (p OrmqrP) Batch(n int, in []core.Value, mapped []bool) ([]core.Value, []bool) {
	return rule.Bound(p, prim.AllAtFront(n, in, mapped)...)
}

// QRP factors every matrix of an array into one with orthonormal columns and an upper
// triangular one.
//
//	A = Q · R
//
// For an m × n matrix A, Q has m columns if Full, else min(m, n). The diagonal of
// R has the signs that reflectors give: Q and R are those of GeqrfP. With Pivoting,
// A·P = Q·R, where at each step the remaining column with the largest norm comes first,
// the first of equals; the third result lists the columns, and norms are computed anew at
// each step. f16 and bf16 work in f32.
type QRP struct {
	Full, Pivoting bool
	Magma          string // the value of JAX's parameter use_magma, "" for None; it has no effect
}

func (QRP) Name() string { return "qr" }

func (QRP) read(r *jaxpr.ParamReader) core.Primitive {
	return QRP{Full: r.Bool("full_matrices"), Pivoting: r.Bool("pivoting"), Magma: rule.OptionalText(r, "use_magma")}
}

func (p QRP) Params() []core.Param {
	return []core.Param{
		rule.Param("full_matrices", rule.PyBool(p.Full)),
		rule.Param("pivoting", rule.PyBool(p.Pivoting)),
		rule.Param("use_magma", rule.NoneIfEmpty(p.Magma)),
	}
}

func (p QRP) Abstract(in []core.ShapedArray) []core.ShapedArray {
	rule.Operands(in, 1)
	batch, m, n := matrices(in[0])
	k := min(m, n)
	if p.Full {
		k = m
	}
	x := in[0]
	out := []core.ShapedArray{x.WithShape(batch.Append(m, k)), x.WithShape(batch.Append(k, n))}
	if p.Pivoting {
		out = append(out, x.WithShape(batch.Append(n)).WithDType(core.Int32))
	}
	return out
}

// JVP returns the tangents of the factors, where X = Qᴴ·Ȧ·R⁻¹ and Ω is its strictly lower
// triangle minus the conjugate transpose of that, with the imaginary part of X's diagonal:
//
//	Q̇ = Q·(Ω − X) + Ȧ·R⁻¹,  Ṙ = (X − Ω)·R
//
// If a matrix has more columns than rows, its first columns determine Q.
func (p QRP) JVP(in, out, t []core.Value) []core.Value {
	q, r, dx := out[0], out[1], t[0]
	_, m, n := matrices(in[0].Aval())
	if p.Pivoting {
		dx = matrixTranspose(takeRowsBy(matrixTranspose(dx), out[2]))
	}
	res := make([]core.Value, len(out))
	switch {
	case m < n:
		first := sliceMatrices(dx, 0, m, 0, m)
		rest := sliceMatrices(dx, 0, m, m, n)
		dq, dr := thinQR(q, sliceMatrices(r, 0, m, 0, m), first)
		// Q̇·R₂ + Q·Ṙ₂ = Ȧ₂.
		dr2 := prim.MatMul(adjoint(q), prim.Sub(rest, prim.MatMul(dq, sliceMatrices(r, 0, m, m, n))))
		res[0], res[1] = dq, prim.Concatenate(dr.Aval().Rank()-1, dr, dr2)
	case p.Full && m > n:
		q1, q2 := sliceMatrices(q, 0, m, 0, n), sliceMatrices(q, 0, m, n, m)
		dq, dr := thinQR(q1, sliceMatrices(r, 0, n, 0, n), dx)
		dq2 := completionTangent(q1, q2, dq)
		res[0], res[1] = prim.Concatenate(dq.Aval().Rank()-1, dq, dq2), padMatrices(dr, m-n, 0)
	default:
		res[0], res[1] = thinQR(q, r, dx)
	}
	return res
}

// completionTangent returns the tangent of the columns Q₂ that reflectors add to Q₁. The product of
// the reflectors differs from the identity by W·S·Wᴴ, where W has as many columns as Q₁. So Q₁
// determines Q₂:
//
//	Q̇₂ = Q̇₁·Zᴴ − (Q₁ + Q₂·Z)·(Q̇_b − Z·Q̇_a)ᴴ,  Z = Q_b·(Q_a − I)⁻¹
//
// where a are the first rows of Q₁ and b the others.
func completionTangent(q1, q2, dq core.Value) core.Value {
	_, m, n := matrices(q1.Aval())
	top := sliceMatrices(q1, 0, n, 0, n)
	top = prim.Sub(top, identity(top.Aval(), n))
	zh := solveSquare(adjoint(top), adjoint(sliceMatrices(q1, n, m, 0, n)))
	z := adjoint(zh)
	rest := prim.Sub(sliceMatrices(dq, n, m, 0, n), prim.MatMul(z, sliceMatrices(dq, 0, n, 0, n)))
	return prim.Sub(prim.MatMul(dq, zh), prim.MatMul(prim.Add(q1, prim.MatMul(q2, z)), adjoint(rest)))
}

// thinQR returns the tangents of the factors of a matrix with at least as many rows as
// columns.
func thinQR(q, r, dx core.Value) (dq, dr core.Value) {
	dxr := TriangularSolve(r, dx, TriangularSolveP{})
	x := prim.MatMul(adjoint(q), dxr)
	lower := triangle{lower: true, strict: true}.of(x)
	omega := prim.Sub(lower, adjoint(lower))
	if a := x.Aval(); a.DType.IsComplex() {
		im := prim.Imag(x)
		onDiagonal := prim.Where(diagonalMask(a), im, prim.Zeros(im.Aval()))
		omega = prim.Add(omega, prim.Complex(prim.Zeros(im.Aval()), onDiagonal))
	}
	return prim.Add(prim.MatMul(q, prim.Sub(omega, x)), dxr), prim.MatMul(prim.Sub(x, omega), r)
}

func (p QRP) Batch(_ int, in []core.Value, _ []bool) ([]core.Value, []bool) {
	return rule.Bound(p, in[0])
}
