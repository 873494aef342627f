package lax_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/internal/test/testcheck"
	"github.com/weft-go/weft/lax"
)

func TestShapeText(t *testing.T) {
	n, of := sameText(t, "shape", aProgram(t))
	require.Equal(t, of, n)
}

func TestIndexingText(t *testing.T) {
	n, of := sameText(t, "indexing", aProgram(t))
	require.Equal(t, of, n)
}

func TestRandomText(t *testing.T) {
	n, of := sameText(t, "rng", aProgram(t))
	t.Logf("%d of %d records; the others need rng_bit_generator", n, of)
	require.GreaterOrEqual(t, n, 10)
}

func TestStructureVariantsText(t *testing.T) {
	second := func(f func(x array) (array, array)) program {
		return of1(func(x array) array { _, y := f(x); return y })
	}
	n, of := sameText(t, "more", either(aProgram(t), aCall, named(t, "more", map[string]program{
		"argsort_like": second(func(x array) (array, array) { return lax.SortKeyVal(x, lax.Iota(weft.Int32, 5), -1) }),
		"scatter_apply": of2(func(x, idx array) array {
			return lax.ScatterApply(x, idx, lax.Sin, []int{2}, lax.ScatterConfig{InsertedWindowDims: []int{0}, ScatterDimsToOperandDims: []int{0}})
		}),
		"reduce_precision_bf16": of1(func(x array) array { return lax.ReducePrecision(x, 8, 7) }),
		"clamp_scalars":         of1(func(x array) array { return lax.Clamp(float32(0), x, float32(1)) }),
		"mulhi":                 of2(lax.MulHi[array, array]),
		"shift_weird":           of2(func(x, y array) array { return lax.ShiftRightLogical(lax.ShiftLeft(x, y), y) }),
		"complex_round_trip":    of2(func(x, y array) array { return lax.Imag(lax.Conj(lax.Complex(x, y))) }),
		"population":            of1(func(x array) array { return lax.Sub(lax.Clz(x), lax.PopulationCount(x)) }),
		"erf_inv_f64":           of1(func(x array) array { return lax.ErfInv(lax.Erf(x)) }),
		"jnp_stack_unstack": of1(func(x array) array {
			p := lax.Unstack(x, 0)
			return lax.Stack(1, p[1], p[0])
		}),
	})))
	t.Logf("%d of %d records; the others need other families", n, of)
	require.GreaterOrEqual(t, n, 15)
}

func TestLayoutText(t *testing.T) {
	find := func(r record) program {
		switch name, _, _ := strings.Cut(r.Name, "_"); {
		case strings.HasPrefix(r.Name, "many_args"):
			return func(x ...array) []array { return x }
		case name == "concat":
			return func(x ...array) []array { return results(lax.Concatenate(0, x...)) }
		case strings.HasPrefix(r.Name, "edge_two"):
			return of1(func(x array) array { return lax.Cos(lax.Sin(x)) })
		case name == "edge" && !strings.HasPrefix(r.Name, "edge_param"):
			return of1(lax.Sin)
		}
		return nil
	}
	n, of := sameText(t, "layout", either(find, named(t, "layout", map[string]program{
		"sort_many":     func(x ...array) []array { return lax.SortBy(-1, 2, true, x...) },
		"sort_many_big": func(x ...array) []array { return lax.SortBy(-1, 1, true, x...) },
		"gather_layout": of2(func(x, i array) array {
			return lax.Gather(x, i, lax.GatherConfig{OffsetDims: []int{1}, CollapsedSliceDims: []int{0, 1}, StartIndexMap: []int{0, 1},
				SliceSizes: []int{1, 1, 30}, Mode: lax.Clip})
		}),
		"gather_batched": of2(func(x, i array) array {
			return lax.Gather(x, i, lax.GatherConfig{CollapsedSliceDims: []int{1}, StartIndexMap: []int{1},
				OperandBatchingDims: []int{0}, StartIndicesBatchingDims: []int{0}, SliceSizes: []int{1, 1}, Mode: lax.FillOrDrop, Fill: 7})
		}),
	})))
	t.Logf("%d of %d records; the others need reductions, jit and scan", n, of)
	require.GreaterOrEqual(t, n, 15)
}

