package lax_test

import (
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/lax"
)

// The mean of integers and of truth values is a float.
func TestPmeanOfIntegers(t *testing.T) {
	mean := func(x weft.Array) weft.Array { return lax.Pmean(x, "i") }
	for name, x := range map[string]weft.Array{"i32": weft.Of(1, 0), "u8": weft.Of[uint8](1, 0), "bool": weft.Of(true, false), "f32": weft.Of(float32(1), 0)} {
		got := weft.Vmap(mean, weft.AxisName("i"))(x)
		if got.DType() != weft.Float32 || got.Ne(0.5).Any().Bool() {
			t.Errorf("Pmean of %s: got %v, want [0.5 0.5] of f32", name, got)
		}
	}
}
