package linalg

import (
	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/internal/nd"
)

// inexact promotes arrays to one floating-point or complex type.
func inexact(op string, xs ...weft.Array) []weft.Array {
	vs := make([]core.Value, len(xs))
	for i, x := range xs {
		vs[i] = nd.ValueOf(op, x)
	}
	out := make([]weft.Array, len(vs))
	for i, v := range nd.PromoteFloating(op, vs) {
		out[i] = weft.FromValue(v)
	}
	return out
}

func aval(x weft.Array) core.ShapedArray { return x.Value().Aval() }

// matrix returns x as floating-point or complex numbers, and requires two axes or more.
func matrix(op string, x weft.Array) weft.Array {
	x = inexact(op, x)[0]
	requireMatrix(op, x)
	return x
}

func requireMatrix(op string, x weft.Array) {
	if x.Rank() < 2 {
		core.FailOp(core.ErrShape, op, []core.ShapedArray{aval(x)}, "takes matrices, got %v; give it two axes or more", aval(x).Full())
	}
}

// squareMatrix returns x as floating-point or complex numbers, and requires square matrices.
func squareMatrix(op string, x weft.Array) weft.Array {
	x = matrix(op, x)
	requireSquare(op, x)
	return x
}

func requireSquare(op string, x weft.Array) {
	requireMatrix(op, x)
	if x.Dim(-1) != x.Dim(-2) {
		core.FailOp(core.ErrShape, op, []core.ShapedArray{aval(x)}, "takes square matrices, got %v; make the last two axes equal", aval(x).Full())
	}
}

func batchOf(x weft.Array) []int { return x.Shape()[:x.Rank()-2] }

func shapeOf(batch []int, dims ...int) []int { return append(append([]int{}, batch...), dims...) }

// system promotes a matrix and right sides, calls f with matrices of one batch, and returns its
// result. A right side of one axis is a vector.
func system(op string, a, b weft.Array, f func(a, b weft.Array) weft.Array) weft.Array {
	in := inexact(op, a, b)
	a, b = in[0], in[1]
	requireMatrix(op, a)
	avals := []core.ShapedArray{aval(a), aval(b)}
	vector := b.Rank() == 1
	if b.Rank() == 0 {
		core.FailOp(core.ErrShape, op, avals, "the right side is a number, %v; pass a vector or a matrix", aval(b).Full())
	}
	if vector {
		b = b.ExpandDims(1)
	}
	if b.Dim(-2) != a.Dim(-2) {
		fix := "transpose one of them"
		if b.Dim(-1) != a.Dim(-2) {
			fix = "pass as many rows as the matrix has"
		}
		core.FailOp(core.ErrShape, op, avals, "the matrix has %d rows and the right side %d (%v and %v); %s", a.Dim(-2), b.Dim(-2), avals[0].Full(), avals[1].Full(), fix)
	}
	return nd.WithJAXPromotion(func() weft.Array {
		a, b := sameBatch(op, a, b)
		x := f(a, b)
		if vector {
			x = x.Squeeze(-1)
		}
		return x
	})
}

func sameBatch(op string, a, b weft.Array) (weft.Array, weft.Array) {
	x, y := aval(a), aval(b)
	p, q := x.WithShape(core.MakeDims(batchOf(a)...)), y.WithShape(core.MakeDims(batchOf(b)...))
	if p.Shape == q.Shape {
		return a, b
	}
	batch := nd.BroadcastShapes(op, p, q).Ints()
	return a.BroadcastTo(shapeOf(batch, a.Dim(-2), a.Dim(-1))...), b.BroadcastTo(shapeOf(batch, b.Dim(-2), b.Dim(-1))...)
}

func adjoint(x weft.Array) weft.Array {
	if x.DType().IsComplex() {
		return weft.Conj(x.MT())
	}
	return x.MT()
}

func identity(x weft.Array, n int) weft.Array { return weft.Eye(n).AsType(x.DType()) }

// asRows makes vectors columns, which scale the rows of matrices; asColumns makes them rows,
// which scale the columns.
func asRows(v weft.Array) weft.Array    { return v.ExpandDims(-1) }
func asColumns(v weft.Array) weft.Array { return v.ExpandDims(-2) }

// epsilon returns the distance from 1 to the next larger number of x's type.
func epsilon(x weft.Array) float64 {
	switch x.DType().Real() {
	case weft.Float64:
		return 0x1p-52
	case weft.Float32:
		return 0x1p-23
	case weft.Float16:
		return 0x1p-10
	}
	return 0x1p-7
}
