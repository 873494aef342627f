package lax_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim/hostcall"
	"github.com/weft-go/weft/custom"
	"github.com/weft-go/weft/internal/test/statement"
	"github.com/weft-go/weft/lax"
)

// customSin returns a sine with a forward rule.
func customSin(names ...weft.NameOption) func(array) array {
	return custom.JVP(lax.Sin, func(p, t array) (array, array) { return lax.Sin(p), lax.Mul(lax.Cos(p), t) }, names...)
}

// keep returns f with a reverse rule that passes the cotangent on.
func keep(f func(array) array, names ...weft.NameOption) func(array) array {
	return custom.VJP(f, func(x array) (array, none) { return f(x), none{} }, func(_ none, ct array) array { return ct }, names...)
}

var customs = map[string]program{
	"custom_jvp": of1(func(x array) array { return customSin("g", "g_jvp")(x) }),
	"custom_jvp_two_args": of2(func(x, y array) array {
		g := custom.NewJVP(func(_ none, p [2]array) array { return product(p[0], p[1]) }, "g", "jvp")
		g.RuleEach(func(t, _ array, p [2]array, _ none) array { return lax.Mul(t, p[1]) }, nil)
		return g.Call(none{}, [2]array{x, y})
	}),
	"custom_jvp_no_rule_name": of1(func(x array) array {
		return custom.JVP(func(x array) array { return lax.Mul(x, float32(3)) }, func(p, t array) (array, array) { return lax.Mul(p, float32(3)), t }, lambda, lambda)(x)
	}),
	"custom_jvp_twice": of1(func(x array) array { g := customSin("g", "g_jvp"); return g(g(x)) }),
	"custom_jvp_in_jit": of1(func(x array) array {
		h := custom.JVP(lax.Cos, func(p, t array) (array, array) { return lax.Cos(p), t }, lambda, lambda)
		return weft.Jit(h, lambda)(x)
	}),
	"custom_jvp_closure": of2(func(x, y array) array {
		g := func(z array) array { return lax.Mul(z, y) }
		return custom.JVP(g, func(p, t array) (array, array) { return g(p), t }, "g", lambda)(x)
	}),
	"custom_jvp_nondiff": of1(func(x array) array {
		type f = func(array) array
		app := custom.NewJVP(func(h f, x array) array { return h(x) }, "app", "app_jvp")
		app.RuleFirst(func(h f, x, t array) (array, array) { return h(x), lax.Mul(t, float32(3)) })
		return app.Call(func(y array) array { return lax.Mul(y, float32(2)) }, x)
	}),
	"custom_jvp_pytree": of1(func(x array) array {
		type in struct{ A array }
		type out struct{ B array }
		g := custom.JVP(func(d in) out { return out{lax.Sin(d.A)} },
			func(p, t in) (out, out) { return out{lax.Sin(p.A)}, out{lax.Mul(lax.Cos(p.A), t.A)} }, "g", "rule")
		return g(in{x}).B
	}),
	"custom_jvp_in_scan": of1(func(x array) array {
		g := custom.JVP(func(x array) array { return lax.Mul(x, float32(3)) },
			func(p, t array) (array, array) { return lax.Mul(p, float32(3)), lax.Mul(t, float32(2)) }, "g", "g_jvp")
		c, _ := lax.Scan(func(c array, _ none) (array, none) { return g(c), none{} }, x, none{}, lax.Length(1))
		return c
	}),
	"custom_vjp": of1(func(x array) array {
		return custom.VJP(lax.Sin, func(x array) (array, array) { return lax.Sin(x), lax.Cos(x) },
			func(r, ct array) array { return lax.Mul(r, ct) }, "g", "g_fwd", "g_bwd")(x)
	}),
	"custom_vjp_two": of2b(func(x, n array) []array {
		type pair struct{ X, N array }
		g := func(p pair) pair { return pair{lax.Mul(p.X, lax.ConvertElementType(p.N, weft.Float32)), p.N} }
		o := custom.VJP(g, func(p pair) (pair, array) { return g(p), p.N },
			func(n array, ct pair) pair { return pair{X: ct.X} }, "g", lambda, lambda)(pair{x, n})
		return two(o.X, o.N)
	}),
	"custom_vjp_clip_gradient": of3(func(lo, hi, x array) array {
		type p struct{ Lo, Hi, X array }
		clip := custom.VJP(func(p p) array { return p.X }, func(q p) (array, p) { return q.X, q },
			func(r p, g array) p { return p{X: lax.Clamp(r.Lo, g, r.Hi)} }, "clip_gradient", "clip_fwd", "clip_bwd")
		return lax.Mul(float32(10), clip(p{lo, hi, x}))
	}),
	"custom_vjp_nondiff": of1(func(x array) array {
		type f = func(array) array
		app := custom.NewVJP[f, array, none](func(h f, x array) array { return h(x) }, "skip_app", lambda, lambda)
		app.Rules(func(h f, x array) (array, none) { return h(x), none{} }, func(_ f, _ none, g array) array { return g })
		return app.Call(lax.Sin, x)
	}),
	"custom_vjp_in_cond": of2(func(p, x array) array {
		return lax.Cond(p, keep(lax.Sin, "g", lambda, lambda), same, x)
	}),
	"custom_vjp_const": of1(func(x array) array {
		k := pair12()
		return keep(func(x array) array { return lax.Mul(x, k) }, "g", lambda, lambda)(x)
	}),
	"custom_gradient": of1(func(x array) array {
		return custom.Gradient(func(x array) (array, func(array) array) {
			return lax.Sin(x), func(ct array) array { return lax.Mul(ct, lax.Cos(x)) }
		}, "wrapped_fun", "fwd", "bwd")(x)
	}),
	"custom_jvp_symbolic_zeros": of1(func(x array) array {
		g := custom.NewJVP(func(_ none, x array) array { return lax.Sin(x) }, "g", lambda)
		g.RuleWithZeros(func(x, t array, _ none) (array, array) { return g.Call(none{}, x), t })
		return g.Call(none{}, x)
	}),
	"custom_root": of1(func(a array) array {
		type f = func(array) array
		return custom.Root(func(x array) array { return lax.Sub(lax.Mul(x, x), a) }, a,
			func(g f, x array) array {
				return lax.ForiLoop(0, 3, func(_, x array) array { return lax.Sub(x, g(x)) }, x)
			},
			func(g f, y array) array { return lax.Div(y, g(weft.Scalar(float32(1)))) })
	}),
	"custom_linear_solve": of2(func(a, v array) array {
		type f = func(array) array
		return custom.LinearSolve(func(x array) array { return lax.Dot(a, x) }, v, func(_ f, y array) array { return y }, nil, custom.Symmetric())
	}),
	"debug_print": of1(func(x array) array {
		hostcall.DebugPrint("x is {}", false, []core.Value{x.Value()}, nil, nil)
		return lax.Sin(x)
	}),
	"debug_print_ordered": of2(func(x, n array) array {
		hostcall.DebugPrint("x={x} n={n}", true, nil, []string{"n", "x"}, []core.Value{n.Value(), x.Value()})
		return lax.Sin(x)
	}),
	"debug_print_in_scan": of1(func(x array) array {
		c, _ := lax.Scan(func(c array, _ none) (array, none) {
			hostcall.DebugPrint("c {c}", false, nil, []string{"c"}, []core.Value{c.Value()})
			return lax.Sin(c), none{}
		}, x, none{}, lax.Length(3))
		return c
	}),
	"psum_vmap": of1(func(x array) array {
		return weft.Vmap(func(a array) array { return lax.Div(a, lax.Psum(a, "i")) }, weft.AxisName("i"))(x)
	}),
}

