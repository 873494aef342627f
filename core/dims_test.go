package core

import (
	"math"
	"math/bits"
	"testing"
)

func TestSize(t *testing.T) {
	const big = math.MaxInt / 2
	const half = 1 << (bits.UintSize/2 - 1) // its square fits an int, but twice its square does not
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

// A batch adds an axis before the others and takes it off at every operation: once a list was
// made, neither allocates, however long it is.
func TestBatchAxisAllocations(t *testing.T) {
	v := make([]int, 1000)
	for i := range v {
		v[i] = i + 1
	}
	d := MakeDims(v...)
	longer, next := d.Prepend(7), d.Next()
	if n := testing.AllocsPerRun(100, func() {
		if got := d.Prepend(7); got != longer || got.At(0) != 7 || got.Len() != 1001 {
			t.Fatalf("got %d axes, the first %d, want 1001 and 7", got.Len(), got.At(0))
		}
		if got := longer.Slice(1, 1001); got != d {
			t.Fatalf("got another list than the one without the first axis")
		}
		if got := d.Next(); got != next || got.At(0) != v[0]+1 || got.Len() != len(v) {
			t.Fatalf("got %d following integers, the first %d, want %d and %d", got.Len(), got.At(0), len(v), v[0]+1)
		}
	}); n != 0 {
		t.Errorf("got %v allocations, want none", n)
	}
	// Another axis than the last one is another list.
	if other := d.Prepend(8); other == longer || other.At(0) != 8 || d.Prepend(7) != longer {
		t.Error("lists with another first element are the same")
	}
}

// Range returns the list of its elements, and so do Prepend and Next of a range.
func TestRanges(t *testing.T) {
	list := func(lo, hi int) (v []int) {
		for x := lo; x < hi; x++ {
			v = append(v, x)
		}
		return v
	}
	for _, lo := range []int{-2, -1, 0, 1, 2, 63, 64, 4094, 4095, 4096} {
		for _, n := range []int{0, 1, 2, 3, 63, 64, 65, 100} {
			d := Range(lo, lo+n)
			for name, got := range map[string][2]Dims{
				"Range":           {d, MakeDims(list(lo, lo+n)...)},
				"Next":            {d.Next(), MakeDims(list(lo+1, lo+1+n)...)},
				"Prepend a range": {d.Prepend(lo - 1), MakeDims(list(lo-1, lo+n)...)},
				"Prepend another": {d.Prepend(lo), MakeDims(append([]int{lo}, list(lo, lo+n)...)...)},
			} {
				if got[0] != got[1] {
					t.Errorf("%s of the %d numbers from %d: got %v, want %v", name, n, lo, got[0], got[1])
				}
			}
		}
	}
}