// Calls that write no equation, calls that write one although nothing happens, and unused results
// print as in JAX.
func TestStructureFormsText(t *testing.T) {
	n, _ := sameText(t, "forms", either(named(t, "forms", map[string]program{
		"dead_multi":        of1(func(x array) array { v, _ := lax.TopK(x, 2, -1); return v }),
		"dead_multi_second": of1(func(x array) array { _, i := lax.TopK(x, 2, -1); return i }),
		"dead_both": of1(func(x array) array {
			lax.TopK(x, 2, -1)
			return x
		}),
		"pad_noop":        of1(func(x array) array { return lax.Pad(x, float32(0), [3]int{}) }),
		"iota_then_use":   of1(func(x array) array { return lax.Add(x, lax.Iota(weft.Float32, 4)) }),
		"zeros_like":      of1(func(x array) array { return lax.FullLike(x, 0) }),
		"full_scalar":     func(...array) []array { return results(lax.Broadcast(2.5)) },
		"full_shape":      func(...array) []array { return results(lax.Broadcast(2.5, 2, 3)) },
		"full_tracer":     of1(func(x array) array { return lax.Full([]int{2, 3}, x, weft.Float32) }),
		"full_like_shape": of1(func(x array) array { return lax.Full([]int{2}, 1, x.DType()) }),
	}), aProgram(t)))
	require.GreaterOrEqual(t, n, 15)
}

// Mistakes are refused at the user's line, in a sentence.
func TestStructureRefusals(t *testing.T) {
	x := weft.FromSlice([]float32{1, 2, 3, 4, 5, 6}, 2, 3)
	for _, c := range []struct {
		f    func()
		want string
	}{
		{func() { lax.Reshape(x, 4) }, "structure_test.go:"},
		{func() { lax.Reshape(x, 4) }, "reshape: f32[2,3] has 6 elements, but the new shape (4,) has 4"},
		{func() { lax.Squeeze(x, -1) }, "squeeze: axis 1 of f32[2,3] has size 3"},
		{func() { lax.Squeeze(x, -3) }, "squeeze: the axes (-3,) must be distinct axes of f32[2,3]"},
		{func() { lax.Pad(x, 0, [3]int{}, [3]int{}) }, "pad: the Go number 0 is i32 here, the other operand f32[2,3]"},
		{func() { lax.IndexInDim(x, 3, 1, false) }, "index_in_dim: index 3 is out of range for axis 1 of f32[2,3]"},
		{func() { lax.SliceInDim(x, 0, 1, 1, 2) }, "slice_in_dim: axis 2 is out of range for f32[2,3], which has 2 axes"},
		{func() { lax.DynamicSlice(x, lax.Starts(0), 1, 1) }, "dynamic_slice: f32[2,3] needs 2 start indices, one an axis, got 1"},
		{func() { lax.Starts(0.5) }, "Starts: a start index must be an int or an integer scalar (got a float64)"},
		{func() { lax.DynamicSlice(x, lax.Starts(0, int64(0)), 1, 1) }, "dynamic_slice: start indices must be integer scalars of one dtype (got i32[] and i64[])"},
		{func() { lax.Gather(x, x, lax.GatherConfig{Mode: 9}) }, "gather: unknown index mode 9"},
		{func() { lax.RandomBits(x, 32) }, "random_bits: takes keys of type key<fry>, got f32[2,3]"},
	} {
		require.ErrorContains(t, core.Catch(c.f), c.want)
	}
}

// A gather fills with any Go number; anything else is refused.
func TestGatherFill(t *testing.T) {
	fill := func(v any) array {
		return lax.Gather(weft.Of(1., 2), weft.Of(int32(5)).Reshape(1, 1), lax.GatherConfig{CollapsedSliceDims: []int{0}, StartIndexMap: []int{0},
			SliceSizes: []int{1}, Mode: lax.FillOrDrop, Fill: v})
	}
	for _, v := range []any{7, 7., float32(7), uint8(7), int16(7)} {
		if got := fill(v).Index(0).Float(); got != 7 {
			t.Errorf("%T: got %v, want 7", v, got)
		}
	}
	testcheck.Fails(t, core.ErrDType, func() { fill("7") }, "gather", "number", "string")
}
