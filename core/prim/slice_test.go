package prim_test

import (
	"math"
	"testing"

	"github.com/weft-go/weft/core/prim"
)

// Steps are counted without overflow.
func TestCeilDiv(t *testing.T) {
	for _, c := range []struct{ n, step, want int }{
		{0, 1, 0}, {-3, 2, 0}, {1, 1, 1}, {3, 2, 2}, {4, 2, 2}, {3, math.MaxInt, 1}, {0, math.MaxInt, 0}, {math.MaxInt, math.MaxInt, 1},
		{math.MaxInt, 2, math.MaxInt/2 + 1}, {math.MaxInt, 1, math.MaxInt},
	} {
		if got := prim.CeilDiv(c.n, c.step); got != c.want {
			t.Errorf("%d elements in steps of %d: got %d, want %d", c.n, c.step, got, c.want)
		}
	}
}
