package lax_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/lax"
)

// lambda is the name that JAX prints for a function without one.
const lambda = weft.NameOption("<lambda>")

// jitSin returns the function g of many golden programs, a new one for each program.
func jitSin() func(array) array { return weft.Jit(lax.Sin, weft.Name("g")) }

// again returns f applied n times.
func again(f func(array) array, n int, x array) array {
	for range n {
		x = f(x)
	}
	return x
}

func product(x, y array) array { return lax.Mul(x, y) }

// doubleSin returns the body of the rematerialized golden programs.
func doubleSin(y array) array { return lax.Sin(lax.Sin(y)) }

// arrayOf3 is not a Go number but an array without axes, made before anything is traced.
var arrayOf3 = weft.FromSlice([]float32{3}).Reshape()

var calls = map[string]program{
	"jit_once":        of1(func(x array) array { return jitSin()(x) }),
	"jit_of_f":        of1(func(x array) array { return weft.Jit(lax.Sin, weft.Name("f"))(x) }),
	"jit_twice":       of1(func(x array) array { g := jitSin(); return lax.Add(g(x), g(x)) }),
	"jit_twice_chain": of1(func(x array) array { g := jitSin(); return g(g(x)) }),
	"jit_two_shapes": of2b(func(x, y array) []array {
		g := jitSin()
		return results(g(x), g(y), g(x), g(y))
	}),
	"jit_weak_and_strong": of2b(func(x, y array) []array { g := jitSin(); return two(g(x), g(y)) }),
	"jit_same_name_different": func(x ...array) []array {
		a, b := weft.Jit(lax.Sin, weft.Name("g")), weft.Jit(lax.Cos, weft.Name("g"))
		return results(a(x[0]), a(x[0]), b(x[0]), b(x[0]))
	},
	"jit_lambda_twice": of1(func(x array) array {
		g := weft.Jit(func(y array) array { return lax.Mul(y, y) }, lambda)
		return lax.Add(g(x), g(x))
	}),
	"jit_name_clash_suffix": of3b(func(x, y, z array) []array {
		g, f1 := weft.Jit(lax.Sin, lambda), weft.Jit(lax.Neg, weft.Name("f1"))
		return results(g(x), g(x), g(y), g(y), g(z), g(z), f1(x), f1(x))
	}),
	"jit_variable_named_like_shared": of3(func(x, y, z array) array {
		c := weft.Jit(lax.Sin, weft.Name("c"))
		p := c(x)
		return lax.Add(p, lax.Add(c(y), c(z)))
	}),
	"jit_nested_shared": of1(func(x array) array {
		inner := weft.Jit(func(y array) array { return lax.Add(y, 1.0) }, weft.Name("inner"))
		outer := weft.Jit(func(x array) array { return lax.Add(inner(x), inner(x)) }, weft.Name("outer"))
		return lax.Add(outer(x), outer(x))
	}),
	"jit_nested_three_levels": of1(func(x array) array {
		a1 := weft.Jit(lax.Sin, weft.Name("a1"))
		a2 := weft.Jit(func(y array) array { return lax.Cos(a1(y)) }, weft.Name("a2"))
		a3 := weft.Jit(func(y array) array { return lax.Exp(a2(y)) }, weft.Name("a3"))
		return a3(a2(a1(x)))
	}),
	"jit_more_than_ten": of1(func(x array) array {
		return weft.Jit(func(y array) array { return again(lax.Sin, 11, y) }, weft.Name("g"))(x)
	}),
	"jit_exactly_ten": of1(func(x array) array {
		return weft.Jit(func(y array) array { return again(lax.Sin, 10, y) }, weft.Name("g"))(x)
	}),
	"scan_more_than_ten": of1(func(x array) array {
		c, _ := lax.Scan(func(c array, _ none) (array, none) { return again(lax.Sin, 11, c), none{} }, x, none{}, lax.Length(4))
		return c
	}),
	"two_big_scans": of1(func(x array) array {
		big := func(f func(array) array, x array) array {
			c, _ := lax.Scan(func(c array, _ none) (array, none) { return again(f, 12, c), none{} }, x, none{}, lax.Length(4))
			return c
		}
		return big(lax.Cos, big(lax.Sin, x))
	}),
	"big_jit_in_big_jit": of1(func(x array) array {
		g := weft.Jit(func(y array) array { return again(lax.Sin, 11, y) }, weft.Name("g"))
		h := weft.Jit(func(y array) array { return again(func(y array) array { return lax.Cos(g(y)) }, 11, y) }, weft.Name("h"))
		return h(x)
	}),
	"jit_closure_tracer": of2(func(x, y array) array {
		return weft.Jit(func(z array) array { return lax.Mul(z, y) }, lambda)(x)
	}),
	"jit_closure_tracer_twice": of2(func(x, y array) array {
		g := weft.Jit(func(z array) array { return lax.Mul(z, y) }, lambda)
		return lax.Add(g(x), g(y))
	}),
	"jit_closure_two_tracers": of3(func(x, y, z array) array {
		return weft.Jit(func(w array) array { return lax.Mul(lax.Add(w, z), y) }, lambda)(x)
	}),
	"jit_closure_const": of1(func(x array) array {
		k := weft.FromSlice([]float32{0, 1, 2})
		return weft.Jit(func(z array) array { return lax.Mul(z, k) }, lambda)(x)
	}),
	"jit_closure_const_twice": of1(func(x array) array {
		k := weft.FromSlice([]float32{0, 1, 2})
		g := weft.Jit(func(z array) array { return lax.Mul(z, k) }, lambda)
		return lax.Add(g(x), g(lax.Neg(x)))
	}),
	"jit_closure_scalar": of1(func(x array) array {
		return weft.Jit(func(z array) array { return lax.Mul(z, float32(3)) }, lambda)(x)
	}),
	"jit_closure_jnp_scalar": of1(func(x array) array {
		return weft.Jit(func(z array) array { return lax.Mul(z, arrayOf3) }, lambda)(x)
	}),
	"jit_dup_args": of1(func(x array) array {
		return weft.Jit(func(a, b, c array) array { return lax.Mul(lax.Mul(a, b), c) }, lambda)(x, x, x)
	}),
	"jit_literal_arg":    of1(func(x array) array { return weft.Jit(product, lambda)(x, weft.Scalar(2.0)) }),
	"jit_np_literal_arg": of1(func(x array) array { return weft.Jit(product, lambda)(x, weft.Scalar(float32(0.1))) }),
	"jit_const_array_arg": of1(func(x array) array {
		return weft.Jit(product, lambda)(x, weft.FromSlice([]float32{1, 1, 1}))
	}),
	"jit_literal_out": func(x ...array) []array {
		return two(weft.Jit(func(a array) (array, array) { return weft.Scalar(2), a }, lambda)(x[0]))
	},
	"jit_passthrough": of2b(func(x, y array) []array {
		return two(weft.Jit(func(a, b array) (array, array) { return b, a }, lambda)(x, y))
	}),
	"jit_dup_out": func(x ...array) []array {
		return two(weft.Jit(func(a array) (array, array) { s := lax.Sin(a); return s, s }, lambda)(x[0]))
	},
	"jit_unused_arg": of2(func(x, y array) array {
		return weft.Jit(func(a, b array) array { return lax.Sin(a) }, lambda)(x, y)
	}),
	"jit_unused_out": of1(func(x array) array {
		s, _ := weft.Jit(func(a array) (array, array) { return lax.Sin(a), lax.Cos(a) }, lambda)(x)
		return s
	}),
	"jit_all_unused": of1(func(x array) array {
		weft.Jit(func(a array) (array, array) { return lax.Sin(a), lax.Cos(a) }, lambda)(x)
		return x
	}),
	"jit_dead_inside": of1(func(x array) array {
		return weft.Jit(func(a array) array { lax.Exp(a); return lax.Sin(a) }, weft.Name("g"))(x)
	}),
	"jit_dead_multi_inside": of1(func(x array) array {
		return weft.Jit(func(a array) array { v, _ := lax.TopK(a, 2, -1); return v }, lambda)(x)
	}),
	"jit_no_args": func(...array) []array {
		return results(weft.Jit(func() array { return lax.Iota(weft.Int32, 4) }, lambda)())
	},
	"jit_no_out": of1(func(x array) array {
		weft.Jit(func(array) {}, lambda)(x)
		return x
	}),
	"jit_static_arg": of1(func(x array) array {
		g := weft.Jit(lax.IntegerPow, lambda)
		return lax.Add(g(x, 2), g(x, 3))
	}),
	"jit_pytree_arg": of3b(func(x, y, n array) []array {
		type in struct {
			A array
			B [2]array
		}
		type out struct{ N, S array }
		o := weft.Jit(func(d in) out { return out{S: lax.Add(d.A, d.B[0]), N: d.B[1]} }, weft.Name("g"))(in{x, [2]array{y, n}})
		return two(o.N, o.S)
	}),
	"jit_kwargs": of2(func(x, y array) array { return weft.Jit(product, weft.Name("g"))(x, y) }),
	"jit_partial_name": of1(func(x array) array {
		k := 2.0
		return weft.Jit(func(x array) array { return lax.Mul(x, k) }, weft.Name("g"))(x)
	}),
	"jit_donate":        of1(func(x array) array { return weft.Jit(lax.Sin, lambda, weft.Donate(0))(x) }),
	"checkpoint_simple": of1(func(x array) array { return weft.Remat(doubleSin)(x) }),
	"checkpoint_twice":  of1(func(x array) array { g := weft.Remat(doubleSin); return g(g(x)) }),
	"checkpoint_no_cse": of2(func(x, k array) array {
		return weft.Remat(func(y array) array { return lax.Mul(y, k) }, weft.AllowCSE())(x)
	}),
	"checkpoint_jit": of1(func(x array) array {
		g := weft.Jit(lax.Sin, lambda)
		return weft.Remat(func(y array) array { return g(g(y)) })(x)
	}),
	"checkpoint_name": of1(func(x array) array { return lax.Sin(weft.CheckpointName(lax.Cos(x), "c")) }),
}

