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

// recorder counts the failures of a test.
type recorder struct {
	testing.TB
	failures int
}

func (r *recorder) Helper()               {}
func (r *recorder) Errorf(string, ...any) { r.failures++ }

// TestNearLargest checks that infinite and NaN elements must agree, and widen nothing for the others.
func TestNearLargest(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	for _, c := range []struct {
		what      string
		got, want []float64
		near      bool
	}{
		{"of the largest", []float64{100, 1.5}, []float64{100, 1}, true},
		{"beyond the largest", []float64{100, 2.5}, []float64{100, 1}, false},
		{"beside NaN", []float64{nan, 100.5}, []float64{nan, 100}, true},
		{"beyond, beside NaN", []float64{nan, 102}, []float64{nan, 100}, false},
		{"beyond, beside an infinity", []float64{-inf, 102}, []float64{-inf, 100}, false},
		{"NaN for a number", []float64{100, nan}, []float64{100, 1}, false},
		{"an infinity for a number", []float64{100, inf}, []float64{100, 1}, false},
		{"a number for NaN", []float64{100, 1}, []float64{100, nan}, false},
		{"another length", []float64{100}, []float64{100, 1}, false},
	} {
		r := &recorder{TB: t}
		NearLargest(r, c.what, []int{len(c.got)}, []int{len(c.want)}, c.got, c.want, 0.01)
		if (r.failures == 0) != c.near {
			t.Errorf("%s: got %d failures, want near: %v", c.what, r.failures, c.near)
		}
	}
}
