package golden

import "testing"

// Parts of complex numbers are compared also where the other part is infinite or NaN: then they are
// within ulps of themselves.
func TestCompareComplexBesideInfinity(t *testing.T) {
	const inf, nan, one, two, next = "0000807f", "0000c07f", "0000803f", "00000040", "0100803f"
	of := func(re, im string) Array { return Array{DType: "c64", Bits: re + im} }
	for _, c := range []struct {
		got, want Array
		ulps      float64
		same      bool
	}{
		{of(inf, two), of(inf, one), 8, false},
		{of(two, inf), of(one, inf), 8, false},
		{of(nan, two), of(nan, one), 8, false},
		{of(inf, next), of(inf, one), 1, true},
		{of(inf, next), of(inf, one), 0.5, false},
		{of(nan, one), of(nan, one), 0, true},
	} {
		if d := Compare(c.got.Value(), c.want, c.ulps, 0); (d == "") != c.same {
			t.Errorf("%v for %v within %g ulps: got %q, want the same: %v", c.got.Bits, c.want.Bits, c.ulps, d, c.same)
		}
	}
}
