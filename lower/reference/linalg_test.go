package reference

import (
	"math"
	"math/cmplx"
	"math/rand/v2"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/core/prim/matrices"
	"github.com/weft-go/weft/lower/reference/internal/block"
	"github.com/weft-go/weft/lower/scalar"
)

// definite returns a positive definite matrix, from a random one.
func definite(r *rand.Rand, dt core.DType, n int) *block.Tensor {
	c := dt
	if scalar.IsSmallFloat(dt) {
		c = core.Float32
	}
	b := block.NewTensor(core.Aval(c, n, n))
	draw(r, b, false)
	conj := block.NewTensor(b.ShapedArray)
	copy(conj.Data, b.Data)
	switch c {
	case core.Complex64:
		for i, v := range block.View[complex64](conj) {
			block.View[complex64](conj)[i] = complex(real(v), -imag(v))
		}
	case core.Complex128:
		for i, v := range block.View[complex128](conj) {
			block.View[complex128](conj)[i] = cmplx.Conj(v)
		}
	}
	d := core.MakeDims(1)
	a := apply(t0, prim.DotGeneralP{LhsContract: d, RhsContract: d}, b, conj)[0]
	f, _ := floatsOf(a)
	parts := scalar.Components(c)
	for i := range n {
		f[(i*n+i)*parts] += float64(n)
	}
	y := block.NewTensor(a.WithDType(dt))
	setFloats(y, f)
	return y
}

// t0 reports nothing: what is applied in making examples cannot fail.
var t0 = new(testing.T)

// TestCholeskyOrder writes the right-looking order out.
func TestCholeskyOrder(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 4))
	for _, n := range []int{0, 1, 2, 3, 8, 17} {
		for _, dt := range []core.DType{core.Float32, core.Float64, core.BFloat16} {
			x := definite(r, dt, n)
			// What lies above the diagonal is not read.
			f, _ := floatsOf(x)
			for i := range n {
				for j := i + 1; j < n; j++ {
					f[i*n+j] = math.NaN()
				}
			}
			setFloats(x, f)
			got := apply(t, matrices.CholeskyP{}, x)[0]
			fma := func(a, b, c float64) float64 { return float64(bigFMA32(float32(a), float32(b), float32(c))) }
			round := func(v float64) float64 { return float64(float32(v)) }
			if dt == core.Float64 {
				fma, round = math.FMA, func(v float64) float64 { return v }
			}
			for j := range n {
				f[j*n+j] = round(math.Sqrt(f[j*n+j]))
				for i := j + 1; i < n; i++ {
					f[i*n+j] = round(f[i*n+j] / f[j*n+j])
				}
				for k := j + 1; k < n; k++ {
					for i := k; i < n; i++ {
						f[i*n+k] = fma(-f[i*n+j], f[k*n+j], f[i*n+k])
					}
				}
			}
			want := block.NewTensor(x.ShapedArray)
			setFloats(want, f)
			if !sameBits(got, want) {
				t.Errorf("%v: got %x, want %x", x, head(got), head(want))
			}
		}
	}
}

// TestComplexCholesky multiplies the root with its conjugate.
func TestComplexCholesky(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 4))
	for _, n := range []int{1, 2, 5, 9} {
		a := definite(r, core.Complex128, n)
		l := block.View[complex128](apply(t, matrices.CholeskyP{}, a)[0])
		for i := range n {
			for j := range i + 1 {
				s := complex128(0)
				for k := range j + 1 {
					s += l[i*n+k] * cmplx.Conj(l[j*n+k])
				}
				of := block.View[complex128](a)
				// The backward error of a factorization, with complex products twice that of real ones.
				bound := 2 * float64(n+1) * 0x1p-52 * math.Sqrt(real(of[i*n+i])*real(of[j*n+j]))
				if d := cmplx.Abs(s - of[i*n+j]); d > bound {
					t.Errorf("%d: element %d, %d is off by %g", n, i, j, d)
				}
			}
			if imag(l[i*n+i]) != 0 || real(l[i*n+i]) <= 0 {
				t.Errorf("diagonal element %v", l[i*n+i])
			}
		}
	}
}

func TestCholeskyRefuses(t *testing.T) {
	for _, m := range [][]float64{{-1, 0, 0, 1}, {1, 0, 2, 1}, {0, 0, 0, 1}, {math.NaN(), 0, 0, 1}, {1, 0, math.NaN(), 1}} {
		x := block.NewTensor(core.Aval(core.Float64, 2, 2))
		setFloats(x, m)
		y := block.View[float64](apply(t, matrices.CholeskyP{}, x)[0])
		if y[0] == y[0] || y[1] == y[1] || y[2] == y[2] || y[3] == y[3] {
			t.Errorf("root of %v is %v: want NaN", m, y)
		}
	}
}