func TestCustomText(t *testing.T) {
	n, of := sameText(t, "custom", named(t, "custom", customs))
	t.Logf("%d of %d records; the others need references", n, of)
	require.GreaterOrEqual(t, n, min(23, of)) // the subset has fewer
}

// twoX returns x ↦ 2·x with a reverse rule whose derivative is 3.
func twoX() func(array) array {
	f := func(x array) array { return lax.Mul(2.0, x) }
	return custom.VJP(f, func(x array) (array, none) { return f(x), none{} },
		func(_ none, g array) array { return lax.Mul(3.0, g) }, "two", lambda, lambda)
}

// The programs of the documents that the design follows print JAX's text.
func TestSeedsText(t *testing.T) {
	statement.Shows(t, "O-4", "the toy f(x) = (1+1)x, before and after")
	statement.Shows(t, "O-5", "select_tril returns the same array, before and after")
	statement.Shows(t, "O-6", "tracing runs no primitive and keeps no array constant")
	statement.Shows(t, "J-1", "the older mechanism, its wrong rule visible")
	statement.Shows(t, "J-3", "the rule survives Vmap, as a call in the program")
	n, of := sameText(t, "seeds", named(t, "seeds", map[string]program{
		"seed_toy_add": of1(func(x array) array { return lax.Mul(x, lax.Add(1, 1)) }),
		"seed_toy_add_f32": of1(func(x array) array {
			return lax.Mul(x, lax.Add(float32(1), float32(1)))
		}),
		"seed_select_tril": of1(func(x array) array {
			i, j := lax.BroadcastedIota(weft.Int32, []int{3, 4}, 0), lax.BroadcastedIota(weft.Int32, []int{3, 4}, 1)
			mask := lax.Gt(i, j)
			return lax.Select(mask, x, lax.FullLike(x, 0))
		}),
		"seed_two_x":      of1(func(x array) array { return twoX()(x) }),
		"seed_two_x_vmap": of1(func(x array) array { return weft.Vmap(twoX())(x) }),
		"seed_pow_promotion": of1(func(x array) array {
			return weft.Mul(3, x.Add(1).Pow(2))
		}),
	}))
	require.Equal(t, of, n)
}
