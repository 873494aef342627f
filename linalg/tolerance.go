package linalg

import (
	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/internal/nd"
)

// tolerance is the bound, relative to the largest, up to which singular values count as 0: a
// number, or one for each matrix of a batch.
type tolerance struct {
	number float64
	each   weft.Array // of the batch's shape, in the singular values' type; the zero Array: number holds
}

// toleranceOf returns the tolerance that a user gives, at most one, or max(m, n) times the
// precision of a's type if there is none.
func toleranceOf(op string, a weft.Array, given []any) tolerance {
	switch len(given) {
	case 0:
		return tolerance{number: rounding(a)}
	case 1:
	default:
		core.FailOp(core.ErrStatic, op, nil, "too many tolerances (got %d, want at most 1); pass one", len(given))
	}
	v := nd.ValueOf(op, given[0])
	t := v.Aval()
	if t.DType.IsComplex() || t.DType.IsBool() {
		core.FailOp(core.ErrDType, op, []core.ShapedArray{t}, "the tolerance is a real number, got %v; take Real or Abs", t.Full())
	}
	if l, ok := nd.Number(given[0]); ok {
		if x := l.Num.Float(); !(x >= 0) {
			core.FailOp(core.ErrStatic, op, nil, "the tolerance is at least 0 (got %v); pass 0, or leave it out", x)
		}
		return tolerance{number: l.Num.Float()}
	}
	batch := aval(a).WithShape(core.MakeDims(batchOf(a)...))
	if s := nd.BroadcastShapes(op, batch, t); s != batch.Shape {
		core.FailOp(core.ErrShape, op, []core.ShapedArray{aval(a), t}, "%v has a tolerance for each of %v, which %v does not have; give one for each matrix", t.Full(), s, aval(a).Full())
	}
	return tolerance{each: weft.FromValue(v).AsType(a.DType().Real())}
}

// rounding returns max(m, n) times the precision of a's type. Singular values below this fraction
// of the largest are lost in the rounding errors of a.
func rounding(a weft.Array) float64 {
	return float64(max(a.Dim(-1), a.Dim(-2))) * epsilon(a)
}

// of returns the bound up to which the singular values s count as 0.
func (t tolerance) of(s weft.Array) weft.Array {
	if s.Dim(-1) == 0 {
		return weft.ZerosOf(s.DType(), shapeOf(s.Shape()[:s.Rank()-1], 1)...)
	}
	largest := s.Max(-1, weft.Keep)
	if t.each.IsZero() {
		return largest.Mul(t.number)
	}
	return largest.Mul(t.each.ExpandDims(-1))
}

// largestCondition returns the condition up to which all singular values of a count: 1/(4·t), where
// t is the larger of the tolerance and the rounding errors of a.
func (t tolerance) largestCondition(a weft.Array) weft.Array {
	if t.each.IsZero() {
		return weft.FullLike(weft.ZerosOf(a.DType().Real()), 1/(4*max(t.number, rounding(a))))
	}
	return weft.Div(0.25, weft.Maximum(t.each, rounding(a))).ExpandDims(-1, -2)
}
