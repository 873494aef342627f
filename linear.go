package weft

import (
	"slices"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
)

// Inner is the sum of products over the last axes of both. A scalar scales.
func Inner(x, y Array) Array {
	v, w := together2("Inner", valueOf("Inner", x), valueOf("Inner", y))
	a, b := v.Aval(), w.Aval()
	if a.Rank() == 0 || b.Rank() == 0 {
		return FromValue(times(v, w))
	}
	contracts("Inner", a, b, a.Rank()-1, b.Rank()-1)
	return FromValue(product(v, w, prim.DotGeneralP{LhsContract: core.MakeDims(a.Rank() - 1), RhsContract: core.MakeDims(b.Rank() - 1)}))
}

// Vdot is the sum of all products of the complex conjugates of x with y: both count as
// vectors.
func Vdot(x, y Array) Array { return Conj(x).Ravel().Dot(y.Ravel()) }

// Tensordot contracts the last n axes of x with the first n of y.
func Tensordot(x, y Array, n int) Array {
	a, b := valueOf("Tensordot", x).Aval(), valueOf("Tensordot", y).Aval()
	if n < 0 || n > a.Rank() || n > b.Rank() {
		core.FailOp(core.ErrShape, "Tensordot", []core.ShapedArray{a, b}, "cannot contract %s of %v and %v; name as many as both have, or fewer", core.Count(n, "axis"), a.Full(), b.Full())
	}
	return TensordotAxes(x, y, core.Range(a.Rank()-n, a.Rank()).Ints(), core.Range(0, n).Ints())
}

// TensordotAxes contracts the given axes of x with those of y, pair by pair. The other
// axes stay, those of x first.
func TensordotAxes(x, y Array, xAxes, yAxes []int) Array {
	v, w := together2("Tensordot", valueOf("Tensordot", x), valueOf("Tensordot", y))
	a, b := v.Aval(), w.Aval()
	if len(xAxes) != len(yAxes) {
		core.FailOp(core.ErrShape, "Tensordot", []core.ShapedArray{a, b}, "got %s of x and %d of y; name as many of both", core.Count(len(xAxes), "axis"), len(yAxes))
	}
	xs, ys := slices.Clone(xAxes), slices.Clone(yAxes)
	for k := range xs {
		xs[k], ys[k] = resolveAxis("Tensordot", a, xs[k]), resolveAxis("Tensordot", b, ys[k])
		if slices.Contains(xs[:k], xs[k]) || slices.Contains(ys[:k], ys[k]) {
			core.FailOp(core.ErrIndex, "Tensordot", []core.ShapedArray{a, b}, "an axis comes twice in %v or %v", xAxes, yAxes)
		}
		contracts("Tensordot", a, b, xs[k], ys[k])
	}
	return FromValue(product(v, w, prim.DotGeneralP{LhsContract: core.MakeDims(xs...), RhsContract: core.MakeDims(ys...)}))
}

// Kron is the Kronecker product: x with each element replaced by it times y.
func Kron(x, y Array) Array {
	v, w := together2("Kron", valueOf("Kron", x), valueOf("Kron", y))
	r := max(v.Aval().Rank(), w.Aval().Rank())
	v, w = leading(v, r), leading(w, r)
	var even, odd, shape []int
	for i := range r {
		even, odd = append(even, 2*i), append(odd, 2*i+1)
		shape = append(shape, v.Aval().Shape.At(i)*w.Aval().Shape.At(i))
	}
	z := times(prim.ExpandDims(v, core.MakeDims(odd...)), prim.ExpandDims(w, core.MakeDims(even...)))
	return FromValue(prim.Reshape(z, core.MakeDims(shape...)))
}

// Cross is the vector product over the last axes, which have 3 elements, or 2: the
// third is 0 then, and of two such only the third of the product is given.
func Cross(x, y Array) Array {
	v, w := together2("Cross", valueOf("Cross", x), valueOf("Cross", y))
	a, b := v.Aval(), w.Aval()
	planar := func(a core.ShapedArray) bool { return a.Shape.At(a.Rank()-1) == 2 }
	for _, s := range []core.ShapedArray{a, b} {
		if s.Rank() == 0 || !planar(s) && s.Shape.At(s.Rank()-1) != 3 {
			core.FailOp(core.ErrShape, "Cross", []core.ShapedArray{a, b}, "the vectors have 2 or 3 components, got %v and %v", a.Full(), b.Full())
		}
	}
	if isBool(v) {
		core.FailOp(core.ErrDType, "Cross", []core.ShapedArray{a, b}, "truth values have no differences, got %v and %v; convert them with AsType", a.Full(), b.Full())
	}
	broadcastShapes("Cross", a.WithShape(a.Shape.Slice(0, a.Rank()-1)), b.WithShape(b.Shape.Slice(0, b.Rank()-1)))
	flat := planar(a) && planar(b)
	at := func(x Array, i int) Array {
		if i == 2 && planar(x.aval()) {
			return ZerosLike(x.Index("..., 0"))
		}
		return x.Index(Ellipsis, i)
	}
	p, q := FromValue(v), FromValue(w)
	return alone(func() Array {
		part := func(i, j int) Array { return at(p, i).Mul(at(q, j)).Sub(at(p, j).Mul(at(q, i))) }
		if flat {
			return part(0, 1)
		}
		return Stack(-1, part(1, 2), part(2, 0), part(0, 1))
	})
}

