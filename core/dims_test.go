package core

import "testing"

func TestSize(t *testing.T) {
	for _, c := range []struct {
		dims []int
		want int
	}{
		{nil, 1}, {[]int{3, 4}, 12}, {[]int{3, 0, 4}, 0}, {[]int{-1, 0}, -1}, {[]int{1 << 40, 1 << 40}, -1},
		{[]int{1 << 40, 1 << 40, 0}, 0}, {[]int{1 << 31, 1 << 31}, 1 << 62}, {[]int{1 << 32, 1 << 31}, -1},
	} {
		if got := MakeDims(c.dims...).Size(); got != c.want {
			t.Errorf("size of %v is %d, want %d", c.dims, got, c.want)
		}
	}
}
