package linalg

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/lower/reference/internal/block"
)

// Small matrices that are factored side by side have the bits of those that are factored one by one: usual ones, and some with
// equal pivots, zero columns, NaN, ∞ and pivots that are not positive.
func TestMatricesSideBySide(t *testing.T) {
	if fieldF32.lanes == nil {
		t.Skip("this machine has no code for matrices side by side")
	}
	matricesSideBySide(t, &fieldF32)
	matricesSideBySide(t, &fieldF64)
}

func matricesSideBySide[A block.Float](t *testing.T, f *field[A]) {
	r := rand.New(rand.NewPCG(4, 4))
	alone := *f
	alone.lanes = nil
	unusual := []float64{0, math.Copysign(0, -1), math.Inf(1), math.Inf(-1), math.NaN(), 1, -1, 5e-324, 1e300}
	for n := 1; n <= laneSize; n++ {
		for _, rare := range []float64{0, 0.01} {
			const count = 2*laneCount + 3
			fill := func(rows, cols int) []A {
				x := make([]A, count*rows*cols)
				for i := range x {
					if x[i] = A(r.NormFloat64()); r.Float64() < rare {
						x[i] = A(unusual[r.IntN(len(unusual))])
					}
				}
				return x
			}
			definite := fill(n, n)
			for b := range count {
				for i := range n {
					definite[(b*n+i)*n+i] += A(2 * n)
				}
			}
			shape := core.MakeDims(count, n, n)
			got, want := make([]A, len(definite)), make([]A, len(definite))
			choleskyInto(f, got, definite, shape)
			choleskyInto(&alone, want, definite, shape)
			requireBits(t, "cholesky", n, got, want)
			skew := definite
			for i, v := range fill(n, n) {
				skew[i] += v / 4
			}
			symmetricRootsInto(f, got, skew, n)
			symmetricRootsInto(&alone, want, skew, n)
			requireBits(t, "root of the mean", n, got, want)
			general := fill(n, n)
			for _, m := range []int{1, n, 1 + r.IntN(2*n)} {
				for _, b := range [][]A{fill(n, m), fill(n, m)[:n*m]} {
					shape, pivot := core.MakeDims(count, n, m), any(pivotF32)
					if f.dt == core.Float64 {
						pivot = pivotF64
					}
					got, want := make([]A, count*n*m), make([]A, count*n*m)
					smallSystemsInto(f, got, general, b, shape, pivot.(func([]A) (int, bool)))
					smallSystemsInto(&alone, want, general, b, shape, pivot.(func([]A) (int, bool)))
					requireBits(t, fmt.Sprintf("systems of %d right sides, n", m), n, got, want)
				}
			}
			for _, m := range []int{n, 1 + r.IntN(laneSize)} {
				x, k := fill(m, n), min(m, n)
				var results [2][]A
				var pivots, perms [2][]int32
				for i, f := range []*field[A]{f, &alone} {
					results[i], pivots[i], perms[i] = make([]A, len(x)), make([]int32, count*k), make([]int32, count*m)
					for at := 0; at < count; {
						some := 1
						if at+laneCount <= count {
							some = laneCount
						}
						part := func(s, of int) (int, int) { return at * of, (at + s) * of }
						a, b := part(some, m*n)
						c, d := part(some, k)
						g, h := part(some, m)
						luOf[A](m, n, nil)(f, [][]A{x[a:b]}, [][]A{results[i][a:b]}, [][]int32{nil, pivots[i][c:d], perms[i][g:h]})
						at += some
					}
					block.Canon(results[i])
				}
				requireBits(t, "lu", n, results[0], results[1])
				requireBits(t, "pivots", n, pivots[0], pivots[1])
				requireBits(t, "permutation", n, perms[0], perms[1])
			}
			m := 1 + r.IntN(2*n)
			for flags := range 16 {
				p := prim.TriangularSolveP{LeftSide: flags&1 > 0, Lower: flags&2 > 0, TransposeA: flags&4 > 0, UnitDiagonal: flags&8 > 0}
				sides := core.MakeDims(count, n, m)
				if !p.LeftSide {
					sides = core.MakeDims(count, m, n)
				}
				b := fill(n, m)
				got, want := make([]A, len(b)), make([]A, len(b))
				solveInto(f, got, definite, b, sides, p)
				solveInto(&alone, want, definite, b, sides, p)
				requireBits(t, "triangular_solve", n, got, want)
			}
		}
	}
}

// The numbers above the diagonal of Cholesky's factor are the operand's, with the payloads of NaNs.
func TestCholeskyKeepsUpperTriangle(t *testing.T) {
	payload := math.Float64frombits(0x7ff8000000001234)
	x := block.NewTensor(core.Aval(core.Float64, 40, 2, 2))
	e := block.View[float64](x)
	for b := range 40 {
		copy(e[4*b:], []float64{4, payload, 2, 5})
	}
	y := block.View[float64](applied(t, prim.CholeskyP{}, x)[0])
	for b := range 40 {
		if got := math.Float64bits(y[4*b+1]); got != math.Float64bits(payload) || y[4*b] != 2 || y[4*b+2] != 1 || y[4*b+3] != 2 {
			t.Fatalf("matrix %d: got %v, element (0, 1) %x, want [2 NaN 1 2], %x", b, y[4*b:4*b+4], got, math.Float64bits(payload))
		}
	}
}
