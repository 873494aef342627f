package matrices

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/core/prim/indexed"
)

// Helpers of the rules of matrix operations. Matrices are the last two axes of an array.

// matrices demands arrays of matrices of floating or complex numbers, and returns their
// leading axes, rows and columns.
func matrices(x core.ShapedArray) (batch core.Dims, m, n int) {
	inexactElements(x)
	r := x.Rank()
	if r < 2 {
		core.Failf(core.ErrShape, "takes matrices, got %v; give it two axes or more", x.Full())
	}
	return x.Shape.Slice(0, r-2), x.Shape.At(r - 2), x.Shape.At(r - 1)
}

func inexactElements(x core.ShapedArray) {
	if !x.DType.IsInexact() || x.DType.IsMinorFloat() {
		core.Failf(core.ErrDType, "takes floating or complex numbers, got %v; convert it first", x.Full())
	}
}

func vectors(x core.ShapedArray) (batch core.Dims, n int) {
	r := x.Rank()
	if r < 1 {
		core.Failf(core.ErrShape, "takes vectors, got %v; give it an axis", x.Full())
	}
	return x.Shape.Slice(0, r-1), x.Shape.At(r - 1)
}

func sameBatch(x core.ShapedArray, a core.Dims, y core.ShapedArray, b core.Dims) {
	if a != b {
		core.Failf(core.ErrShape, "the leading axes of %v and %v differ (got %v and %v); broadcast one of them", x.Full(), y.Full(), a, b)
	}
}

func adjoint(x core.Value) core.Value { return conjugate(matrixTranspose(x)) }

// identity returns the n × n identity matrices of the leading axes and dtype of like.
func identity(like core.ShapedArray, n int) core.Value {
	square := core.MakeDims(n, n)
	eye := prim.Convert(prim.Eq(prim.Iota(core.Int32, square, 0), prim.Iota(core.Int32, square, 1)), like.DType, false)
	return overBatch(eye, like)
}

// overBatch spreads matrices over the leading axes of like.
func overBatch(x core.Value, like core.ShapedArray) core.Value {
	r := like.Rank()
	s := x.Aval().Shape
	if r == 2 {
		return x
	}
	return prim.BroadcastInDim(x, like.Shape.Slice(0, r-2).Append(s.At(0), s.At(1)), core.MakeDims(r-2, r-1))
}

func diagonalMask(a core.ShapedArray) core.Value {
	r := a.Rank()
	s := a.Shape.Slice(r-2, r)
	return overBatch(prim.Eq(prim.Iota(core.Int32, s, 0), prim.Iota(core.Int32, s, 1)), a)
}

func diagonalOf(x core.Value) core.Value {
	a := x.Aval()
	return prim.ReduceSum(prim.Where(diagonalMask(a), x, prim.Zeros(a)), core.MakeDims(a.Rank()-1))
}

// asRows repeats vectors as the rows of square matrices, asColumns as their columns.
func asRows(v core.Value) core.Value {
	s := v.Aval().Shape
	r := s.Len()
	return prim.BroadcastInDim(v, s.Append(s.At(r-1)), core.Range(0, r-1).Append(r))
}

func asColumns(v core.Value) core.Value {
	s := v.Aval().Shape
	return prim.BroadcastInDim(v, s.Append(s.At(s.Len()-1)), core.Range(0, s.Len()))
}

func inType(x core.Value, dt core.DType) core.Value {
	if x.Aval().DType == dt {
		return x
	}
	return prim.Convert(x, dt, false)
}

func sliceMatrices(x core.Value, r0, r1, c0, c1 int) core.Value {
	n := x.Aval().Rank()
	return prim.SliceAxis(prim.SliceAxis(x, n-2, r0, r1, 1), n-1, c0, c1, 1)
}

// takeRowsBy returns matrices with their rows in the order of idx, vectors of row numbers.
func takeRowsBy(x, idx core.Value) core.Value {
	s := x.Aval().Shape
	r := s.Len()
	if s.Size() == 0 {
		return x
	}
	full := prim.BroadcastInDim(idx, idx.Aval().Shape.Append(s.At(r-1)), core.Range(0, r-1))
	return indexed.TakeAlong(x, full, r-2)
}

func realMatrix(x core.Value) core.Value {
	if x.Aval().DType.IsComplex() {
		return prim.Real(x)
	}
	return x
}

// inverseDifferences returns 1/(w_j − w_i) off the diagonal and 0 on it.
func inverseDifferences(w core.Value) core.Value {
	d := prim.Sub(asRows(w), asColumns(w))
	a := d.Aval()
	one := prim.Full(a, 1)
	eye := prim.Where(diagonalMask(a), one, prim.Zeros(a))
	return prim.Sub(prim.Div(one, prim.Add(d, eye)), eye)
}
