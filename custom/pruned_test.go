package custom_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/custom"
	"github.com/weft-go/weft/internal/test/samples"
	"github.com/weft-go/weft/internal/test/testcheck"
)

// Programs whose linear parts have residuals and results that nothing needs: calls that are pruned, rules that close
// over what they do not use, branches and loops whose results are thrown away.

type fn = func(weft.Array) weft.Array
type pair struct{ A, B weft.Array }
type wide struct{ A, B, C weft.Array }

// square has a user-defined reverse rule that keeps more than it uses.
func square(x weft.Array) weft.Array {
	return custom.VJP(func(x weft.Array) weft.Array { return x.Mul(x) },
		func(x weft.Array) (weft.Array, wide) { return x.Mul(x), wide{x, weft.Sin(x), weft.Exp(x)} },
		func(r wide, ct weft.Array) weft.Array { return ct.Mul(r.A).Mul(2) })(x)
}

// cube has a user-defined forward rule.
func cube(x weft.Array) weft.Array {
	return custom.JVP(func(x weft.Array) weft.Array { return x.Mul(x).Mul(x) },
		func(x, t weft.Array) (weft.Array, weft.Array) {
			dead := weft.Exp(t)
			_ = dead
			return x.Mul(x).Mul(x), t.Mul(x).Mul(x).Mul(3)
		})(x)
}

// both returns two results, one of which the callers drop.
func both(x weft.Array) pair { return pair{weft.Sin(x).Mul(x), weft.Exp(weft.Cos(x))} }

func first(f func(weft.Array) pair) fn  { return func(x weft.Array) weft.Array { return f(x).A } }
func second(f func(weft.Array) pair) fn { return func(x weft.Array) weft.Array { return f(x).B } }

type wrapper = func(func(weft.Array) pair) func(weft.Array) pair

// inners are functions with two results, one of which the callers drop.
var inners = map[string]func(jit wrapper) func(weft.Array) pair{
	"both": func(jit wrapper) func(weft.Array) pair { return both },
	"rules": func(jit wrapper) func(weft.Array) pair {
		return func(x weft.Array) pair { return pair{square(weft.Sin(x)), cube(x).Mul(square(x))} }
	},
	"jits": func(jit wrapper) func(weft.Array) pair {
		f := jit(both)
		g := jit(func(x weft.Array) pair { return pair{f(x).B, f(f(x).A).A} })
		return func(x weft.Array) pair { return pair{g(x).B.Mul(square(g(x).A)), f(x).A} }
	},
	"cond": func(jit wrapper) func(weft.Array) pair {
		f := jit(both)
		return func(x weft.Array) pair {
			return weft.Cond(x.Sum().Gt(0.5), func() pair { return pair{f(x).B, cube(x)} }, func() pair { return pair{square(f(x).A), weft.Sqrt(x)} })
		}
	},
	"switch": func(jit wrapper) func(weft.Array) pair {
		f := jit(both)
		return func(x weft.Array) pair {
			i := weft.Where(x.Sum().Gt(0.5), 2, 1)
			return weft.Switch(i, func() pair { return pair{x, x} }, func() pair { return pair{cube(f(x).A), f(x).B} }, func() pair { return pair{f(x).A, square(x)} })
		}
	},
	"scan": func(jit wrapper) func(weft.Array) pair {
		f := jit(both)
		return func(x weft.Array) pair {
			c, ys := weft.Scan(func(c pair, s weft.Array) (pair, weft.Array) {
				y := f(c.A.Mul(s))
				return pair{y.A.Add(x), square(c.B)}, cube(y.B).Mul(c.A)
			}, pair{x, weft.Cos(x)}, weft.Of(0.5, 0.25, 0.125))
			return pair{c.A, ys.Sum(0)}
		}
	},
	"loop of conds": func(jit wrapper) func(weft.Array) pair {
		f := jit(both)
		return func(x weft.Array) pair {
			return weft.ForI(3, func(i weft.Array, c pair) pair {
				return weft.Cond(i.Eq(1), func() pair { return f(c.A) }, func() pair { return pair{square(c.B), f(c.B).A} })
			}, pair{x, x.Mul(0.5)})
		}
	},
	"remat": func(jit wrapper) func(weft.Array) pair {
		f := jit(both)
		return weft.Remat(func(x weft.Array) pair { return pair{f(x).B.Mul(cube(x)), square(f(x).A)} })
	},
	"rule around": func(jit wrapper) func(weft.Array) pair {
		f := jit(both)
		return func(x weft.Array) pair {
			y := weft.Scalar(1.5)
			g := custom.VJP(func(x weft.Array) weft.Array { return f(x).A.Mul(y) },
				func(x weft.Array) (weft.Array, pair) { return f(x).A.Mul(y), f(x) },
				func(r pair, ct weft.Array) weft.Array { return ct.Mul(f(r.A).B).Mul(y) })
			return pair{g(x), weft.Sin(g(x))}
		}
	},
	"gradient within": func(jit wrapper) func(weft.Array) pair {
		f := jit(both)
		return func(x weft.Array) pair {
			g := weft.Grad(func(x weft.Array) weft.Array { return f(x).A.Mul(f(x).B).Sum() })(x)
			return pair{g.Mul(f(x).A), cube(g)}
		}
	},
}

