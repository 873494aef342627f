//go:build linux

package cpu_test

import (
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/jaxpr"
)

// Sums of bytes as larger integers have the reference's bits: of rows of any length, at guard pages, of bytes
// that are computed, too, and such that all are 255.
func TestSumsOfBytes(t *testing.T) {
	o := newOperation(t, 31, 1)
	for n := 1; n <= 600; n += 1 + n/12 {
		for _, dt := range []core.DType{core.Int32, core.Uint32, core.Int64} {
			for _, from := range []core.DType{core.Uint8, core.Int8} {
				for _, most := range []bool{false, true} {
					o.before = func(b *jaxpr.Builder, in []jaxpr.Atom) []jaxpr.Atom {
						x := in[0]
						if most {
							x = b.Eqn(prim.OrP{}, x, core.Lit(core.IntNumber(-1), from))[0]
						} else {
							x = b.Eqn(prim.XorP{}, x, core.Lit(core.IntNumber(64), from))[0]
						}
						return []jaxpr.Atom{b.Eqn(prim.ConvertElementTypeP{NewDType: dt}, x)[0]}
					}
					if o.check(prim.ReduceSumP{Axes: core.MakeDims(1)}, core.Aval(from, 5, n)) == 0 && hasNative() {
						t.Errorf("%v to %v, rows of %d: no native code", from, dt, n)
					}
				}
			}
		}
	}
}
