package interp

import (
	"math"
	"testing"
)

// The approximate power of two is wrong by nearly as much as PTX permits, in both directions, and
// exact where PTX states the result.
func TestApproximateExp2(t *testing.T) {
	least, most := 0., 0.
	for i := range 100000 {
		x := float32(i)*0x1p-9 - 97
		exact := math.Exp2(float64(x))
		e := float64(approximateExp2(x))/exact - 1
		least, most = min(least, e), max(most, e)
	}
	if least < -0x1p-22 || most > 0x1p-22 || least > -0.9*0x1p-22 || most < 0.9*0x1p-22 {
		t.Errorf("the relative error is between %g and %g, want nearly %g in both directions", least, most, 0x1p-22)
	}
	inf := float32(math.Inf(1))
	for x, want := range map[float32]float32{0: 1, float32(math.Copysign(0, -1)): 1, 1e-40: 1, inf: inf, -inf: 0} {
		if got := approximateExp2(x); got != want {
			t.Errorf("2^%g: got %g, want %g", x, got, want)
		}
	}
	if x := approximateExp2(float32(math.NaN())); x == x {
		t.Errorf("2^NaN: got %g, want NaN", x)
	}
}
