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

// Factors, and what they solve.
func Example_factors() {
	a, b := weft.From([][]float64{{4, 2}, {2, 3}}), weft.Of[float64](2, 1)
	l := linalg.Cholesky(a)
	q, r := linalg.QR(a)
	fmt.Printf("%.3f %.3f %.3f\n", linalg.CholSolve(l, b), linalg.LUSolve(linalg.LU(a), b), linalg.TriangularSolve(r, q.T().Dot(b), linalg.Triangle{}))
	fmt.Printf("%.3f %.3f %.3f\n", linalg.Solve(a, b), linalg.Lstsq(a, b).X, linalg.PInv(a).Dot(b))
	fmt.Printf("%.3f %.3f\n", linalg.Det(a).Float(), linalg.Inv(a))
	// Output:
	// [0.500 0.000] [0.500 0.000] [0.500 0.000]
	// [0.500 0.000] [0.500 0.000] [0.500 0.000]
	// 8.000 [[ 0.375 -0.250]
	//  [-0.250  0.500]]
}

// Eigenvalues and singular values, and functions that are computed from them.
func Example_spectrum() {
	a := weft.From([][]float64{{2, 1}, {1, 2}})
	w, _ := linalg.Eigh(a)
	fmt.Printf("%.3f %.3f %.3f\n", w, linalg.EigvalsH(a), linalg.SingularValues(a))
	fmt.Printf("%.3f %.3f %v\n", linalg.Cond(a, linalg.Spectral).Float(), linalg.Norm(a, linalg.Frobenius).Float(), linalg.MatrixRank(a).Int())
	fmt.Printf("%.3f\n%.3f\n%.3f\n", linalg.Expm(a), linalg.Sqrtm(a), linalg.MatrixPower(a, 3))
	// Output:
	// [1.000 3.000] [1.000 3.000] [3.000 1.000]
	// 3.000 3.162 2
	// [[11.402  8.684]
	//  [ 8.684 11.402]]
	// [[1.366 0.366]
	//  [0.366 1.366]]
	// [[14.000 13.000]
	//  [13.000 14.000]]
}
