package jax

import (
	"github.com/weft-go/weft/lax"
)

// pyNumbers are the dimension numbers of gather and scatter.
type pyNumbers struct{ offset, collapsed, index, batching, indexBatching []int }

func pyMode(v any) lax.IndexMode {
	switch v {
	case nil:
		return lax.DefaultMode
	case "clip":
		return lax.Clip
	case "fill", "drop":
		return lax.FillOrDrop
	case "promise_in_bounds":
		return lax.PromiseInBounds
	}
	pyCannot("the mode %v", v)
	return 0
}

func pyLaxIndexing() map[string]func(a *pyArgs) any {
	numbers := func(names ...string) func(a *pyArgs) any {
		return func(a *pyArgs) any {
			var d [5][]int
			for i, n := range names {
				if v := a.or(i, n, nil); v != nil {
					d[i] = pyInts(v)
				}
			}
			return pyNumbers{d[0], d[1], d[2], d[3], d[4]}
		}
	}
	scatter := func(f func(x, idx, u array, c lax.ScatterConfig) array) func(a *pyArgs) any {
		return func(a *pyArgs) any {
			d := a.must(3, "dimension_numbers").(pyNumbers)
			return f(a.array(0, "operand"), a.array(1, "scatter_indices"), a.array(2, "updates"), lax.ScatterConfig{
				UpdateWindowDims: d.offset, InsertedWindowDims: d.collapsed, ScatterDimsToOperandDims: d.index,
				OperandBatchingDims: d.batching, ScatterIndicesBatchingDims: d.indexBatching,
				Sorted: pyTruth(a.or(-1, "indices_are_sorted", false)), Unique: pyTruth(a.or(-1, "unique_indices", false)), Mode: pyMode(a.or(-1, "mode", nil)),
			})
		}
	}
	starts := func(v any) []array { return pyArrays(v) }
	return map[string]func(a *pyArgs) any{
		"lax.GatherDimensionNumbers":  numbers("offset_dims", "collapsed_slice_dims", "start_index_map", "operand_batching_dims", "start_indices_batching_dims"),
		"lax.ScatterDimensionNumbers": numbers("update_window_dims", "inserted_window_dims", "scatter_dims_to_operand_dims", "operand_batching_dims", "scatter_indices_batching_dims"),
		"lax.gather": func(a *pyArgs) any {
			d := a.must(2, "dimension_numbers").(pyNumbers)
			return lax.Gather(a.array(0, "operand"), a.array(1, "start_indices"), lax.GatherConfig{
				OffsetDims: d.offset, CollapsedSliceDims: d.collapsed, StartIndexMap: d.index, OperandBatchingDims: d.batching, StartIndicesBatchingDims: d.indexBatching,
				SliceSizes: a.ints(3, "slice_sizes"), Sorted: pyTruth(a.or(-1, "indices_are_sorted", false)), Unique: pyTruth(a.or(-1, "unique_indices", false)),
				Mode: pyMode(a.or(-1, "mode", nil)), Fill: a.or(-1, "fill_value", nil),
			})
		},
		"lax.scatter": scatter(lax.Scatter), "lax.scatter_add": scatter(lax.ScatterAdd), "lax.scatter_sub": scatter(lax.ScatterSub),
		"lax.scatter_mul": scatter(lax.ScatterMul), "lax.scatter_min": scatter(lax.ScatterMin), "lax.scatter_max": scatter(lax.ScatterMax),
		"lax.scatter_apply": func(a *pyArgs) any {
			f := a.must(2, "func")
			d := a.must(3, "dimension_numbers").(pyNumbers)
			return lax.ScatterApply(a.array(0, "operand"), a.array(1, "scatter_indices"), func(x array) array { return pyArray(pyCall(f, []any{x}, nil)) },
				a.ints(-1, "update_shape"), lax.ScatterConfig{UpdateWindowDims: d.offset, InsertedWindowDims: d.collapsed, ScatterDimsToOperandDims: d.index})
		},
		"lax.slice": func(a *pyArgs) any {
			x, lo, hi := a.array(0, "operand"), a.ints(1, "start_indices"), a.ints(2, "limit_indices")
			var strides []int
			if v := a.or(3, "strides", nil); v != nil {
				strides = pyInts(v)
			}
			return lax.Slice(x, lo, hi, strides)
		},
		"lax.slice_in_dim": func(a *pyArgs) any {
			x := a.array(0, "operand")
			lo, hi := a.or(1, "start_index", nil), a.or(2, "limit_index", nil)
			stride, d := pyInt(a.or(3, "stride", 1)), pyInt(a.or(4, "axis", 0))
			if lo == nil {
				lo = 0
			}
			if hi == nil {
				hi = x.Dim(d)
			}
			return lax.SliceInDim(x, pyInt(lo), pyInt(hi), stride, d)
		},
		"lax.index_in_dim": func(a *pyArgs) any {
			return lax.IndexInDim(a.array(0, "operand"), a.int(1, "index"), pyInt(a.or(2, "axis", 0)), pyTruth(a.or(3, "keepdims", true)))
		},
		"lax.dynamic_slice": func(a *pyArgs) any {
			return lax.DynamicSlice(a.array(0, "operand"), starts(a.must(1, "start_indices")), a.ints(2, "slice_sizes")...)
		},
		"lax.dynamic_update_slice": func(a *pyArgs) any {
			return lax.DynamicUpdateSlice(a.array(0, "operand"), a.array(1, "update"), starts(a.must(2, "start_indices")))
		},
		"lax.dynamic_slice_in_dim": func(a *pyArgs) any {
			return lax.DynamicSliceInDim(a.array(0, "operand"), a.array(1, "start_index"), a.int(2, "slice_size"), pyInt(a.or(3, "axis", 0)))
		},
		"lax.dynamic_index_in_dim": func(a *pyArgs) any {
			return lax.DynamicIndexInDim(a.array(0, "operand"), a.array(1, "index"), pyInt(a.or(2, "axis", 0)), pyTruth(a.or(3, "keepdims", true)))
		},
		"lax.dynamic_update_slice_in_dim": func(a *pyArgs) any {
			return lax.DynamicUpdateSliceInDim(a.array(0, "operand"), a.array(1, "update"), a.array(2, "start_index"), pyInt(a.or(3, "axis", 0)))
		},
		"lax.dynamic_update_index_in_dim": func(a *pyArgs) any {
			return lax.DynamicUpdateIndexInDim(a.array(0, "operand"), a.array(1, "update"), a.array(2, "index"), pyInt(a.or(3, "axis", 0)))
		},
	}
}
