package lax_test

import (
	"math"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/lax"
)

func TestTotalOrder(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	ordered := []float64{math.Copysign(nan, -1), -inf, -1, -0x1p-149, math.Copysign(0, -1), 0, 0x1p-149, 1, inf, math.Copysign(nan, 1)}
	for i, x := range ordered {
		for j, y := range ordered {
			lt, le := lax.LtTo(weft.Of(x), weft.Of(y)), lax.LeTo(weft.Of(x), weft.Of(y))
			if !lt.Equal(weft.Of(i < j)) || !le.Equal(weft.Of(i <= j)) {
				t.Errorf("%g and %g: got LtTo %v and LeTo %v, want %v and %v", x, y, lt, le, i < j, i <= j)
			}
		}
	}
}

func TestEmpty2(t *testing.T) {
	for _, dt := range []weft.DType{weft.Float32, weft.Int8, weft.Bool, weft.Complex128} {
		if got, want := lax.Empty2(dt), weft.ZerosOf(dt); got.DType() != dt || !got.Equal(want) {
			t.Errorf("Empty2(%v) is %v, want %v", dt, got, want)
		}
	}
}