func TestCallsText(t *testing.T) {
	n, of := sameText(t, "calls", named(t, "calls", calls))
	t.Logf("%d of %d records; the others need composite, and options that Go does not have", n, of)
	require.GreaterOrEqual(t, n, 20)
}

// Lines are broken within calls as they are within programs.
func TestLayoutOfCallsText(t *testing.T) {
	deep := func(x array) array {
		g := lax.Sin
		for range 12 {
			g = weft.Jit(g, lambda)
		}
		return g(x)
	}
	deepScan := func(x array) array {
		g := lax.Sin
		for range 4 {
			h := g
			g = func(y array) array {
				_, ys := lax.Scan(func(c none, a array) (none, array) { return c, h(a) }, none{}, y)
				return ys
			}
		}
		return g(x)
	}
	n, _ := sameText(t, "layout", named(t, "layout", map[string]program{
		"nested_long_call": func(x ...array) []array {
			g := weft.Jit(func(x ...array) array { return lax.Concatenate(0, x...) }, lambda)
			return results(g(append(append([]array{}, x...), x...)...))
		},
		"long_name":         of1(weft.Jit(lax.Sin, weft.Name("a_function_with_quite_a_long_name_that_goes_on_and_on_and_on_until_the_line_is_full"))),
		"deep_nesting":      of1(deep),
		"deep_scan_nesting": of1(deepScan),
		"edge_param_9":      of1(func(x array) array { return lax.ReduceMax(x, 0, 1, 2, 3) }),
		"edge_param_16":     of1(func(x array) array { return lax.ReduceMax(x, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10) }),
		"edge_param_21":     of1(func(x array) array { return lax.ReduceMax(x, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15) }),
	}))
	require.GreaterOrEqual(t, n, 5)
}
