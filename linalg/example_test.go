package linalg_test

import (
	"errors"
	"fmt"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/linalg"
)

func ExampleTrySolve() {
	a := weft.From([][]float64{{2, 1}, {1, 3}})
	x, err := linalg.TrySolve(a, weft.Of[float64](3, 5))
	fmt.Printf("%.3f %v\n", x, err)
	_, err = linalg.TrySolve(weft.From([][]float64{{1, 2}, {2, 4}}), weft.Of[float64](3, 5))
	fmt.Println(errors.Is(err, linalg.ErrSingular), err)
	// Output:
	// [0.800 1.400] <nil>
	// true TrySolve: the matrix is singular: pivot 1 is 0; use Lstsq or PInv, or add to the diagonal
}

// The derivative of the logarithm of a determinant is the transposed inverse.
func ExampleSlogDet() {
	a := weft.From([][]float64{{2, 1}, {1, 3}})
	g := weft.Grad(func(a weft.Array) weft.Array { _, log := linalg.SlogDet(a); return log })(a)
	fmt.Printf("%.1f\n", g)
	// Output:
	// [[ 0.6 -0.2]
	//  [-0.2  0.4]]
}
