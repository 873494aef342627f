package device_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim/indexed"
	"github.com/weft-go/weft/internal/test/drivertest"
	"github.com/weft-go/weft/internal/test/primtest"
	"github.com/weft-go/weft/internal/test/race"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower/schedule"
	"github.com/weft-go/weft/runtime"
	"github.com/weft-go/weft/runtime/device"
)

// The greatest elements of long rows are selected, with the reference's bits and the first of equal elements: in one group and
// in several; among distinct values, few values or one value; and with NaNs, zeros and infinities.
func TestGreatestOnDevices(t *testing.T) {
	race.Values(t)
	e := deviceOf(t)
	r := rand.New(rand.NewPCG(12, 1))
	for _, c := range []struct {
		dt     core.DType
		shape  []int
		k      int
		values []float64
		spoil  bool
	}{
		{core.Float32, []int{4100}, 100, nil, false},
		{core.Float32, []int{4097}, 1024, []float64{1, 2, -3}, true},
		{core.Float32, []int{2, 4096}, 1, []float64{7}, false},
		{core.Float64, []int{4100}, 3, nil, true},
		{core.BFloat16, []int{1, 4200, 1}, 900, nil, true}, // an axis of size 1 after the rows
		{core.Int8, []int{4200}, 40, []float64{-128, 0, 127}, false},
		{core.Uint64, []int{4300}, 17, nil, false},
		{core.Int32, []int{4300}, 1000, []float64{-1, 5, 1 << 30}, false},
		{core.Float32, []int{1<<22 + 3}, 1000, nil, true}, // groups of several tiles
	} {
		if c.shape[0] > 9000 && !largeSizes() {
			continue
		}
		a := core.Aval(c.dt, c.shape...)
		x := drivertest.Draw(r, a, primtest.Domain{Values: c.values})
		if c.spoil {
			drivertest.Spoil(r, x)
		}
		axis := 0
		for i, n := range c.shape {
			if n > 4000 {
				axis = i
			}
		}
		b := jaxpr.NewBuilder()
		var outs []jaxpr.Atom
		for _, v := range b.Eqn(indexed.TopKP{Axis: axis, K: c.k}, b.Input(a)) {
			outs = append(outs, v)
		}
		j := b.Build(outs...)
		if a := drivertest.Compare(t, e, j, []*runtime.Array{x}, []string{"values", "indices"}); len(a.Fallbacks) > 0 || t.Failed() {
			t.Fatalf("the reference runs %v of\n%v", a.Fallbacks, j)
		}
		names := ""
		for _, f := range device.Functions(device.PlanOf(j), schedule.Device{}) {
			names += f.Name + " "
		}
		if !strings.Contains(names, "select_place") {
			t.Errorf("%v: the kernels are %s", a, names)
		}
	}
}
