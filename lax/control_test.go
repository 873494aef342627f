package lax_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/lax"
)

// none is an operand, a carry or a result without arrays.
type none = struct{}

// pair12 and pair34 are arrays that golden programs make on the spot.
func pair12() array { return weft.FromSlice([]float32{1, 2}) }
func pair34() array { return weft.FromSlice([]float32{3, 4}) }

func same(a array) array { return a }

// sum is the body of a scan that adds up and outputs the sum before each step.
func sum(c, a array) (array, array) { return lax.Add(c, a), c }

// sinOrCos is the conditional of many golden programs.
func sinOrCos[P weft.Operand](pred P, x array) array { return lax.Cond(pred, lax.Sin, lax.Cos, x) }

func two(x, y array) []array { return results(x, y) }

var conditionals = map[string]program{
	"cond_bool": of2(func(x, y array) array { return sinOrCos(x, y) }),
	"cond_gt":   of1(func(x array) array { return sinOrCos(lax.Gt(x, 0.0), x) }),
	"cond_no_operand": of1(func(x array) array {
		return lax.Cond(x, func(none) array { return weft.Scalar(1.0) }, func(none) array { return weft.Scalar(2.0) }, none{})
	}),
	"cond_closure": of3(func(x, y, z array) array {
		return lax.Cond(x, func(none) array { return lax.Sin(y) }, func(none) array { return lax.Cos(z) }, none{})
	}),
	"cond_closure_both": of3(func(x, y, z array) array {
		return lax.Cond(x, func(none) array { return lax.Add(y, z) }, func(none) array { return lax.Sub(z, y) }, none{})
	}),
	"cond_identity":      of2(func(x, y array) array { return lax.Cond(x, same, lax.Neg, y) }),
	"cond_same_identity": of2(func(x, y array) array { return lax.Cond(x, same, func(a array) array { return a }, y) }),
	"cond_float_pred":    of2(func(x, y array) array { return sinOrCos(x, y) }),
	"cond_int_pred":      of2(func(x, y array) array { return sinOrCos(x, y) }),
	"cond_literal_pred":  of1(func(x array) array { return sinOrCos(true, x) }),
	"cond_unused_operand": of3(func(x, y, z array) array {
		return lax.Cond(x, func(a [2]array) array { return lax.Sin(a[0]) }, func(a [2]array) array { return lax.Cos(a[0]) }, [2]array{y, z})
	}),
	"cond_multi_out": of2b(func(x, y array) []array {
		return lax.Cond(x, func(a array) []array { return two(a, lax.Sin(a)) }, func(a array) []array { return two(lax.Cos(a), a) }, y)
	}),
	"cond_empty_out": of2b(func(x, y array) []array {
		lax.Cond(x, func(array) none { return none{} }, func(array) none { return none{} }, y)
		return nil
	}),
	"cond_literal_outs": func(x ...array) []array {
		return lax.Cond(x[0], func(none) []array { return two(weft.Scalar(1.0), weft.Scalar(2)) }, func(none) []array { return two(weft.Scalar(0.0), weft.Scalar(3)) }, none{})
	},
	"cond_weak_vs_strong": of2(func(x, y array) array { return lax.Cond(x, func(array) array { return weft.Scalar(1.0) }, same, y) }),
	"cond_strong_vs_weak": of2(func(x, y array) array { return lax.Cond(x, same, func(array) array { return weft.Scalar(1.0) }, y) }),
	"cond_dict": of3b(func(x, y, z array) []array {
		type dict struct{ A, B array }
		d := lax.Cond(x, func(d dict) dict { return d }, func(d dict) dict { return dict{d.B, d.A} }, dict{y, z})
		return two(d.A, d.B)
	}),
	"cond_const_array": of2(func(x, y array) array {
		return lax.Cond(x, func(a array) array { return lax.Add(a, pair12()) }, same, y)
	}),
	"cond_two_const_arrays": of2(func(x, y array) array {
		return lax.Cond(x, func(a array) array { return lax.Add(a, pair12()) }, func(a array) array { return lax.Add(a, pair34()) }, y)
	}),
	"cond_nested": of3(func(x, y, z array) array {
		return lax.Cond(x, func(a array) array { return sinOrCos(y, a) }, same, z)
	}),
	"cond_dead_out": of2(func(x, y array) array {
		return lax.Cond(x, func(a array) []array { return two(a, lax.Sin(a)) }, func(a array) []array { return two(lax.Cos(a), a) }, y)[0]
	}),
	"cond_all_dead": of2(func(x, y array) array {
		sinOrCos(x, y)
		return y
	}),
	"cond_shared_branch_function": of2(func(p, x array) array {
		g := func(a array) array { return lax.Sin(a) }
		y := lax.Cond(p, g, func(a array) array { return a }, x)
		return lax.Cond(p, g, func(a array) array { return a }, y)
	}),
	"switch_3":       of2(func(x, y array) array { return lax.Switch(x, y, lax.Sin, lax.Cos, lax.Tan) }),
	"switch_2":       of2(func(x, y array) array { return lax.Switch(x, y, lax.Sin, lax.Cos) }),
	"switch_1":       of2(func(x, y array) array { return lax.Switch(x, y, lax.Sin) }),
	"switch_u8":      of2(func(x, y array) array { return lax.Switch(x, y, lax.Sin, lax.Cos, same) }),
	"switch_weak":    of2(func(x, y array) array { return lax.Switch(x, y, lax.Sin, lax.Cos, same) }),
	"switch_literal": of1(func(x array) array { return lax.Switch(1, x, lax.Sin, lax.Cos, same) }),
	"switch_5_mixed": of2(func(x, y array) array {
		return lax.Switch(x, y, same, lax.Neg, func(a array) array { return lax.FullLike(a, 0) },
			func(a array) array { return lax.Mul(a, a) }, func(a array) array { return lax.Sort(a, -1) })
	}),
}

