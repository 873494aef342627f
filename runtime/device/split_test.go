package device_test

import (
	"math/rand/v2"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/internal/test/drivertest"
	"github.com/weft-go/weft/internal/test/primtest"
	"github.com/weft-go/weft/internal/test/race"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/runtime"
	"github.com/weft-go/weft/runtime/device"
)

// Products of few long sums are computed in several kernels, with the reference's bits.
func TestSplitProduct(t *testing.T) {
	race.Values(t)
	t.Parallel()
	x, y := core.Aval(core.Float32, 2, 20000), core.Aval(core.Float32, 20000, 3)
	b := jaxpr.NewBuilder()
	outs := b.Eqn(prim.DotGeneralP{LhsContract: core.MakeDims(1), RhsContract: core.MakeDims(0)}, b.Input(x), b.Input(y))
	r := rand.New(rand.NewPCG(1, 2))
	args := []*runtime.Array{drivertest.Draw(r, x, primtest.Domain{}), drivertest.Draw(r, y, primtest.Domain{})}
	j := b.Build(outs[0])
	for _, text := range []bool{false, true} {
		a := drivertest.Compare(t, device.New(&drivertest.Simulated{PTX: text}), j, args, []string{"dot"})
		// One kernel of the parts, one of their sum, and the two that copy in a graph, as which they are launched.
		if a.Kernels != 4 || len(a.Fallbacks) != 0 {
			t.Errorf("%d kernels and fallbacks %v, want 4 and none", a.Kernels, a.Fallbacks)
		}
	}
}
