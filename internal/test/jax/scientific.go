package jax

import (
	"github.com/weft-go/weft/lax"
)

// fftKinds are the names of Fourier transforms.
var fftKinds = map[string]lax.FFTKind{"FFT": lax.FFTForward, "IFFT": lax.FFTInverse, "RFFT": lax.FFTReal, "IRFFT": lax.FFTRealInverse}

// pyScientific are factorizations, Fourier transforms and special functions, with JAX's defaults.
func pyScientific() map[string]func(a *pyArgs) any {
	is := func(a *pyArgs, name string, otherwise bool) bool { return pyTruth(a.or(-1, name, otherwise)) }
	two := func(f func(x, y array) array) func(a *pyArgs) any {
		return func(a *pyArgs) any { return f(a.array(0, "x"), a.array(1, "y")) }
	}
	tuple := func(xs ...array) any {
		t := pyTuple{}
		for _, x := range xs {
			t = append(t, x)
		}
		return t
	}
	return map[string]func(a *pyArgs) any{
		"lax.bessel_i0e":    func(a *pyArgs) any { return lax.BesselI0e(a.array(0, "x")) },
		"lax.bessel_i1e":    func(a *pyArgs) any { return lax.BesselI1e(a.array(0, "x")) },
		"lax.betainc":       func(a *pyArgs) any { return lax.Betainc(a.array(0, "a"), a.array(1, "b"), a.array(2, "x")) },
		"lax.igamma":        two(lax.Igamma[array, array]),
		"lax.igammac":       two(lax.Igammac[array, array]),
		"lax.igamma_grad_a": two(lax.IgammaGradA[array, array]),
		"lax.zeta":          two(lax.Zeta[array, array]),
		"lax.fft": func(a *pyArgs) any {
			x, name := a.array(0, "x"), a.must(1, "fft_type").(string)
			kind, ok := fftKinds[name]
			if !ok {
				pyCannot("a transform %s", name)
			}
			return lax.FFT(x, kind, a.ints(2, "fft_lengths")...)
		},
		"linalg.lu": func(a *pyArgs) any { return tuple(lax.LU(a.array(0, "x"))) },
		"linalg.lu_pivots_to_permutation": func(a *pyArgs) any {
			return lax.LUPivotsToPermutation(a.array(0, "pivots"), a.int(1, "permutation_size"))
		},
		"linalg.qr": func(a *pyArgs) any {
			return tuple(lax.QR(a.array(0, "x"), lax.QRConfig{Full: is(a, "full_matrices", true), Pivoting: is(a, "pivoting", false)})...)
		},
		"linalg.householder_product": func(a *pyArgs) any { return lax.HouseholderProduct(a.array(0, "a"), a.array(1, "taus")) },
		"linalg.eigh": func(a *pyArgs) any {
			v, w := lax.Eigh(a.array(0, "x"), lax.EighConfig{Upper: !is(a, "lower", true), AsIs: !is(a, "symmetrize_input", true)})
			return tuple(v, w)
		},
		"linalg.svd": func(a *pyArgs) any {
			out := lax.SVD(a.array(0, "x"), lax.SVDConfig{Full: is(a, "full_matrices", true), ValuesOnly: !is(a, "compute_uv", true)})
			if len(out) == 1 {
				return out[0]
			}
			return tuple(out...)
		},
		"linalg.eig":   func(a *pyArgs) any { return tuple(lax.Eig(a.array(0, "x"), lax.EigConfig{Left: true, Right: true})...) },
		"linalg.schur": func(a *pyArgs) any { t, q := lax.Schur(a.array(0, "x")); return tuple(t, q) },
		"linalg.hessenberg": func(a *pyArgs) any {
			packed, taus := lax.Hessenberg(a.array(0, "a"))
			return tuple(packed, taus)
		},
		"linalg.tridiagonal": func(a *pyArgs) any {
			packed, d, e, taus := lax.Tridiagonal(a.array(0, "a"), is(a, "lower", true))
			return tuple(packed, d, e, taus)
		},
		"linalg.tridiagonal_solve": func(a *pyArgs) any {
			return lax.TridiagonalSolve(a.array(0, "dl"), a.array(1, "d"), a.array(2, "du"), a.array(3, "b"))
		},
		"linalg.symmetric_product": func(a *pyArgs) any { return lax.SymmetricProduct(a.array(0, "a"), a.array(1, "c"), 1, 0) },
	}
}