func below10(c array) array { return lax.Lt(c, 10.0) }
func twice(c array) array   { return lax.Mul(c, 2.0) }

// counted is a carry of a counter and an array.
type counted struct{ N, V array }

var whiles = map[string]program{
	"while_simple": of1(func(x array) array { return lax.WhileLoop(below10, twice, x) }),
	"while_int_weak": of1(func(x array) array {
		return lax.WhileLoop(func(c array) array { return lax.Lt(c, 10) }, func(c array) array { return lax.Add(c, 1) }, x)
	}),
	"while_tuple": of2b(func(x, y array) []array {
		c := lax.WhileLoop(func(c counted) array { return lax.Lt(c.N, int32(10)) },
			func(c counted) counted { return counted{lax.Add(c.N, int32(1)), lax.Sin(c.V)} }, counted{x, y})
		return two(c.N, c.V)
	}),
	"while_closure_cond": of2(func(x, y array) array {
		return lax.WhileLoop(func(c array) array { return lax.Lt(c, y) }, twice, x)
	}),
	"while_closure_body": of2(func(x, y array) array {
		return lax.WhileLoop(below10, func(c array) array { return lax.Mul(c, y) }, x)
	}),
	"while_closure_both": of3(func(x, y, z array) array {
		return lax.WhileLoop(func(c array) array { return lax.Lt(c, z) }, func(c array) array { return lax.Mul(c, y) }, x)
	}),
	"while_const": of1(func(x array) array {
		return lax.WhileLoop(func(c array) array { return lax.Lt(lax.ReduceMax(c, 0), float32(9)) }, func(c array) array { return lax.Add(c, pair12()) }, x)
	}),
	"while_dict": of2b(func(x, y array) []array {
		c := lax.WhileLoop(func(c counted) array { return lax.Lt(c.N, int32(3)) },
			func(c counted) counted { return counted{lax.Add(c.N, int32(1)), lax.Neg(c.V)} }, counted{x, y})
		return two(c.N, c.V)
	}),
	"while_nested": of1(func(x array) array {
		return lax.WhileLoop(below10, func(c array) array {
			return lax.WhileLoop(func(d array) array { return lax.Lt(d, 5.0) }, func(d array) array { return lax.Add(d, 1.0) }, c)
		}, x)
	}),
	"while_unused": of2(func(x, y array) array {
		return lax.WhileLoop(func(c [2]array) array { return below10(c[0]) }, func(c [2]array) [2]array { return [2]array{twice(c[0]), c[1]} }, [2]array{x, y})[0]
	}),
	"while_newton": of1(func(a array) array {
		type state struct{ X, D, N array }
		return lax.WhileLoop(func(s state) array {
			return lax.BitwiseAnd(lax.Gt(s.D, float32(1e-6)), lax.Lt(s.N, int32(50)))
		}, func(s state) state {
			q := lax.Div(a, s.X)
			y := lax.Mul(float32(0.5), lax.Add(s.X, q))
			return state{y, lax.Abs(lax.Sub(y, s.X)), lax.Add(s.N, int32(1))}
		}, state{a, weft.Scalar(float32(1)), weft.Scalar(int32(0))}).X
	}),
}

