package simt_test

import (
	"bytes"
	"encoding/binary"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/weft-go/weft/internal/test/simteval"
	"github.com/weft-go/weft/lower/simt"
)

// A convolution over an array with gaps has the same sums without the zeros, and each result once: of all gaps, steps, distances of taps, and positions of
// the first window, where classes without a tap and without a row occur too.
func TestClassesOfWindows(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	empty, divided := 0, 0
	for sample := range 300 {
		const channels, outputs = 3, 4
		batch, groups := 2, 1+sample%2
		w := &simt.Windows{Col: simt.Digit{N: outputs, Axis: -1, B: 1, C: 1}, Parts: 1}
		lens := [3]int{batch, 1, batch}
		w.Deep, w.Group = []simt.Digit{{N: channels, Axis: -1, A: 1, B: outputs}}, simt.Digit{N: groups, Axis: -1, A: channels, B: channels * outputs, C: outputs}
		image, filter, result := channels*groups, channels*outputs*groups, outputs*groups
		for axis := range 2 {
			in, out, taps := 1+r.IntN(5), 1+r.IntN(7), 1+r.IntN(4)
			w.Axes = append(w.Axes, simt.WindowAxis{Low: r.IntN(9) - 2, Extent: 0, Gap: 1 + r.IntN(4), Stride: image})
			w.Axes[axis].Extent = (in-1)*w.Axes[axis].Gap + 1
			w.Rows = append([]simt.Digit{{N: out, Axis: axis, Step: 1 + r.IntN(4), C: result}}, w.Rows...)
			w.Deep = append([]simt.Digit{{N: taps, Axis: axis, Step: 1 + r.IntN(4), B: filter}}, w.Deep...)
			image, filter, result = image*in, filter*taps, result*out
		}
		w.Rows = append([]simt.Digit{{N: batch, Axis: -1, A: image, C: result}}, w.Rows...)
		lens[0], lens[1], lens[2] = batch*image, filter, batch*result
		whole := w.TensorOf(simt.BF16, false, [2]int{})
		var operands [2][]byte
		for i := range operands {
			for range lens[i] {
				operands[i] = binary.LittleEndian.AppendUint16(operands[i], simteval.Bits(simt.BF16, float32(r.NormFloat64())))
			}
		}
		run := func(parts []simt.Tensor) []byte {
			out := make([]byte, 4*lens[2])
			for i := range lens[2] {
				binary.LittleEndian.PutUint32(out[4*i:], math.Float32bits(float32(math.NaN())))
			}
			for _, x := range parts {
				x.Tile, x.Warps, x.Stages, x.Rows = [3]int{64, 64, 64}, [2]int{1, 1}, 3, 16
				f := simt.TensorFunc("convolution", &x, [3]int64{int64(lens[0]), int64(lens[1]), int64(lens[2])})
				before := bytes.Clone(out)
				if err := simteval.Run(f, nil, [][]byte{operands[0], operands[1], out}, 2); err != nil {
					t.Fatalf("sample %d: %v", sample, err)
				}
				for i := 0; i < len(out); i += 4 {
					if x := binary.LittleEndian.Uint32(before[i:]); !bytes.Equal(before[i:i+4], out[i:i+4]) && !math.IsNaN(float64(math.Float32frombits(x))) {
						t.Fatalf("sample %d: result %d is written twice", sample, i/4)
					}
				}
			}
			return out
		}
		classes := simt.Classes(&whole)
		if len(classes) > 1 {
			divided++
		}
		for _, c := range classes {
			if c.K == 1 {
				empty++
			}
			for _, a := range c.Windows.Axes {
				if a.Gap > 1 {
					t.Errorf("sample %d: a class of %d has a gap of %d", sample, len(classes), a.Gap)
				}
			}
		}
		if !bytes.Equal(run(classes), run([]simt.Tensor{whole})) {
			t.Fatalf("sample %d: classes have other results:\n%+v", sample, w)
		}
	}
	if divided < 150 || empty < 100 {
		t.Errorf("%d convolutions were divided, %d classes had no tap", divided, empty)
	}
}

// Convolutions that take longer than more launches are divided, into 16 at most.
func TestDividedWindows(t *testing.T) {
	hopper := simt.TensorCores{MMA: true, WGMMA: true, Shared: 227 << 10, Processors: 132}
	for _, c := range []struct{ images, side, gap, want int }{
		{64, 28, 2, 4}, {64, 28, 1, 1}, {64, 28, 4, 16}, {64, 28, 5, 5}, {1, 7, 2, 1},
	} {
		n := c.side * c.gap
		w := &simt.Windows{Col: simt.Digit{N: 128, Axis: -1, B: 1, C: 1}, Group: simt.Digit{N: 1, Axis: -1}, Parts: 1,
			Rows: []simt.Digit{{N: c.images, Axis: -1, A: c.side * c.side * 128, C: n * n * 128}, {N: n, Axis: 0, Step: 1, C: n * 128}, {N: n, Axis: 1, Step: 1, C: 128}},
			Deep: []simt.Digit{{N: 3, Axis: 0, Step: 1, B: -3 * 128 * 128}, {N: 3, Axis: 1, Step: 1, B: -128 * 128}, {N: 128, Axis: -1, A: 1, B: 128}},
			Axes: []simt.WindowAxis{{1, (c.side-1)*c.gap + 1, c.gap, c.side * 128}, {1, (c.side-1)*c.gap + 1, c.gap, 128}}}
		fs := simt.LowerWindows("convolution", w.TensorOf(simt.BF16, true, [2]int{0, 8 * 128 * 128}), [3]int64{}, hopper)
		if len(fs) != c.want {
			t.Errorf("%+v: %d kernels", c, len(fs))
		}
	}
}
