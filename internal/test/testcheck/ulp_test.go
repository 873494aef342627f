package testcheck

import (
	"math"
	"testing"

	"github.com/weft-go/weft/core"
)

// ULP is the distance to the next number away from zero.
func TestULP(t *testing.T) {
	for _, v := range []float64{0, 5e-324, 0x1p-1022, 1e-10, 1, 1.5, -2, math.Nextafter(2, 0), 1e300} {
		if got, want := ULP(v, core.Complex128), math.Nextafter(math.Abs(v), math.Inf(1))-math.Abs(v); got != want {
			t.Errorf("f64, %v: got %v, want %v", v, got, want)
		}
		x := float32(v)
		if want := float64(math.Nextafter32(float32(math.Abs(v)), float32(math.Inf(1)))) - math.Abs(float64(x)); !math.IsInf(want, 0) && float64(x) == v {
			if got := ULP(v, core.Float32); got != want {
				t.Errorf("f32, %v: got %v, want %v", v, got, want)
			}
		}
	}
	for _, c := range []struct {
		dt      core.DType
		v, want float64
	}{
		{core.Float16, 1, 0x1p-10}, {core.Float16, 0, 0x1p-24}, {core.Float16, 65504, 32}, {core.BFloat16, 1, 0x1p-7},
		{core.BFloat16, 0, 0x1p-133}, {core.Float8E4M3FN, 1, 0x1p-3}, {core.Float8E5M2, 0, 0x1p-16},
	} {
		if got := ULP(c.v, c.dt); got != c.want {
			t.Errorf("%v, %v: got %v, want %v", c.dt, c.v, got, c.want)
		}
	}
	if !math.IsNaN(ULP(math.Inf(1), core.Float64)) || !math.IsNaN(ULP(math.NaN(), core.Float32)) {
		t.Error("numbers that are not finite have a distance to a neighbour")
	}
}