func sinBody(_, c array) array { return lax.Sin(c) }

var counts = map[string]program{
	"fori_static": of1(func(x array) array { return lax.ForiLoop(0, 5, sinBody, x) }),
	"fori_use_index": of1(func(x array) array {
		return lax.ForiLoop(2, 7, func(i, c array) array { return lax.Add(c, lax.ConvertElementType(i, weft.Float32)) }, x)
	}),
	"fori_zero_trips":     of1(func(x array) array { return lax.ForiLoop(5, 5, sinBody, x) }),
	"fori_negative_trips": of1(func(x array) array { return lax.ForiLoop(5, 2, sinBody, x) }),
	"fori_dynamic":        of2(func(x, y array) array { return lax.ForiLoop(0, y, sinBody, x) }),
	"fori_dynamic_both":   of3(func(x, y, z array) array { return lax.ForiLoop(y, z, sinBody, x) }),
	"fori_dynamic_lower":  of2(func(x, y array) array { return lax.ForiLoop(y, 10, sinBody, x) }),
	"fori_unroll":         of1(func(x array) array { return lax.ForiLoop(0, 6, sinBody, x, lax.Unroll(2)) }),
	"fori_unroll_true":    of1(func(x array) array { return lax.ForiLoop(0, 3, sinBody, x, lax.UnrollAll()) }),
	"fori_tuple": of2b(func(x, y array) []array {
		c := lax.ForiLoop(0, 3, func(_ array, c [2]array) [2]array { return [2]array{c[1], lax.Add(c[0], c[1])} }, [2]array{x, y})
		return c[:]
	}),
	"fori_np_int": of1(func(x array) array { return lax.ForiLoop(int32(0), int32(4), sinBody, x) }),
	"fori_matrix_power": of1(func(a array) array {
		return lax.ForiLoop(0, 4, func(_, m array) array { return lax.Dot(m, a) }, a)
	}),
}

