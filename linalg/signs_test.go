package linalg_test

import (
	"fmt"
	"math"
	"math/cmplx"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/internal/test/goldenfile"
	"github.com/weft-go/weft/internal/test/testcheck"
	"github.com/weft-go/weft/linalg"
)

// The signs of eigenvectors and singular vectors, and the order of eigenvalues, are JAX's on CPUs.
func TestSignsOfVectors(t *testing.T) {
	lines := 0
	for r := range goldenfile.Records[struct {
		F, Dtype            string
		In, Values, Vectors values
	}](t, goldenfile.OpenFile(t, "testdata/signs.jsonl")) {
		lines++
		dt := map[string]weft.DType{"float32": weft.Float32, "float64": weft.Float64, "complex64": weft.Complex64, "complex128": weft.Complex128}[r.Dtype]
		var w, v weft.Array
		switch a := r.In.array().AsType(dt); r.F {
		case "eigh":
			w, v = linalg.Eigh(a)
		case "eig":
			w, v = linalg.Eig(a)
		default:
			v, w, _ = linalg.SVD(a)
		}
		name := fmt.Sprintf("%s %s %d (line %d)", r.F, r.Dtype, r.In.Shape[0], lines)
		wantValues := weft.ToSlice[complex128](r.Values.array().AsType(weft.Complex128))
		largest := 0.
		for _, l := range wantValues {
			largest = max(largest, cmplx.Abs(l))
		}
		// Rounding moves the matrix by a few ε of its norm, the values as far, and a vector by that over the distance of
		// its value to the next one. The worst are 8.4 and 7.5 of these units.
		unit := 16 * testcheck.ULP(1, dt) * largest
		for i, got := range weft.ToSlice[complex128](w.AsType(weft.Complex128)) {
			if want := wantValues[i]; !testcheck.CloseComplex(got, want, unit) {
				t.Errorf("%s: value %d is %v, want %v within %.2g", name, i, got, want, unit)
			}
		}
		wantVectors, n := weft.ToSlice[complex128](r.Vectors.array().AsType(weft.Complex128)), len(wantValues)
		for i, got := range weft.ToSlice[complex128](v.AsType(weft.Complex128)) {
			gap := math.Inf(1)
			for k, l := range wantValues {
				if k != i%n {
					gap = min(gap, cmplx.Abs(l-wantValues[i%n]))
				}
			}
			if want := wantVectors[i]; !testcheck.CloseComplex(got, want, unit/gap) {
				t.Errorf("%s: element %d of vector %d is %v, want %v within %.2g", name, i/n, i%n, got, want, unit/gap)
			}
		}
	}
	if lines != 72 {
		t.Errorf("got %d lines, want 72", lines)
	}
}
