package fuse

import (
	"slices"
	"testing"

	"github.com/weft-go/weft/lower/ir"
)

// The values that a step reads and writes by the account of bands are those of the account of memory.
func TestRootsAreTouched(t *testing.T) {
	u := &bandUses{memoryUse: &memoryUse{alias: slices.Repeat([]int{-1}, 16)}}
	k := &ir.Kernel{Buffers: []ir.Buffer{{Role: ir.In}, {Role: ir.Out}}}
	for _, s := range []Step{
		&Launch{Kernel: k, Buffers: []int{1, 2}},
		&Spin{Kernel: k, Buffers: []int{1, 2}, Copies: [][2]int{{3, 4}}},
		&Call{In: []int{1, 2}, Out: []int{3}},
		&Product{In: [2]int{1, 2}, Out: 3},
		&Conv{In: [2]int{1, 2}, Kernel: 3, Out: 4},
		&Turn{In: 1, Out: 2},
		&Attention{In: []int{1, 2, 3, -1, 4}, Out: 5},
		&Update{Args: []int{1, 2, 3}, Out: 4},
		&Sort{In: []int{1}, Out: []int{2}},
		&Loop{In: []int{1}, Out: []int{2, 3}},
	} {
		reads, writes := u.roots(s)
		got := slices.Sorted(slices.Values(append(reads, writes...)))
		want := slices.DeleteFunc(slices.Sorted(slices.Values(touched(s))), func(id int) bool { return id < 0 })
		if !slices.Equal(got, want) {
			t.Errorf("%T: got %v, want %v", s, got, want)
		}
	}
}
