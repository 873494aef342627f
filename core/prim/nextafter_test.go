package prim_test

import (
	"math"
	"slices"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/elem"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/runtime"
)

// In every type of eight bits and fewer the step from any number towards any other leads
// to the next one in order.
func TestNextafterOfFewBits(t *testing.T) {
	for dt := core.Float4E2M1FN; dt <= core.Float8E8M0FNU; dt++ {
		t.Run(dt.String(), func(t *testing.T) {
			n := 1 << dt.Bits()
			value := func(code int) float64 {
				v, _ := elem.Get([]byte{byte(code)}, dt)
				return v.Float()
			}
			var order []float64
			for c := range n {
				if v := value(c); !math.IsNaN(v) {
					order = append(order, v)
				}
			}
			slices.Sort(order)
			order = slices.Compact(order)
			x, y := runtime.New(core.Aval(dt, n*n)), runtime.New(core.Aval(dt, n*n))
			for k := range n * n {
				x.Tensor().Data[k], y.Tensor().Data[k] = byte(k/n), byte(k%n)
			}
			got := prim.Nextafter(x, y).(*runtime.Array)
			for k := range n * n {
				a, b := value(k/n), value(k%n)
				want := a
				at, _ := slices.BinarySearch(order, a)
				switch {
				case math.IsNaN(a) || math.IsNaN(b):
					want = math.NaN()
				case a < b:
					want = order[at+1]
				case a > b:
					want = order[at-1]
				}
				g, _ := got.At(k)
				if v := g.Float(); v != want && !(math.IsNaN(v) && math.IsNaN(want)) {
					t.Fatalf("the step from %v towards %v is %v, want %v", a, b, v, want)
				}
			}
		})
	}
}
