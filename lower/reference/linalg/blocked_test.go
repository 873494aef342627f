package linalg

import (
	"math"
	"math/cmplx"
	"math/rand/v2"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim/matrices"
	"github.com/weft-go/weft/lower/reference/internal/block"
)

// Blocked factorizations, and those of small matrices side by side, have the bits of plain loops over k.

func TestBlockedCholeskyBits(t *testing.T) {
	inAllFields(t, blockedCholesky[float32], blockedCholesky[float64], blockedCholesky[complex64], blockedCholesky[complex128])
}

func TestBlockedLUBits(t *testing.T) {
	inAllFields(t, blockedLU[float32], blockedLU[float64], blockedLU[complex64], blockedLU[complex128])
	inAllFields(t, blockedLUOfZeroColumn[float32], blockedLUOfZeroColumn[float64], blockedLUOfZeroColumn[complex64], blockedLUOfZeroColumn[complex128])
}

func TestBlockedTriangularSolveBits(t *testing.T) {
	inAllFields(t, blockedSolve[float32], blockedSolve[float64], blockedSolve[complex64], blockedSolve[complex128])
}

func inAllFields(t *testing.T, f32 func(*testing.T, *field[float32]), f64 func(*testing.T, *field[float64]), c64 func(*testing.T, *field[complex64]), c128 func(*testing.T, *field[complex128])) {
	t.Run("f32", func(t *testing.T) { f32(t, &fieldF32) })
	t.Run("f64", func(t *testing.T) { f64(t, &fieldF64) })
	t.Run("c64", func(t *testing.T) { c64(t, &fieldC64) })
	t.Run("c128", func(t *testing.T) { c128(t, &fieldC128) })
}

// blockedSizes returns sizes of one block and of several, of both widths.
func blockedSizes() []int {
	if testing.Short() {
		return []int{1, 2, 7, 16, 17, 33, 129}
	}
	return []int{1, 2, 7, 15, 16, 17, 33, 70, 129, 163}
}

// manyOf returns a batch of matrices of a dtype; definite ones if asked.
func manyOf(r *rand.Rand, dt core.DType, batch, m, n int, definite bool) *block.Tensor {
	x := block.NewTensor(core.Aval(dt, batch, m, n))
	var e []complex128
	for range batch {
		a := make([]complex128, m*n)
		for i := range a {
			a[i] = complex(r.NormFloat64(), 0)
			if dt.IsComplex() {
				a[i] += complex(0, r.NormFloat64())
			}
		}
		for i := 0; definite && i < n; i++ {
			for j := range i {
				a[j*n+i] = cmplx.Conj(a[i*n+j])
			}
			a[i*n+i] = complex(real(a[i*n+i])+float64(4*n), 0)
		}
		e = append(e, a...)
	}
	block.Store(x, e)
	return x
}

func requireBits[A comparable](t *testing.T, what string, n int, got, want []A) {
	t.Helper()
	for i := range want {
		if got[i] != want[i] && (got[i] == got[i] || want[i] == want[i]) {
			t.Fatalf("%s, n = %d: element %d is %v, want %v", what, n, i, got[i], want[i])
		}
	}
}

func blockedCholesky[A comparable](t *testing.T, f *field[A]) {
	r := rand.New(rand.NewPCG(1, 1))
	for _, n := range blockedSizes() {
		x := manyOf(r, f.dt, 5, n, n, true)
		if n > 64 {
			x = manyOf(r, f.dt, 1, n, n, true)
		}
		if n > 2 { // the third matrix is indefinite
			block.View[A](x)[min(x.Size(), 3*n*n)-1] = f.of(-1, 0)
		}
		got, e := block.View[A](applied(t, matrices.CholeskyP{}, x)[0]), block.View[A](x)
		var want []A
		for b := 0; b < len(e); b += n * n {
			want = append(want, plainCholesky(f, e[b:b+n*n], n)...)
		}
		requireBits(t, "cholesky", n, got, want)
	}
}

func plainCholesky[A any](f *field[A], x []A, n int) []A {
	y := append([]A(nil), x...)
	for j := range n {
		d, ok := f.root(y[j*n+j])
		if !ok {
			block.FillRun(y, f.nan)
			return y
		}
		y[j*n+j] = d
		for i := j + 1; i < n; i++ {
			f.divide(y[i*n+j:i*n+j+1], d)
		}
		for i := j + 1; i < n; i++ {
			for k := j + 1; k <= i; k++ {
				f.less(y[i*n+k:i*n+k+1], y[i*n+j], []A{f.conj(y[k*n+j])})
			}
		}
	}
	return y
}

func blockedLU[A comparable](t *testing.T, f *field[A]) {
	r := rand.New(rand.NewPCG(2, 2))
	for _, n := range blockedSizes() {
		for _, m := range []int{n, n + 40, max(1, n-3)} {
			batch := 1
			if n <= 17 {
				batch = 7
			}
			x := manyOf(r, f.dt, batch, m, n, false)
			if n > 2 { // columns that are zero from the start and in the end, and a zero with a sign
				e := block.View[A](x)[(batch-1)*m*n:]
				for i := range m {
					e[i*n+1] = f.of(0, 0)
					e[i*n+n-1] = e[i*n]
				}
				e[n-2] = f.conj(f.of(0, 0))
			}
			out := applied(t, matrices.LUP{}, x)
			e := block.View[A](x)
			var want []A
			var pivots, perms []int32
			for b := 0; b < len(e); b += m * n {
				a, p, q := plainLU(f, e[b:b+m*n], m, n)
				want, pivots, perms = append(want, a...), append(pivots, p...), append(perms, q...)
			}
			requireBits(t, "lu", n, block.View[A](out[0]), want)
			requireBits(t, "pivots", n, block.View[int32](out[1]), pivots)
			requireBits(t, "permutation", n, block.View[int32](out[2]), perms)
		}
	}
}