var scans = map[string]program{
	"scan_sum": of2(func(x, y array) array {
		c, _ := lax.Scan(func(c, a array) (array, none) { return lax.Add(c, a), none{} }, x, y)
		return c
	}),
	"scan_cum": of2b(func(x, y array) []array { return two(lax.Scan(sum, x, y)) }),
	"scan_no_xs": func(x ...array) []array {
		return two(lax.Scan(func(c array, _ none) (array, array) { return lax.Sin(c), lax.Cos(c) }, x[0], none{}, lax.Length(4)))
	},
	"scan_no_carry": of1(func(x array) array {
		_, y := lax.Scan(func(c none, a array) (none, array) { return c, lax.Sin(a) }, none{}, x)
		return y
	}),
	"scan_reverse":     of2b(func(x, y array) []array { return two(lax.Scan(sum, x, y, lax.Reverse())) }),
	"scan_unroll":      of2b(func(x, y array) []array { return two(lax.Scan(sum, x, y, lax.Unroll(3))) }),
	"scan_unroll_true": of2b(func(x, y array) []array { return two(lax.Scan(sum, x, y, lax.UnrollAll())) }),
	"scan_length_1":    of2b(func(x, y array) []array { return two(lax.Scan(sum, x, y)) }),
	"scan_length_0":    of2b(func(x, y array) []array { return two(lax.Scan(sum, x, y)) }),
	"scan_closure": of3b(func(x, y, z array) []array {
		return two(lax.Scan(func(c, a array) (array, array) { return lax.Add(c, lax.Mul(a, z)), c }, x, y))
	}),
	"scan_closure_two": func(x ...array) []array {
		return two(lax.Scan(func(c, a array) (array, array) { return lax.Add(c, lax.Mul(a, x[3])), x[2] }, x[0], x[1]))
	},
	"scan_const": of2b(func(x, y array) []array {
		return two(lax.Scan(func(c, a array) (array, array) { return lax.Add(c, a), lax.Mul(c, pair12()) }, x, y))
	}),
	"scan_xs_tuple": of3b(func(x, y, z array) []array {
		return two(lax.Scan(func(c array, a [2]array) (array, array) { return lax.Add(c, a[0]), a[1] }, x, [2]array{y, z}))
	}),
	"scan_carry_dict": of3b(func(h, n, y array) []array {
		type dict struct{ H, N array }
		d, ys := lax.Scan(func(c dict, a array) (dict, array) {
			return dict{lax.Add(c.H, a), lax.Add(c.N, int32(1))}, c.H
		}, dict{h, n}, y)
		return results(d.H, d.N, ys)
	}),
	"scan_weak_carry": func(x ...array) []array { return two(lax.Scan(sum, weft.Scalar(0.0), x[0])) },
	"scan_weak_carry_stays": func(...array) []array {
		return two(lax.Scan(func(c array, _ none) (array, array) { return lax.Add(c, 1.0), c }, weft.Scalar(0.0), none{}, lax.Length(3)))
	},
	"scan_weak_int_carry": func(...array) []array {
		return two(lax.Scan(func(c array, _ none) (array, array) { return lax.Add(c, 1), c }, weft.Scalar(0), none{}, lax.Length(3)))
	},
	"scan_counter": func(x ...array) []array {
		return two(lax.Scan(func(c, a array) (array, array) { return lax.Add(c, int32(1)), lax.Mul(a, a) }, weft.Scalar(int32(0)), x[0]))
	},
	"scan_unused_ys":    of2(func(x, y array) array { c, _ := lax.Scan(sum, x, y); return c }),
	"scan_unused_carry": of2(func(x, y array) array { _, ys := lax.Scan(sum, x, y); return ys }),
	"scan_literal_y": of2b(func(x, y array) []array {
		return two(lax.Scan(func(c, a array) (array, array) { return lax.Add(c, a), weft.Scalar(1.0) }, x, y))
	}),
	"scan_identity": of2b(func(x, y array) []array { return two(lax.Scan(func(c, a array) (array, array) { return c, a }, x, y)) }),
	"scan_nested": of2b(func(x, y array) []array {
		return two(lax.Scan(func(c, a array) (array, array) { return lax.Scan(sum, c, a) }, x, y))
	}),
	"scan_in_cond": of3(func(x, y, z array) array {
		return lax.Cond(x, func(a array) array { c, _ := lax.Scan(sum, a, z); return c }, same, y)
	}),
	"scan_of_jit": of2b(func(x, y array) []array {
		g := weft.Jit(func(p, q array) array { return lax.Add(p, q) }, lambda)
		return two(lax.Scan(func(c, a array) (array, array) { return g(c, a), c }, x, y))
	}),
	"scan_body_shared": of2b(func(x, y array) []array {
		return append(two(lax.Scan(sum, x, y)), two(lax.Scan(sum, x, y))...)
	}),
	"rnn": func(x ...array) []array {
		h0, xs, w, u := x[0], x[1], x[2], x[3]
		return two(lax.Scan(func(h, x array) (array, array) {
			h = lax.Tanh(lax.Add(lax.Dot(h, w), lax.Dot(x, u)))
			return h, h
		}, h0, xs))
	},
	"odeint_rk4": of2b(func(y0, ts array) []array {
		dyn := func(y array) array {
			p := lax.Slice(y, []int{1}, []int{2}, nil)
			return lax.Concatenate(0, p, lax.Neg(lax.Sin(lax.Slice(y, []int{0}, []int{1}, nil))))
		}
		return two(lax.Scan(func(y, t array) (array, array) {
			k1 := dyn(y)
			k2 := dyn(lax.Add(y, lax.Mul(float32(0.05), k1)))
			k3 := dyn(lax.Add(y, lax.Mul(float32(0.05), k2)))
			k4 := dyn(lax.Add(y, lax.Mul(float32(0.1), k3)))
			outer := lax.Add(k1, k4)
			return lax.Add(y, lax.Mul(float32(0.1/6.0), lax.Add(outer, lax.Mul(float32(2), lax.Add(k2, k3))))), t
		}, y0, ts))
	}),
	"map_sin": of1(func(x array) array { return lax.Map(lax.Sin, x) }),
	"map_tuple": of2(func(x, y array) array {
		return lax.Map(func(t [2]array) array { return lax.Add(t[0], t[1]) }, [2]array{x, y})
	}),
	"map_batch":     of1(func(x array) array { return lax.MapBatches(lax.Sin, x, 3) }),
	"map_batch_rem": of1(func(x array) array { return lax.MapBatches(lax.Sin, x, 3) }),
	"assoc_scan_8":  of1(func(x array) array { return lax.AssociativeScan(lax.Add[array, array], x, 0, false) }),
	"assoc_scan_5":  of1(func(x array) array { return lax.AssociativeScan(lax.Mul[array, array], x, 0, false) }),
	"assoc_scan_rev": of1(func(x array) array {
		return lax.AssociativeScan(lax.Max[array, array], x, 0, true)
	}),
	"assoc_scan_tuple": of2b(func(x, y array) []array {
		c := lax.AssociativeScan(func(a, b [2]array) [2]array {
			p := lax.Mul(a[0], b[0])
			return [2]array{p, lax.Add(lax.Mul(a[1], b[0]), b[1])}
		}, [2]array{x, y}, 0, false)
		return c[:]
	}),
	"assoc_scan_axis": of1(func(x array) array { return lax.AssociativeScan(lax.Add[array, array], x, 1, false) }),
}

