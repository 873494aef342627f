package core_test

import (
	"math"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/elem"
)

// The limits are numbers of their types, nothing finite lies beyond them, and the
// number after 1 is Epsilon away.
func TestLimits(t *testing.T) {
	for d := core.Bool; int(d) < core.NumDTypes; d++ {
		least, largest, ok := d.Limits()
		if ok != (d.IsBool() || d.IsNumber()) {
			t.Errorf("%v: limits are given: %v", d, ok)
		}
		if !ok {
			continue
		}
		for _, n := range []core.Number{least, largest} {
			if got := elem.Round(n, d); got.Complex() != n.Complex() {
				t.Errorf("%v: %v is rounded to %v", d, n.Complex(), got.Complex())
			}
		}
		if !d.IsInexact() {
			continue
		}
		if eps := d.Epsilon(); elem.Round(core.FloatNumber(1+eps), d).Complex() != complex(1+eps, 0) ||
			real(elem.Round(core.FloatNumber(1+eps/4), d).Complex()) != 1 {
			t.Errorf("%v: %g is not the distance from 1 to the next number", d, d.Epsilon())
		}
		if d != core.Float64 && d != core.Complex128 {
			beyond := real(elem.Round(core.FloatNumber(largest.Float()*(1+d.Epsilon())), d).Complex())
			if !math.IsInf(beyond, 0) && !math.IsNaN(beyond) && beyond > largest.Float() {
				t.Errorf("%v: %g is beyond %g", d, beyond, largest.Float())
			}
		}
	}
}
