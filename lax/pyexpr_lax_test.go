package lax_test

import (
	"maps"
	"slices"
	"sync"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/elem"
	"github.com/weft-go/weft/lax"
)

// jax.lax for golden programs: each function of it as a function of package lax.

var pyLibrary = sync.OnceValue(func() map[string]func(a *pyArgs) any {
	m := map[string]func(a *pyArgs) any{}
	for _, part := range []map[string]func(a *pyArgs) any{
		pyPlain(), pyLaxShape(), pyLaxIndexing(), pyLaxReductions(), pyLaxProducts(), pyLaxCollectives(), pyRandom(), pyNumPyLibrary(), pyBase(), pyControl(), pyTransforms(), pyNumPyJAX(),
	} {
		maps.Copy(m, part)
	}
	return m
})

// pyPlain are functions of arrays only.
func pyPlain() map[string]func(a *pyArgs) any {
	m := map[string]func(a *pyArgs) any{}
	for name, f := range unary {
		if name != "round" && name != "stop_gradient" {
			m["lax."+name] = func(a *pyArgs) any { return f(a.array(0, "x")) }
		}
	}
	for name, f := range binary {
		m["lax."+name] = func(a *pyArgs) any { return f(a.array(0, "x"), a.array(1, "y")) }
	}
	m["lax.select"] = func(a *pyArgs) any {
		return lax.Select(a.array(0, "pred"), a.array(1, "on_true"), a.array(2, "on_false"))
	}
	m["lax.select_n"] = func(a *pyArgs) any { return lax.SelectN(a.array(0, "which"), pyArrays(pyTuple(a.rest(1)))...) }
	m["lax.clamp"] = func(a *pyArgs) any { return lax.Clamp(a.array(0, "min"), a.array(1, "x"), a.array(2, "max")) }
	m["lax.mulhi"] = func(a *pyArgs) any { return lax.MulHi(a.array(0, "x"), a.array(1, "y")) }
	m["lax.round"] = func(a *pyArgs) any {
		return lax.Round(a.array(0, "x"), lax.RoundingMethod(pyInt(a.or(1, "rounding_method", 0))))
	}
	m["lax.integer_pow"] = func(a *pyArgs) any { return lax.IntegerPow(a.array(0, "x"), a.int(1, "y")) }
	m["lax.reduce_precision"] = func(a *pyArgs) any {
		return lax.ReducePrecision(a.array(0, "operand"), a.int(1, "exponent_bits"), a.int(2, "mantissa_bits"))
	}
	m["lax.convert_element_type"] = func(a *pyArgs) any {
		v, dt := a.must(0, "operand"), pyDType(a.must(1, "new_dtype"))
		switch n := v.(type) {
		case int:
			return lax.ConvertElementType(n, dt)
		case float64:
			return lax.ConvertElementType(n, dt)
		}
		return lax.ConvertElementType(pyArray(v), dt)
	}
	m["lax.bitcast_convert_type"] = func(a *pyArgs) any {
		return lax.BitcastConvertType(a.array(0, "operand"), pyDType(a.must(1, "new_dtype")))
	}
	m["lax.optimization_barrier"] = func(a *pyArgs) any {
		leaves, form := pyFlatten(a.must(0, "operand"))
		return form.rebuild(lax.OptimizationBarrier(leaves...))
	}
	m["lax.stop_gradient"] = func(a *pyArgs) any {
		leaves, form := pyFlatten(a.must(0, "x"))
		for i, x := range leaves {
			leaves[i] = lax.StopGradient(x)
		}
		return form.rebuild(leaves)
	}
	return m
}

