package fuse

import (
	"github.com/weft-go/weft/core/prim/matrices"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/scalar"
)

// A matrix is the elements of one matrix of a batch, row-major, in f32 or f64.
type matrix struct {
	x    []ir.Ref
	cols int
}

func (m matrix) at(i, j int) *ir.Ref { return &m.x[i*m.cols+j] }

// matrices returns copies of the matrices of an array, whose dtype is real, with elements of the type in
// which they are computed.
func (u unroller) matrices(e *jaxpr.Eqn, operand int, x small) []matrix {
	a := e.Ins[operand].Aval()
	n := a.Rank()
	cols := a.Shape.At(n - 1)
	size := a.Shape.At(n-2) * cols
	var out []matrix
	for ; len(x) > 0; x = x[size:] {
		m := matrix{cols: cols}
		for _, r := range x[:size] {
			m.x = append(m.x, u.widened(a.DType, r)[0])
		}
		out = append(out, m)
	}
	return out
}

// finished rounds computed elements to the type of the result.
func (u unroller) finished(e *jaxpr.Eqn, result int, x []ir.Ref) small {
	var out small
	for _, r := range x {
		out = append(out, u.rounded(e.Outs[result].Type.DType, []ir.Ref{r}))
	}
	return out
}

// less returns y − a·x, rounded once.
func (u unroller) less(a, x, y ir.Ref) ir.Ref {
	t := u.b.TypeOf(y)
	return u.op(scalar.OpFMA, t, u.op(scalar.OpNeg, t, a), x, y)
}

// cholesky writes the factorization of package reference/linalg: column by column, with one fma for each
// later element, and NaN everywhere if a pivot is not positive. Otherwise elements above the diagonal are
// the operand's.
func (u unroller) cholesky(e *jaxpr.Eqn, x small) small {
	dt := e.Outs[0].Type.DType
	var out small
	for _, m := range u.matrices(e, 0, x) {
		n, t := m.cols, u.b.TypeOf(m.x[0])
		positive := ir.NoRef
		for p := range n {
			d := *m.at(p, p)
			positive = u.and(positive, u.op(scalar.OpLt, scalar.Bool, u.b.Const(t, 0), d))
			d = u.op(scalar.OpSqrt, t, d)
			*m.at(p, p) = d
			for i := p + 1; i < n; i++ {
				*m.at(i, p) = u.op(scalar.OpDiv, t, *m.at(i, p), d)
			}
			for q := p + 1; q < n; q++ {
				for i := q; i < n; i++ {
					*m.at(i, q) = u.less(*m.at(q, p), *m.at(i, p), *m.at(i, q))
				}
			}
		}
		nan := u.rounded(dt, []ir.Ref{u.nan(t)})
		for i := range n {
			for j := range n {
				r := x[i*n+j]
				if j <= i {
					r = u.rounded(dt, []ir.Ref{*m.at(i, j)})
				}
				out = append(out, u.choose(positive, r, nan))
			}
		}
		x = x[n*n:]
	}
	return out
}

func (u unroller) nan(t scalar.Type) ir.Ref {
	if t == scalar.F32 {
		return u.b.Const(t, scalar.NaNBits32)
	}
	return u.b.Const(t, scalar.NaNBits64)
}

// triangularSolve finds one unknown after the other, beginning with the equation that has a single
// unknown. It divides by the diagonal element unless that is one, and eliminates the unknown by one fma
// from each later equation.
func (u unroller) triangularSolve(e *jaxpr.Eqn, p matrices.TriangularSolveP, a, b small) small {
	var out small
	as, bs := u.matrices(e, 0, a), u.matrices(e, 1, b)
	for k, m := range bs {
		n := as[k].cols
		sides := len(m.x) / n
		transposed := p.TransposeA == p.LeftSide // X·op(A) = B is op(A)ᵀ·Xᵀ = Bᵀ
		equation := func(i int) int {
			if p.Lower == transposed {
				return n - 1 - i
			}
			return i
		}
		coefficient := func(i, j int) ir.Ref {
			i, j = equation(i), equation(j)
			if transposed {
				i, j = j, i
			}
			return *as[k].at(i, j)
		}
		unknown := func(i, side int) *ir.Ref {
			if p.LeftSide {
				return m.at(equation(i), side)
			}
			return m.at(side, equation(i))
		}
		for i := range n {
			for s := range sides {
				x := unknown(i, s)
				if !p.UnitDiagonal {
					*x = u.op(scalar.OpDiv, u.b.TypeOf(*x), *x, coefficient(i, i))
				}
				for j := i + 1; j < n; j++ {
					y := unknown(j, s)
					*y = u.less(coefficient(j, i), *x, *y)
				}
			}
		}
		out = append(out, u.finished(e, 0, m.x)...)
	}
	return out
}

