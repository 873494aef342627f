package testcheck

import (
	"math"
	"testing"
)

// TestClose checks the predicates at their bounds, at infinities and at NaN.
func TestClose(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	for _, c := range []struct {
		what      string
		got, want bool
	}{
		{"at the distance", Close(1, 1.5, 0.5), true},
		{"beyond the distance", Close(1, 1.5, 0.25), false},
		{"equal infinities", Close(inf, inf, 0), true},
		{"a number and an infinity", Close(1, inf, inf), false},
		{"opposite infinities", Close(-inf, inf, inf), false},
		{"two NaNs", Close(nan, nan, 0), true},
		{"a number and NaN", Close(1, nan, inf), false},
		{"relative", Alike(100, 101, 0.01), true},
		{"beyond relative", Alike(100, 102, 0.01), false},
		{"relative infinity", Alike(1, inf, 0.01), false},
		{"complex at the distance", CloseComplex(3i, 4, 5), true},
		{"complex beyond the distance", CloseComplex(3i, 4, 4.5), false},
		{"complex and infinity", CloseComplex(1, complex(inf, 0), inf), false},
		{"complex NaNs", CloseComplex(complex(nan, 0), complex(0, nan), 0), true},
		{"near complex", NearComplex(1, 2, 0.34), true},
		{"not near complex", NearComplex(1, 2, 0.33), false},
		{"near NaN", NearComplex(complex(nan, 0), complex(nan, 0), 1), false},
		{"parts of the modulus", AlikeComplex(3+4.4i, 3+4i, 0.1), true},
		{"parts beyond the modulus", AlikeComplex(3+4.6i, 3+4i, 0.1), false},
		{"parts of zero", AlikeComplex(1e-300, 0, 0.1), false},
	} {
		if c.got != c.want {
			t.Errorf("%s: got %v, want %v", c.what, c.got, c.want)
		}
	}
}
