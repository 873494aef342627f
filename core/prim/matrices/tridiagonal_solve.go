package matrices

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/core/prim/internal/rule"
	"github.com/weft-go/weft/jaxpr"
)

// TridiagonalSolveP solves tridiagonal systems of equations: the operands are the diagonal
// below (its first element is not read), the diagonal, the one above (its last element is
// not read), and the right sides, a matrix.
//
// Numbers: Gaussian elimination with exchanges of neighbouring rows, as LAPACK's gtsv: rows are
// exchanged where |re| + |im| of the element below is larger than that of the pivot. Each element
// that is lowered is one fma; unknowns are found from the last one up by one or two fma and a
// quotient. Where a pivot is zero the whole solution is NaN, unless Perturb replaces it by the
// smallest normal number. f16 and bf16 solve in f32.
type TridiagonalSolveP struct{ Perturb bool }

// TridiagonalSolve solves tridiagonal systems for the right sides b.
func TridiagonalSolve(dl, d, du, b core.Value) core.Value {
	return core.Bind1(TridiagonalSolveP{}, dl, d, du, b)
}

func (TridiagonalSolveP) Name() string { return "tridiagonal_solve" }

func (TridiagonalSolveP) read(r *jaxpr.ParamReader) core.Primitive {
	return TridiagonalSolveP{Perturb: r.Has("perturb_singular") && r.Bool("perturb_singular")}
}

func (p TridiagonalSolveP) Params() []core.Param {
	return []core.Param{rule.Param("perturb_singular", rule.PyBool(p.Perturb))}
}

func (p TridiagonalSolveP) Abstract(in []core.ShapedArray) []core.ShapedArray {
	rule.Operands(in, 4)
	rule.SameDType(in...)
	batch, n, _ := matrices(in[3])
	for _, d := range in[:3] {
		if d.Shape != in[0].Shape {
			core.Failf(core.ErrShape, "the diagonals must have equal shapes (got %v and %v); pad the outer ones to the length of the main one", in[0].Full(), d.Full())
		}
	}
	if want := batch.Append(n); in[0].Shape != want {
		core.Failf(core.ErrShape, "diagonals of shape %v do not fit the right sides %v (want %v); make the lengths equal", in[0].Shape, in[3].Full(), want)
	}
	b := in[3]
	b.Weak = rule.AllWeak(in)
	return []core.ShapedArray{b}
}

// JVP solves with the same matrix, for Ḃ − Ṫ·X.
func (p TridiagonalSolveP) JVP(in, out, t []core.Value) []core.Value {
	rhs := t[3]
	if t[0] != nil || t[1] != nil || t[2] != nil {
		x := out[0]
		r := x.Aval().Rank()
		n := x.Aval().Shape.At(r - 2)
		var sum core.Value
		term := func(d core.Value, shift int) {
			if d == nil {
				return
			}
			y := prim.Mul(overLast(d, x.Aval().Shape), shiftRows(x, n, shift))
			if sum == nil {
				sum = y
				return
			}
			sum = prim.Add(sum, y)
		}
		term(t[0], -1)
		term(t[1], 0)
		term(t[2], 1)
		if rhs == nil {
			rhs = prim.Neg(sum)
		} else {
			rhs = prim.Sub(rhs, sum)
		}
	}
	if rhs == nil {
		return []core.Value{nil}
	}
	return rule.One(core.Bind1(p, in[0], in[1], in[2], rhs))
}

// overLast repeats d along the last axis of the given shape, which d lacks.
func overLast(d core.Value, shape core.Dims) core.Value {
	return prim.BroadcastInDim(d, shape, core.Range(0, shape.Len()-1))
}

// shiftRows returns the matrix whose row i is row i + by of x, 0 where there is none.
func shiftRows(x core.Value, n, by int) core.Value {
	if by == 0 {
		return x
	}
	a := x.Aval()
	config := make([]int, 3*a.Rank())
	at := 3 * (a.Rank() - 2)
	config[at], config[at+1] = -by, by
	return prim.Pad(x, prim.Num(a, 0), core.MakeDims(config...))
}

// Transpose solves with the transposed matrix.
func (p TridiagonalSolveP) Transpose(ct, in []core.Value, lin []bool, av []core.ShapedArray) []core.Value {
	out := make([]core.Value, 4)
	if lin[3] {
		shift := func(d core.Value, by int) core.Value {
			a := d.Aval()
			config := make([]int, 3*a.Rank())
			config[len(config)-3], config[len(config)-2] = -by, by
			return prim.Pad(d, prim.Num(a, 0), core.MakeDims(config...))
		}
		out[3] = core.Bind1(p, shift(in[2], -1), in[1], shift(in[0], 1), ct[0])
	}
	return out
}

// Batch solves all systems at once. If there is one matrix for the whole batch, its
// systems become one with more right sides.
func (p TridiagonalSolveP) Batch(n int, in []core.Value, mapped []bool) ([]core.Value, []bool) {
	if mapped[0] || mapped[1] || mapped[2] || in[0].Aval().Rank() > 1 || n == 0 {
		return rule.Bound(p, prim.AllAtFront(n, in, mapped)...)
	}
	x := core.Bind1(p, in[0], in[1], in[2], prim.MergeAxis(in[3], 1))
	return []core.Value{prim.SplitFront(x, 1, n)}, []bool{true}
}
