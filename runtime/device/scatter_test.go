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

// A scattering is a scatter, the sizes of its array and its updates, and its indices.
type scattering struct {
	indexed.Scattering
	x, u  []int
	index []float64
}

var (
	scatterElements = indexed.Scattering{InsertedWindowDims: dims(0), ScatterDimsToOperandDims: dims(0)}
	scatterRows     = indexed.Scattering{UpdateWindowDims: dims(1), InsertedWindowDims: dims(0), ScatterDimsToOperandDims: dims(0)}
	scatterWindows  = indexed.Scattering{UpdateWindowDims: dims(1), ScatterDimsToOperandDims: dims(0)}
)

// compare runs the scatter on a device and compares it with the reference. It returns the names of the kernels.
func (s scattering) compare(t *testing.T, e runtime.Executor, r *rand.Rand, how indexed.Combiner, dt core.DType, values ...float64) string {
	t.Helper()
	b := jaxpr.NewBuilder()
	var atoms []jaxpr.Atom
	var args []*runtime.Array
	for i, a := range []core.ShapedArray{core.Aval(dt, s.x...), core.Aval(core.Int32, s.u[0], 1), core.Aval(dt, s.u...)} {
		d := primtest.Domain{Values: values}
		if i == 1 {
			d.Values = s.index
		}
		atoms = append(atoms, b.Input(a))
		args = append(args, drivertest.Draw(r, a, d))
	}
	j := b.Build(b.Eqn(s.By(how, dt), atoms...)[0])
	if a := drivertest.Compare(t, e, j, args, []string{"x"}); len(a.Fallbacks) > 0 {
		t.Errorf("the reference runs %v", a.Fallbacks)
	}
	if t.Failed() {
		t.Fatalf("in\n%v", j)
	}
	names := ""
	for _, f := range device.Functions(device.PlanOf(j), schedule.Device{}) {
		names += f.Name + " "
	}
	return names
}

// Scatters that add and subtract integers have the reference's bits, also if indices are equal, overlap or are out of range, and if sums wrap.
// Integers of four and eight bytes are added in any order, by many groups at once.
func TestScattersOfIntegersOnDevices(t *testing.T) {
	race.Values(t)
	e := deviceOf(t)
	r := rand.New(rand.NewPCG(3, 9))
	for _, dt := range []core.DType{core.Int32, core.Uint32, core.Int64, core.Uint64, core.Int16, core.Uint8} {
		values := []float64{1, 5, 100, 77}
		if dt.Size() >= 4 {
			values = append(values, 1<<31-1)
		}
		for _, c := range []scattering{
			{scatterElements, []int{20}, []int{300}, []float64{-1, 0, 3, 4, 4, 4, 17, 19, 20, 25}},
			{scatterElements, []int{1}, []int{500}, []float64{0}},                          // all change one element
			{scatterElements, []int{300}, []int{2500}, []float64{-1, 0, 3, 298, 299, 300}}, // groups add up their own
			{scatterElements, []int{7}, []int{1}, []float64{5}},
			{scatterElements, []int{7}, []int{0}, []float64{5}},
			{scatterRows, []int{9, 5}, []int{130, 5}, []float64{0, 8, 8, 9}},
			{scatterRows, []int{9, 70}, []int{129, 70}, []float64{0, 8, 8, 9, -3}}, // groups share rows
			{scatterWindows, []int{20}, []int{90, 3}, []float64{0, 1, 2, 3, 16, 17, 18}},
			{scatterWindows, []int{80}, []int{90, 40}, []float64{0, 1, 2, 40, 41}},
		} {
			for how, mode := range map[indexed.Combiner]indexed.IndexMode{indexed.CombineAdd: indexed.FillOrDrop, indexed.CombineSub: indexed.Clip} {
				c.Mode = mode
				names := c.compare(t, e, r, how, dt, values...)
				if got := strings.Contains(names, "_at_once"); got != (dt.Size() >= 4) && c.u[0] > 0 {
					t.Errorf("%v: the kernels are %s", dt, names)
				}
			}
		}
	}
}

// Scatters whose order decides the bits have the reference's bits: of elements and of rows; if keys begin and end within tiles, if a key fills
// several tiles, if all updates have the same key, and if many keys have few updates each.
func TestScattersInOrderOnDevices(t *testing.T) {
	race.Values(t)
	e := deviceOf(t)
	r := rand.New(rand.NewPCG(3, 10))
	many := make([]float64, 400)
	for i := range many {
		many[i] = float64(i - 20)
	}
	for _, k := range []struct {
		dt  core.DType
		how []indexed.Combiner
	}{
		{core.Float32, []indexed.Combiner{indexed.CombineAdd, indexed.CombineMul, indexed.CombineMax, indexed.CombineSet}},
		{core.Float64, []indexed.Combiner{indexed.CombineAdd}},
		{core.BFloat16, []indexed.Combiner{indexed.CombineAdd}},
		{core.Float16, []indexed.Combiner{indexed.CombineMin}},
		{core.Complex64, []indexed.Combiner{indexed.CombineMul, indexed.CombineSub}},
		{core.Complex128, []indexed.Combiner{indexed.CombineMul, indexed.CombineSet}},
		{core.Int16, []indexed.Combiner{indexed.CombineAdd}},
		{core.Uint64, []indexed.Combiner{indexed.CombineMul}},
	} {
		for i, how := range k.how {
			for n, c := range []scattering{
				{scatterElements, []int{3}, []int{1100}, []float64{0, 0, 0, 0, 0, 0, 1, 2}},
				{scatterElements, []int{370}, []int{700}, many},
				{scatterRows, []int{6, 40}, []int{70, 40}, []float64{0, 5, 5, 5, 6, -1}},
				{scatterRows, []int{5, 3}, []int{300, 3}, []float64{4}},
				{scatterRows, []int{5, 2}, []int{300, 2}, []float64{0, 3, 3, 4, -1}}, // tiles of as many points as threads
				{scatterRows, []int{50, 4}, []int{200000, 4}, many},                  // tiles of more points
			} {
				if i > 0 && n > 1 {
					continue // the same code but for the chain
				}
				if c.u[0] > 9000 && !largeSizes() {
					continue
				}
				names := c.compare(t, e, r, how, k.dt)
				want := "_grouped"
				if how == indexed.CombineSet {
					want = "_last"
				}
				if !strings.Contains(names, want) {
					t.Errorf("%v, %v: the kernels are %s", how, k.dt, names)
				}
			}
		}
	}
}
