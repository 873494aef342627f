package lax_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/lax"
)

func TestReduceText(t *testing.T) {
	n, of := sameText(t, "reduce", aProgram(t))
	t.Logf("%d of %d records", n, of)
	require.GreaterOrEqual(t, n, 15)
}

func TestWindowText(t *testing.T) {
	weighted := of2(func(x, y array) array {
		return lax.ReduceWindow(x, y, func(a, b array) array { return lax.Add(lax.Mul(a, 0.5), b) }, lax.WindowConfig{Dims: []int{2}})
	})
	n, of := sameText(t, "window", either(named(t, "window", map[string]program{"reduce_window_7": weighted}), aProgram(t)))
	t.Logf("%d of %d records", n, of)
	require.Equal(t, of, n)
}

func TestDotText(t *testing.T) {
	n, of := sameText(t, "dot", aProgram(t))
	t.Logf("%d of %d records", n, of)
	require.Equal(t, of, n)
}

func TestConvText(t *testing.T) {
	n, of := sameText(t, "conv", aProgram(t))
	t.Logf("%d of %d records", n, of)
	require.Equal(t, of, n)
}

func TestLinalgText(t *testing.T) {
	n, of := sameText(t, "linalg", aProgram(t))
	t.Logf("%d of %d records", n, of)
	require.Equal(t, of, n)
}

func TestReductionVariantsText(t *testing.T) {
	n, _ := sameText(t, "more", aProgram(t))
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

// withAxis returns a program within an axis i of size 4.
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

// To write what JAX's rules for batches and derivatives write is not a goal. Where their program is
// the obvious one, ours is the same.
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
