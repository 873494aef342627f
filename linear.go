package weft

import (
	"github.com/weft-go/weft/internal/nd"
)

// Dot contracts the last axis of x with the last but one of y, or with the only axis of a vector:
// the inner product of vectors, the product of matrices. The result has the other axes of x, then
// those of y. A scalar multiplies the other operand.
func (x Array) Dot(y Array) Array { return FromValue(nd.Dot(x.value(), y.value())) }

// MatMul returns the product of matrices, which are the last two axes; the axes before them are
// batch axes and broadcast. A vector counts as one row on the left and one column on the right.
func (x Array) MatMul(y Array) Array { return FromValue(nd.MatMul(x.value(), y.value())) }

// Outer returns the products of all pairs of elements of x and y.
func Outer(x, y Array) Array { return FromValue(nd.Outer(x.value(), y.value())) }

// Vdot returns Σ conj(x)·y, with x and y flattened to vectors.
func Vdot(x, y Array) Array { return FromValue(nd.Vdot(x.value(), y.value())) }

// Cross returns the vector product along an axis, the last one unless another is given. Vectors
// have 3 elements, or 2, which get a third component 0; if both have 2, only the third component
// of the product is returned.
func Cross(x, y Array, axis ...int) Array { return FromValue(nd.Cross(x.value(), y.value(), axis...)) }

// Diagonal returns the k-th diagonals of the matrices in x's last two axes: the main ones unless
// k is given, those above them for positive k.
func Diagonal(x Array, k ...int) Array { return FromValue(nd.Diagonal(x.value(), k...)) }

// Diag returns the k-th diagonal of a matrix, or the matrix that has a vector as its k-th
// diagonal: the main one unless k is given.
func Diag(x Array, k ...int) Array { return FromValue(nd.Diag(x.value(), k...)) }

// Vander returns a matrix with a row for each element of x: its powers n−1, …, 1, 0.
func Vander(x Array, n int) Array { return FromValue(nd.Vander(x.value(), n)) }

// Polyval evaluates the polynomial with the given coefficients, the highest power's first, at x.
func Polyval(coefficients, x Array) Array {
	return FromValue(nd.Polyval(coefficients.value(), x.value()))
}

// Norm returns the square root of the sum of squares along the given axes, or of all
// elements. Where it is 0, so is its derivative.
func Norm(x Array, axes ...int) Array { return FromValue(nd.Norm(x.value(), axes...)) }

// Tensordot contracts the given axes of x with those of y, pair by pair. The other axes
// stay, those of x first.
func Tensordot(x, y Array, xAxes, yAxes []int) Array {
	return FromValue(nd.Tensordot(x.value(), y.value(), xAxes, yAxes))
}

// Einsum returns a sum of products in Einstein's notation: "ij,jk->ik" is the product of
// matrices. Letters name axes; a letter that the result does not have is summed over; "..."
// stands for axes that broadcast. Without an arrow the result has the letters that occur once, in
// alphabetical order. With more than two operands, the pair with the smallest product is
// contracted first.
func Einsum(subscripts string, xs ...Array) Array {
	return FromValue(nd.Einsum(subscripts, values(xs)...))
}

// ConvConfig configures [Conv]. Its zero value is a convolution without padding, in steps of 1.
type ConvConfig struct {
	Strides       []int    // steps of the kernel, one per spatial axis; nil: 1
	Padding       [][2]int // zeros before and after each spatial axis; nil: none
	Same          bool     // pad so that the kernel takes ⌈size/stride⌉ positions; Padding must be nil
	Dilation      []int    // distances between the kernel's elements; nil: 1
	InputDilation []int    // distances between x's elements; nil: 1
	Groups        int      // groups of features that are convolved separately; 0: 1
	// Layout names the axes of x, w and the result: N the batch, C features, O and I
	// the kernel's output and input features, the other letters spatial axes. "" is
	// "NCHW,OIHW->NCHW", with as many spatial axes as there are.
	Layout string
}

// Conv slides the kernel w over x: z[n, o, p] = Σ x[n, c, p·stride + t] · w[o, c, t].
func Conv(x, w Array, c ConvConfig) Array {
	return FromValue(nd.Conv(x.value(), w.value(), nd.ConvConfig(c)))
}