// TestTriangularSolveOrder writes the order out, for every switch.
func TestTriangularSolveOrder(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for bits := range 32 {
		p := matrices.TriangularSolveP{LeftSide: bits&1 != 0, Lower: bits&2 != 0, TransposeA: bits&4 != 0, ConjugateA: bits&8 != 0, UnitDiagonal: bits&16 != 0}
		for _, dt := range []core.DType{core.Float32, core.Float64, core.Float16} {
			n, m := 1+r.IntN(6), r.IntN(4)
			a := block.NewTensor(core.Aval(dt, 2, n, n))
			shape := []int{2, m, n}
			if p.LeftSide {
				shape = []int{2, n, m}
			}
			b := block.NewTensor(core.Aval(dt, shape...))
			draw(r, a, false)
			draw(r, b, false)
			got := apply(t, p, a, b)[0]
			fma := func(a, b, c float64) float64 { return float64(bigFMA32(float32(a), float32(b), float32(c))) }
			round := func(v float64) float64 { return float64(float32(v)) }
			if dt == core.Float64 {
				fma, round = math.FMA, func(v float64) float64 { return v }
			}
			fa, _ := floatsOf(a)
			fb, _ := floatsOf(b)
			for g := range 2 {
				ma, mb := fa[g*n*n:], fb[g*n*m:]
				op := func(i, k int) float64 { // op(A)
					if p.TransposeA {
						i, k = k, i
					}
					return ma[i*n+k]
				}
				for s := range m {
					x := func(i int) *float64 {
						if p.LeftSide {
							return &mb[i*m+s]
						}
						return &mb[s*n+i]
					}
					coef := func(eq, unknown int) float64 { // of an unknown in an equation
						if p.LeftSide {
							return op(eq, unknown)
						}
						return op(unknown, eq)
					}
					// The first unknown is the one that stands alone: the named triangle states which.
					forward := (p.Lower != p.TransposeA) == p.LeftSide
					for step := range n {
						k := step
						if !forward {
							k = n - 1 - step
						}
						if !p.UnitDiagonal {
							*x(k) = round(*x(k) / coef(k, k))
						}
						for rest := step + 1; rest < n; rest++ {
							i := rest
							if !forward {
								i = n - 1 - rest
							}
							*x(i) = fma(-coef(i, k), *x(k), *x(i))
						}
					}
				}
			}
			want := block.NewTensor(b.ShapedArray)
			setFloats(want, fb)
			if !sameBits(got, want) {
				t.Errorf("%+v %v %v: got %x, want %x", p, a, b, head(got), head(want))
			}
		}
	}
}

// TestComplexTriangularSolve puts the solution in.
func TestComplexTriangularSolve(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	for bits := range 32 {
		p := matrices.TriangularSolveP{LeftSide: bits&1 != 0, Lower: bits&2 != 0, TransposeA: bits&4 != 0, ConjugateA: bits&8 != 0, UnitDiagonal: bits&16 != 0}
		const n = 4
		a, b := block.NewTensor(core.Aval(core.Complex128, n, n)), block.NewTensor(core.Aval(core.Complex128, n, n))
		draw(r, a, false)
		draw(r, b, false)
		ma, mb := block.View[complex128](a), block.View[complex128](b)
		for i := range n {
			ma[i*n+i] += 20 // well conditioned
		}
		x := block.View[complex128](apply(t, p, a, b)[0])
		op := func(i, k int) complex128 {
			if p.TransposeA {
				i, k = k, i
			}
			v := ma[i*n+k]
			switch {
			case i == k && p.UnitDiagonal:
				v = 1
			case i < k && p.Lower, i > k && !p.Lower:
				v = 0
			}
			if p.ConjugateA {
				v = cmplx.Conj(v)
			}
			return v
		}
		for i := range n {
			for j := range n {
				var s complex128
				size := 1.0
				for k := range n {
					u, v := op(i, k), x[k*n+j]
					if !p.LeftSide {
						u, v = x[i*n+k], op(k, j)
					}
					s += u * v
					size += cmplx.Abs(u * v)
				}
				if d := cmplx.Abs(s - mb[i*n+j]); d > 4*0x1p-52*size {
					t.Errorf("%+v: element %d, %d is off by %g", p, i, j, d)
				}
			}
		}
	}
}
