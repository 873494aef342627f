package linalg

import (
	"math"

	"github.com/weft-go/weft/lower/reference/internal/block"
)

// The signs of eigenvectors and singular vectors of more than divideAbove rows are those that LAPACK's methods
// of divide and conquer (stedc, bdsdc) leave, although the iterations here are different ones. There a vector
// of the whole matrix comes from the equation that joins two halves, and its sign is that of one number of the
// vector itself. Where this number is zero but for rounding, LAPACK takes the vector from a half of the matrix,
// and its sign may be another one.

// divideAbove is the most rows that LAPACK decomposes without dividing.
const divideAbove = 25

// cutSigns returns a function that sets the signs of the eigenvectors, the rows of z, of a
// tridiagonal matrix with elements e beside the diagonal. LAPACK cuts the matrix behind row n/2
// − 1 at e, and adds |e|·b·bᵀ with b = (… 1, sign e …). With the eigenvalues dᵢ and vectors of
// the halves, b is (… rᵢ …), and a vector x of the whole is rᵢ/(dᵢ − λ), scaled by a positive
// number. So b·x is a positive multiple of Σ rᵢ²/(dᵢ − λ) = −1/|e|.
func cutSigns(e []float64, n int) func(z []float64) {
	if n <= divideAbove {
		return func([]float64) {}
	}
	cut := n / 2
	sign := math.Copysign(1, e[cut-1])
	return func(z []float64) {
		for ; len(z) > 0; z = z[n:] {
			if x := z[:n]; x[cut-1]+block.Times(sign, x[cut]) > 0 {
				negate(x)
			}
		}
	}
}

// middleSigns sets the signs of singular vectors of a bidiagonal matrix. LAPACK takes row n/2 out of the upper
// bidiagonal matrix, and a left vector's component there is a negative number over a norm. If the matrix was
// lower bidiagonal, the rotations rots brought it to upper form.
func middleSigns(ut, vt *rotator, rots []rotation, n int) {
	if n <= divideAbove || ut == nil {
		return
	}
	middle := n / 2
	for k := range n {
		u := ut.z[k*n : (k+1)*n]
		at := u[middle]
		if rots != nil {
			// The rotations up to the middle one act on the components up to the next one.
			rest := u[0]
			for i, r := range rots[:middle+1] {
				at = math.FMA(r.c, rest, block.Times(r.s, u[i+1]))
				rest = math.FMA(r.c, u[i+1], -block.Times(r.s, rest))
			}
		}
		if at > 0 {
			ut.negateRow(k)
			vt.negateRow(k)
		}
	}
}

func negate(x []float64) {
	for i, v := range x {
		x[i] = -v
	}
}
