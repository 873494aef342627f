package lax_test

import (
	"math"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/internal/test/jax"
	"github.com/weft-go/weft/lax"
)

type array = weft.Array

// lax functions by JAX's names, for programs that only call them.
var (
	ternary = map[string]func(x, y, z array) array{
		"select":   lax.Select[array, array],
		"select_n": func(x, y, z array) array { return lax.SelectN(x, y, z) },
		"clamp":    lax.Clamp[array, array, array],
	}
	dtypes = map[string]weft.DType{
		"np.bool_": weft.Bool, "np.int8": weft.Int8, "np.int32": weft.Int32, "np.uint8": weft.Uint8, "np.uint16": weft.Uint16,
		"np.uint32": weft.Uint32, "np.float16": weft.Float16, "np.float32": weft.Float32, "np.float64": weft.Float64,
		"np.complex64": weft.Complex64, "ml_dtypes.bfloat16": weft.BFloat16, "ml_dtypes.float8_e4m3fn": weft.Float8E4M3FN,
	}
)

var (
	callOf1  = regexp.MustCompile(`^f = lambda x: lax\.(\w+)\(x\)$`)
	callOf2  = regexp.MustCompile(`^f = lambda x, y: lax\.(\w+)\(x, y\)$`)
	callOf21 = regexp.MustCompile(`^f = lambda x, y: lax\.(\w+)\(y, x\)$`)
	callOf3  = regexp.MustCompile(`^f = lambda x, y, z: lax\.(\w+)\(x, y, z\)$`)
	convert  = regexp.MustCompile(`^f = lambda x: lax\.(bitcast_)?convert(?:_element)?_type\(x, ([\w.]+)\)$`)
)

// aCall returns the program of a record that is one call of its arguments, else nil.
func aCall(r record) program {
	if m := callOf1.FindStringSubmatch(r.Source); m != nil {
		if f := jax.Unary[m[1]]; f != nil {
			return of1(f)
		}
	}
	if m := callOf2.FindStringSubmatch(r.Source); m != nil {
		if f := jax.Binary[m[1]]; f != nil {
			return of2(f)
		}
	}
	if m := callOf21.FindStringSubmatch(r.Source); m != nil {
		if f := jax.Binary[m[1]]; f != nil {
			return of2(func(x, y array) array { return f(y, x) })
		}
	}
	if m := callOf3.FindStringSubmatch(r.Source); m != nil {
		if f := ternary[m[1]]; f != nil {
			return of3(f)
		}
	}
	if m := convert.FindStringSubmatch(r.Source); m != nil {
		if dt, ok := dtypes[m[2]]; ok {
			if m[1] != "" {
				return of1(func(x array) array { return lax.BitcastConvertType(x, dt) })
			}
			return of1(func(x array) array { return lax.ConvertElementType(x, dt) })
		}
	}
	return nil
}

// either looks for a program in several ways and returns the first one found.
func either(find ...func(record) program) func(record) program {
	return func(r record) program {
		for _, f := range find {
			if p := f(r); p != nil {
				return p
			}
		}
		return nil
	}
}

func TestUnaryText(t *testing.T) {
	even := of1(func(x array) array { return lax.Round(x, lax.ToNearestEven) })
	reduce := func(e, m int) program {
		return of1(func(x array) array { return lax.ReducePrecision(x, e, m) })
	}
	pow := func(y int) program { return of1(func(x array) array { return lax.IntegerPow(x, y) }) }
	n, of := sameText(t, "unary", either(aCall, named(t, "unary", map[string]program{
		"integer_pow_1": pow(3), "integer_pow_2": pow(3), "integer_pow_3": pow(-2), "integer_pow_4": pow(3),
		"round_3": even, "round_4": even, "round_5": even,
		"round_6":            of1(func(x array) array { return lax.Round(x, lax.AwayFromZero) }),
		"reduce_precision_1": reduce(4, 7), "reduce_precision_2": reduce(8, 3),
		"reduce_precision_3": reduce(5, 10), "reduce_precision_4": reduce(5, 10),
	})))
	t.Logf("%d of %d records", n, of)
	require.GreaterOrEqual(t, n, 15)
}

