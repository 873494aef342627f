package prim_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/core/prim/indexed"
	"github.com/weft-go/weft/core/prim/rng"
	"github.com/weft-go/weft/internal/test/golden"
)

// literal reads a Python literal of tuples, lists and integers from the head of s.
func literal(t *testing.T, s string) (v any, rest string) {
	t.Helper()
	if s[0] != '(' && s[0] != '[' {
		end := strings.IndexAny(s, ",)]")
		if end < 0 {
			end = len(s)
		}
		n, err := strconv.Atoi(s[:end])
		require.NoError(t, err, s)
		return n, s[end:]
	}
	list := []any{}
	for s = s[1:]; s[0] != ')' && s[0] != ']'; s = strings.TrimLeft(s, ", ") {
		v, s = literal(t, s)
		list = append(list, v)
	}
	return list, s[1:]
}

// flat returns the integers of a literal in order.
func flat(v any) []int {
	switch v := v.(type) {
	case int:
		return []int{v}
	case []any:
		var all []int
		for _, x := range v {
			all = append(all, flat(x)...)
		}
		return all
	}
	return nil
}

// arguments splits a Python argument list into names, which are kept as text, and
// integers; dimension= and axis= lose their names.
func arguments(t *testing.T, s string) (names []string, lists [][]int) {
	for s != "" {
		s = strings.TrimPrefix(s, "dimension=")
		switch c := s[0]; {
		case c == 'x' || c == 'y' || c == 'z':
			names = append(names, s[:1])
			s = s[1:]
		case strings.HasPrefix(s, "[x") || strings.HasPrefix(s, "[y"):
			end := strings.IndexByte(s, ']')
			names = append(names, strings.Split(s[1:end], ", ")...)
			s = s[end+1:]
		default:
			var v any
			v, s = literal(t, s)
			lists = append(lists, flat(v))
		}
		s = strings.TrimPrefix(s, ", ")
	}
	return names, lists
}

// structureCall returns the call's primitive and operand types, as lax makes them; ok is
// false for calls of other families.
func structureCall(t *testing.T, c call) (p core.Primitive, in []core.ShapedArray, ok bool) {
	m := callForm.FindStringSubmatch(c.Src)
	if m == nil || strings.Contains(m[2], "np.") || strings.Contains(m[2], "bool") || strings.Contains(m[2], "complex") {
		return nil, nil, false
	}
	switch m[1] {
	case "broadcast", "broadcast_in_dim", "concatenate", "dynamic_slice", "dynamic_update_slice", "expand_dims",
		"pad", "reshape", "rev", "slice", "sort", "squeeze", "top_k", "transpose":
	default:
		return nil, nil, false
	}
	names, lists := arguments(t, m[2])
	for _, n := range names {
		in = append(in, golden.Aval(t, c.In[n[0]-'x']))
	}
	list := func(i int) core.Dims { return core.MakeDims(lists[i]...) }
	// from counts negative axes from the end of n.
	from := func(d core.Dims, n int) core.Dims {
		return d.Map(func(a int) int {
			if a < 0 {
				a += n
			}
			return a
		})
	}
	x := in[0]
	switch m[1] {
	case "broadcast":
		return prim.BroadcastInDimP{Shape: list(0).Append(x.Shape.Ints()...), Dims: core.Range(list(0).Len(), list(0).Len()+x.Rank())}, in, true
	case "broadcast_in_dim":
		return prim.BroadcastInDimP{Shape: list(0), Dims: list(1)}, in, true
	case "concatenate":
		return prim.ConcatenateP{Dimension: lists[0][0]}, in, true
	case "dynamic_slice":
		return indexed.DynamicSliceP{Sizes: list(len(lists) - 1)}, in, true
	case "dynamic_update_slice":
		for range lists[0] {
			in = append(in, core.Aval(core.Int32))
		}
		return indexed.DynamicUpdateSliceP{}, in, true
	case "expand_dims":
		axes := from(list(0), x.Rank()+list(0).Len())
		var shape, dims []int
		for j, k := 0, 0; j < x.Rank()+axes.Len(); j++ {
			if axes.Has(j) || k == x.Rank() {
				shape = append(shape, 1)
				continue
			}
			shape, dims = append(shape, x.Shape.At(k)), append(dims, j)
			k++
		}
		if axes.At(0) < 0 || axes.At(0) > x.Rank() {
			dims = append(dims, -1) // nowhere to insert
		}
		return prim.BroadcastInDimP{Shape: core.MakeDims(shape...), Dims: core.MakeDims(dims...)}, in, true
	case "pad":
		return prim.PadP{Config: list(0)}, in, true
	case "reshape":
		return prim.ReshapeP{Shape: list(0)}, in, true
	case "rev":
		return prim.RevP{Dims: list(0)}, in, true
	case "slice":
		p := prim.SliceP{Start: list(0), Limit: list(1)}
		if len(lists) > 2 {
			p.Strides = list(2)
		}
		return p, in, true
	case "sort":
		axis := -1
		if len(lists) > 0 {
			axis = lists[0][0]
		}
		return indexed.SortP{Dimension: from(core.MakeDims(axis), x.Rank()).At(0), NumKeys: 1, Stable: true}, in, true
	case "squeeze":
		return prim.SqueezeP{Dims: from(list(0), x.Rank())}, in, true
	case "top_k":
		return indexed.TopKP{Axis: x.Rank() - 1, K: lists[0][0]}, in, true
	default:
		return prim.TransposeP{Perm: list(0)}, in, true
	}
}

