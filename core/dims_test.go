package core

import (
	"math"
	"math/bits"
	"testing"
)

func TestSize(t *testing.T) {
	const big = math.MaxInt / 2
	const half = 1 << (bits.UintSize/2 - 1) // its square fits, but not twice
	for _, c := range []struct {
		dims []int
		want int
	}{
		{nil, 1}, {[]int{3, 4}, 12}, {[]int{3, 0, 4}, 0}, {[]int{-1, 0}, -1}, {[]int{big, big}, -1},
		{[]int{big, big, 0}, 0}, {[]int{half, half}, half * half}, {[]int{2 * half, half}, -1},
	} {
		if got := MakeDims(c.dims...).Size(); got != c.want {
			t.Errorf("size of %v is %d, want %d", c.dims, got, c.want)
		}
	}
}
