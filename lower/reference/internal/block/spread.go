package block

import "github.com/weft-go/weft/core"

// Spread returns x spread to the given shape: scalars and axes of size 1 repeat.
func Spread[T any](x *Tensor, shape core.Dims) ([]T, *Loan) {
	return SpreadElements(View[T](x), x.Shape, shape)
}

// SpreadElements is Spread for the elements of an array of shape `from`.
func SpreadElements[T any](x []T, from, shape core.Dims) ([]T, *Loan) {
	if from == shape {
		return x, nil
	}
	y, l := Borrow[T](shape.Size())
	var bx, by [FewAxes]int
	var ba [FewAxes]Axis
	sx, sy := RowMajor(bx[:0], from), RowMajor(by[:0], shape)
	axes := ba[:0]
	for i, n := range shape.All() {
		a := Axis{N: n, D: sy[i]}
		if from.Len() > 0 && from.At(i) != 1 {
			a.S = sx[i]
		}
		axes = append(axes, a)
	}
	if axes, ok := Tidy(axes); ok {
		MoveAs(y, x, 0, 0, axes)
	}
	return y, l
}