// lu eliminates column by column. The pivot is the first of the largest |v|, or the first NaN; a
// column of zeros is left as it is.
func (u unroller) lu(e *jaxpr.Eqn, x small) []small {
	var packed, pivots, perms small
	number := func(i int) ir.Ref { return u.b.Const(scalar.I32, uint64(i)) }
	for _, m := range u.matrices(e, 0, x) {
		n := m.cols
		rows := len(m.x) / n
		t := u.b.TypeOf(m.x[0])
		perm := make([]ir.Ref, rows)
		for i := range perm {
			perm[i] = number(i)
		}
		swap := func(here ir.Ref, x, y *ir.Ref) {
			t := u.b.TypeOf(*x)
			*x, *y = u.op(scalar.OpSelect, t, here, *y, *x), u.op(scalar.OpSelect, t, here, *x, *y)
		}
		for p := range min(rows, n) {
			column := make([]ir.Ref, 0, rows)
			for i := p; i < rows; i++ {
				column = append(column, *m.at(i, p))
			}
			at, zero := u.pivot(column, p)
			pivots = append(pivots, []ir.Ref{at})
			for i := p + 1; i < rows; i++ {
				here := u.op(scalar.OpEq, scalar.Bool, at, number(i))
				for j := range n {
					swap(here, m.at(p, j), m.at(i, j))
				}
				swap(here, &perm[p], &perm[i])
			}
			for i := p + 1; i < rows; i++ {
				l := m.at(i, p)
				*l = u.op(scalar.OpSelect, t, zero, *l, u.op(scalar.OpDiv, t, *l, *m.at(p, p)))
				for j := p + 1; j < n; j++ {
					y := m.at(i, j)
					*y = u.op(scalar.OpSelect, t, zero, *y, u.less(*m.at(p, j), *l, *y))
				}
			}
		}
		packed = append(packed, u.finished(e, 0, m.x)...)
		for _, r := range perm {
			perms = append(perms, []ir.Ref{r})
		}
	}
	return []small{packed, pivots, perms}
}

// permutation exchanges rows as pivotsToPermutation of package reference/linalg does, also where a row is outside.
func (u unroller) permutation(e *jaxpr.Eqn, pivots small) small {
	n, size := e.Ins[0].Aval().Shape.At(-1), e.Outs[0].Type.Shape.At(-1)
	number := func(i int) ir.Ref { return u.b.Const(scalar.I32, uint64(i)) }
	var out small
	for range e.Outs[0].Type.Size() / max(size, 1) {
		perm := make([]ir.Ref, size)
		for i := range perm {
			perm[i] = number(i)
		}
		for k, pivot := range pivots[:n] {
			at := u.op(scalar.OpSelect, scalar.I32, u.op(scalar.OpLt, scalar.Bool, pivot[0], number(0)), u.op(scalar.OpAdd, scalar.I32, pivot[0], number(size)), pivot[0])
			old, r := perm[k], perm[size-1]
			for i := size - 2; i >= 0; i-- {
				r = u.op(scalar.OpSelect, scalar.I32, u.op(scalar.OpLe, scalar.Bool, at, number(i)), perm[i], r)
			}
			for i := range perm {
				perm[i] = u.op(scalar.OpSelect, scalar.I32, u.op(scalar.OpEq, scalar.Bool, at, number(i)), old, perm[i])
			}
			perm[k] = r
		}
		for _, r := range perm {
			out = append(out, []ir.Ref{r})
		}
		pivots = pivots[n:]
	}
	return out
}

// pivot returns the row of a column's pivot, and whether the pivot is zero. first is the row of the column's first
// element. Without their signs, numbers are ordered as their bits are, with NaN above ∞.
func (u unroller) pivot(column []ir.Ref, first int) (at, zero ir.Ref) {
	t := u.b.TypeOf(column[0])
	bits := t.Unsigned()
	sign, inf := uint64(1)<<31, uint64(0xff)<<23
	if t == scalar.F64 {
		sign, inf = uint64(1)<<63, uint64(0x7ff)<<52
	}
	var best ir.Ref
	for i, v := range column {
		size := u.op(scalar.OpAnd, bits, u.op(scalar.OpBitcast, bits, v), u.b.Const(bits, sign-1))
		here := u.b.Const(scalar.I32, uint64(first+i))
		if i == 0 {
			best, at = size, here
			continue
		}
		larger := u.op(scalar.OpAnd, scalar.Bool, u.op(scalar.OpLt, scalar.Bool, best, size), u.op(scalar.OpLe, scalar.Bool, best, u.b.Const(bits, inf)))
		best, at = u.op(scalar.OpSelect, bits, larger, size, best), u.op(scalar.OpSelect, scalar.I32, larger, here, at)
	}
	return at, u.op(scalar.OpEq, scalar.Bool, best, u.b.Const(bits, 0))
}
