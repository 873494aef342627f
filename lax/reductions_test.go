package lax_test

import (
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/lax"
)

// over is a reduction over axes.
func over(f func(x array, axes ...int) array) func(p python) []array {
	return func(p python) []array { return results(f(p.array(0), p.ints(1, "axes")...)) }
}

// along is a cumulative operation.
func along(f func(x array, axis int, reverse bool) array) func(p python) []array {
	return func(p python) []array {
		return results(f(p.array(0), p.integer(1, "axis", 0), p.truth(2, "reverse", false)))
	}
}

// combiners are functions of two scalars by JAX's names.
var combiners = map[string]func(a, b array) array{
	"lax.add": lax.Add[array, array], "lax.mul": lax.Mul[array, array],
	"lax.max": lax.Max[array, array], "lax.min": lax.Min[array, array],
}

// number is a NumPy number of the golden sources as an operand of dt.
func (p python) number(e expr, dt weft.DType) array {
	if x, ok := p.args[e.text]; ok {
		return x
	}
	if e.call {
		e = e.list[0]
	}
	var n core.Number
	switch text := strings.ReplaceAll(e.text, "np.", ""); text {
	case "inf":
		n = core.FloatNumber(math.Inf(1))
	case "-inf":
		n = core.FloatNumber(math.Inf(-1))
	case "iinfo":
		n = core.IntNumber(1<<(dt.Bits()-1) - 1)
	default:
		n = core.IntNumber(int64(toInt(p.t, e)))
		if dt.IsFloat() {
			n = core.FloatNumber(float64(toInt(p.t, e)))
		}
	}
	return weft.FromValue(core.Lit(n, dt))
}

func (p python) padding(i int) lax.Padding {
	e, ok := p.at(i, "padding")
	switch {
	case !ok || strings.Trim(e.text, "'") == "VALID":
		return lax.Valid
	case strings.Trim(e.text, "'") == "SAME":
		return lax.Same
	}
	var pairs [][2]int
	for _, q := range e.list {
		pairs = append(pairs, [2]int(toInts(p.t, q)))
	}
	return lax.Pads(pairs...)
}

func (p python) precision() lax.Precision {
	one := func(e expr) lax.Precision {
		return lax.Precision(strings.Trim(strings.TrimPrefix(e.text, "lax.Precision."), "'"))
	}
	if e := p.keys["precision"]; len(e.list) == 2 {
		return lax.Precisions(one(e.list[0]), one(e.list[1]))
	}
	return one(p.keys["precision"])
}

func (p python) preferred() weft.DType {
	if e, ok := p.keys["preferred_element_type"]; ok {
		dt, ok := dtypes[e.text]
		require.True(p.t, ok, e.text)
		return dt
	}
	return 0
}

func (p python) dotGeneral() []array {
	e := p.list[2]
	return results(lax.DotGeneral(p.array(0), p.array(1), lax.DotConfig{
		LhsContract: toInts(p.t, e.list[0].list[0]), RhsContract: toInts(p.t, e.list[0].list[1]),
		LhsBatch: toInts(p.t, e.list[1].list[0]), RhsBatch: toInts(p.t, e.list[1].list[1]),
		Precision: p.precision(), Preferred: p.preferred(),
	}))
}

// optional are integers that may be left out.
func (p python) optional(i int, key string) []int {
	if e, ok := p.at(i, key); ok && e.text != "None" {
		return toInts(p.t, e)
	}
	return nil
}

func (p python) conv() []array {
	c := lax.ConvConfig{
		Strides: p.ints(2, "window_strides"), Padding: p.padding(3), LhsDilation: p.optional(9, "lhs_dilation"), RhsDilation: p.optional(9, "rhs_dilation"),
		FeatureGroups: p.integer(9, "feature_group_count", 1), BatchGroups: p.integer(9, "batch_group_count", 1),
		Precision: p.precision(), Preferred: p.preferred(),
	}
	if e, ok := p.keys["dimension_numbers"]; ok {
		letters := func(i int) string { return strings.Trim(e.list[i].text, "'") }
		c.Lhs, c.Rhs, c.Out = letters(0), letters(1), letters(2)
	}
	return results(lax.ConvGeneralDilated(p.array(0), p.array(1), c))
}

