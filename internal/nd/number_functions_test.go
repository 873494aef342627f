package nd_test

import (
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
)

// The sign of a float is that of its value; types without a sign have none.
func TestSignbitOfFloats(t *testing.T) {
	for dt := range core.DType(core.NumDTypes) {
		if !dt.IsFloat() || dt == core.Float0 {
			continue
		}
		x, want := weft.Of(-2., 2, 4).AsType(dt), weft.Of(true, false, false)
		if dt == core.Float8E8M0FNU {
			want = weft.Of(false, false, false)
		}
		if got := weft.Signbit(x); got.Ne(want).Any().Bool() {
			t.Errorf("%v: got %v, want %v", dt, got, want)
		}
	}
}
