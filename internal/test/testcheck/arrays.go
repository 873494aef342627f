package testcheck

import (
	"bytes"
	"encoding"
	"math"
	"slices"
	"testing"
)

// NearAll requires equal lengths and |got − want| ≤ tolerance·max(1, |want|) of each element.
func NearAll[F float32 | float64](t testing.TB, what string, got []F, want []float64, tolerance float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("%s: got %v, want %v", what, got, want)
		return
	}
	for i, w := range want {
		if d := math.Abs(float64(got[i]) - w); !(d <= tolerance*max(1, math.Abs(w))) {
			t.Errorf("%s: got %v, want %v", what, got, want)
			return
		}
	}
}

// NearLargest requires equal shapes and |got − want| ≤ tolerance·M of each element, where M is the
// largest finite |want|; infinities and NaNs must be equal. It is for sums of many terms of either
// sign, whose errors are as large as those of the terms and not as the sum.
func NearLargest(t testing.TB, what string, gotShape, wantShape []int, got, want []float64, tolerance float64) {
	t.Helper()
	if !slices.Equal(gotShape, wantShape) || len(got) != len(want) {
		t.Errorf("%s: got shape %v, want %v", what, gotShape, wantShape)
		return
	}
	largest := 0.
	for _, w := range want {
		if size := math.Abs(w); size > largest && !math.IsInf(size, 0) {
			largest = size
		}
	}
	for i, w := range want {
		if g := got[i]; !Close(g, w, tolerance*largest) {
			t.Errorf("%s: element %d: got %v, want %v", what, i, g, w)
			return
		}
	}
}

// SameBinary reports whether two values have equal binary forms: arrays of the same type and bits.
func SameBinary(x, y encoding.BinaryMarshaler) bool {
	a, errA := x.MarshalBinary()
	b, errB := y.MarshalBinary()
	return errA == nil && errB == nil && bytes.Equal(a, b)
}
