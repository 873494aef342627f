package schedule

import (
	"math/rand/v2"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/lower/fuse"
)

// randomConv draws a convolution.
func randomConv(r *rand.Rand) *fuse.Conv {
	s := &fuse.Conv{Type: []core.DType{core.Float32, core.Float64, core.Int32}[r.IntN(3)], Chunk: 128, Batch: 1 + r.IntN(20), Groups: 1 + r.IntN(3), Channels: 1 + r.IntN(1+r.IntN(200))}
	s.Features, s.Outputs = s.Channels*s.Groups, s.Groups*(1+r.IntN(1+r.IntN(200)))
	k := s.Channels
	for range r.IntN(4) {
		a := fuse.ConvAxis{In: 1 + r.IntN(60), Out: 1 + r.IntN(60), Size: 1 + r.IntN(5), Stride: 1 + r.IntN(3), Low: r.IntN(4) - 1, Gap: 1 + r.IntN(2), Dilation: 1 + r.IntN(2)}
		s.Axes = append(s.Axes, a)
		k *= a.Size
	}
	s.B = fuse.ProductView{Outer: 1, K: s.Outputs}
	if r.IntN(2) == 0 {
		s.B = fuse.ProductView{Outer: k, K: 1}
	}
	return s
}

// Items cover the windows of a convolution once; by lines, the pieces of a layer are its
// elements in order, and chains end where they have to.
func TestConvsCover(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 33))
	lines := 0
	for range 3000 {
		s := randomConv(r)
		m := []Processor{avx2, avx512}[r.IntN(2)].On([]int{1, 2, 16}[r.IntN(3)])
		c := ConvOf(s, m)
		covers := func(what string, all, each, n int) {
			t.Helper()
			if each < 1 || n*each < all || (n-1)*each >= all {
				t.Fatalf("%v on %+v: %d items of %d %s for %d", s, m, n, each, what, all)
			}
		}
		l := c.Lines
		if l == nil {
			covers("windows", s.Rows(), c.Windows, c.Parts)
			continue
		}
		lines++
		covers("windows of a line", l.X.Out, l.Windows, l.Parts)
		covers("lines", l.Y.Out, l.Lines, l.Blocks)
		k := 0
		for _, y := range l.Layers {
			if y.From != k {
				t.Fatalf("%v: a layer begins at %d, want %d", s, y.From, k)
			}
			for i, p := range y.Pieces {
				if k += p.Elements; p.Ends != (k%s.Chunk == 0) || !p.Ends && i < len(y.Pieces)-1 && (k-1)/s.Chunk != k/s.Chunk {
					t.Fatalf("%v: piece %d of %v ends at element %d", s, i, y.Pieces, k)
				}
			}
			if y.To != k {
				t.Fatalf("%v: a layer has elements up to %d, want %d", s, k, y.To)
			}
		}
		if k != s.K() {
			t.Fatalf("%v: layers of %d elements, want %d", s, k, s.K())
		}
	}
	if lines < 300 {
		t.Errorf("got %d convolutions by lines, want a tenth", lines)
	}
}

// The kernel must be finite if taps read padding or gaps, but not if all taps read elements, and not for
// integers.
func TestConvsOfPadding(t *testing.T) {
	axis := fuse.ConvAxis{In: 8, Out: 6, Size: 3, Stride: 1, Gap: 1, Dilation: 1}
	low, high, gap := axis, axis, axis
	low.Low, low.Out = 1, 7
	high.Out = 7
	gap.Gap = 2
	for _, c := range []struct {
		a    fuse.ConvAxis
		dt   core.DType
		want bool
	}{{axis, core.Float32, false}, {low, core.Float32, true}, {high, core.Float32, true}, {gap, core.Float64, true}, {low, core.Int32, false}} {
		s := &fuse.Conv{Type: c.dt, Chunk: 128, Batch: 1, Features: 1, Channels: 1, Outputs: 1, Groups: 1, Axes: []fuse.ConvAxis{c.a}, B: fuse.ProductView{Outer: 1, K: 1}}
		if got := ConvOf(s, avx2).Finite; got != c.want {
			t.Errorf("%v %+v: got %t, want %t", c.dt, c.a, got, c.want)
		}
	}
}