// While tracing, JAX does not count the elements of what it reshapes. We do.
func TestStructureTypes(t *testing.T) {
	typesAgree(t, "structure_avals.jsonl", structureCall, func(p core.Primitive, c call, in []core.ShapedArray, err error) bool {
		_, reshape := p.(prim.ReshapeP)
		differs := reshape && c.Error == "" && golden.Aval(t, c.Out[0]).Size() != in[0].Size()
		if differs {
			require.ErrorContains(t, err, ", but the new shape", c.Src)
		}
		return differs
	})
}

// Refusals are sentences that name the operands and the fix.
func TestStructureRefusals(t *testing.T) {
	d := core.MakeDims
	rows := indexed.GatherP{OffsetDims: d(1), CollapsedSliceDims: d(0), StartIndexMap: d(0), SliceSizes: d(1, 3)}
	along := indexed.GatherP{CollapsedSliceDims: d(0), StartIndexMap: d(0), OperandBatchingDims: d(1), StartIndicesBatchingDims: d(0), SliceSizes: d(1, 1)}
	gather := func(change func(*indexed.GatherP)) indexed.GatherP { p := rows; change(&p); return p }
	places := indexed.Scattering{UpdateWindowDims: d(1), InsertedWindowDims: d(0), ScatterDimsToOperandDims: d(0)}
	scatter := func(change func(*indexed.Scattering)) indexed.ScatterP {
		s := places
		change(&s)
		return indexed.ScatterP{Scattering: s}
	}
	add := places.By(indexed.CombineAdd, core.Bool)
	for _, c := range []struct {
		p       core.Primitive
		in, msg string
		kind    error
	}{
		{prim.BroadcastInDimP{Shape: d(2, 3), Dims: d(1, 0)}, "f32[3,2]", "in increasing order; transpose first", core.ErrShape},
		{prim.BroadcastInDimP{Shape: d(2, 3), Dims: d(1)}, "f32[2]", "axis 0 of f32[2] does not fit axis 1 of the target shape (2, 3); only axes of size 1 are broadcast", core.ErrShape},
		{prim.ReshapeP{Shape: d(4)}, "f32[2,3]", "f32[2,3] has 6 elements, but the new shape (4,) has 4", core.ErrShape},
		{prim.SqueezeP{Dims: d(0)}, "f32[2,1]", "axis 0 of f32[2,1] has size 2", core.ErrShape},
		{prim.TransposeP{Perm: d(0, 0)}, "f32[2,1]", "(0, 0) is not a permutation of the 2 axes", core.ErrShape},
		{prim.RevP{Dims: d(0, 0)}, "f32[2]", "distinct axes of f32[2]", core.ErrShape},
		{prim.TileP{Reps: d(2)}, "f32[2,3]", "needs 2 numbers of copies", core.ErrShape},
		{prim.IotaP{DType: core.Bool, Shape: d(3)}, "", "(got bool)", core.ErrDType},
		{prim.ConcatenateP{Dimension: 0}, "f32[2,3] f32[2,2]", "differ in another axis than 0", core.ErrShape},
		{prim.ConcatenateP{Dimension: 0}, "f32[2] i32[2]", "operands must have one dtype, got f32[2] and i32[2]", core.ErrDType},
		{prim.SplitP{Axis: 0, Sizes: d(1, 1)}, "f32[3]", "have the sum 2, but axis 0 of f32[3] has size 3", core.ErrShape},
		{prim.StackP{Axis: 2}, "f32[3] f32[3]", "out of range for a result of rank 2", core.ErrShape},
		{prim.PadP{Config: d(0, 0, -1)}, "f32[3] f32[]", "negative interior padding (got ((0, 0, -1),))", core.ErrShape},
		{prim.PadP{Config: d(-2, -2, 0)}, "f32[3] f32[]", "would have -1 elements", core.ErrShape},
		{prim.SliceP{Start: d(2), Limit: d(1)}, "f32[3]", "the range from 2 to 1 is not within axis 0 of f32[3]", core.ErrIndex},
		{prim.SliceP{Start: d(0), Limit: d(3), Strides: d(-1)}, "f32[3]", "reverse the axis to go backwards", core.ErrIndex},
		{indexed.DynamicSliceP{Sizes: d(2)}, "f32[3] f32[]", "integer scalars of one dtype", core.ErrIndex},
		{indexed.DynamicSliceP{Sizes: d(2)}, "f32[3]", "needs 1 start indices", core.ErrIndex},
		{indexed.DynamicUpdateSliceP{}, "f32[3] f32[4] i32[]", "f32[4] does not fit into f32[3]", core.ErrShape},
		{rows, "f32[4,3] f32[2,1]", "must be integers", core.ErrIndex},
		{rows, "f32[4,3] i32[2,2]", "index vectors have 2 components", core.ErrIndex},
		{gather(func(p *indexed.GatherP) { p.OffsetDims = d(2) }), "f32[4,3] i32[2,1]", "offset_dims (2,) must be increasing axes of a result of rank 2", core.ErrIndex},
		{gather(func(p *indexed.GatherP) { p.SliceSizes = d(1, 4) }), "f32[4,3] i32[2,1]", "between 0 and the sizes", core.ErrIndex},
		{gather(func(p *indexed.GatherP) { p.SliceSizes = d(2, 3) }), "f32[4,3] i32[2,1]", "must be 1 along the collapsed", core.ErrIndex},
		{gather(func(p *indexed.GatherP) { p.SliceSizes = d(0, 3) }), "f32[4,3] i32[2,1]", "take 1 along the collapsed", core.ErrIndex},
		{gather(func(p *indexed.GatherP) { p.CollapsedSliceDims = d(1, 0) }), "f32[4,3] i32[2,1]", "dropped axes (1, 0) and batching axes () must be increasing", core.ErrIndex},
		{gather(func(p *indexed.GatherP) { p.CollapsedSliceDims = d(2) }), "f32[4,3] i32[2,1]", "must be increasing axes of f32[4,3]", core.ErrIndex},
		{gather(func(p *indexed.GatherP) { p.OperandBatchingDims = d(1, 0) }), "f32[4,3] i32[2,1]", "batching axes (1, 0) must be increasing", core.ErrIndex},
		{gather(func(p *indexed.GatherP) { p.OperandBatchingDims = d(0) }), "f32[4,3] i32[2,1]", "axis 0 of f32[4,3] is a batching axis and cannot be indexed or dropped as well", core.ErrIndex},
		{gather(func(p *indexed.GatherP) { p.OperandBatchingDims = d(1) }), "f32[4,3] i32[2,1]", "need as many distinct ones of the index array", core.ErrIndex},
		{gather(func(p *indexed.GatherP) { p.OperandBatchingDims, p.StartIndicesBatchingDims = d(1), d(1) }), "f32[4,3] i32[2,1]", "not its last; got (1,)", core.ErrIndex},
		{gather(func(p *indexed.GatherP) { p.SliceSizes = d(1) }), "f32[4,3] i32[2,1]", "needs 2 slice sizes (got (1,))", core.ErrIndex},
		{gather(func(p *indexed.GatherP) { p.SliceSizes = d(1, -1) }), "f32[4,3] i32[2,1]", "between 0 and the sizes", core.ErrIndex},
		{gather(func(p *indexed.GatherP) { p.CollapsedSliceDims = d() }), "f32[4,3] i32[2,1]", "windows of f32[4,3] keep 2 axes, but offset_dims (1,) names 1", core.ErrIndex},
		{gather(func(p *indexed.GatherP) { p.StartIndexMap = d(2) }), "f32[4,3] i32[2,1]", "start_index_map (2,) must be distinct axes of f32[4,3]", core.ErrIndex},
		{rows, "f32[4,3] i32[]", "needs a last axis", core.ErrIndex},
		{scatter(func(s *indexed.Scattering) { s.UpdateWindowDims = d(2) }), "f32[4,3] i32[2,1] f32[2,3]", "update_window_dims (2,) must be increasing axes of the updates", core.ErrIndex},
		{scatter(func(s *indexed.Scattering) { s.InsertedWindowDims = d(1, 0) }), "f32[4,3] i32[2,1] f32[2,3]", "dropped axes (1, 0)", core.ErrIndex},
		{along, "f32[4,3] i32[2,1]", "batching axis 1 of f32[4,3] and 0 of i32[2,1] have different sizes", core.ErrIndex},
		{scatter(func(*indexed.Scattering) {}), "f32[4,3] i32[2,1] f32[3,3]", "positions of shape (3,)", core.ErrIndex},
		{scatter(func(*indexed.Scattering) {}), "f32[4,3] i32[2,1] f32[2,4]", "a window of 4 elements does not fit axis 1", core.ErrIndex},
		{scatter(func(s *indexed.Scattering) { s.InsertedWindowDims = core.Dims{} }), "f32[4,3] i32[2,1] f32[2,3]", "are 1 together", core.ErrIndex},
		{add, "bool[4,3] i32[2,1] bool[2,3]", "bool[4,3] has no such arithmetic", core.ErrDType},
		{indexed.SortP{Dimension: 0, NumKeys: 2}, "f32[3]", "at most as many as arrays", core.ErrShape},
		{indexed.SortP{Dimension: 0, NumKeys: 1}, "key<fry>[3]", "has no order", core.ErrDType},
		{indexed.TopKP{K: 4}, "f32[3]", "cannot take 4 elements along axis 0 of f32[3]", core.ErrShape},
		{indexed.TopKP{K: 1}, "c64[3]", "has no order", core.ErrDType},
		{rng.RandomSeedP{}, "f32[]", "a seed must be an integer", core.ErrDType},
		{prim.RandomWrapP{}, "u32[3]", "words along the last axis", core.ErrDType},
		{rng.RandomBitsP{BitWidth: 12}, "key<fry>[]", "8, 16, 32 or 64 (got 12)", core.ErrDType},
		{rng.RandomSplitP{}, "u32[2]", "make one with Key or wrap its words", core.ErrDType},
		{rng.RandomFoldInP{}, "key<fry>[] i32[]", "must be u32, got i32[]", core.ErrDType},
	} {
		err := core.Catch(func() { core.AbstractOf(c.p, avals(t, strings.Fields(c.in)...)) })
		require.ErrorContains(t, err, c.msg)
		require.ErrorIs(t, err, c.kind)
	}
}
