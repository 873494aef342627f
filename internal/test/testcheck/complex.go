package testcheck

import (
	"math"
	"math/cmplx"
)

// AlikeComplex reports whether both parts of two complex numbers agree to a tolerance relative to
// |want|. Where |want| is 0, infinite or NaN, the parts must be [Alike].
func AlikeComplex(got, want complex128, tolerance float64) bool {
	if scale := math.Hypot(real(want), imag(want)); scale > 0 && !math.IsInf(scale, 0) {
		return math.Abs(real(got)-real(want)) <= tolerance*scale && math.Abs(imag(got)-imag(want)) <= tolerance*scale
	}
	return Alike(real(got), real(want), tolerance) && Alike(imag(got), imag(want), tolerance)
}

// CloseComplex reports whether |a − b| is finite and ≤ distance, or a and b are equal or both NaN.
func CloseComplex(a, b complex128, distance float64) bool {
	d := cmplx.Abs(a - b)
	return a == b || cmplx.IsNaN(a) && cmplx.IsNaN(b) || d <= distance && !math.IsInf(d, 0)
}

// NearComplex reports whether |a − b| ≤ tolerance·(1 + max(|a|, |b|)). NaNs are near nothing.
func NearComplex(a, b complex128, tolerance float64) bool {
	return !cmplx.IsNaN(b) && CloseComplex(a, b, tolerance*(1+max(cmplx.Abs(a), cmplx.Abs(b))))
}