func pyLaxShape() map[string]func(a *pyArgs) any {
	dimension := func(a *pyArgs, i int, name string) int { return a.int(i, name) }
	return map[string]func(a *pyArgs) any{
		"lax.reshape": func(a *pyArgs) any {
			if a.or(2, "dimensions", nil) != nil {
				pyCannot("reshape with dimensions")
			}
			return lax.Reshape(a.array(0, "operand"), a.ints(1, "new_sizes")...)
		},
		"lax.transpose":   func(a *pyArgs) any { return lax.Transpose(a.array(0, "operand"), a.ints(1, "permutation")...) },
		"lax.rev":         func(a *pyArgs) any { return lax.Rev(a.array(0, "operand"), a.ints(1, "dimensions")...) },
		"lax.squeeze":     func(a *pyArgs) any { return lax.Squeeze(a.array(0, "array"), a.ints(1, "dimensions")...) },
		"lax.expand_dims": func(a *pyArgs) any { return lax.ExpandDims(a.array(0, "array"), a.ints(1, "dimensions")...) },
		"lax.tile":        func(a *pyArgs) any { return lax.Tile(a.array(0, "operand"), a.ints(1, "reps")...) },
		"lax.broadcast":   func(a *pyArgs) any { return lax.Broadcast(a.array(0, "operand"), a.ints(1, "sizes")...) },
		"lax.broadcast_in_dim": func(a *pyArgs) any {
			return lax.BroadcastInDim(a.array(0, "operand"), a.ints(1, "shape"), a.ints(2, "broadcast_dimensions"))
		},
		"lax.collapse": func(a *pyArgs) any {
			x := a.array(0, "operand")
			lo, hi := a.int(1, "start_dimension"), pyInt(a.or(2, "stop_dimension", x.Rank()))
			return pyCollapse(x, lo, hi)
		},
		"lax.full": func(a *pyArgs) any {
			shape, fill := a.ints(0, "shape"), a.must(1, "fill_value")
			if dt := a.or(2, "dtype", nil); dt != nil {
				return pyFull(shape, fill, pyDType(dt))
			}
			return lax.Broadcast(pyArray(fill), shape...)
		},
		"lax.full_like": func(a *pyArgs) any {
			x, fill := a.array(0, "x"), a.must(1, "fill_value")
			dt, shape := a.or(2, "dtype", nil), a.or(3, "shape", nil)
			if dt == nil && shape == nil {
				switch n := fill.(type) {
				case int:
					return lax.FullLike(x, n)
				case float64:
					return lax.FullLike(x, n)
				case complex128:
					return lax.FullLike(x, n)
				}
			}
			sizes, to := []int(x.Shape()), x.DType()
			if shape != nil {
				sizes = pyInts(shape)
			}
			if dt != nil {
				to = pyDType(dt)
			}
			return pyFull(sizes, fill, to)
		},
		"lax.iota": func(a *pyArgs) any { return lax.Iota(pyDType(a.must(0, "dtype")), a.int(1, "size")) },
		"lax.broadcasted_iota": func(a *pyArgs) any {
			return lax.BroadcastedIota(pyDType(a.must(0, "dtype")), a.ints(1, "shape"), a.int(2, "dimension"))
		},
		"lax.empty": func(a *pyArgs) any { return lax.Empty(a.ints(0, "shape"), pyDType(a.must(1, "dtype"))) },
		"lax.concatenate": func(a *pyArgs) any {
			xs := pyArrays(a.must(0, "operands"))
			return lax.Concatenate(dimension(a, 1, "dimension"), xs...)
		},
		"lax.pad": func(a *pyArgs) any {
			var config [][3]int
			x, with := a.array(0, "operand"), a.array(1, "padding_value")
			for _, c := range pyIterate(a.must(2, "padding_config")) {
				config = append(config, [3]int(pyInts(c)))
			}
			return lax.Pad(x, with, config...)
		},
		"lax.split": func(a *pyArgs) any {
			x, sizes := a.array(0, "operand"), a.ints(1, "sizes")
			return pyListOf(lax.Split(x, pyInt(a.or(2, "axis", 0)), sizes...))
		},
		"lax.sort": func(a *pyArgs) any {
			v := a.must(0, "operand")
			leaves, form := pyFlatten(v)
			d := pyInt(a.or(1, "dimension", -1))
			stable := pyTruth(a.or(2, "is_stable", true))
			return form.rebuild(lax.SortBy(d, pyInt(a.or(3, "num_keys", 1)), stable, leaves...))
		},
		"lax.sort_key_val": func(a *pyArgs) any {
			k, v := lax.SortKeyVal(a.array(0, "keys"), a.array(1, "values"), pyInt(a.or(2, "dimension", -1)))
			return pyTuple{k, v}
		},
		"lax.top_k": func(a *pyArgs) any {
			v, i := lax.TopK(a.array(0, "operand"), a.int(1, "k"), pyInt(a.or(2, "axis", -1)))
			return pyTuple{v, i}
		},
		"jnp.stack": func(a *pyArgs) any {
			return lax.Stack(pyInt(a.or(1, "axis", 0)), pyArrays(a.must(0, "arrays"))...)
		},
	}
}

