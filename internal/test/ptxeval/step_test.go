package ptxeval

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

// Both conversions to tf32 keep ten digits behind the first one; they differ in ties.
func TestRoundTF32(t *testing.T) {
	for _, c := range []struct{ x, away, even uint32 }{
		{0x3f800fff, 0x3f800000, 0x3f800000},
		{0x3f801000, 0x3f802000, 0x3f800000},
		{0x3f801001, 0x3f802000, 0x3f802000},
		{0x3f803000, 0x3f804000, 0x3f804000},
		{0xbf801000, 0xbf802000, 0xbf800000},
		{0x3ffff000, 0x40000000, 0x40000000},
		{0x7f7fffff, 0x7f800000, 0x7f800000},
		{0x7f800000, 0x7f800000, 0x7f800000},
		{0xff800000, 0xff800000, 0xff800000},
		{0x7fffffff, 0x7fffe000, 0x7fffe000},
		{0x00001000, 0x00002000, 0x00000000},
	} {
		away, _ := toTF32(false)(uint64(c.x), 0, 0)
		even, _ := toTF32(true)(uint64(c.x), 0, 0)
		if uint32(away) != c.away || uint32(even) != c.even {
			t.Errorf("%08x: got %08x and %08x, want %08x and %08x", c.x, away, even, c.away, c.even)
		}
	}
}
