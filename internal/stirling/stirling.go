// Package stirling evaluates Stirling's series, with which logarithms of gamma functions are
// computed without cancellation.
package stirling

import "github.com/weft-go/weft"

// Min is the least number for which Tail is exact to within rounding.
const Min = 10

// coefficients are the cₖ of the series log Γ(x) = (x − ½)·log x − x + ½·log 2π + Σ cₖ·x^(1−2k).
var coefficients = []float64{
	1. / 12, -1. / 360, 1. / 1260, -1. / 1680, 1. / 1188, -691. / 360360, 1. / 156, -3617. / 122400, 43867. / 244188,
}

// Tail returns Σ cₖ·x^(1−2k).
func Tail(x weft.Array) weft.Array {
	r := weft.Reciprocal(x)
	s := weft.Square(r)
	sum := weft.FullLike(x, coefficients[len(coefficients)-1])
	for k := len(coefficients) - 2; k >= 0; k-- {
		sum = sum.Mul(s).Add(coefficients[k])
	}
	return sum.Mul(r)
}
