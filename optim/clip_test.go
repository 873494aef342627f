package optim_test

import (
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/optim"
)

// A bound beyond the numbers of an array's type leaves the array as it is.
func TestClipByValueOfNarrowTypes(t *testing.T) {
	type grads struct{ Half, Single weft.Array }
	g := grads{weft.Of(1., -60000).AsType(weft.Float16), weft.Of(float32(3), -2e5)}
	got := optim.ClipByValue(g, 1e5)
	if got.Half.Ne(g.Half).Any().Bool() || got.Half.DType() != weft.Float16 {
		t.Errorf("f16: got %v, want %v", got.Half, g.Half)
	}
	if got.Single.Ne(weft.Of(float32(3), -1e5)).Any().Bool() {
		t.Errorf("f32: got %v, want [3 -1e5]", got.Single)
	}
}