// Diagonal is the diagonals of the matrices in x's last two axes; k is how far right
// of the main one.
func Diagonal(x Array, k ...int) Array {
	v := valueOf("Diagonal", x)
	a := v.Aval()
	if a.Rank() < 2 {
		core.FailOp(core.ErrShape, "Diagonal", []core.ShapedArray{a}, "%v is no matrix", a.Full())
	}
	d := oneOf("Diagonal", k)
	rows, cols := a.Shape.At(a.Rank()-2), a.Shape.At(a.Rank()-1)
	n := max(min(rows, cols-d), 0)
	if d < 0 {
		n = max(min(rows+d, cols), 0)
	}
	if n == 0 {
		return zerosOf(a.WithShape(a.Shape.Slice(0, a.Rank()-2).Append(0)))
	}
	i := Iota(Int32, 0, n)
	return alone(func() Array { return x.Index(Ellipsis, i.Add(max(-d, 0)), i.Add(max(d, 0))) })
}

// Diag is the diagonal of a matrix, or the matrix that has a vector as its diagonal.
func Diag(x Array, k ...int) Array {
	v := valueOf("Diag", x)
	a := v.Aval()
	switch a.Rank() {
	case 2:
		return Diagonal(x, k...)
	case 1:
		d := oneOf("Diag", k)
		n := a.Shape.At(0)
		size := n + max(d, -d)
		i := Iota(Int32, 0, n)
		return alone(func() Array {
			return zerosOf(a.WithShape(core.MakeDims(size, size)).Strong()).At(i.Add(max(-d, 0)), i.Add(max(d, 0))).Unique().Set(FromValue(strong("Diag", v)))
		})
	}
	core.FailOp(core.ErrShape, "Diag", []core.ShapedArray{a}, "takes a vector or a matrix, got %v; the diagonals of more matrices are Diagonal", a.Full())
	return Array{}
}

// Trace is the sums of the diagonals of the matrices in x's last two axes.
func Trace(x Array, k ...int) Array { return Diagonal(x, k...).Sum(-1) }

// oneOf is the one number given, or 0.
func oneOf(op string, k []int) int {
	switch len(k) {
	case 0:
		return 0
	case 1:
		return k[0]
	}
	core.FailOp(core.ErrStatic, op, nil, "takes one number besides the array, got %d", len(k))
	return 0
}

// Tri is a matrix of ones on and below the k-th diagonal, the main one unless given,
// and zeros above.
func Tri(n, m int, k ...int) Array {
	sizes("Tri", []int{n, m})
	return Tril(Ones(n, m), k...)
}

// Vander is the powers of x's elements, n of them, a row an element: the highest first.
func Vander(x Array, n int) Array {
	v := valueOf("Vander", x)
	if a := v.Aval(); a.Rank() != 1 || n < 0 {
		core.FailOp(core.ErrShape, "Vander", []core.ShapedArray{a}, "takes a vector and how many powers of it there are, got %v and %d", a.Full(), n)
	}
	return alone(func() Array {
		return x.ExpandDims(1).Pow(Sub(n-1, Iota(Int32, 0, n)))
	})
}

// Polyval is the polynomial with the given coefficients, the highest power's first, at
// x.
func Polyval(coefficients, x Array) Array {
	a := valueOf("Polyval", coefficients).Aval()
	if a.Rank() != 1 {
		core.FailOp(core.ErrShape, "Polyval", []core.ShapedArray{a}, "the coefficients are a vector, got %v", a.Full())
	}
	c, v := together2("Polyval", coefficients.Value(), valueOf("Polyval", x))
	x = FromValue(v)
	y := ZerosLike(x)
	return alone(func() Array {
		for _, k := range FromValue(c).Rows() {
			y = y.Mul(x).Add(k)
		}
		return y
	})
}

// Norm is the square root of the sum of squares along the given axes, or of all
// elements.
func Norm(x Array, axes ...int) Array {
	x = FromValue(strong("Norm", floating("Norm", valueOf("Norm", x))))
	return alone(func() Array {
		if x.DType().IsComplex() {
			return Sqrt(Square(x.Real()).Add(Square(x.Imag())).Sum(axes...))
		}
		return Sqrt(Square(x).Sum(axes...))
	})
}
