package main

import (
	"fmt"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/fft"
	"github.com/weft-go/weft/linalg"
	"github.com/weft-go/weft/special"
)

// factorizations measures linear algebra, Fourier transforms and special functions (rows n/).
func factorizations(r *runner) {
	for _, dt := range []weft.DType{weft.Float32, weft.Float64} {
		for _, n := range []int{64, 256, 1024} {
			at := fmt.Sprintf("/%d-%s", n, dt)
			general, definite := laterOf(dt, 1, 1, n, n), spread(dt, n, n, n)
			vector, many := laterOf(dt, 2, 1, n), laterOf(dt, 2, 1, n, n)
			cube := float64(n) * float64(n) * float64(n)
			r.jit1("n/cholesky"+at, work{flops: cube / 3}, linalg.Cholesky, definite)
			r.jit2("n/solve"+at, work{flops: cube * 2 / 3}, linalg.Solve, general, vector)
			r.jit1("n/lu"+at, work{flops: cube * 2 / 3}, func(x weft.Array) weft.Array { return linalg.LU(x).Packed }, general)
			r.jit1("n/inv"+at, work{flops: cube * 2}, linalg.Inv, general)
			r.jit2("n/triangular_solve"+at, work{flops: cube}, func(a, b weft.Array) weft.Array {
				return linalg.TriangularSolve(a, b, linalg.Triangle{Lower: true})
			}, definite, many)
			r.factors("n/qr"+at, func(x weft.Array) []weft.Array {
				q, u := linalg.QR(x)
				return []weft.Array{u, q}
			}, general)
			r.jit2("n/lstsq"+at, work{}, func(a, b weft.Array) weft.Array { return linalg.Lstsq(a, b).X }, laterOf(dt, 1, 1, n, n/2), vector)
			r.jit1("n/eigvalsh"+at, work{}, linalg.EigvalsH, definite)
			r.factors("n/eigh"+at, eigenpairs, definite)
			r.jit1("n/svdvals"+at, work{}, linalg.SingularValues, general)
			r.factors("n/svd"+at, singularVectors, general)
		}
		at := fmt.Sprintf("/1e4x8x8-%s", dt)
		general, definite := laterOf(dt, 1, 1, 1e4, 8, 8), spread(dt, 8, 1e4, 8, 8)
		r.jit1("n/batch-cholesky"+at, work{elems: 1e4}, linalg.Cholesky, definite)
		r.jit2("n/batch-solve"+at, work{elems: 1e4}, linalg.Solve, general, laterOf(dt, 2, 1, 1e4, 8, 1))
		r.jit1("n/batch-inv"+at, work{elems: 1e4}, linalg.Inv, general)
		r.factors("n/batch-eigh"+at, eigenpairs, definite)
		r.factors("n/batch-svd"+at, singularVectors, general)
	}
	for _, dt := range []weft.DType{weft.Complex64, weft.Complex128} {
		for _, n := range []int{1 << 10, 1 << 20, 1000, 10007} {
			r.jit1(fmt.Sprintf("n/fft/%d-%s", n, dt), work{elems: float64(n)}, spectrum, signals(dt, n))
		}
		r.jit1(fmt.Sprintf("n/fft/256x1024-%s", dt), work{elems: 256 * 1024}, spectrum, signals(dt, 256, 1024))
	}
	for _, dt := range []weft.DType{weft.Float32, weft.Float64} {
		r.jit1(fmt.Sprintf("n/rfft2/512x512-%s", dt), work{elems: 512 * 512}, func(x weft.Array) weft.Array { return fft.RFFTN(x) }, laterOf(dt, 1, 1, 512, 512))
		shape := func(seed uint32) func() weft.Array {
			x := laterOf(dt, seed, 1, 1e6)
			return func() weft.Array { return weft.Abs(x()).Mul(5).Add(0.1) } // in (0.1, 5.1)
		}
		unit := func() weft.Array { return weft.Abs(dev(3, 1, 1e6).AsType(dt)) }
		r.jit2(fmt.Sprintf("n/igamma/1e6-%s", dt), work{elems: 1e6}, special.GammaInc, shape(1), shape(2))
		r.jit3(fmt.Sprintf("n/betainc/1e6-%s", dt), work{elems: 1e6}, special.BetaInc, shape(1), shape(2), unit)
		r.jit1(fmt.Sprintf("n/i0e/1e6-%s", dt), work{elems: 1e6}, special.I0e, shape(1))
	}
}

// factors measures a jitted function whose first result is checked.
func (r *runner) factors(name string, f func(weft.Array) []weft.Array, x func() weft.Array) {
	r.row(name, work{}, func() (func(), func() float64) {
		g, a := weft.Jit(f), x()
		return func() { g(a) }, func() float64 { return meanAbs(g(a)[0]) }
	})
}

func eigenpairs(x weft.Array) []weft.Array {
	w, v := linalg.Eigh(x)
	return []weft.Array{w, v}
}

func singularVectors(x weft.Array) []weft.Array {
	u, s, vh := linalg.SVD(x)
	return []weft.Array{s, u, vh}
}

// spread returns positive definite matrices: x + xᵀ of the generator's numbers, with 2·n added to the diagonal.
func spread(dt weft.DType, n int, dims ...int) func() weft.Array {
	return func() weft.Array {
		x := dev(1, 1, dims...).AsType(dt)
		return x.Add(x.SwapAxes(-1, -2)).Add(weft.Eye(n).AsType(dt).Mul(2 * n))
	}
}

// signals returns complex numbers of the generator.
func signals(dt weft.DType, dims ...int) func() weft.Array {
	return func() weft.Array {
		re, im := dev(1, 1, dims...).AsType(dt.Real()), dev(2, 1, dims...).AsType(dt.Real())
		return re.AsType(dt).Add(im.AsType(dt).Mul(1i))
	}
}

func spectrum(x weft.Array) weft.Array { return fft.FFT(x) }