func TestBinaryText(t *testing.T) {
	n, of := sameText(t, "binary", either(aCall, named(t, "binary", map[string]program{
		"add_1":                    of1(func(x array) array { return lax.Add(x, int16(1)) }),
		"add_2":                    of1(func(x array) array { return lax.Add(x, uint32(1)) }),
		"mul_1":                    of1(func(x array) array { return lax.Mul(1, x) }),
		"div_1":                    of1(func(x array) array { return lax.Div(3e10, x) }),
		"div_2":                    of1(func(x array) array { return lax.Div(x, 1e-3) }),
		"rem_2":                    of1(func(x array) array { return lax.Rem(x, 1) }),
		"complex_2":                of1(func(x array) array { return lax.Complex(x, 2.0) }),
		"shift_left_1":             of1(func(x array) array { return lax.ShiftLeft(int32(3), x) }),
		"shift_left_2":             of1(func(x array) array { return lax.ShiftLeft(uint32(7), x) }),
		"shift_right_arithmetic_2": of1(func(x array) array { return lax.ShiftRightArithmetic(x, uint16(1)) }),
		"shift_right_logical_2":    of1(func(x array) array { return lax.ShiftRightLogical(x, 1) }),
		"le_2":                     of1(func(x array) array { return lax.Le(int64(1), x) }),
	})))
	t.Logf("%d of %d records; the others are random_gamma_grad, which JAX writes as a loop", n, of)
	require.GreaterOrEqual(t, n, 15)
}

func TestTernaryText(t *testing.T) {
	n, of := sameText(t, "ternary", either(aCall, named(t, "ternary", map[string]program{
		"select_n_4": func(x ...array) []array { return results(lax.SelectN(x[0], x[1], x[2], x[3])) },
	})))
	t.Logf("%d of %d records; the others need betainc", n, of)
	require.GreaterOrEqual(t, n, 10)
}

func TestConvertText(t *testing.T) {
	n, of := sameText(t, "convert", aCall)
	require.Equal(t, of, n)
}

