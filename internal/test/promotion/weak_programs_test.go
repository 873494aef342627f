package promotion_test

import (
	"github.com/weft-go/weft"
	"github.com/weft-go/weft/custom"
	"github.com/weft-go/weft/lax"
)

type list = []weft.Array

// weakPrograms are the programs of weak.jsonl in Go, by their names there.
var weakPrograms = map[string]func(in list) list{
	// What a number or an array is made of.
	"lit_float":            func(in list) list { return list{weft.Scalar(1.0)} },
	"lit_int":              func(in list) list { return list{weft.Scalar(1)} },
	"lit_bool":             func(in list) list { return list{weft.Scalar(true)} },
	"lit_complex":          func(in list) list { return list{weft.Scalar(1i)} },
	"np_scalar":            func(in list) list { return list{weft.Scalar(float32(1))} },
	"np_array":             func(in list) list { return list{weft.FromSlice([]float32{1, 1, 1})} },
	"asarray_int":          func(in list) list { return list{weft.AsArray(2)} },
	"array_float":          func(in list) list { return list{weft.AsArray(2.0)} },
	"array_list":           func(in list) list { return list{weft.Of(1, 2)} },
	"asarray_dtype":        func(in list) list { return list{weft.Scalar(2).AsType(weft.Int32)} },
	"full_weak":            func(in list) list { return list{weft.Full(weft.Shape{2}, 4)} },
	"full_dtype":           func(in list) list { return list{weft.Full(weft.Shape{2}, float32(4))} },
	"full_like_weak_value": func(in list) list { return list{lax.FullLike(in[0], 4)} },
	"zeros":                func(in list) list { return list{weft.Zeros(3)} },
	"zeros_like_weak":      func(in list) list { return list{weft.ZerosLike(in[0])} },
	"ones_like_strong":     func(in list) list { return list{weft.OnesLike(in[0])} },
	"arange":               func(in list) list { return list{weft.Arange(3)} },
	"lax_full":             func(in list) list { return list{lax.Broadcast(1.0, 2)} },
	"iota":                 func(in list) list { return list{lax.Iota(weft.Int32, 3)} },

	// Elementwise operations.
	"weak_plus_lit":         func(in list) list { return list{in[0].Add(1.0)} },
	"weak_plus_strong":      plus,
	"weak_plus_weak_int":    plus,
	"weak_int_plus_f16":     plus,
	"weak_float_plus_i8":    plus,
	"weak_float_plus_bool":  plus,
	"weak_complex_plus_f16": plus,
	"u64_plus_i64":          plus,
	"u64_plus_i64_plus_f16": func(in list) list { return list{in[0].Add(in[1]).Add(in[2])} },
	"compare_weak":          func(in list) list { return list{in[0].Lt(in[1])} },
	"compare_mixed":         func(in list) list { return list{in[0].Lt(in[1])} },
	"weak_bool_plus_int":    func(in list) list { return list{in[0].Lt(in[0]).Add(in[1])} },
	"isfinite_weak":         func(in list) list { return list{lax.IsFinite(in[0])} },
	"sin_weak_int":          func(in list) list { return list{weft.Sin(in[0])} },
	"div_weak_ints":         func(in list) list { return list{in[0].Div(in[1])} },
	"pow_weak":              func(in list) list { return list{in[0].Pow(2)} },
	"pow_weak_int_float":    func(in list) list { return list{in[0].Pow(2.0)} },
	"neg_weak":              func(in list) list { return list{in[0].Neg()} },
	"abs_weak_complex":      func(in list) list { return list{weft.Abs(in[0])} },
	"real_weak_complex":     func(in list) list { return list{lax.Real(in[0])} },
	"select_weak_both":      func(in list) list { return list{lax.Select(in[0], in[1], in[2])} },
	"select_weak_one":       func(in list) list { return list{lax.Select(in[0], in[1], in[2])} },
	"where_lits":            func(in list) list { return list{weft.Where(in[0], 1.0, 0.0)} },
	"linspace_weak_ends":    func(in list) list { return list{weft.Linspace(in[0], in[1], 3)} },
	"where_weak_strong":     func(in list) list { return list{weft.Where(in[0], in[1], 0.0)} },
	"clamp_weak":            func(in list) list { return list{lax.Clamp(0.0, in[0], 1.0)} },
	"max_lit":               func(in list) list { return list{weft.Maximum(in[0], 0)} },
	"lax_add_weak_strong":   func(in list) list { return list{lax.Add(in[0], in[1])} },
	"integer_pow_weak":      func(in list) list { return list{lax.IntegerPow(in[0], 3)} },
	"round_weak":            func(in list) list { return list{weft.Round(in[0])} },
	"astype_same":           func(in list) list { return list{in[0].AsType(weft.Float32)} },
	"convert_same":          func(in list) list { return list{lax.ConvertElementType(in[0], weft.Float32)} },
	"bitcast_weak":          func(in list) list { return list{lax.BitcastConvertType(in[0], weft.Int32)} },
	"stop_gradient_weak":    func(in list) list { return list{lax.StopGradient(in[0])} },
	"np_scalar_times_i8":    func(in list) list { return list{in[0].Mul(int32(2))} },

	// Shapes and indices.
	"reshape_weak":         func(in list) list { return list{in[0].Reshape(2, 3)} },
	"concat_weak_both":     func(in list) list { return list{lax.Concatenate(0, in...)} },
	"concat_weak_one":      func(in list) list { return list{lax.Concatenate(0, in...)} },
	"stack_lits":           func(in list) list { return list{weft.Stack(0, weft.AsArray(1.0), weft.AsArray(2.0))} },
	"array_of_weak":        func(in list) list { return list{weft.From(in)} },
	"array_of_lits":        func(in list) list { return list{weft.From(list{in[0], weft.Scalar(1.0)})} },
	"index_weak":           func(in list) list { return list{in[0].Index(1)} },
	"index_traced_weak":    func(in list) list { return list{in[0].Index(in[1])} },
	"at_set_weak_value":    func(in list) list { return list{in[0].At(0).Set(1.0)} },
	"at_set_on_weak":       func(in list) list { return list{in[0].At(0).Set(in[1])} },
	"pad_weak":             func(in list) list { return list{lax.Pad(in[0], 0.0, [3]int{1, 1, 0})} },
	"pad_strong_with_weak": func(in list) list { return list{lax.Pad(in[0], in[1], [3]int{1, 1, 0})} },
	"dynamic_slice_weak":   func(in list) list { return list{lax.DynamicSlice(in[0], list{in[1]}, 2)} },
	"gather_weak_idx":      func(in list) list { return list{in[0].Index(in[1])} },
	"split_weak":           func(in list) list { return lax.Split(in[0], 0, 2, 2) },

	// Reductions.
	"sum_weak":              func(in list) list { return list{in[0].Sum()} },
	"sum_weak_int":          func(in list) list { return list{in[0].Sum()} },
	"lax_sum_weak":          func(in list) list { return list{lax.ReduceSum(in[0], 0)} },
	"max_weak":              func(in list) list { return list{in[0].Max()} },
	"argmax_weak":           func(in list) list { return list{in[0].ArgMax()} },
	"mean_weak":             func(in list) list { return list{in[0].Mean()} },
	"any_weak":              func(in list) list { return list{in[0].Any()} },
	"cumsum_weak":           func(in list) list { return list{lax.Cumsum(in[0], 0, false)} },
	"sort_weak":             func(in list) list { return list{lax.Sort(in[0], 0)} },
	"sort_two_weak":         func(in list) list { return lax.SortBy(0, 1, true, in...) },
	"dot_weak_both":         func(in list) list { return list{lax.Dot(in[0], in[1])} },
	"dot_weak_one":          func(in list) list { return list{lax.Dot(in[0], in[1])} },
	"matmul_weak_bf16":      func(in list) list { return list{in[0].MatMul(in[1])} },
	"reduce_precision_weak": func(in list) list { return list{lax.ReducePrecision(in[0], 8, 7)} },
	"top_k_weak":            func(in list) list { return both(lax.TopK(in[0], 2, 0)) },

	// Programs within programs.
	"jit_lit_out": func(in list) list {
		return list{weft.Jit(func() weft.Array { return weft.Scalar(1.0) })()}
	},
	"jit_weak_in": func(in list) list {
		return list{weft.Jit(func(a weft.Array) weft.Array { return a.Add(1) })(in[0])}
	},
	"jit_lit_arg": func(in list) list {
		return list{weft.Jit(func(a, c weft.Array) weft.Array { return a.Mul(c) })(in[0], weft.Scalar(2.0))}
	},
	"jit_strong_in_weak_out": func(in list) list {
		return both(weft.Jit(func(a weft.Array) (weft.Array, weft.Array) { return a, weft.Scalar(2.0) })(in[0]))
	},
	"jit_twice_weak_strong": func(in list) list {
		g := weft.Jit(func(a weft.Array) weft.Array { return a.Mul(2) })
		return list{g(in[0]), g(in[1])}
	},
	"remat_weak": func(in list) list {
		return list{weft.Remat(func(a weft.Array) weft.Array { return a.Mul(2) })(in[0])}
	},
	"weak_is_value_independent": func(in list) list {
		f := func(a weft.Array) weft.Array { return a.Add(100) }
		return list{f(in[0]), weft.Jit(f)(in[0])}
	},
	"cond_weak_false": func(in list) list { return list{lax.Cond(in[0], same, number(1.0), in[1])} },
	"cond_weak_true":  func(in list) list { return list{lax.Cond(in[0], number(1.0), same, in[1])} },
	"cond_weak_both": func(in list) list {
		return list{weft.Cond(in[0], bare(1.0), bare(2.0))}
	},
	"cond_weak_int_vs_float": func(in list) list {
		return list{weft.Cond(in[0], bare(1), bare(2.0))}
	},
	"cond_weak_operand": func(in list) list {
		return list{lax.Cond(in[0], func(a weft.Array) weft.Array { return a.Mul(2) }, same, in[1])}
	},
	"cond_weak_f16": func(in list) list { return list{lax.Cond(in[0], same, number(1.0), in[1])} },
	"switch_weak_middle": func(in list) list {
		return list{lax.Switch(in[0], in[1], same, number(0.0), same)}
	},
	"cond_weak_then_f16": func(in list) list {
		return list{lax.Cond(in[0], same, number(1.0), in[1]).Mul(in[2])}
	},
	"scan_weak_init_strong_body":    func(in list) list { return both(lax.Scan(running, weft.Scalar(0.0), in[0])) },
	"scan_weak_init_f16_body":       func(in list) list { return both(lax.Scan(running, weft.Scalar(0.0), in[0])) },
	"scan_weak_int_init_float_body": func(in list) list { return both(lax.Scan(running, weft.Scalar(0), in[0])) },
	"scan_weak_stays": func(in list) list {
		return both(lax.Scan(func(c, a weft.Array) (weft.Array, weft.Array) { return c.Add(1), a }, weft.Scalar(0), in[0]))
	},
	"scan_strong_init_weak_body": func(in list) list {
		return both(lax.Scan(func(c, a weft.Array) (weft.Array, weft.Array) { return weft.Scalar(1.0), c }, in[0], in[1]))
	},
	"scan_weak_int_init_weak_float_body": func(in list) list {
		c, y := weft.ScanN(func(c weft.Array) (weft.Array, weft.Array) { return c.Add(1.5), c }, weft.Scalar(0), 3)
		return list{c, y}
	},
	"scan_two_carries_mixed": func(in list) list {
		type two = struct{ A, B weft.Array }
		zero := two{weft.Scalar(0.0), weft.Scalar(0.0)}
		c, y := lax.Scan(func(c two, a weft.Array) (two, two) { return two{c.B.Add(a), c.A}, c }, zero, in[0])
		return list{c.A, c.B, y.A, y.B}
	},
	"scan_weak_y": func(in list) list {
		return both(lax.Scan(func(c, a weft.Array) (weft.Array, weft.Array) { return c.Add(a), weft.Scalar(1.0) }, weft.Scalar(0.0), in[0]))
	},
	"scan_i8_init_weak_add": func(in list) list {
		c, y := weft.ScanN(func(c weft.Array) (weft.Array, weft.Array) { return c.Add(1), c }, in[0], 3)
		return list{c, y}
	},
	"scan_weak_to_shape": func(in list) list {
		return both(lax.Scan(func(c, a weft.Array) (weft.Array, weft.Array) { return c.Add(in[0]), c }, weft.Scalar(0.0), in[0]))
	},
	"while_weak_init":         func(in list) list { return list{lax.WhileLoop(belowTen, times(in[0]), weft.Scalar(1.0))} },
	"while_weak_stays":        func(in list) list { return list{lax.WhileLoop(belowTen, times(2), weft.Scalar(1))} },
	"while_weak_int_to_float": func(in list) list { return list{lax.WhileLoop(belowTen, times(in[0]), weft.Scalar(1))} },
	"while_strong_to_weak":    func(in list) list { return list{lax.WhileLoop(belowTen, number(11.0), in[0])} },
	"fori_weak_init": func(in list) list {
		return list{lax.ForiLoop(0, 3, func(i, c weft.Array) weft.Array { return c.Add(in[0]) }, weft.Scalar(0.0))}
	},
	"fori_weak_index":    func(in list) list { return list{lax.ForiLoop(0, 3, addIndex, in[0])} },
	"fori_dynamic_index": func(in list) list { return list{lax.ForiLoop(0, in[0], addIndex, in[1])} },
	"fori_weak_upper":    func(in list) list { return list{lax.ForiLoop(0, in[0], addIndex, in[1])} },
	"map_weak":           func(in list) list { return list{lax.Map(number(2.0), in[0])} },
	"assoc_scan_weak": func(in list) list {
		return list{lax.AssociativeScan(lax.Add[weft.Array, weft.Array], in[0], 0, false)}
	},

	// Transformations.
	"grad_weak_in":           func(in list) list { return list{weft.Grad(squared)(in[0])} },
	"grad_strong_in":         func(in list) list { return list{weft.Grad(times(2))(in[0])} },
	"grad_const":             func(in list) list { return list{weft.Grad(number(3.0))(in[0])} },
	"value_and_grad_weak":    func(in list) list { return both(weft.ValueAndGrad(times(2))(in[0])) },
	"grad_wrt_f16_with_weak": func(in list) list { return list{weft.Grad(times(2.0))(in[0])} },
	"jvp_weak_primal":        func(in list) list { return both(weft.JVP(squared, in[0], in[1])) },
	"jvp_weak_tangent":       func(in list) list { return both(weft.JVP(lax.Sin, in[0], in[1])) },
	"vjp_weak_ct": func(in list) list {
		_, back := weft.VJP(lax.Sin, in[0])
		return list{back(in[1])}
	},
	"hessian_weak": func(in list) list { return list{weft.Hessian(squared)(in[0])} },
	"vmap_weak": func(in list) list {
		return list{weft.Vmap(func(a weft.Array) weft.Array { return a.Add(1) })(in[0])}
	},
	"vmap_lit_out":         func(in list) list { return list{weft.Vmap(number(1.0))(in[0])} },
	"vmap_weak_and_strong": func(in list) list { return list{weft.Vmap(times(in[1]))(in[0])} },
	"custom_jvp_weak_out": func(in list) list {
		g := custom.JVP(number(2.0), func(p, t weft.Array) (weft.Array, weft.Array) { return weft.Scalar(2.0), weft.Scalar(0.0) })
		return list{g(in[0])}
	},
	"custom_jvp_weak_tangent": func(in list) list {
		var g unary
		g = custom.JVP(times(2), func(p, t weft.Array) (weft.Array, weft.Array) { return g(p), weft.Scalar(1.0) })
		return list{weft.Grad(g)(in[0])}
	},
	"custom_vjp_weak_ct": func(in list) list {
		var g unary
		g = custom.VJP(times(2), func(a weft.Array) (weft.Array, weft.Array) { return g(a), a },
			func(r, ct weft.Array) weft.Array { return weft.Scalar(1.0) })
		return list{weft.Grad(g)(in[0])}
	},
}

func plus(in list) list { return list{in[0].Add(in[1])} }

func both(a, b weft.Array) list { return list{a, b} }

func same(a weft.Array) weft.Array { return a }

func squared(a weft.Array) weft.Array { return a.Mul(a) }

func belowTen(c weft.Array) weft.Array { return c.Lt(10) }

func addIndex(i, c weft.Array) weft.Array { return c.Add(i) }

func running(c, a weft.Array) (weft.Array, weft.Array) { return c.Add(a), c }

// number returns the function that is v everywhere.
func number[T weft.Elem](v T) func(weft.Array) weft.Array {
	return func(weft.Array) weft.Array { return weft.Scalar(v) }
}

func bare[T weft.Elem](v T) func() weft.Array { return func() weft.Array { return weft.Scalar(v) } }

// times multiplies by k, an array or a number.
func times(k any) func(weft.Array) weft.Array {
	return func(a weft.Array) weft.Array { return a.Mul(k) }
}
