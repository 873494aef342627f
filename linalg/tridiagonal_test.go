package linalg_test

import (
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/linalg"
)

// The solution of a singular tridiagonal system is NaN throughout, also where the zero pivot is the last one.
func TestSingularTridiagonalSolve(t *testing.T) {
	zero, off, d := weft.Zeros(3), weft.Of[float32](0, 1, 0), weft.Of[float32](1, 1, 0)
	b := weft.Ones(3, 1)
	for _, c := range [][3]weft.Array{{zero, zero, zero}, {zero, d, zero}, {off, d, off}} {
		x := linalg.TridiagonalSolve(c[0], c[1], c[2], b)
		if !weft.IsNaN(x).All().Bool() {
			t.Errorf("diagonals %v: got %v, want NaN", c, x)
		}
	}
}