// pyFull is lax.full of an array or of a number, which is converted at once.
func pyFull(shape []int, fill any, dt weft.DType) array {
	switch n := fill.(type) {
	case bool:
		return lax.Full(shape, n, dt)
	case int:
		return lax.Full(shape, n, dt)
	case float64:
		return lax.Full(shape, n, dt)
	case complex128:
		return lax.Full(shape, n, dt)
	case core.Literal:
		return lax.Broadcast(weft.FromValue(core.Lit(elem.Round(n.Num, dt), dt)), shape...)
	}
	return lax.Full(shape, pyArray(fill), dt)
}

// pyCollapse makes one axis of the axes from lo up to hi. Bounds are those of a
// Python slice: they are cut to the axes that there are.
func pyCollapse(x array, lo, hi int) array {
	s := x.Shape()
	bound := func(i int) int {
		if i < 0 {
			i += len(s)
		}
		return min(max(i, 0), len(s))
	}
	lo, hi = bound(lo), bound(hi)
	if hi < lo {
		core.Failf(core.ErrShape, "collapse: there are no axes from %d up to %d", lo, hi)
	}
	sizes := slices.Concat([]int(s[:lo]), []int{s[lo:hi].Size()}, []int(s[hi:]))
	return lax.Reshape(x, sizes...)
}

func pyListOf(xs []array) *pyList {
	l := &pyList{}
	for _, x := range xs {
		l.items = append(l.items, x)
	}
	return l
}

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

func pyLaxReductions() map[string]func(a *pyArgs) any {
	m := map[string]func(a *pyArgs) any{}
	for name, f := range map[string]func(x array, axes ...int) array{
		"sum": lax.ReduceSum, "prod": lax.ReduceProd, "max": lax.ReduceMax, "min": lax.ReduceMin, "and": lax.ReduceAnd, "or": lax.ReduceOr, "xor": lax.ReduceXor,
	} {
		m["lax.reduce_"+name] = func(a *pyArgs) any { return f(a.array(0, "operand"), a.ints(1, "axes")...) }
	}
	for name, f := range map[string]func(x array, axis int, reverse bool) array{
		"cumsum": lax.Cumsum, "cumprod": lax.Cumprod, "cummax": lax.Cummax, "cummin": lax.Cummin, "cumlogsumexp": lax.Cumlogsumexp,
	} {
		m["lax."+name] = func(a *pyArgs) any {
			return f(a.array(0, "operand"), pyInt(a.or(1, "axis", 0)), pyTruth(a.or(2, "reverse", false)))
		}
	}
	for name, f := range map[string]func(x array, axis int, dt weft.DType) array{"argmax": lax.Argmax, "argmin": lax.Argmin} {
		m["lax."+name] = func(a *pyArgs) any {
			return f(a.array(0, "operand"), a.int(1, "axis"), pyDType(a.must(2, "index_dtype")))
		}
	}
	two := func(f any) func(x, y array) array {
		return func(x, y array) array { return pyArray(pyCall(f, []any{x, y}, nil)) }
	}
	m["lax.reduce"] = func(a *pyArgs) any {
		return lax.Reduce(a.array(0, "operands"), a.array(1, "init_values"), two(a.must(2, "computation")), a.ints(3, "dimensions")...)
	}
	m["lax.reduce_window"] = func(a *pyArgs) any {
		x, init, f := a.array(0, "operand"), a.array(1, "init_value"), two(a.must(2, "computation"))
		c := lax.WindowConfig{Dims: a.ints(3, "window_dimensions"), Strides: a.ints(4, "window_strides"), Padding: pyPadding(a.must(5, "padding"))}
		if v := a.or(6, "base_dilation", nil); v != nil {
			c.BaseDilation = pyInts(v)
		}
		if v := a.or(7, "window_dilation", nil); v != nil {
			c.WindowDilation = pyInts(v)
		}
		return lax.ReduceWindow(x, init, f, c)
	}
	return m
}

