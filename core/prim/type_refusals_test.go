package prim_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/core/prim/windows"
	"github.com/weft-go/weft/transforms"
)

// An operation that cannot be computed or differentiated in a type is refused under its own name,
// when the types of its results are computed.
func TestTypesRefusedByName(t *testing.T) {
	d := func(v ...int) core.Dims { return core.MakeDims(v...) }
	window := windows.SimpleWindow(d(2), d(1), d(0, 0))
	key, wide, narrow := core.Aval(core.Key, 3), core.Aval(core.Complex64, 4), core.Aval(core.Float32, 4)
	for _, c := range []struct {
		f       func()
		message string
	}{
		{func() { core.AbstractOf(prim.MaxP{}, []core.ShapedArray{key, key}) }, "max: takes booleans and numbers"},
		{func() { core.AbstractOf(prim.MinP{}, []core.ShapedArray{key, key}) }, "min: takes booleans and numbers"},
		{func() {
			core.AbstractOf(windows.SelectAndGatherAddP{Select: windows.SelectGe, Window: window}, []core.ShapedArray{wide, narrow})
		}, "select_and_gather_add: operands must have one dtype"},
		{func() {
			x := prim.Convert(prim.Iota(core.Float32, d(4), 0), core.Complex64, false)
			transforms.JVP(apply1(windows.ReduceWindowMaxP{Window: window}), []core.Value{x}, []core.Value{x})
		}, "reduce_window_max: has no derivative on complex numbers"},
		{func() {
			x := prim.Convert(prim.Iota(core.Float32, d(4), 0), core.Complex64, false)
			transforms.JVP(apply1(windows.ReduceWindowMinP{Window: window}), []core.Value{x}, []core.Value{x})
		}, "reduce_window_min: has no derivative on complex numbers"},
		{func() { prim.Cumlogsumexp(prim.Iota(core.Int32, d(4), 0), 0, false) }, "cumlogsumexp: logarithms of sums are of floating or complex numbers"},
	} {
		withRuntime(t)
		require.ErrorContains(t, core.Catch(c.f), c.message)
	}
}
