package linalg_test

import (
	"errors"
	"fmt"
	"math"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/linalg"
)

func ExampleTryCholesky() {
	l, err := linalg.TryCholesky(weft.From([][]float64{{4, 2}, {2, 5}}))
	fmt.Println(l, err)
	_, err = linalg.TryCholesky(weft.From([][]float64{{1, 2}, {2, 1}}))
	fmt.Println(errors.Is(err, linalg.ErrNotPositiveDefinite), err)
	// Output:
	// [[2. 0.]
	//  [1. 2.]] <nil>
	// true TryCholesky: the matrix is not positive definite: pivot 1 is not positive; add to the diagonal, or use LU or Eigh
}

func ExampleTryInv() {
	_, err := linalg.TryInv(weft.From([][]float64{{0, 0}, {0, 1}}))
	fmt.Println(err)
	// Output:
	// TryInv: the matrix is singular: pivot 0 is 0; use Lstsq or PInv, or add to the diagonal
}

func ExampleTryTriangularSolve() {
	l := weft.From([][]float64{{2, 0}, {1, 0}})
	_, err := linalg.TryTriangularSolve(l, weft.Of[float64](2, 3), linalg.Triangle{Lower: true})
	fmt.Println(err)
	// Output:
	// TryTriangularSolve: the matrix is singular: pivot 1 is 0; use Lstsq or PInv, or add to the diagonal
}

// Factorizations of matrices that are not finite have results of NaN; an error names the first such element.
func ExampleTryEigh() {
	a := weft.From([][]float64{{1, math.NaN()}, {2, 1}})
	_, _, err := linalg.TryEigh(a)
	fmt.Println(errors.Is(err, linalg.ErrNotFinite), err)
	_, _, err = linalg.TryEig(a)
	fmt.Println(err)
	_, _, _, err = linalg.TrySVD(a)
	fmt.Println(err)
	// Output:
	// true TryEigh: NaN or infinite elements: element [0 1] of the matrix is nan; remove it
	// TryEig: NaN or infinite elements: element [0 1] of the matrix is nan; remove it
	// TrySVD: NaN or infinite elements: element [0 1] of the matrix is nan; remove it
}

// The line through points: polyfit of degree 1.
func ExampleTryLstsq() {
	a, b := weft.Vander(weft.Of[float64](0, 1, 2, 3), 2), weft.Of[float64](1, 3, 5, 7)
	fit, err := linalg.TryLstsq(a, b)
	fmt.Printf("%.3f rank %v %v\n", fit.X, fit.Rank, err)
	// Output:
	// [2.000 1.000] rank 2 <nil>
}
