package fuse_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/lower/fuse"
)

// A point of a running sum's grid computes about 65,536 elements: if sums are short, of many sums side by side.
func TestRunningSumBlocks(t *testing.T) {
	for n, want := range map[int]int{8: 4096, 64: 1024, 1024: 64} {
		p := fuse.Translate(trace(t, func(x weft.Array) weft.Array { return x.CumSum(0) }, weft.Zeros(n, 4096)), fuse.Target{})
		if text := fmt.Sprint(p.Kernels()); !strings.Contains(text, fmt.Sprintf("<%d ", want)) || strings.Count(text, "vector") != 1 {
			t.Errorf("sums of %d elements: want %d of them side by side:\n%s", n, want, text)
		}
	}
}
