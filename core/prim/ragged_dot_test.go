package prim_test

import (
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
)

// Sizes of groups may have fewer bits than the number of rows.
func TestRaggedDotOfFewBits(t *testing.T) {
	x, y := weft.Ones(200, 1), weft.Of(2., 3).Reshape(2, 1, 1).AsType(weft.Float32)
	want := weft.Where(weft.Arange(200).Lt(100), float32(2), float32(3)).Reshape(200, 1)
	for _, dt := range []weft.DType{weft.Int8, weft.Uint8, weft.Int64} {
		got := weft.FromValue(core.Bind1(prim.RaggedDotP{}, x.Value(), y.Value(), weft.Of(100, 100).AsType(dt).Value()))
		if got.Ne(want).Any().Bool() {
			t.Errorf("%v: rows differ", dt)
		}
	}
}
