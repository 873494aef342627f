package simt

import (
	"testing"

	"github.com/weft-go/weft/lower/scalar"
)

// The cost model chooses, for products that were timed on an H100, the tiling that was the
// fastest of those tried, and for others one that fits the device.
func TestTilings(t *testing.T) {
	square := func(n int) task {
		return task{kind: scalar.F32, m: n, n: n, k: n, batch: 1, chunk: 128, along: [2]bool{true, false}}
	}
	for _, c := range []struct {
		t    task
		want Tiling
	}{
		{square(1024), large[1]}, {square(2048), large[1]}, {square(4096), large[0]}, {square(8192), large[0]},
		{task{kind: scalar.F32, m: 256 * 56 * 56, n: 64, k: 576, batch: 1, chunk: 128, along: [2]bool{true, false}}, large[2]},
	} {
		if got := c.t.tiling(machine); got != c.want {
			t.Errorf("%+v has %+v, want %+v", c.t, got, c.want)
		}
	}
	// Few tiles have more of their operands under way, unless threads wait for them.
	few := task{kind: scalar.F32, m: 128, n: 512, k: 784, batch: 1, chunk: 128, along: [2]bool{true, false}}
	for stages, want := range map[int]int{0: 4, 2: 2} {
		if got := few.tiling(Machine{Stages: stages}); got.Stages != want {
			t.Errorf("%d stages at most: got %+v, want %d stages", stages, got, want)
		}
	}
	small := Machine{Units: 4, Shared: 16 << 10, Room: 16 << 10}
	for _, n := range []int{1, 3, 64, 1000, 4096} {
		for _, m := range []int{1, 8, 100, 5000} {
			for _, kind := range []scalar.Type{scalar.F32, scalar.F64} {
				x := task{kind: kind, m: m, n: n, k: n + m, batch: 1, chunk: 128, along: [2]bool{n%2 == 0, m%2 == 0}}
				l := x.tiling(small)
				if l == (Tiling{}) || x.shared(l) > small.Shared || l.slice()*l.Slices > mostThreads {
					t.Errorf("%+v has %+v with %d bytes", x, l, x.shared(l))
				}
			}
		}
	}
}

// Groups need no more shared memory than the cost model states.
func TestTilingShared(t *testing.T) {
	for _, n := range []int{1, 5, 64, 300} {
		for _, m := range []int{1, 8, 100} {
			for along := range 4 {
				p := &Product{Name: "p", Type: scalar.F32, Chunk: 128, M: m, N: n, K: 512, A: Operand{Outer: 512, K: 1}, B: Operand{Outer: 1, K: n},
					Lens: [3]int64{int64(m * 512), int64(n * 512), int64(m * n)}}
				if along&1 != 0 {
					p.A = Operand{Outer: 1, K: m}
				}
				if along&2 != 0 {
					p.B = Operand{Outer: 512, K: 1}
				}
				x := task{kind: p.Type, m: m, n: n, k: p.K, batch: 1, chunk: 128, along: [2]bool{p.A.contiguous(m), p.B.contiguous(n)}}
				bytes := 0
				for _, a := range LowerProduct(p).Arrays {
					bytes += a.Len * a.Type.Size()
				}
				if most := x.shared(x.tiling(machine)); bytes > most {
					t.Errorf("%+v needs %d bytes, more than %d", p, bytes, most)
				}
			}
		}
	}
}