func (p python) reduceWindow() []array {
	f := combiners[p.list[2].text]
	require.NotNil(p.t, f, p.list[2].text)
	x := p.array(0)
	return results(lax.ReduceWindow(x, p.number(p.list[1], x.DType()), f, lax.WindowConfig{
		Dims: p.ints(3, ""), Strides: p.ints(4, ""), Padding: p.padding(5),
		BaseDilation: p.optional(6, "base_dilation"), WindowDilation: p.optional(7, "window_dilation"),
	}))
}

// reductions are lax functions by JAX's names.
var reductions = map[string]func(p python) []array{
	"reduce_sum": over(lax.ReduceSum), "reduce_prod": over(lax.ReduceProd), "reduce_max": over(lax.ReduceMax), "reduce_min": over(lax.ReduceMin),
	"reduce_and": over(lax.ReduceAnd), "reduce_or": over(lax.ReduceOr), "reduce_xor": over(lax.ReduceXor),
	"argmax": func(p python) []array { return results(lax.Argmax(p.array(0), p.integer(1, "", 0), p.dtype(2))) },
	"argmin": func(p python) []array { return results(lax.Argmin(p.array(0), p.integer(1, "", 0), p.dtype(2))) },
	"cumsum": along(lax.Cumsum), "cumprod": along(lax.Cumprod), "cummax": along(lax.Cummax), "cummin": along(lax.Cummin), "cumlogsumexp": along(lax.Cumlogsumexp),
	"sort": python.sort,
	"sort_key_val": func(p python) []array {
		k, v := lax.SortKeyVal(p.array(0), p.array(1), -1)
		return results(k, v)
	},
	"top_k": structure["top_k"],
	"reduce": func(p python) []array {
		x := p.array(0)
		return results(lax.Reduce(x, p.number(p.list[1], x.DType()), combiners[p.list[2].text], p.ints(3, "")...))
	},
	"reduce_window": python.reduceWindow,
	"dot": func(p python) []array {
		if len(p.keys) == 0 {
			return results(lax.Dot(p.array(0), p.array(1)))
		}
		return results(lax.DotGeneral(p.array(0), p.array(1), lax.DotConfig{LhsContract: []int{1}, RhsContract: []int{0}, Precision: p.precision(), Preferred: p.preferred()}))
	},
	"batch_matmul":         func(p python) []array { return results(lax.BatchMatmul(p.array(0), p.array(1))) },
	"dot_general":          python.dotGeneral,
	"conv_general_dilated": python.conv,
	"conv":                 func(p python) []array { return results(lax.Conv(p.array(0), p.array(1), p.ints(2, ""), p.padding(3))) },
	"conv_transpose": func(p python) []array {
		return results(lax.ConvTranspose(p.array(0), p.array(1), p.ints(2, ""), p.padding(3)))
	},
	"conv_general_dilated_patches": func(p python) []array {
		return results(lax.ConvGeneralDilatedPatches(p.array(0), p.ints(1, ""), lax.ConvConfig{Strides: p.ints(2, ""), Padding: p.padding(3)}))
	},
	"linalg.cholesky": func(p python) []array { return results(lax.Cholesky(p.array(0))) },
	"linalg.triangular_solve": func(p python) []array {
		return results(lax.TriangularSolve(p.array(0), p.array(1), lax.TriangularConfig{
			LeftSide: p.truth(9, "left_side", false), Lower: p.truth(9, "lower", false), TransposeA: p.truth(9, "transpose_a", false),
			ConjugateA: p.truth(9, "conjugate_a", false), UnitDiagonal: p.truth(9, "unit_diagonal", false),
		}))
	},
}

// aReduction is the program of a record that is one call of a reducing function.
func aReduction(t *testing.T) func(record) program { return callsOf(t, reductions) }

func TestReduceText(t *testing.T) {
	n, of := sameText(t, "reduce", aReduction(t))
	t.Logf("%d of %d records", n, of)
	require.GreaterOrEqual(t, n, 15)
}

