package simt_test

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/weft-go/weft/internal/test/simteval"
	"github.com/weft-go/weft/lower/scalar"
	"github.com/weft-go/weft/lower/simt"
)

// runSplit runs all rounds of a split on A, B and C.
func runSplit(t *testing.T, s *simt.Split, kind scalar.Type, a, b, c []byte) {
	t.Helper()
	between := make([]byte, int(s.Scratch)*kind.Size())
	for r := range s.Rounds {
		first := []int64{int64(r * s.Parts)}
		if err := simteval.Run(s.Partial, first, [][]byte{a, b, between}, 3); err != nil {
			t.Fatal(err)
		}
		if err := simteval.Run(s.Sum, first, [][]byte{between, c}, 2); err != nil {
			t.Fatal(err)
		}
	}
}

// Products of few long sums have their bits when chains are computed side by side.
func TestSplitProducts(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	for n, kind := range []scalar.Type{scalar.F32, scalar.F64, scalar.I32} {
		p := &simt.Product{Name: "p", Type: kind, Chunk: 128, M: 2, N: 3, K: 128*100 + 5, Batch: []simt.BatchAxis{{N: 2, B: 0}}}
		p.Batch[0].A = p.M * p.K
		p.A = simt.Operand{Outer: p.K, K: 1}
		p.B = simt.Operand{Outer: 1, K: p.N}
		p.Lens = [3]int64{int64(2 * p.M * p.K), int64(p.N * p.K), int64(2 * p.M * p.N)}
		a, b := make([]byte, int(p.Lens[0])*kind.Size()), make([]byte, int(p.Lens[1])*kind.Size())
		fill(r, kind, a, false)
		fill(r, kind, b, false)
		got := make([]byte, int(p.Lens[2])*kind.Size())
		want := bytes.Clone(got)
		multiply(p, a, b, want)
		s := p.Split()
		if s == nil {
			t.Fatalf("%d: %+v is not split", n, p)
		}
		runSplit(t, s, kind, a, b, got)
		if !bytes.Equal(got, want) {
			t.Errorf("%v differs", kind)
		}
	}
}

// A product that fills the device is not split.
func TestSplitLarge(t *testing.T) {
	p := &simt.Product{Name: "p", Type: scalar.F32, Chunk: 128, M: 4096, N: 4096, K: 4096, A: simt.Operand{Outer: 4096, K: 1}, B: simt.Operand{Outer: 1, K: 4096},
		Lens: [3]int64{1 << 24, 1 << 24, 1 << 24}}
	if s := p.Split(); s != nil {
		t.Errorf("it has %d rounds of %d parts", s.Rounds, s.Parts)
	}
}

// Convolutions of few long sums have their bits, with groups and padding.
func TestSplitConvolutions(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 14))
	for n := range 2 {
		x := simt.ConvAxis{In: 80, Out: 3, Size: 80, Stride: 1, Low: 1, Gap: 1, Dilation: 1}
		p := &simt.Conv{Name: "c", Type: scalar.F32, Chunk: 128, Batch: 1, Groups: 1 + n, Channels: 130, Axes: []simt.ConvAxis{x}}
		p.Features, p.Outputs = p.Channels*p.Groups, 2*p.Groups
		k := x.Size * p.Channels
		p.B = simt.Operand{Outer: 1, K: p.Outputs}
		p.Lens = [3]int64{int64(x.In * p.Features), int64(k * p.Outputs), int64(x.Out * p.Outputs)}
		a, b := make([]byte, 4*p.Lens[0]), make([]byte, 4*p.Lens[1])
		fill(r, scalar.F32, a, false)
		fill(r, scalar.F32, b, false)
		got := make([]byte, 4*p.Lens[2])
		want := bytes.Clone(got)
		convolve(p, a, b, want)
		s := p.Split()
		if s == nil {
			t.Fatalf("%+v is not split", p)
		}
		runSplit(t, s, scalar.F32, a, b, got)
		if !bytes.Equal(got, want) {
			t.Errorf("%+v differs", p)
		}
	}
}
