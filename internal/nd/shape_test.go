package nd_test

import (
	"testing"

	"github.com/weft-go/weft"
)

// A complex number is true if it is not 0, whatever its real part.
func TestTruthOfComplex(t *testing.T) {
	for _, dt := range []weft.DType{weft.Complex64, weft.Complex128} {
		x := weft.Of(0i, 1i, 2, -1-1i).AsType(dt)
		if got, want := x.AsType(weft.Bool), weft.Of(false, true, true, true); got.Ne(want).Any().Bool() {
			t.Errorf("%v: got %v, want %v", dt, got, want)
		}
	}
}