// Jit, which makes calls of which parts are dead, has the bits of Call in derivatives of functions with user-defined rules,
// branches, loops and batches within each other. Calls of both are pruned, so the derivatives are also compared with those
// of the functions themselves, which sum in another order, and with differences.
func TestDeadPartsChangeNoDerivative(t *testing.T) {
	jit := func(f func(weft.Array) pair) func(weft.Array) pair { return weft.Jit(f) }
	call := func(f func(weft.Array) pair) func(weft.Array) pair { return weft.Call(f) } // the order of sums is the same
	none := func(f func(weft.Array) pair) func(weft.Array) pair { return f }
	xs := []weft.Array{weft.Scalar(0.75), weft.Scalar(0.25)}
	around := map[string]func(f fn) fn{
		"plain": func(f fn) fn { return f },
		"in Vmap": func(f fn) fn {
			return func(x weft.Array) weft.Array { return weft.Vmap(f)(weft.Stack(0, x, x.Mul(0.5))).Sum() }
		},
		"in Remat":      func(f fn) fn { return weft.Remat(f) },
		"in Jit":        func(f fn) fn { return weft.Jit(f) },
		"in Remat, Jit": func(f fn) fn { return weft.Jit(weft.Remat(weft.Jit(f))) },
		"in Scan": func(f fn) fn {
			return func(x weft.Array) weft.Array {
				y, _ := weft.ScanN(func(c weft.Array) (weft.Array, weft.Array) { return weft.Sin(f(c)), c }, x, 2)
				return y
			}
		},
	}
	chosen := samples.Named(t, 10)
	for name, inner := range inners {
		for side, of := range map[string]func(func(weft.Array) pair) fn{"first": first, "second": second} {
			for how, wrap := range around {
				at := fmt.Sprintf("%s, %s result, %s", name, side, how)
				if !chosen(at) {
					continue
				}
				one := wrap(of(jit(inner(jit))))
				other := wrap(of(inner(call)))
				unstaged := wrap(of(inner(none)))
				for _, x := range xs {
					x = x.AsType(weft.Float32)
					ds := map[string][2]weft.Array{
						"gradient":  {weft.Grad(one)(x), weft.Grad(other)(x)},
						"under Jit": {weft.Jit(weft.Grad(one))(x), weft.Grad(other)(x)},
						"batch":     {weft.Vmap(weft.Grad(one))(weft.Stack(0, x, x)).Index(0), weft.Vmap(weft.Grad(other))(weft.Stack(0, x, x)).Index(0)},
					}
					for what, d := range ds {
						if !testcheck.SameBinary(d[0], d[1]) {
							t.Errorf("%s at %v: %s is %v with Jit, %v with Call", at, x, what, d[0], d[1])
						}
					}
					at64 := func(h float64) weft.Array { return weft.From(x.Float()+h, weft.Float64) }
					got, want := weft.Grad(one)(at64(0)).Float(), weft.Grad(unstaged)(at64(0)).Float()
					if math.Abs(got-want) > 1e-14*(1+math.Abs(want)) { // the largest is 1.3e-15
						t.Errorf("%s at %v: the gradient of f64 is %v with Jit, %v without", at, x, got, want)
					}
					if name == "rule around" { // the rule is not the derivative
						continue
					}
					const h = 1e-6
					got, want = weft.Grad(one)(x).Float(), (one(at64(h)).Float()-one(at64(-h)).Float())/(2*h)
					if math.Abs(got-want) > 2e-3*(1+math.Abs(want)) {
						t.Errorf("%s at %v: the gradient is %v, the difference %v", at, x, got, want)
					}
				}
			}
		}
	}
}
