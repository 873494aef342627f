package simt_test

import (
	"testing"

	"github.com/weft-go/weft/internal/test/simteval"
	"github.com/weft-go/weft/lower/simt"
)

// The tile and the unit follow from the size, the layout and the device.
func TestLowerTensor(t *testing.T) {
	hopper := simt.TensorCores{MMA: true, WGMMA: true, Shared: 227 << 10, Processors: 132}
	blackwell := simt.TensorCores{MMA: true, TCGEN05: true, Shared: 227 << 10, Processors: 148}
	ampere := simt.TensorCores{MMA: true, Shared: 163 << 10, Processors: 108}
	small := simt.TensorCores{MMA: true, Shared: 99 << 10, Processors: 82}
	least := simt.TensorCores{MMA: true, Shared: simt.LeastTensorShared, Processors: 1}
	for _, c := range []struct {
		name       string
		kind       simt.TensorKind
		n          int
		transposed bool // neighbours along n are neighbours in memory, not along k
		cores      simt.TensorCores
		unit       simt.TensorUnit
		tile       [2]int
		stages     int
	}{
		{"many tiles", simt.BF16, 8192, true, hopper, simt.WGMMA, [2]int{128, 256}, 4},
		{"one tile for each multiprocessor", simt.BF16, 2048, true, hopper, simt.WGMMA, [2]int{64, 256}, 4},
		{"few tiles", simt.F16, 1024, false, hopper, simt.WGMMA, [2]int{64, 128}, 4},
		{"many tiles", simt.TF32, 8192, false, hopper, simt.WGMMA, [2]int{128, 256}, 4},
		{"one tile for each multiprocessor", simt.TF32, 2048, false, hopper, simt.WGMMA, [2]int{128, 256}, 4},
		{"many tiles", simt.BF16, 8192, true, blackwell, simt.TCGEN05, [2]int{128, 256}, 4},
		{"one tile for each multiprocessor", simt.TF32, 2048, false, blackwell, simt.TCGEN05, [2]int{128, 256}, 4},
		{"few tiles", simt.F16, 1024, false, blackwell, simt.TCGEN05, [2]int{128, 64}, 4},
		{"order that tcgen05 has not", simt.TF32, 8192, true, blackwell, simt.MMA, [2]int{128, 256}, 4},
		{"order that wgmma has not", simt.TF32, 8192, true, hopper, simt.MMA, [2]int{128, 256}, 4},
		{"rows that are not aligned", simt.BF16, 8191, true, hopper, simt.MMA, [2]int{128, 256}, 4},
		{"no wgmma", simt.BF16, 8192, true, ampere, simt.MMA, [2]int{128, 256}, 3},
		{"little memory", simt.BF16, 8192, true, small, simt.MMA, [2]int{128, 128}, 3},
		{"least memory", simt.TF32, 8192, true, least, simt.MMA, [2]int{128, 128}, 3},
	} {
		n := c.n
		p := &simt.Product{Name: "p", M: n, N: n, K: n, A: simt.Operand{Outer: n, K: 1}, B: simt.Operand{Outer: n, K: 1}, Lens: [3]int64{int64(n * n), int64(n * n), int64(n * n)}}
		if c.transposed {
			p.B = simt.Operand{Outer: 1, K: n}
		}
		f := simt.LowerTensor(p, c.kind, false, c.cores)
		x := f.Tensor
		if x.Unit != c.unit || [2]int(x.Tile[:2]) != c.tile || x.Stages != c.stages {
			t.Errorf("%s, %v of %d: unit %d, tile %v, %d stages, want %d, %v, %d", c.name, c.kind, n, x.Unit, x.Tile, x.Stages, c.unit, c.tile, c.stages)
		}
		if x.SharedBytes() > c.cores.Shared || (f.Resident > 0) != x.Copied() {
			t.Errorf("%s: %d bytes, %d groups at once", c.name, x.SharedBytes(), f.Resident)
		}
	}
	p := &simt.Product{Name: "p", M: 64, N: 64, K: 64, A: simt.Operand{Outer: 64, K: 1}, B: simt.Operand{Outer: 64, K: 1}, Lens: [3]int64{4096, 4096, 4096}}
	if f := simt.LowerTensor(p, simt.BF16, false, simt.TensorCores{}); f != nil {
		t.Errorf("a device without tensor cores has %v", f.Tensor)
	}
}

