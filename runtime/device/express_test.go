package device_test

import (
	"math/rand/v2"
	"os"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/core/prim/windows"
	"github.com/weft-go/weft/internal/test/drivertest"
	"github.com/weft-go/weft/internal/test/primtest"
	"github.com/weft-go/weft/internal/test/race"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/runtime"
	"github.com/weft-go/weft/runtime/device"
)

func dims(n ...int) core.Dims { return core.MakeDims(n...) }

// deviceOf returns the device that WEFT_DEVICE names, or else a simulated one.
func deviceOf(t *testing.T) runtime.Executor {
	t.Helper()
	name := os.Getenv("WEFT_DEVICE")
	if name == "" {
		return device.New(&drivertest.Simulated{})
	}
	e, err := runtime.Select(name)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// onDevice runs one operation on random numbers and compares it with the reference. It must have
// kernels.
func onDevice(t *testing.T, p core.Primitive, in ...core.ShapedArray) {
	t.Helper()
	e := deviceOf(t)
	r := rand.New(rand.NewPCG(7, 8))
	b := jaxpr.NewBuilder()
	var atoms []jaxpr.Atom
	var args []*runtime.Array
	for _, a := range in {
		atoms = append(atoms, b.Input(a))
		args = append(args, drivertest.Draw(r, a, primtest.Domain{}))
	}
	var outs []jaxpr.Atom
	var names []string
	for _, v := range b.Eqn(p, atoms...) {
		outs, names = append(outs, v), append(names, p.Name())
	}
	j := b.Build(outs...)
	if a := drivertest.Compare(t, e, j, args, names); len(a.Fallbacks) > 0 {
		t.Errorf("the reference runs %v\n%v", a.Fallbacks, j)
	}
}

// Windows of many positions, over dilated arrays, of small types.
func TestWindowsOnDevices(t *testing.T) {
	race.Values(t)
	for _, dt := range []core.DType{core.Float32, core.BFloat16, core.Float64, core.Int32, core.Int8, core.Uint4, core.Float8E4M3FN} {
		x := core.Aval(dt, 2, 19, 21)
		for _, w := range []windows.Window{
			{Dims: dims(1, 7, 7), Strides: dims(1, 2, 2), Padding: dims(0, 0, 3, 3, 3, 3), BaseDilation: dims(1, 1, 1), WindowDilation: dims(1, 1, 1)},
			{Dims: dims(1, 3, 40), Strides: dims(1, 1, 3), Padding: dims(0, 0, 1, 0, 30, 12), BaseDilation: dims(1, 1, 2), WindowDilation: dims(1, 2, 1)},
			{Dims: dims(1, 2, 3), Strides: dims(1, 1, 2), Padding: dims(0, 0, -2, 1, 5, 0), BaseDilation: dims(1, 3, 2), WindowDilation: dims(1, 1, 4)},
			{Dims: dims(2, 19, 21), Strides: dims(1, 1, 1), Padding: dims(0, 0, 0, 0, 0, 0), BaseDilation: dims(1, 1, 1), WindowDilation: dims(1, 1, 1)},
		} {
			onDevice(t, windows.ReduceWindowSumP{Window: w}, x)
			onDevice(t, windows.ReduceWindowMaxP{Window: w}, x)
			onDevice(t, windows.ReduceWindowMinP{Window: w}, x)
			if dt.Bits() < 8 {
				continue
			}
			onDevice(t, windows.SelectAndGatherAddP{Select: windows.SelectGe, Window: w}, x, x)
			onDevice(t, windows.ReduceWindowP{Window: w, Program: lesser(dt)}, x, core.Aval(dt))
		}
		source := core.Aval(dt, 2, 10, 11)
		onDevice(t, windows.SelectAndScatterAddP{Select: windows.SelectLe, Dims: dims(1, 7, 7), Strides: dims(1, 2, 2), Padding: dims(0, 0, 3, 3, 3, 3)}, source, x)
	}
}

// lesser returns the program of 2·min(x, y) − x: it neither commutes nor associates.
func lesser(dt core.DType) *jaxpr.Jaxpr {
	b := jaxpr.NewBuilder()
	x, y := b.Input(core.Aval(dt)), b.Input(core.Aval(dt))
	m := b.Eqn(prim.MinP{}, x, y)[0]
	return b.Build(b.Eqn(prim.SubP{}, b.Eqn(prim.AddP{}, m, m)[0], x)[0])
}

// Reductions by a program have the order of sums, from initial values that are not neutral.
func TestReduceByProgramOnDevices(t *testing.T) {
	for _, c := range []struct {
		x    core.ShapedArray
		axes core.Dims
	}{
		{core.Aval(core.Float32, 3, 2500), dims(1)}, {core.Aval(core.Float32, 70, 5), dims(0)}, {core.Aval(core.Int32, 4, 1, 33), dims(0, 1, 2)},
		{core.Aval(core.Float64, 5, 17, 3), dims(1)}, {core.Aval(core.Float32, 7), dims()}, {core.Aval(core.BFloat16, 40, 40), dims(0, 1)},
	} {
		onDevice(t, prim.ReduceP{Axes: c.axes, Program: lesser(c.x.DType), Fn: "lesser"}, c.x, core.Aval(c.x.DType))
	}
}

// Products and convolutions of complex numbers have the reference's bits: their sums consist of
// chains of as many complex numbers.
func TestComplexProductsOnDevices(t *testing.T) {
	race.Values(t)
	for _, dt := range []core.DType{core.Complex64, core.Complex128} {
		dot := prim.DotGeneralP{LhsContract: dims(1, 2), RhsContract: dims(2, 0), LhsBatch: dims(0), RhsBatch: dims(1)}
		onDevice(t, dot, core.Aval(dt, 2, 30, 10, 5), core.Aval(dt, 10, 2, 30, 3))
		onDevice(t, prim.DotGeneralP{LhsContract: dims(0), RhsContract: dims(0)}, core.Aval(dt, 700), core.Aval(dt, 700))
		conv := windows.ConvP{Strides: dims(2, 1), Padding: dims(1, 0, 2, 1), LhsDilation: dims(1, 2), RhsDilation: dims(1, 1), LhsSpec: dims(0, 1, 2, 3), RhsSpec: dims(0, 1, 2, 3),
			OutSpec: dims(0, 3, 1, 2), FeatureGroups: 2, BatchGroups: 1}
		onDevice(t, conv, core.Aval(dt, 2, 60, 5, 4), core.Aval(dt, 4, 30, 2, 3))
		conv.FeatureGroups = 60
		onDevice(t, conv, core.Aval(dt, 2, 60, 5, 4), core.Aval(dt, 60, 1, 2, 3))
	}
}