// What is not finite stays where it is beside a column that is zero.
func blockedLUOfZeroColumn[A comparable](t *testing.T, f *field[A]) {
	for _, n := range []int{5, 100} {
		x := block.NewTensor(core.Aval(f.dt, n, n))
		e := block.View[A](x)
		for i := range n {
			e[i*n+i] = f.of(2, 0)
		}
		e[n+1], e[n+n-1] = f.of(0, 0), f.of(math.Inf(1), 0)
		want, _, _ := plainLU(f, e, n, n)
		requireBits(t, "lu of a zero column", n, block.View[A](applied(t, matrices.LUP{}, x)[0]), want)
	}
}

func plainLU[A any](f *field[A], x []A, m, n int) (a []A, pivots, perm []int32) {
	a = append(a, x...)
	for i := range m {
		perm = append(perm, int32(i))
	}
	for k := range min(m, n) {
		p, big := k, -1.0
		for i := k; i < m; i++ {
			if v := f.c(a[i*n+k]).Size(); v > big {
				p, big = i, v
			}
		}
		pivots = append(pivots, int32(p))
		perm[k], perm[p] = perm[p], perm[k]
		for j := range n {
			a[k*n+j], a[p*n+j] = a[p*n+j], a[k*n+j]
		}
		for i := k + 1; i < m && big != 0; i++ {
			f.divide(a[i*n+k:i*n+k+1], a[k*n+k])
			for j := k + 1; j < n; j++ {
				f.less(a[i*n+j:i*n+j+1], a[i*n+k], a[k*n+j:k*n+j+1])
			}
		}
	}
	return a, pivots, perm
}

func blockedSolve[A comparable](t *testing.T, f *field[A]) {
	r := rand.New(rand.NewPCG(3, 3))
	for _, n := range blockedSizes() {
		for _, m := range []int{1, 5, 40} {
			for bits := range 32 {
				p := matrices.TriangularSolveP{LeftSide: bits&1 > 0, Lower: bits&2 > 0, TransposeA: bits&4 > 0, ConjugateA: bits&8 > 0, UnitDiagonal: bits&16 > 0}
				if n > 33 && (m > 5 || bits%3 > 0) {
					continue
				}
				batch := 1
				if n <= 8 {
					batch = 3
				}
				a := manyOf(r, f.dt, batch, n, n, true)
				b := manyOf(r, f.dt, batch, n, m, false)
				if !p.LeftSide {
					b = manyOf(r, f.dt, batch, m, n, false)
				}
				got := block.View[A](applied(t, p, a, b)[0])
				var want []A
				ea, eb := block.View[A](a), block.View[A](b)
				for i := range batch {
					want = append(want, plainSolve(f, ea[i*n*n:(i+1)*n*n], eb[i*n*m:(i+1)*n*m], n, m, p)...)
				}
				requireBits(t, "triangular_solve", n, got, want)
			}
		}
	}
}

func plainSolve[A any](f *field[A], a, b []A, n, m int, p matrices.TriangularSolveP) []A {
	x := append([]A(nil), b...)
	transposed := p.TransposeA == p.LeftSide
	element := func(i, k int) A {
		if transposed {
			i, k = k, i
		}
		if p.ConjugateA {
			return f.conj(a[i*n+k])
		}
		return a[i*n+k]
	}
	at := func(i, j int) []A {
		if p.LeftSide {
			return x[i*m+j : i*m+j+1]
		}
		return x[j*n+i : j*n+i+1]
	}
	for step := range n {
		k, down := step, p.Lower != transposed
		if !down {
			k = n - 1 - step
		}
		for j := range m {
			if !p.UnitDiagonal {
				f.divide(at(k, j), element(k, k))
			}
			for i := range n {
				if down && i > k || !down && i < k {
					f.less(at(i, j), element(i, k), at(k, j))
				}
			}
		}
	}
	return x
}

// The permutations of a batch of matrices without columns are identities, in batches of any size.
func TestLUOfNoColumns(t *testing.T) {
	for _, batch := range []int{1, 2, 33} {
		const m = 3
		perms := block.View[int32](applied(t, matrices.LUP{}, block.NewTensor(core.Aval(core.Float32, batch, m, 0)))[2])
		for i, p := range perms {
			if p != int32(i%m) {
				t.Fatalf("batch of %d: got permutations %v, want each 0 1 2", batch, perms)
			}
		}
	}
}

// Pivots are the first of the largest |v|, or the first NaN.
func TestPivots(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	from := []float64{0, math.Copysign(0, -1), 1, -1, 2, math.Inf(1), math.Inf(-1), math.NaN()}
	for round := range 2000 {
		x, y := make([]float64, 1+r.IntN(9)), []float32(nil)
		want, big := 0, -1.0
		for i := range x {
			x[i] = from[r.IntN(1+round%len(from))]
			y = append(y, float32(x[i]))
			want, big = largerPivot(want, big, i, x[i])
		}
		at, zero := pivotF64(x)
		at32, zero32 := pivotF32(y)
		if at != want || at32 != want || zero != (big == 0) || zero32 != zero {
			t.Fatalf("pivot of %v: got %d, %v and %d, %v, want %d, %v", x, at, zero, at32, zero32, want, big == 0)
		}
	}
}
