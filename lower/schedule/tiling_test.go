package schedule

import (
	"testing"

	"github.com/weft-go/weft/lower/scalar"
)

// For products that were timed on an H100, the cost model chooses the fastest of the tilings that were
// tried; for other products, a tiling that fits the device.
func TestTilings(t *testing.T) {
	square := func(n int) Dense {
		return Dense{Type: scalar.F32, M: n, N: n, K: n, Batch: 1, Chunk: 128, Along: [2]bool{true, false}}
	}
	for _, c := range []struct {
		t    Dense
		want Tiling
	}{
		{square(1024), large[1]}, {square(2048), large[1]}, {square(4096), large[0]}, {square(8192), large[0]},
		{Dense{Type: scalar.F32, M: 256 * 56 * 56, N: 64, K: 576, Batch: 1, Chunk: 128, Along: [2]bool{true, false}}, large[2]},
	} {
		if got := c.t.Tiling(largeGPU); got != c.want {
			t.Errorf("%+v has %+v, want %+v", c.t, got, c.want)
		}
	}
	// Products of few tiles copy more stages ahead, unless threads wait for their copies.
	few := Dense{Type: scalar.F32, M: 128, N: 512, K: 784, Batch: 1, Chunk: 128, Along: [2]bool{true, false}}
	for stages, want := range map[int]int{0: 4, 2: 2} {
		if got := few.Tiling(Device{Stages: stages}); got.Stages != want {
			t.Errorf("%d stages at most: got %+v, want %d stages", stages, got, want)
		}
	}
	small := Device{Units: 4, Shared: 16 << 10, Room: 16 << 10}
	for _, n := range []int{1, 3, 64, 1000, 4096} {
		for _, m := range []int{1, 8, 100, 5000} {
			for _, kind := range []scalar.Type{scalar.F32, scalar.F64} {
				x := Dense{Type: kind, M: m, N: n, K: n + m, Batch: 1, Chunk: 128, Along: [2]bool{n%2 == 0, m%2 == 0}}
				l := x.Tiling(small)
				if l == (Tiling{}) || x.Shared(l) > small.Shared || l.Slice()*l.Slices > mostThreads {
					t.Errorf("%+v has %+v with %d bytes", x, l, x.Shared(l))
				}
			}
		}
	}
}
