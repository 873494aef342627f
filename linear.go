package weft

import (
	"github.com/weft-go/weft/internal/nd"
)

// Vdot returns the sum of all products of the complex conjugates of x with y: both count as
// vectors.
func Vdot(x, y Array) Array { return FromValue(nd.Vdot(x.value(), y.value())) }

// Cross returns the vector product over the last axes, which have 3 elements, or 2: the
// third returns 0 then, and of two such only the third of the product is given.
func Cross(x, y Array) Array { return FromValue(nd.Cross(x.value(), y.value())) }

// Diagonal returns the diagonals of the matrices in x's last two axes; k is how far right
// of the main one.
func Diagonal(x Array, k ...int) Array { return FromValue(nd.Diagonal(x.value(), k...)) }

// Diag returns the diagonal of a matrix, or the matrix that has a vector as its diagonal.
func Diag(x Array, k ...int) Array { return FromValue(nd.Diag(x.value(), k...)) }

// Tri returns a matrix of ones on and below the k-th diagonal, the main one unless given,
// and zeros above.
func Tri(n, m int, k ...int) Array { return FromValue(nd.Tri(n, m, k...)) }

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
