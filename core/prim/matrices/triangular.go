package matrices

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/core/prim/internal/rule"
	"github.com/weft-go/weft/jaxpr"
)

func squareMatrices(x core.ShapedArray) {
	if !x.DType.IsInexact() || x.DType.IsMinorFloat() {
		core.Failf(core.ErrDType, "takes floating or complex matrices, got %v; convert it first", x.Full())
	}
	if n := x.Rank(); n < 2 || x.Shape.At(n-1) != x.Shape.At(n-2) {
		core.Failf(core.ErrShape, "takes square matrices, got %v; make the last two axes equal", x.Full())
	}
}

// triangle selects the elements of a matrix on and below the diagonal if lower, else those on and
// above it; without the diagonal if strict.
type triangle struct{ lower, strict bool }

// of returns x with zeros outside of the triangle.
func (t triangle) of(x core.Value) core.Value {
	a := x.Aval()
	n := a.Rank()
	square := a.Shape.Slice(n-2, n)
	row, col := prim.Iota(core.Int32, square, 0), prim.Iota(core.Int32, square, 1)
	var mask core.Value
	switch {
	case t.lower && t.strict:
		mask = prim.Gt(row, col)
	case t.lower:
		mask = prim.Ge(row, col)
	case t.strict:
		mask = prim.Lt(row, col)
	default:
		mask = prim.Le(row, col)
	}
	return prim.Where(prim.BroadcastInDim(mask, a.Shape, core.MakeDims(n-2, n-1)), x, prim.Zeros(a))
}

func matrixTranspose(x core.Value) core.Value {
	n := x.Aval().Rank()
	return prim.Transpose(x, core.Range(0, n-2).Append(n-1, n-2))
}

func conjugate(x core.Value) core.Value {
	if x.Aval().DType.IsComplex() {
		return prim.Conj(x)
	}
	return x
}

// TriangularSolveP solves triangular systems of equations for every matrix of an array.
//
//	op(A) · X = B, or X · op(A) = B
//
// Only the named triangle of A is read; UnitDiagonal takes its diagonal for ones without reading
// it. op transposes, conjugates, or both. The solution for a singular matrix has infinities or
// NaNs. Numbers: unknowns are found one after the other, beginning with the one whose equation
// has no others; each, once divided by its diagonal element, is taken out of the equations that
// follow by one fma. f16 and bf16 solve in f32.
type TriangularSolveP struct {
	LeftSide, Lower, TransposeA, ConjugateA, UnitDiagonal bool
}

// TriangularSolve solves op(a)·x = b or x·op(a) = b for x.
func TriangularSolve(a, b core.Value, p TriangularSolveP) core.Value { return core.Apply2(p, a, b) }

func (TriangularSolveP) Name() string { return "triangular_solve" }

func (TriangularSolveP) read(r *jaxpr.ParamReader) core.Primitive {
	return TriangularSolveP{
		LeftSide:     r.Bool("left_side"),
		Lower:        r.Bool("lower"),
		TransposeA:   r.Bool("transpose_a"),
		ConjugateA:   r.Bool("conjugate_a"),
		UnitDiagonal: r.Bool("unit_diagonal"),
	}
}

func (p TriangularSolveP) Params() []core.Param {
	return []core.Param{
		rule.Param("conjugate_a", rule.PyBool(p.ConjugateA)),
		rule.Param("left_side", rule.PyBool(p.LeftSide)),
		rule.Param("lower", rule.PyBool(p.Lower)),
		rule.Param("transpose_a", rule.PyBool(p.TransposeA)),
		rule.Param("unit_diagonal", rule.PyBool(p.UnitDiagonal)),
	}
}

func (p TriangularSolveP) Abstract(in []core.ShapedArray) []core.ShapedArray {
	rule.Operands(in, 2)
	a, b := in[0], in[1]
	squareMatrices(a)
	rule.SameDType(a, b)
	n := a.Rank()
	if b.Rank() != n || a.Shape.Slice(0, n-2) != b.Shape.Slice(0, n-2) {
		core.Failf(core.ErrShape, "the matrices %v and the right sides %v must have equal leading axes; broadcast one of them", a.Full(), b.Full())
	}
	axis := n - 1
	if p.LeftSide {
		axis = n - 2
	}
	if a.Shape.At(n-1) != b.Shape.At(axis) {
		core.Failf(core.ErrShape, "a matrix of %v does not fit axis %d of the right sides %v; transpose or slice one of them", a.Full(), axis, b.Full())
	}
	b.Weak = a.Weak && b.Weak
	return []core.ShapedArray{b}
}

// JVP solves with the same matrix: for the tangent of B, and for −op(Ȧ)·X (from the right, for
// −X·op(Ȧ)), multiplied in the cheaper order.
func (p TriangularSolveP) JVP(in, out, t []core.Value) []core.Value {
	var da, db core.Value
	if t[1] != nil {
		db = TriangularSolve(in[0], t[1], p)
	}
	if t[0] != nil {
		x := out[0]
		g := prim.Neg(triangle{p.Lower, p.UnitDiagonal}.of(t[0]))
		if p.TransposeA {
			g = matrixTranspose(g)
		}
		if p.ConjugateA {
			g = conjugate(g)
		}
		n := x.Aval().Rank()
		rows, cols := x.Aval().Shape.At(n-2), x.Aval().Shape.At(n-1)
		switch {
		case p.LeftSide && rows > cols:
			da = TriangularSolve(in[0], prim.MatMul(g, x), p)
		case p.LeftSide:
			da = prim.MatMul(TriangularSolve(in[0], g, p), x)
		case rows < cols:
			da = TriangularSolve(in[0], prim.MatMul(x, g), p)
		default:
			da = prim.MatMul(x, TriangularSolve(in[0], g, p))
		}
	}
	return prim.SumTangents(out[0], da, db)
}

// Transpose solves with the transposed matrix.
func (p TriangularSolveP) Transpose(ct, in []core.Value, lin []bool, av []core.ShapedArray) []core.Value {
	out := make([]core.Value, 2)
	if lin[1] {
		p.TransposeA = !p.TransposeA
		out[1] = TriangularSolve(in[0], ct[0], p)
	}
	return out
}

// Batch solves all systems at once. If there is one matrix for the whole batch,
// its systems become one with more right sides.
func (p TriangularSolveP) Batch(n int, in []core.Value, mapped []bool) ([]core.Value, []bool) {
	a, b := in[0], in[1]
	if mapped[0] || a.Aval().Rank() > 2 || n == 0 {
		return rule.Bound(p, prim.AllAtFront(n, in, mapped)...)
	}
	// [n, rows, cols] is rows × n·cols on the left side, n·rows × cols on the right.
	axis := 0
	if p.LeftSide {
		axis = 1
	}
	x := TriangularSolve(a, prim.MergeAxis(b, axis), p)
	return []core.Value{prim.SplitFront(x, axis, n)}, []bool{true}
}