func pyPadding(v any) lax.Padding {
	switch v {
	case "SAME":
		return lax.Same
	case "SAME_LOWER":
		return lax.SameLower
	case "VALID":
		return lax.Valid
	}
	var pairs [][2]int
	for _, p := range pyIterate(v) {
		pairs = append(pairs, [2]int(pyInts(p)))
	}
	return lax.Pads(pairs...)
}

func pyPrecisionOf(v any) lax.Precision {
	if v == nil {
		return ""
	}
	p, ok := v.(pyPrecision)
	if !ok {
		pyCannot("the precision %v", v)
	}
	return lax.Precision(p)
}

func pyLaxProducts() map[string]func(a *pyArgs) any {
	preferred := func(a *pyArgs) (p lax.Precision, dt weft.DType) {
		p = pyPrecisionOf(a.or(-1, "precision", nil))
		if v := a.or(-1, "preferred_element_type", nil); v != nil {
			dt = pyDType(v)
		}
		return p, dt
	}
	list := func(a *pyArgs, name string) []int {
		if v := a.or(-1, name, nil); v != nil {
			return pyInts(v)
		}
		return nil
	}
	return map[string]func(a *pyArgs) any{
		"lax.dot": func(a *pyArgs) any {
			x, y := a.array(0, "lhs"), a.array(1, "rhs")
			p, dt := preferred(a)
			if p == "" && dt == 0 {
				return lax.Dot(x, y)
			}
			return lax.DotGeneral(x, y, lax.DotConfig{LhsContract: []int{x.Rank() - 1}, RhsContract: []int{0}, Precision: p, Preferred: dt})
		},
		"lax.batch_matmul": func(a *pyArgs) any { return lax.BatchMatmul(a.array(0, "lhs"), a.array(1, "rhs")) },
		"lax.dot_general": func(a *pyArgs) any {
			var d [2][2][]int
			for i, pair := range pyIterate(a.must(2, "dimension_numbers")) {
				for k, axes := range pyIterate(pair) {
					d[i][k] = pyInts(axes)
				}
			}
			x, y := a.array(0, "lhs"), a.array(1, "rhs")
			p, dt := preferred(a)
			return lax.DotGeneral(x, y, lax.DotConfig{LhsContract: d[0][0], RhsContract: d[0][1], LhsBatch: d[1][0], RhsBatch: d[1][1], Precision: p, Preferred: dt})
		},
		"lax.conv_general_dilated": func(a *pyArgs) any {
			x, w := a.array(0, "lhs"), a.array(1, "rhs")
			c := lax.ConvConfig{Strides: a.ints(2, "window_strides"), Padding: pyPadding(a.must(3, "padding"))}
			c.LhsDilation, c.RhsDilation = list(a, "lhs_dilation"), list(a, "rhs_dilation")
			c.FeatureGroups, c.BatchGroups = pyInt(a.or(-1, "feature_group_count", 1)), pyInt(a.or(-1, "batch_group_count", 1))
			if v := a.or(-1, "dimension_numbers", nil); v != nil {
				s := pyIterate(v)
				c.Lhs, c.Rhs, c.Out = s[0].(string), s[1].(string), s[2].(string)
			}
			c.Precision, c.Preferred = preferred(a)
			return lax.ConvGeneralDilated(x, w, c)
		},
		"linalg.cholesky": func(a *pyArgs) any { return lax.Cholesky(a.array(0, "x")) },
		"linalg.triangular_solve": func(a *pyArgs) any {
			is := func(name string) bool { return pyTruth(a.or(-1, name, false)) }
			return lax.TriangularSolve(a.array(0, "a"), a.array(1, "b"), lax.TriangularConfig{LeftSide: is("left_side"), Lower: is("lower"),
				TransposeA: is("transpose_a"), ConjugateA: is("conjugate_a"), UnitDiagonal: is("unit_diagonal")})
		},
	}
}

func pyAxisNames(v any) []string {
	if s, ok := v.(string); ok {
		return []string{s}
	}
	var names []string
	for _, n := range pyIterate(v) {
		names = append(names, n.(string))
	}
	return names
}