// Literals, constants, calls that write no equation and unused results print as in JAX.
func TestFormsText(t *testing.T) {
	add := func(v func() array) program { return of1(func(x array) array { return lax.Add(x, v()) }) }
	number := func(v float64, dt weft.DType) program {
		return add(func() array { return lax.ConvertElementType(v, dt) })
	}
	plus := func(v float64) program { return of1(func(x array) array { return lax.Add(x, v) }) }
	plusF32 := func(v float32) program { return of1(func(x array) array { return lax.Add(x, v) }) }
	times := func(v complex128) program { return of1(func(x array) array { return lax.Mul(x, v) }) }
	timesC64 := func(v complex64) program { return of1(func(x array) array { return lax.Mul(x, v) }) }
	to := func(dt weft.DType) program {
		return of1(func(x array) array { return lax.ConvertElementType(x, dt) })
	}
	negZero := math.Copysign(0, -1)
	inf := float32(math.Inf(1))
	programs := map[string]program{
		"identity":             func(x ...array) []array { return x },
		"identity_scalar_weak": func(x ...array) []array { return x },
		"identity_two":         func(x ...array) []array { return x },
		"swap":                 func(x ...array) []array { return results(x[1], x[0]) },
		"dup_output":           func(x ...array) []array { return results(x[0], x[0], x[0]) },
		"no_args_no_eqns":      func(x ...array) []array { return nil },
		"no_output":            func(x ...array) []array { return nil },
		"none_output":          func(x ...array) []array { return nil },
		"one_tuple_output":     func(x ...array) []array { return x },
		"literal_only":         func(x ...array) []array { return results(weft.Scalar(1.0)) },
		"literal_int_only":     func(x ...array) []array { return results(weft.Scalar(3)) },
		"literal_bool_only":    func(x ...array) []array { return results(weft.Scalar(true)) },
		"literal_complex_only": func(x ...array) []array { return results(weft.Scalar(2i)) },
		"literal_big_int": func(x ...array) []array {
			return results(x[0], weft.Scalar(2147483647), weft.Scalar(-2147483648))
		},
		"literal_outputs": func(x ...array) []array { return results(weft.Scalar(1.0), x[0], weft.Scalar(2)) },
		"dropped_args":    func(x ...array) []array { return results(lax.Neg(x[0])) },
		"dead_eqn": func(x ...array) []array {
			lax.Sin(x[0])
			return x
		},
		"dead_chain": func(x ...array) []array {
			lax.Exp(lax.Cos(lax.Sin(x[0])))
			return results(lax.Neg(x[0]))
		},
		"nested_tuple_output":  func(x ...array) []array { return results(x[0], lax.Neg(x[0])) },
		"dict_output":          func(x ...array) []array { n := lax.Neg(x[0]); return results(n, x[0]) },
		"dict_input":           func(x ...array) []array { return results(x[0], lax.Neg(x[1])) },
		"nested_input":         func(x ...array) []array { return results(lax.Neg(x[0]), x[2]) },
		"list_input_none":      of2(lax.Add[array, array]),
		"scalar_weak_float":    plus(1.0),
		"scalar_weak_int":      of1(func(x array) array { return lax.Mul(x, 2) }),
		"scalar_literal_left":  of1(func(x array) array { return lax.Sub(1.0, x) }),
		"two_literals":         func(x ...array) []array { return results(lax.Add(1.0, 2.0)) },
		"literal_np_scalar":    plusF32(0.1),
		"literal_py_scalar":    plus(0.1),
		"literal_np_0d_array":  plusF32(0.1),
		"literal_jnp_0d_array": add(func() array { return weft.Scalar(float32(0.1)) }),
		"const_np_1elem":       of1(func(x array) array { return lax.Mul(x, weft.FromSlice([]float32{2})) }),
		"const_np_array":       add(func() array { return weft.FromSlice([]float32{0, 1, 2}) }),
		"const_jnp_array":      add(func() array { return weft.FromSlice([]float32{1, 2, 3, 4}, 2, 2) }),
		"const_twice_same_object": of1(func(x array) array {
			k := weft.FromSlice([]float32{1, 2})
			return lax.Add(lax.Mul(x, k), k)
		}),
		"const_two_objects": of1(func(x array) array {
			return lax.Add(lax.Mul(x, weft.FromSlice([]float32{1, 2})), weft.FromSlice([]float32{1, 2}))
		}),
		"const_output": func(x ...array) []array { return results(x[0], weft.FromSlice([]int32{1, 2})) },
		"const_bool_mask": of1(func(x array) array {
			return lax.Select(weft.FromSlice([]bool{true, false}), x, lax.Neg(x))
		}),
		"const_empty":      add(func() array { return weft.FromSlice([]float32{}) }),
		"lit_inf":          of1(func(x array) array { return lax.Max(x, math.Inf(-1)) }),
		"lit_nan":          plus(math.NaN()),
		"lit_neg_zero":     plus(negZero),
		"lit_small":        plus(1e-30),
		"lit_large":        plus(1e30),
		"lit_1e16":         plus(1e16),
		"lit_1e15":         plus(1e15),
		"lit_1e_5":         plus(1e-5),
		"lit_1e_4":         plus(1e-4),
		"lit_np_1e_5":      plusF32(1e-5),
		"lit_np_pi":        plusF32(math.Pi),
		"lit_py_pi":        plus(math.Pi),
		"lit_third":        plus(1. / 3),
		"lit_f16_third":    number(1./3, weft.Float16),
		"lit_bf16_third":   number(1./3, weft.BFloat16),
		"lit_f16_tiny":     number(6e-8, weft.Float16),
		"lit_f32_max":      plusF32(math.MaxFloat32),
		"lit_f32_tiny":     plusF32(0x1p-126),
		"lit_f32_denormal": plusF32(math.SmallestNonzeroFloat32),
		"lit_c64":          of1(func(x array) array { return lax.Add(x, complex64(1.5-2i)) }),
		"lit_c64_imag":     times(1i),
		"lit_c64_negzero":  timesC64(complex(float32(negZero), -1)),
		"lit_c64_nan":      timesC64(complex(float32(math.NaN()), inf)),
		"lit_i8":           of1(func(x array) array { return lax.Add(x, int8(-128)) }),
		"lit_u8":           of1(func(x array) array { return lax.Add(x, uint8(255)) }),
		"lit_u32":          of1(func(x array) array { return lax.Add(x, uint32(math.MaxUint32)) }),
		"lit_bool":         of1(func(x array) array { return lax.BitwiseAnd(x, true) }),
		"lit_bool_py":      of1(func(x array) array { return lax.BitwiseOr(x, false) }),
		"lit_f8":           number(0.3, weft.Float8E4M3FN),
		"lit_f8_e5m2":      number(0.3, weft.Float8E5M2),
		"lit_i4":           of1(func(x array) array { return lax.Add(x, lax.ConvertElementType(-8, weft.Int4)) }),
		"convert_noop":     to(weft.Float32), "convert_weak_to_strong": to(weft.Float32), "convert_py_float": to(weft.Float32),
		"convert_py_int": to(weft.Int32), "convert_py_bool": to(weft.Bool), "convert_weak_int_to_float": to(weft.Float32),
		"convert_literal": func(x ...array) []array { return results(lax.ConvertElementType(3, weft.Float32)) },
		"integer_pow_0":   of1(func(x array) array { return lax.IntegerPow(x, 0) }),
		"integer_pow_1_2": of1(func(x array) array { return lax.IntegerPow(x, 1) }),
		"stop_gradient_tree": func(x ...array) []array {
			return results(lax.StopGradient(x[0]), lax.StopGradient(x[1]))
		},
		"optimization_barrier": func(x ...array) []array { return lax.OptimizationBarrier(x...) },
		"key_pass":             func(x ...array) []array { return x },
		"lit_f64":              plus(0.1), "lit_f64_py": plus(0.1), "x64_weak": plus(1.0),
		"lit_i64":      of1(func(x array) array { return lax.Add(x, int64(math.MinInt64)) }),
		"lit_u64":      of1(func(x array) array { return lax.Add(x, uint64(math.MaxUint64)) }),
		"lit_c128":     of1(func(x array) array { return lax.Add(x, complex(1./3, 0.1)) }),
		"x64_int_weak": of1(func(x array) array { return lax.Add(x, 1) }),
	}
	n, of := sameText(t, "forms", named(t, "forms", programs))
	t.Logf("%d of %d records; the others need other families or are jax.numpy's", n, of)
	require.GreaterOrEqual(t, n, 15)
}

// A Go number has its default dtype and is combined with no other.
func TestNumbers(t *testing.T) {
	f16 := weft.FromSlice([]uint16{0})
	for _, c := range []struct {
		f    func()
		want string
	}{
		{func() { lax.Mul(f16, 0.1) }, "elementwise_test.go:"},
		{func() { lax.Mul(f16, 0.1) }, "mul: the Go number 0.1 is f32 here, the other operand u16[1]; lax converts nothing: write lax.ConvertElementType(0.1, …)"},
		{func() { lax.Add(2, weft.FromSlice([]float32{1})) }, "add: the Go number 2 is i32 here, the other operand f32[1]"},
		{func() { lax.Clamp(0, weft.FromSlice([]float32{1}), 1.0) }, "clamp: the Go number 0 is i32 here, the other operand f32[1]"},
		{func() { lax.Add(f16, weft.FromSlice([]float32{1})) }, "add: the operands' dtypes must agree, got u16[1] and f32[1]"},
		{func() { lax.Add(weft.FromSlice([]float32{1, 2}), weft.FromSlice([]float32{1, 2, 3})) }, "sizes along axis 0 must agree or be 1"},
	} {
		err := core.Catch(c.f)
		require.ErrorContains(t, err, c.want)
	}
}
