package prim

import "github.com/weft-go/weft/core"

// Helpers of the rules of matrix operations. Matrices are the last two axes of an array.

// matrices demands arrays of matrices of floating or complex numbers, and returns their
// leading axes, rows and columns.
func matrices(x ShapedArray) (batch core.Dims, m, n int) {
	inexactElements(x)
	r := x.Rank()
	if r < 2 {
		core.Failf(core.ErrShape, "takes matrices, got %v; give it two axes or more", x.Full())
	}
	return x.Shape.Slice(0, r-2), x.Shape.At(r - 2), x.Shape.At(r - 1)
}

// inexactElements demands floating or complex elements of 16 bits or more.
func inexactElements(x ShapedArray) {
	if !x.DType.IsInexact() || x.DType.IsMinorFloat() {
		core.Failf(core.ErrDType, "takes floating or complex numbers, got %v; convert it first", x.Full())
	}
}

// vectors demands an array of vectors, and returns its leading axes and their length.
func vectors(x ShapedArray) (batch core.Dims, n int) {
	r := x.Rank()
	if r < 1 {
		core.Failf(core.ErrShape, "takes vectors, got %v; give it an axis", x.Full())
	}
	return x.Shape.Slice(0, r-1), x.Shape.At(r - 1)
}

// sameBatch demands that two operands have the same leading axes.
func sameBatch(x ShapedArray, a core.Dims, y ShapedArray, b core.Dims) {
	if a != b {
		core.Failf(core.ErrShape, "the leading axes of %v and %v differ (got %v and %v); broadcast one of them", x.Full(), y.Full(), a, b)
	}
}

// adjoint returns the conjugate transpose of matrices.
func adjoint(x Value) Value { return conjugate(matrixTranspose(x)) }

// identity returns the n × n identity matrices of the leading axes and dtype of like.
func identity(like ShapedArray, n int) Value {
	square := core.MakeDims(n, n)
	eye := Convert(Eq(Iota(core.Int32, square, 0), Iota(core.Int32, square, 1)), like.DType, false)
	return overBatch(eye, like)
}

// overBatch spreads matrices over the leading axes of like.
func overBatch(x Value, like ShapedArray) Value {
	r := like.Rank()
	s := x.Aval().Shape
	if r == 2 {
		return x
	}
	return BroadcastInDim(x, like.Shape.Slice(0, r-2).Append(s.At(0), s.At(1)), core.MakeDims(r-2, r-1))
}

// diagonalMask returns a mask of the diagonal of matrices of the type of a.
func diagonalMask(a ShapedArray) Value {
	r := a.Rank()
	s := a.Shape.Slice(r-2, r)
	return overBatch(Eq(Iota(core.Int32, s, 0), Iota(core.Int32, s, 1)), a)
}

// diagonalOf returns the diagonals of square matrices.
func diagonalOf(x Value) Value {
	a := x.Aval()
	return ReduceSum(Where(diagonalMask(a), x, Zeros(a)), core.MakeDims(a.Rank()-1))
}

// asRows repeats vectors as the rows of square matrices, asColumns as their columns.
func asRows(v Value) Value {
	s := v.Aval().Shape
	r := s.Len()
	return BroadcastInDim(v, s.Append(s.At(r-1)), core.Range(0, r-1).Append(r))
}

func asColumns(v Value) Value {
	s := v.Aval().Shape
	return BroadcastInDim(v, s.Append(s.At(s.Len()-1)), core.Range(0, s.Len()))
}

// inType converts x to another dtype, if it has another.
func inType(x Value, dt core.DType) Value {
	if x.Aval().DType == dt {
		return x
	}
	return Convert(x, dt, false)
}

// sliceMatrices returns rows r0 … r1−1 and columns c0 … c1−1 of matrices.
func sliceMatrices(x Value, r0, r1, c0, c1 int) Value {
	n := x.Aval().Rank()
	return SliceAxis(SliceAxis(x, n-2, r0, r1, 1), n-1, c0, c1, 1)
}

// takeRowsBy returns matrices with their rows in the order of idx, vectors of row numbers.
func takeRowsBy(x, idx Value) Value {
	s := x.Aval().Shape
	r := s.Len()
	if s.Size() == 0 {
		return x
	}
	full := BroadcastInDim(idx, idx.Aval().Shape.Append(s.At(r-1)), core.Range(0, r-1))
	return takeAlong(x, full, r-2)
}

// realMatrix returns the real part of complex x, and x if it is real.
func realMatrix(x Value) Value {
	if x.Aval().DType.IsComplex() {
		return Real(x)
	}
	return x
}

// inverseDifferences returns 1/(w_j − w_i) off the diagonal and 0 on it.
func inverseDifferences(w Value) Value {
	d := Sub(asRows(w), asColumns(w))
	a := d.Aval()
	one := Full(a, 1)
	eye := Where(diagonalMask(a), one, Zeros(a))
	return Sub(Div(one, Add(d, eye)), eye)
}