func TestWindowText(t *testing.T) {
	weighted := of2(func(x, y array) array {
		return lax.ReduceWindow(x, y, func(a, b array) array { return lax.Add(lax.Mul(a, 0.5), b) }, lax.WindowConfig{Dims: []int{2}})
	})
	n, of := sameText(t, "window", either(named(t, "window", map[string]program{"reduce_window_7": weighted}), aReduction(t)))
	t.Logf("%d of %d records", n, of)
	require.Equal(t, of, n)
}

func TestDotText(t *testing.T) {
	n, of := sameText(t, "dot", aReduction(t))
	t.Logf("%d of %d records", n, of)
	require.Equal(t, of, n)
}

func TestConvText(t *testing.T) {
	n, of := sameText(t, "conv", aReduction(t))
	t.Logf("%d of %d records", n, of)
	require.Equal(t, of, n)
}

func TestLinalgText(t *testing.T) {
	n, of := sameText(t, "linalg", aReduction(t))
	t.Logf("%d of %d records; the others need factorizations and fft", n, of)
	require.GreaterOrEqual(t, n, 4)
}

func TestReductionVariantsText(t *testing.T) {
	n, _ := sameText(t, "more", aReduction(t))
	t.Logf("%d records", n)
	require.GreaterOrEqual(t, n, 2)
}

// axisOf4 binds the axis i and does nothing else.
type axisOf4 struct{ level int64 }

func (a axisOf4) Level() int64 { return a.level }
func (axisOf4) Live() bool     { return true }
func (axisOf4) Interpret(p core.Primitive, in []core.Value) []core.Value {
	return core.Bind(p, in...)
}
func (axisOf4) BindsAxis(name string) (int, bool) { return 4, name == "i" }

// withAxis is a program within an axis i of size 4.
func withAxis(p program) program {
	return func(x ...array) []array {
		defer core.Enter(axisOf4{core.NextLevel()})()
		return p(x...)
	}
}

func TestCollectivesText(t *testing.T) {
	const i = "i"
	programs := named(t, "collectives", map[string]program{
		"psum":             of1(func(x array) array { return lax.Psum(x, i) }),
		"psum_two":         func(x ...array) []array { return results(lax.Psum(x[0], i), lax.Psum(x[1], i)) },
		"psum_groups":      of1(func(x array) array { return lax.PsumGroups(x, i, []int{0, 1}, []int{2, 3}) }),
		"psum_literal":     of1(func(x array) array { return lax.Mul(x, lax.Psum(1.0, i)) }),
		"psum_int_literal": func(...array) []array { return results(lax.Psum(1, i)) },
		"pmean":            of1(func(x array) array { return lax.Pmean(x, i) }),
		"pmax":             of1(func(x array) array { return lax.Pmax(x, i) }),
		"pmin":             of1(func(x array) array { return lax.Pmin(x, i) }),
		"ppermute": of1(func(x array) array {
			return lax.Ppermute(x, i, [2]int{0, 1}, [2]int{1, 2}, [2]int{2, 3}, [2]int{3, 0})
		}),
		"pshuffle":         of1(func(x array) array { return lax.Pshuffle(x, i, 3, 2, 1, 0) }),
		"all_gather":       of1(func(x array) array { return lax.AllGather(x, i, 0, false) }),
		"all_gather_tiled": of1(func(x array) array { return lax.AllGather(x, i, 0, true) }),
		"all_to_all":       of1(func(x array) array { return lax.AllToAll(x, i, 0, 1, false) }),
		"psum_scatter":     of1(func(x array) array { return lax.PsumScatter(x, i, 0, false) }),
		"axis_index":       func(...array) []array { return results(lax.AxisIndex(i)) },
		"axis_size":        of1(func(x array) array { return lax.Mul(x, float32(lax.AxisSize(i))) }),
		"grad_psum": of1(func(x array) array {
			return weft.Grad(func(a array) array { return lax.Psum(lax.Sin(a), i) })(x)
		}),
		"softmax_parallel": of1(func(x array) array {
			e := lax.Exp(x)
			return lax.Div(e, lax.Psum(lax.ReduceSum(e, 0), i))
		}),
	})
	n, of := sameText(t, "collectives", func(r record) program { return withAxis(programs(r)) })
	require.Equal(t, of, n)
}