// of2b and of3b are programs of two and three arguments with several results.
func of2b(f func(x, y array) []array) program {
	return func(x ...array) []array { return f(x[0], x[1]) }
}

func of3b(f func(x, y, z array) []array) program {
	return func(x ...array) []array { return f(x[0], x[1], x[2]) }
}

// An axis counts from the end, also where the scan is reversed, and must exist.
func TestAssociativeScanAxis(t *testing.T) {
	x := weft.FromSlice([]float32{1, 2, 3, 4, 5, 6}, 2, 3)
	for _, reverse := range []bool{false, true} {
		scan := func(axis int) array { return lax.AssociativeScan(lax.Add[array, array], x, axis, reverse) }
		for axis := range 2 {
			require.Equal(t, floats(t, scan(axis)), floats(t, scan(axis-2)))
		}
		for _, axis := range []int{2, -3} {
			require.ErrorContains(t, core.Catch(func() { scan(axis) }), "is out of range for f32[2,3]")
		}
	}
}

// Bounds are integers of one type, also where both are numbers, or floats without fraction, which make an integer index.
// Large unsigned ones count as they are.
func TestForiLoopBounds(t *testing.T) {
	count := func(_, c array) array { return lax.Add(c, weft.Scalar[int32](1)) }
	x := weft.FromSlice([]int32{0}).Reshape()
	require.Equal(t, int32(2), weft.ToSlice[int32](lax.ForiLoop(0.0, 2.0, func(i, c array) array {
		require.Equal(t, weft.Int32, i.DType())
		return count(i, c)
	}, x))[0])
	require.ErrorContains(t, core.Catch(func() { lax.ForiLoop(0.0, 2.5, count, x) }), "of one type, got ~f32[] and ~f32[]")
	require.ErrorContains(t, core.Catch(func() { lax.ForiLoop(0, 2.5, count, x) }), "the bounds must be scalar integers of one type, got ~i32[] and ~f32[]")
	require.ErrorContains(t, core.Catch(func() { lax.ForiLoop(weft.Scalar[int32](0), weft.Scalar[int64](3), count, x) }), "of one type")
	from, to := weft.Scalar[uint64](1<<63-1), weft.Scalar[uint64](1<<63+2)
	require.Equal(t, int32(3), weft.ToSlice[int32](lax.ForiLoop(from, to, count, x))[0])
	for _, o := range []lax.ScanOption{lax.Reverse(), lax.Length(2)} {
		require.ErrorContains(t, core.Catch(func() { lax.ForiLoop(0, 3, count, x, o) }), "ForiLoop: Reverse and Length are options of a scan")
	}
}

// To a bool, a complex number is its real part, as an array is.
func TestConvertComplexNumberToBool(t *testing.T) {
	for _, x := range []array{weft.Scalar(1i), weft.FromSlice([]complex128{1i}).Reshape()} {
		require.False(t, weft.ToSlice[bool](lax.ConvertElementType(x, weft.Bool))[0])
	}
}

func TestControlText(t *testing.T) {
	n, of := 0, 0
	for _, programs := range []map[string]program{conditionals, whiles, counts, scans} {
		var k int
		k, of = sameText(t, "control", named(t, "control", programs))
		n += k
	}
	require.Equal(t, of, n)
}
