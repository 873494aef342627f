package jax

import (
	"github.com/weft-go/weft"
	"github.com/weft-go/weft/lax"
)

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
	one := func(v any) lax.Precision {
		p, ok := v.(pyPrecision)
		if !ok {
			pyCannot("the precision %v", v)
		}
		return lax.Precision(p)
	}
	if pair, ok := v.(pyTuple); ok && len(pair) == 2 {
		return lax.Precisions(one(pair[0]), one(pair[1]))
	}
	return one(v)
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
		"lax.conv_transpose": func(a *pyArgs) any {
			return lax.ConvTranspose(a.array(0, "lhs"), a.array(1, "rhs"), a.ints(2, "strides"), pyPadding(a.must(3, "padding")))
		},
		"lax.conv_general_dilated_patches": func(a *pyArgs) any {
			return lax.ConvGeneralDilatedPatches(a.array(0, "lhs"), a.ints(1, "filter_shape"), lax.ConvConfig{Strides: a.ints(2, "window_strides"), Padding: pyPadding(a.must(3, "padding"))})
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
			leaves, form := Flatten(a.must(0, "x"))
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