// What JAX's rules for batches and derivatives write is not a goal; where it is the
// obvious thing, it is what ours write.
func TestReductionsUnderTransformationsText(t *testing.T) {
	i := weft.AxisName("i")
	sameText(t, "transformed", named(t, "transformed", map[string]program{
		"vmap_conv": of2(func(x, y array) array {
			return weft.Vmap(func(a array) array {
				return lax.ConvGeneralDilated(a, y, lax.ConvConfig{Padding: lax.Same})
			})(x)
		}),
		"vmap_conv_kernels": of2(func(x, y array) array {
			return weft.Vmap(func(k array) array {
				return lax.ConvGeneralDilated(x, k, lax.ConvConfig{Padding: lax.Same})
			})(y)
		}),
		"vmap_psum": of1(func(x array) array { return weft.Vmap(func(a array) array { return lax.Psum(a, "i") }, i)(x) }),
		"vmap_psum_both": of1(func(x array) array {
			return weft.Vmap(weft.Vmap(func(a array) array { return lax.Psum(a, "i", "j") }, weft.AxisName("j")), i)(x)
		}),
		"vmap_pmax": of1(func(x array) array {
			return weft.Vmap(func(a array) array { return lax.Sub(a, lax.Pmax(a, "i")) }, i)(x)
		}),
		"vmap_axis_index": of1(func(x array) array {
			return weft.Vmap(func(a array) array { return lax.Mul(a, lax.ConvertElementType(lax.AxisIndex("i"), weft.Float32)) }, i)(x)
		}),
		"vmap_cholesky": of1(func(x array) array { return weft.Vmap(lax.Cholesky)(x) }),
		"vjp_conv": func(x ...array) []array {
			type P struct{ A, K array }
			_, back := weft.VJP(func(p P) array { return lax.ConvGeneralDilated(p.A, p.K, lax.ConvConfig{Padding: lax.Same}) }, P{x[0], x[1]})
			p := back(x[2])
			return results(p.A, p.K)
		},
		"vmap_dot":               of2(func(x, y array) array { return weft.Vmap(lax.Dot)(x, y) }),
		"vmap_dot_shared":        of2(func(x, y array) array { return weft.Vmap(func(a array) array { return lax.Dot(a, y) })(x) }),
		"vmap_matmul_shared":     of2(func(x, y array) array { return weft.Vmap(func(a array) array { return lax.Dot(a, y) })(x) }),
		"vmap_matmul_lhs_shared": of2(func(x, y array) array { return weft.Vmap(func(c array) array { return lax.Dot(x, c) })(y) }),
		"vmap_cumsum_2":          of1(func(x array) array { return weft.Vmap(func(a array) array { return lax.Cumsum(a, 0, false) })(x) }),
		"vmap_argmax_2":          of1(func(x array) array { return weft.Vmap(func(a array) array { return lax.Argmax(a, 0, weft.Int32) })(x) }),
		"vmap_max":               of1(func(x array) array { return weft.Vmap(func(a array) array { return lax.ReduceMax(a, 0) })(x) }),
		"vmap_prod":              of1(func(x array) array { return weft.Vmap(func(a array) array { return lax.ReduceProd(a, 0) })(x) }),
		"vjp_reduce_window": of2(func(x, y array) array {
			_, back := weft.VJP(func(a array) array {
				return lax.ReduceWindow(a, math.Inf(-1), lax.Max[array, array], lax.WindowConfig{Dims: []int{2}})
			}, x)
			return back(y)
		}),
		"vjp_matmul": func(x ...array) []array {
			type P struct{ A, C array }
			_, back := weft.VJP(func(p P) array { return lax.Dot(p.A, p.C) }, P{x[0], x[1]})
			p := back(x[2])
			return results(p.A, p.C)
		},
		"grad_cumsum": of1(func(x array) array {
			return weft.Grad(func(x array) array { return lax.ReduceSum(lax.Sin(lax.Cumsum(x, 0, false)), 0) })(x)
		}),
	}))
}