// Sums of few results are divided where that is faster.
func TestTensorParts(t *testing.T) {
	hopper := simt.TensorCores{MMA: true, WGMMA: true, Shared: 227 << 10, Processors: 132}
	for _, c := range []struct{ m, n, k, batch, want int }{
		{8192, 8192, 8192, 1, 1}, // many tiles
		{1024, 1024, 1024, 1, 1}, // short sums
		{256, 256, 16384, 1, 16},
		{256, 256, 16384 + 8, 1, 1}, // no whole tiles
		{256, 256, 5 * 4096, 1, 16},
		{256, 256, 7 * 1024, 1, 14},
		{64, 128, 4096, 1, 16},
		{64, 128, 4096, 200, 1}, // many products
	} {
		p := &simt.Product{M: c.m, N: c.n, K: c.k, A: simt.Operand{Outer: c.k, K: 1}, B: simt.Operand{Outer: c.k, K: 1}, Batch: []simt.BatchAxis{{N: c.batch, A: c.m * c.k, B: c.n * c.k}}}
		if got := simt.TensorParts(p, simt.BF16, hopper); got != c.want {
			t.Errorf("%d×%d×%d ×%d: %d parts, want %d", c.m, c.k, c.n, c.batch, got, c.want)
		}
	}
}

// Sums of a convolution with few results are divided into whole tiles: gradients by filters.
func TestWindowParts(t *testing.T) {
	ampere := simt.TensorCores{MMA: true, Shared: 163 << 10, Processors: 108}
	plain := func(n int) []simt.Digit { return []simt.Digit{{N: n, Axis: -1, A: 1, B: 1, C: 1}} }
	for _, c := range []struct {
		rows, cols, deep int
		divided          bool
	}{
		{256 * 56 * 56, 64, 9 * 64, false},
		{9 * 64, 64, 256 * 56 * 56, true},
		{64, 64, 64, false},
	} {
		w := &simt.Windows{Rows: plain(c.rows), Deep: plain(c.deep), Col: plain(c.cols)[0], Group: simt.Digit{N: 1, Axis: -1}}
		p := w.TensorOf(simt.BF16, true, [2]int{})
		parts, terms := simt.WindowParts(p, ampere)
		if parts > 1 != c.divided {
			t.Errorf("%d×%d, %d terms: %d parts", c.rows, c.cols, c.deep, parts)
		}
		if parts*terms < c.deep || (parts-1)*terms >= c.deep || parts > 1 && terms%64 != 0 {
			t.Errorf("%d×%d, %d terms: %d parts of %d", c.rows, c.cols, c.deep, parts, terms)
		}
	}
}

// A product that reads beyond its operands is reported.
func TestTensorBounds(t *testing.T) {
	p := &simt.Product{Name: "p", M: 16, N: 16, K: 16, A: simt.Operand{Outer: 16, K: 1}, B: simt.Operand{Outer: 16, K: 1}, Lens: [3]int64{256, 256, 256}}
	f := simt.LowerTensor(p, simt.BF16, true, simt.TensorCores{MMA: true, Shared: 163 << 10, Processors: 1})
	for i := range 3 {
		buffers := [][]byte{make([]byte, 512), make([]byte, 512), make([]byte, 512)}
		if err := simteval.Run(f, nil, buffers, 1); err != nil {
			t.Error(err)
		}
		buffers[i] = buffers[i][:510]
		if err := simteval.Run(f, nil, buffers, 1); err == nil {
			t.Errorf("buffer %d is too short, which is not reported", i)
		}
	}
}
