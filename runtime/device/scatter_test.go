package device_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/internal/test/drivertest"
	"github.com/weft-go/weft/internal/test/primtest"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower/schedule"
	"github.com/weft-go/weft/runtime"
	"github.com/weft-go/weft/runtime/device"
)

// Scatters that add and subtract integers have the reference's bits, where indices are equal, overlap or are outside, and sums wrap. Those of four
// and eight bytes add at once, so that an element that all change is no slower than others.
func TestScattersOfIntegersOnDevices(t *testing.T) {
	e := deviceOf(t)
	r := rand.New(rand.NewPCG(3, 9))
	vector := prim.Scattering{InsertedWindowDims: dims(0), ScatterDimsToOperandDims: dims(0)}
	rows := prim.Scattering{UpdateWindowDims: dims(1), InsertedWindowDims: dims(0), ScatterDimsToOperandDims: dims(0)}
	windows := prim.Scattering{UpdateWindowDims: dims(1), ScatterDimsToOperandDims: dims(0)}
	for _, dt := range []core.DType{core.Int32, core.Uint32, core.Int64, core.Uint64, core.Int16, core.Uint8} {
		for _, c := range []struct {
			s     prim.Scattering
			x, u  []int
			index []float64
		}{
			{vector, []int{20}, []int{300}, []float64{-1, 0, 3, 4, 4, 4, 17, 19, 20, 25}},
			{vector, []int{1}, []int{500}, []float64{0}}, // all change one element
			{vector, []int{7}, []int{1}, []float64{5}},
			{vector, []int{7}, []int{0}, []float64{5}},
			{rows, []int{9, 5}, []int{130, 5}, []float64{0, 8, 8, 9}},
			{rows, []int{9, 70}, []int{129, 70}, []float64{0, 8, 8, 9, -3}}, // groups share rows
			{windows, []int{20}, []int{90, 3}, []float64{0, 1, 2, 3, 16, 17, 18}},
			{windows, []int{80}, []int{90, 40}, []float64{0, 1, 2, 40, 41}},
		} {
			for how, mode := range map[prim.Combiner]prim.IndexMode{prim.CombineAdd: prim.FillOrDrop, prim.CombineSub: prim.Clip} {
				c.s.Mode = mode
				b := jaxpr.NewBuilder()
				var atoms []jaxpr.Atom
				var args []*runtime.Array
				for i, a := range []core.ShapedArray{core.Aval(dt, c.x...), core.Aval(core.Int32, c.u[0], 1), core.Aval(dt, c.u...)} {
					d := primtest.Domain{Values: []float64{1, 5, 100, 77}}
					switch {
					case i == 1:
						d.Values = c.index
					case dt.Size() >= 4:
						d.Values = append(d.Values, 1<<31-1)
					}
					atoms = append(atoms, b.Input(a))
					args = append(args, drivertest.Draw(r, a, d))
				}
				j := b.Build(b.Eqn(c.s.By(how, dt), atoms...)[0])
				if a := drivertest.Compare(t, e, j, args, []string{"x"}); len(a.Fallbacks) > 0 {
					t.Errorf("the reference runs %v", a.Fallbacks)
				}
				if c.u[0] == 0 {
					continue
				}
				names := ""
				for _, f := range device.Functions(device.PlanOf(j), schedule.Device{}) {
					names += f.Name + " "
				}
				if got := strings.Contains(names, "_at_once"); got != (dt.Size() >= 4) {
					t.Errorf("%v: the kernels are %s", dt, names)
				}
			}
		}
	}
}
