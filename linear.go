package weft

import (
	"github.com/weft-go/weft/internal/nd"
)

// Dot contracts the last axis of x with the last but one of y, or with the only one
// that y has: of vectors the inner product, of matrices the product. The other axes
// of both stay. A scalar scales.
func (x Array) Dot(y Array) Array { return FromValue(nd.Dot(x.value(), y.value())) }

// MatMul returns the product of matrices: all axes before the last two run in step and
// broadcast. A vector counts as one row on the left and one column on the right.
func (x Array) MatMul(y Array) Array { return FromValue(nd.MatMul(x.value(), y.value())) }

// Outer returns the products of all pairs of elements of x and y.
func Outer(x, y Array) Array { return FromValue(nd.Outer(x.value(), y.value())) }

// Vdot returns the sum of all products of the complex conjugates of x with y: both count as
// vectors.
func Vdot(x, y Array) Array { return FromValue(nd.Vdot(x.value(), y.value())) }

// Cross returns the vector product along an axis, the last one unless another is given. Vectors have
// 3 elements, or 2, which get a third component 0; if both have 2, only the third component of the
// product is returned.
func Cross(x, y Array, axis ...int) Array { return FromValue(nd.Cross(x.value(), y.value(), axis...)) }

// Diagonal returns the diagonals of the matrices in x's last two axes; k is how far right
// of the main one.
func Diagonal(x Array, k ...int) Array { return FromValue(nd.Diagonal(x.value(), k...)) }

// Diag returns the diagonal of a matrix, or the matrix that has a vector as its diagonal.
func Diag(x Array, k ...int) Array { return FromValue(nd.Diag(x.value(), k...)) }

// Vander returns the powers of x's elements, n of them, a row an element: the highest first.
func Vander(x Array, n int) Array { return FromValue(nd.Vander(x.value(), n)) }

// Polyval returns the polynomial with the given coefficients, the highest power's first, at
// x.
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
// matrices. Letters name axes; a letter that the result does not have is summed
// over; "..." stands for axes that broadcast. Without an arrow the result has the
// letters that come once, in alphabetical order. Of more than two operands the pair
// with the smallest product is contracted first.
func Einsum(subscripts string, xs ...Array) Array {
	return FromValue(nd.Einsum(subscripts, values(xs)...))
}

// ConvConfig is what a convolution takes besides its operands. Its zero value is a
// convolution without padding, in steps of 1.
type ConvConfig struct {
	Strides       []int    // steps of the kernel, one a spatial axis; nil: 1
	Padding       [][2]int // zeros before and after each spatial axis; nil: none
	Same          bool     // pad so that steps of 1 keep the size, instead of Padding
	Dilation      []int    // distances between the kernel's elements; nil: 1
	InputDilation []int    // distances between x's elements; nil: 1
	Groups        int      // parts of the features that are convolved apart; 0: 1
	// Layout names the axes of x, w and the result: N the batch, C features, O and I
	// the kernel's output and input features, the other letters spatial axes. "" is
	// "NCHW,OIHW->NCHW", with as many spatial axes as there are.
	Layout string
}

// Conv slides the kernel w over x: z[n, o, p] = Σ x[n, c, p·stride + t] · w[o, c, t].
func Conv(x, w Array, c ConvConfig) Array {
	return FromValue(nd.Conv(x.value(), w.value(), nd.ConvConfig(c)))
}
