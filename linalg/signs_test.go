package linalg_test

import (
	"fmt"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/internal/goldenfile"
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
		off := func(got weft.Array, want values) float64 {
			return weft.Abs(got.AsType(weft.Complex128).Sub(want.array().AsType(weft.Complex128))).Max().Float()
		}
		name := fmt.Sprintf("%s %s %d (line %d)", r.F, r.Dtype, r.In.Shape[0], lines)
		// NaN is far away, too.
		if dw, dv := off(w, r.Values), off(v, r.Vectors); !(dw < 1e-4 && dv < 1e-3) {
			t.Errorf("%s: values differ by %g, vectors by %g", name, dw, dv)
		}
	}
	if lines != 72 {
		t.Errorf("got %d lines, want 72", lines)
	}
}
