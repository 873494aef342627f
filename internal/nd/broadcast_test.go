package nd

import (
	"math/bits"
	"strings"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/internal/test/testcheck"
)

// A typed is a value of which only the type is used.
type typed struct{ core.ShapedArray }

func (t typed) Aval() core.ShapedArray { return t.ShapedArray }

// Results whose numbers of elements wrap around in 64 bits are refused, and those without elements are not.
func TestRequireBroadcastSizes(t *testing.T) {
	if bits.UintSize < 64 {
		t.Skip("such shapes need ints of 64 bits")
	}
	aval := func(sizes ...int) core.Value { return typed{core.Aval(core.Float32, sizes...)} }
	for _, c := range []struct {
		x, y core.Value
		fits bool
	}{
		{aval(1<<10, 1), aval(1, 1<<10), true},
		{aval(1<<30, 1), aval(1, 1<<34), false}, // 2⁶⁴
		{aval(1, 1<<30), aval(1<<34, 1), false},
		{aval(1<<30, 1, 1), aval(1, 1<<34, 4), false},
		{aval(1<<40, 1), aval(1, 1<<20), false},
		{aval(1<<40, 1, 1), aval(1, 1<<20, 0), true},
	} {
		err := testcheck.Recover(func() { RequireBroadcast("add", c.x, c.y) })
		if fits := err == nil; fits != c.fits || !fits && !strings.Contains(err.Error(), "does not fit in memory") {
			t.Errorf("%v and %v: got %v, want a refusal: %v", c.x.Aval(), c.y.Aval(), err, !c.fits)
		}
	}
}
