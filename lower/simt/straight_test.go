package simt_test

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/weft-go/weft/internal/test/ireval"
	"github.com/weft-go/weft/internal/test/simteval"
	"github.com/weft-go/weft/lower/simt"
)

// A thread that reduces a column alone has the loads of a chunk, or of a subtree, under way at once.
func TestStraightReductions(t *testing.T) {
	for _, c := range []struct {
		lines       int
		order       string
		loads, more int // written out, and in loops
	}{{128, "chunks", 16, 0}, {100, "chunks", 16, 1}, {12, "chunks", 12, 0}, {16, "tree", 16, 0}, {32, "tree", 32, 0}, {50, "tree", 16 + 2, 0}} {
		k := columns(t, 1000, c.lines, c.order, "sum")
		unaligned(t, k, uint64(c.lines))
		f := simt.Lower(k, simt.Options{})
		loads, more := 0, 0
		simt.Walk(f.Body, func(s simt.Stmt) {
			count := func(b []simt.Stmt) (n int) {
				for _, s := range b {
					if _, ok := s.(*simt.Load); ok {
						n++
					}
				}
				return n
			}
			switch s := s.(type) {
			case *simt.For:
				if n := count(s.Body); n == 1 {
					more++
				} else {
					loads += n
				}
			case *simt.If:
				loads += count(s.Then)
			}
		})
		if loads != c.loads || more != c.more {
			t.Errorf("%d lines, %s: %d loads are written out, and %d in loops; want %d and %d", c.lines, c.order, loads, more, c.loads, c.more)
		}
	}
}

// A thread that reduces a short row alone keeps no lanes in memory, but adds in the order of lanes.
func TestShortRows(t *testing.T) {
	for _, lanes := range []int{64, 16, 8} {
		for _, n := range []int{1, 2, 3, 10, 17, 31, 32, 33} {
			k := parsed(t, `kernel k(in x f32[%[3]d], out y f32[100]) grid a0<100 {
  reduce lanes %[1]d a1<%[2]d {
    %%0 = load f32 x[%[2]d*a0+a1<%[3]d]
    %%1 = mul f32 %%0, %%0
  } fold %%2 = sum %%1, %%3 = prod %%0
  %%4 = add f32 %%2, %%3
  %%5 = canon f32 %%4
  store y[a0<100], %%5
}`, lanes, n, 100*n)
			f := simt.Lower(k, simt.Options{Mode: simt.PerThread})
			if len(f.Arrays) > 0 != (n > 32) {
				t.Errorf("%d lanes, rows of %d: %d arrays", lanes, n, len(f.Arrays))
			}
			want, got := memories(rand.New(rand.NewPCG(uint64(lanes), uint64(n))), k, true)
			if err := ireval.Run(k, nil, want); err != nil {
				t.Fatal(err)
			}
			if err := simteval.Run(f, nil, got, 1); err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(got[1], want[1]) {
				t.Errorf("%d lanes, rows of %d: got\n%x, want\n%x", lanes, n, head(got[1]), head(want[1]))
			}
		}
	}
}
