package nd

import (
	"slices"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
)

// Vdot returns Σ conj(x)·y, with x and y flattened to vectors.
func Vdot(x, y core.Value) core.Value { return Dot(Ravel(Conj(x)), Ravel(y)) }

// Tensordot contracts the given axes of x with the given axes of y, pair by pair. The other axes stay, those
// of x first.
func Tensordot(x, y core.Value, xAxes, yAxes []int) core.Value {
	v, w := PromotePair("Tensordot", ValueOf("Tensordot", x), ValueOf("Tensordot", y))
	a, b := v.Aval(), w.Aval()
	if len(xAxes) != len(yAxes) {
		core.FailOp(core.ErrShape, "Tensordot", []core.ShapedArray{a, b}, "got %s of x and %d of y; give equally long lists", core.Count(len(xAxes), "axis"), len(yAxes))
	}
	xs, ys := slices.Clone(xAxes), slices.Clone(yAxes)
	for k := range xs {
		xs[k], ys[k] = Axis("Tensordot", a, xs[k]), Axis("Tensordot", b, ys[k])
		if slices.Contains(xs[:k], xs[k]) || slices.Contains(ys[:k], ys[k]) {
			core.FailOp(core.ErrIndex, "Tensordot", []core.ShapedArray{a, b}, "an axis occurs twice in %v or %v; list each axis once", xAxes, yAxes)
		}
		contracts("Tensordot", a, b, xs[k], ys[k])
	}
	return product(v, w, prim.DotGeneralP{LhsContract: core.MakeDims(xs...), RhsContract: core.MakeDims(ys...)})
}

// Kron returns the Kronecker product: each element of x is replaced by its product with y.
func Kron(x, y core.Value) core.Value {
	v, w := PromotePair("Kron", ValueOf("Kron", x), ValueOf("Kron", y))
	r := max(v.Aval().Rank(), w.Aval().Rank())
	v, w = prependAxes(v, r), prependAxes(w, r)
	var even, odd, shape []int
	for i := range r {
		even, odd = append(even, 2*i), append(odd, 2*i+1)
		shape = append(shape, v.Aval().Shape.At(i)*w.Aval().Shape.At(i))
	}
	z := times(prim.ExpandDims(v, core.MakeDims(odd...)), prim.ExpandDims(w, core.MakeDims(even...)))
	return prim.Reshape(z, core.MakeDims(shape...))
}

// Cross returns the vector product along an axis, the last one unless another is given. Vectors
// have 3 elements, or 2, which get a third component 0; if both have 2, only the third component
// of the product is returned.
func Cross(x, y core.Value, axis ...int) core.Value {
	if len(axis) == 0 {
		return crossLast(x, y)
	}
	x, y = ValueOf("Cross", x), ValueOf("Cross", y)
	z := crossLast(MoveAxis(x, OneAxis("Cross", x, axis), -1), MoveAxis(y, OneAxis("Cross", y, axis), -1))
	if z.Aval().Rank() < max(x.Aval().Rank(), y.Aval().Rank()) { // of two vectors in the plane
		return z
	}
	return MoveAxis(z, -1, axis[0])
}

func crossLast(x, y core.Value) core.Value {
	v, w := PromotePair("Cross", ValueOf("Cross", x), ValueOf("Cross", y))
	a, b := v.Aval(), w.Aval()
	planar := func(a core.ShapedArray) bool { return a.Shape.At(a.Rank()-1) == 2 }
	for _, s := range []core.ShapedArray{a, b} {
		if s.Rank() == 0 || !planar(s) && s.Shape.At(s.Rank()-1) != 3 {
			core.FailOp(core.ErrShape, "Cross", []core.ShapedArray{a, b}, "vectors must have 2 or 3 components (got %v and %v); slice or pad them", a.Full(), b.Full())
		}
	}
	if IsBool(v) {
		core.FailOp(core.ErrDType, "Cross", []core.ShapedArray{a, b}, "truth values have no differences, got %v and %v; convert them with AsType", a.Full(), b.Full())
	}
	BroadcastShapes("Cross", a.WithShape(a.Shape.Slice(0, a.Rank()-1)), b.WithShape(b.Shape.Slice(0, b.Rank()-1)))
	flat := planar(a) && planar(b)
	at := func(x core.Value, i int) core.Value {
		if i == 2 && planar(x.Aval()) {
			return ZerosOfType(Index(x, "..., 0").Aval())
		}
		return Index(x, Ellipsis, i)
	}
	p, q := Strong("Cross", v), Strong("Cross", w)
	return WithJAXPromotion(func() core.Value {
		part := func(i, j int) core.Value { return Sub(Mul(at(p, i), at(q, j)), Mul(at(p, j), at(q, i))) }
		if flat {
			return part(0, 1)
		}
		return Stack(-1, part(1, 2), part(2, 0), part(0, 1))
	})
}