func pyLaxCollectives() map[string]func(a *pyArgs) any {
	all := func(f func(x array, names ...string) array) func(a *pyArgs) any {
		return func(a *pyArgs) any {
			leaves, form := pyFlatten(a.must(0, "x"))
			names := pyAxisNames(a.must(1, "axis_name"))
			for i, x := range leaves {
				leaves[i] = f(x, names...)
			}
			return form.rebuild(leaves)
		}
	}
	name := func(a *pyArgs) string { return a.must(1, "axis_name").(string) }
	return map[string]func(a *pyArgs) any{
		"lax.psum": func(a *pyArgs) any {
			switch n := a.pos[0].(type) {
			case int:
				a.rest(0)
				return lax.Psum(n, pyAxisNames(a.must(1, "axis_name"))...)
			case float64:
				a.rest(0)
				return lax.Psum(n, pyAxisNames(a.must(1, "axis_name"))...)
			}
			if g := a.or(-1, "axis_index_groups", nil); g != nil {
				var groups [][]int
				for _, v := range pyIterate(g) {
					groups = append(groups, pyInts(v))
				}
				return lax.PsumGroups(a.array(0, "x"), name(a), groups...)
			}
			return all(lax.Psum[array])(a)
		},
		"lax.pmean": all(lax.Pmean), "lax.pmax": all(lax.Pmax), "lax.pmin": all(lax.Pmin),
		"lax.axis_index": func(a *pyArgs) any { return lax.AxisIndex(a.must(0, "axis_name").(string)) },
		"lax.axis_size":  func(a *pyArgs) any { return lax.AxisSize(pyAxisNames(a.must(0, "axis_name"))...) },
		"lax.ppermute": func(a *pyArgs) any {
			var pairs [][2]int
			for _, p := range pyIterate(a.must(2, "perm")) {
				pairs = append(pairs, [2]int(pyInts(p)))
			}
			return lax.Ppermute(a.array(0, "x"), name(a), pairs...)
		},
		"lax.pshuffle": func(a *pyArgs) any { return lax.Pshuffle(a.array(0, "x"), name(a), a.ints(2, "perm")...) },
		"lax.all_gather": func(a *pyArgs) any {
			return lax.AllGather(a.array(0, "x"), name(a), pyInt(a.or(-1, "axis", 0)), pyTruth(a.or(-1, "tiled", false)))
		},
		"lax.psum_scatter": func(a *pyArgs) any {
			return lax.PsumScatter(a.array(0, "x"), name(a), pyInt(a.or(-1, "scatter_dimension", 0)), pyTruth(a.or(-1, "tiled", false)))
		},
		"lax.all_to_all": func(a *pyArgs) any {
			return lax.AllToAll(a.array(0, "x"), name(a), a.int(2, "split_axis"), a.int(3, "concat_axis"), pyTruth(a.or(-1, "tiled", false)))
		},
	}
}

func pyRandom() map[string]func(a *pyArgs) any {
	return map[string]func(a *pyArgs) any{
		"random.key": func(a *pyArgs) any {
			if a.or(-1, "impl", nil) != nil {
				pyCannot("keys of another kind")
			}
			return lax.RandomSeed(a.array(0, "seed"))
		},
		"random.split":         func(a *pyArgs) any { return lax.RandomSplit(a.array(0, "key"), pyInts(a.or(1, "num", 2))...) },
		"random.clone":         func(a *pyArgs) any { return lax.RandomClone(a.array(0, "key")) },
		"random.wrap_key_data": func(a *pyArgs) any { return lax.RandomWrap(a.array(0, "key_data")) },
		"random.key_data":      func(a *pyArgs) any { return lax.RandomUnwrap(a.array(0, "keys")) },
		"random.fold_in": func(a *pyArgs) any {
			return lax.RandomFoldIn(a.array(0, "key"), lax.ConvertElementType(a.array(1, "data"), weft.Uint32))
		},
		"random.bits": func(a *pyArgs) any {
			key, shape := a.array(0, "key"), pyInts(a.or(1, "shape", pyTuple{}))
			return lax.RandomBits(key, pyDType(a.or(2, "dtype", weft.Uint32)).Bits(), shape...)
		},
	}
}
