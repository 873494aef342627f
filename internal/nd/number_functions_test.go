package nd_test

import (
	"math"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/special"
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

// Finite numbers stay as they are, in types without negative numbers, too.
func TestNaNToNumOfFloats(t *testing.T) {
	for dt := range core.DType(core.NumDTypes) {
		if !dt.IsFloat() || dt == core.Float0 {
			continue
		}
		x := weft.Of(0.5, 2, 4).AsType(dt)
		if got := weft.NaNToNum(x); got.Ne(x).Any().Bool() {
			t.Errorf("%v: got %v, want %v", dt, got, x)
		}
	}
}

// At the ends of their types functions are as defined: the least integer has no absolute value, −0 is a negative
// number, and a format without infinities has no infinite number.
func TestEndsOfTypes(t *testing.T) {
	inf := math.Inf(1)
	least := weft.Of(int8(-128), -128, 0)
	negative := weft.Of(float32(math.Copysign(0, -1)), 0, -1, float32(math.NaN()))
	nan := func(dt weft.DType) weft.Array { return weft.Of(float32(math.NaN()), 1, -2).AsType(dt) }
	skip := func(op weft.ReduceOp) weft.ReduceConfig { return weft.ReduceConfig{Op: op, SkipNaN: true} }
	complexScalar := weft.Of(complex64(1 + 2i)).Index(0)
	for name, c := range map[string]struct {
		got  weft.Array
		want string
	}{
		"Gcd of the least i8": {weft.Gcd(least, int8(6)), "[2 2 6]"},
		"Lcm that wraps":      {weft.Lcm(weft.Of[int16](4), int16(32767)), "[-4]"},
		"Angle":               {weft.Angle(negative), "[3.1415927 0.        3.1415927       nan]"},
		"IsInf of f4_e2m1fn":  {weft.IsInf(weft.Of(6., 1).AsType(weft.Float4E2M1FN)), "[False False]"},
		"IsInf of f6_e2m3fn":  {weft.IsInf(weft.Of(7.5, 1).AsType(weft.Float6E2M3FN)), "[False False]"},
		"Max of f8_e4m3fn":    {weft.Reduce(nan(weft.Float8E4M3FN), skip(weft.ReduceMax)).AsType(weft.Float32), "1.0"},
		"Min of f8_e4m3fn":    {weft.Reduce(nan(weft.Float8E4M3FN), skip(weft.ReduceMin)).AsType(weft.Float32), "-2.0"},
		"Max of f8_e5m2":      {weft.Reduce(nan(weft.Float8E5M2), skip(weft.ReduceMax)).AsType(weft.Float32), "1.0"},
		"Max of nothing":      {weft.Reduce(nan(weft.Float8E4M3FN).Index("0:1"), skip(weft.ReduceMax)).AsType(weft.Float32), "nan"},
		"Norm in f16":         {weft.Norm(weft.Of(float32(300), 400).AsType(weft.Float16)), "500.0"},
		"View of c64 as f64":  {complexScalar.View(weft.Float64).View(weft.Complex64), "(1+2j)"},
		"an infinity is one":  {weft.IsInf(weft.Of(inf, 1).AsType(weft.Float8E5M2)), "[ True False]"},
	} {
		if got := c.got.String(); got != c.want {
			t.Errorf("%s: got %s, want %s", name, got, c.want)
		}
	}
	if got := special.LogSumExp(weft.Of(complex64(10i))).Complex(); math.Abs(imag(got)-(10-4*math.Pi)) > 1e-5 {
		t.Errorf("LogSumExp of 10i: got %v, want the principal value, %vi", got, 10-4*math.Pi)
	}
}