// Diagonal returns the k-th diagonals of the matrices in x's last two axes: the main diagonals unless k is
// given, diagonals above them for positive k.
func Diagonal(x core.Value, k ...int) core.Value {
	v := Strong("Diagonal", ValueOf("Diagonal", x))
	a := v.Aval()
	if a.Rank() < 2 {
		core.FailOp(core.ErrShape, "Diagonal", []core.ShapedArray{a}, "%v is not a matrix; reshape it to two axes", a.Full())
	}
	d := oneOf("Diagonal", k)
	rows, cols := a.Shape.At(a.Rank()-2), a.Shape.At(a.Rank()-1)
	n := max(min(rows, cols-d), 0)
	if d < 0 {
		n = max(min(rows+d, cols), 0)
	}
	if n == 0 {
		return ZerosOfType(a.WithShape(a.Shape.Slice(0, a.Rank()-2).Append(0)))
	}
	i := Iota(core.Int32, 0, n)
	return WithJAXPromotion(func() core.Value { return Index(v, Ellipsis, Add(i, max(-d, 0)), Add(i, max(d, 0))) })
}

// Diag returns the k-th diagonal of a matrix, or the matrix that has a vector as its k-th
// diagonal: the main one unless k is given.
func Diag(x core.Value, k ...int) core.Value {
	v := ValueOf("Diag", x)
	a := v.Aval()
	switch a.Rank() {
	case 2:
		return Diagonal(x, k...)
	case 1:
		d := oneOf("Diag", k)
		n := a.Shape.At(0)
		size := n + max(d, -d)
		Sizes("Diag", []int{size, size})
		i := Iota(core.Int32, 0, n)
		return WithJAXPromotion(func() core.Value {
			return At(ZerosOfType(a.WithShape(core.MakeDims(size, size))), Add(i, max(-d, 0)), Add(i, max(d, 0))).Unique().Set(v)
		})
	}
	core.FailOp(core.ErrShape, "Diag", []core.ShapedArray{a}, "takes a vector or a matrix, got %v; the diagonals of more matrices are Diagonal", a.Full())
	return nil
}

// oneOf returns the one number given, or 0.
func oneOf(op string, k []int) int {
	switch len(k) {
	case 0:
		return 0
	case 1:
		return k[0]
	}
	core.FailOp(core.ErrStatic, op, nil, "too many numbers (got %d, want at most 1); pass one besides the array", len(k))
	return 0
}

// Tri returns a matrix of ones on and below the k-th diagonal, the main one unless given,
// and zeros above.
func Tri(n, m int, k ...int) core.Value {
	Sizes("Tri", []int{n, m})
	return Tril(Ones(n, m), k...)
}

// Vander returns a matrix with a row for each element of x: its powers n−1, …, 1, 0.
func Vander(x core.Value, n int) core.Value {
	v := ValueOf("Vander", x)
	if a := v.Aval(); a.Rank() != 1 || n < 0 {
		core.FailOp(core.ErrShape, "Vander", []core.ShapedArray{a}, "needs a vector and a number of powers of 0 or more (got %v and %d); reshape or correct them", a.Full(), n)
	}
	exponents, dt := core.Int32, v.Aval().DType
	if dt.IsInteger() && dt.Bits() >= 32 {
		exponents = dt
	}
	Room("Vander", []int{n}, exponents)
	return WithJAXPromotion(func() core.Value {
		powers := Pow(ExpandDims(x, 1), Sub(n-1, Iota(exponents, 0, n)))
		if dt.IsInteger() {
			return Convert("Vander", powers, dt, false) // they wrap as their type does
		}
		return powers
	})
}

// Polyval evaluates the polynomial with the given coefficients, the highest power's first, at x.
func Polyval(coefficients, x core.Value) core.Value {
	a := ValueOf("Polyval", coefficients).Aval()
	if a.Rank() != 1 {
		core.FailOp(core.ErrShape, "Polyval", []core.ShapedArray{a}, "coefficients must be a vector (got %v); reshape them to one axis", a.Full())
	}
	c, v := PromotePair("Polyval", coefficients, ValueOf("Polyval", x))
	x = Strong("Polyval", v)
	y := ZerosOfType(x.Aval())
	return WithJAXPromotion(func() core.Value {
		for i := range c.Aval().Size() {
			y = Add(Mul(y, x), Index(c, i))
		}
		return y
	})
}

// Norm returns the square root of the sum of squares along the given axes, or of all
// elements. Where it is 0, so is its derivative.
func Norm(x core.Value, axes ...int) core.Value {
	x = Strong("Norm", Floating("Norm", ValueOf("Norm", x)))
	a := x.Aval()
	x = Convert("Norm", x, AverageType(a.DType), false)
	norm := WithJAXPromotion(func() core.Value {
		if x.Aval().DType.IsComplex() {
			return RootOfSquares(Sum(Add(Square(Real(x)), Square(Imag(x))), axes...))
		}
		return RootOfSquares(Sum(Square(x), axes...))
	})
	return WithFlag("Norm", Convert("Norm", norm, a.DType.Real(), false), a)
}
