package prim_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/elem"
	"github.com/weft-go/weft/core/prim/indexed"
	"github.com/weft-go/weft/runtime"
)

// The largest and the least elements are found in every type of floats, in those without negative numbers
// too. A NaN is not among the least.
func TestApproxTopK(t *testing.T) {
	withRuntime(t)
	run := func(dt core.DType, largest bool, values ...float64) (numbers, positions []complex128) {
		x := runtime.New(core.Aval(dt, len(values)))
		for i, v := range values {
			elem.Put(x.Tensor().Data[i*dt.Size():], core.FloatNumber(v), dt)
		}
		out := core.Bind(indexed.ApproxTopKP{K: 2, Axis: 0, Largest: largest}, x)
		return numbersOf(out[0]), numbersOf(out[1])
	}
	for dt := range core.DType(core.NumDTypes) {
		if !dt.IsFloat() {
			continue
		}
		v, i := run(dt, true, 2, 0.5, 4, 1, 4)
		require.Equal(t, []complex128{4, 4}, v, "the largest of %v", dt)
		require.Equal(t, []complex128{2, 4}, i, "the largest of %v", dt)
		v, i = run(dt, false, 2, 0.5, 4, 1, 0.5)
		require.Equal(t, []complex128{0.5, 0.5}, v, "the least of %v", dt)
		require.Equal(t, []complex128{1, 4}, i, "the least of %v", dt)
		if dt.Bits() < 8 {
			continue // it has no NaN
		}
		v, i = run(dt, false, 2, math.NaN(), 4)
		require.Equal(t, []complex128{2, 4}, v, "the least of %v", dt)
		require.Equal(t, []complex128{0, 2}, i, "the least of %v", dt)
	}
}
