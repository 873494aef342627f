package custom_test

import (
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/custom"
	"github.com/weft-go/weft/internal/test/arraycheck"
)

// Second derivatives of a function with a batching rule, on a batch, are those of the function: also
// where an argument is not used, or is linear, so that its first derivative is a constant.
func TestCustomVmapSecondDerivatives(t *testing.T) {
	type two struct{ A, B weft.Array }
	functions := map[string]func(two) weft.Array{
		"sum":    func(p two) weft.Array { return weft.Sin(p.A).Add(p.B) },
		"unused": func(p two) weft.Array { return weft.Sin(p.A) },
		"linear": func(p two) weft.Array { return weft.Cos(p.A).Mul(p.B) },
		"hypot":  func(p two) weft.Array { return weft.Hypot(p.A, p.B) },
	}
	over := func(f func(two) weft.Array) map[string]func(two) weft.Array {
		return map[string]func(two) weft.Array{
			"nil rule": custom.Vmap(f, nil),
			"rule": custom.Vmap(f, func(n int, mapped, p two) (weft.Array, weft.Array) {
				axis := func(m weft.Array) any {
					if m.Bool() {
						return 0
					}
					return weft.None
				}
				return weft.Vmap(f, weft.In(weft.Axes{"A": axis(mapped.A), "B": axis(mapped.B)}))(p), yes
			}),
		}
	}
	around := map[string]func(func(two) weft.Array) func(two) weft.Array{
		"alone": func(f func(two) weft.Array) func(two) weft.Array { return f },
		"jit":   func(f func(two) weft.Array) func(two) weft.Array { return weft.Jit(f) },
		"remat": func(f func(two) weft.Array) func(two) weft.Array { return weft.Remat(f) },
		"scan": func(f func(two) weft.Array) func(two) weft.Array {
			return func(p two) weft.Array {
				c, _ := weft.ScanN(func(a weft.Array) (weft.Array, struct{}) { return f(two{a, p.B}), struct{}{} }, p.A, 2)
				return c
			}
		},
		"cond": func(f func(two) weft.Array) func(two) weft.Array {
			return func(p two) weft.Array {
				return weft.Cond(p.A.Gt(0.5), func() weft.Array { return f(p) }, func() weft.Array { return f(two{p.B, p.A}) })
			}
		},
	}
	first := map[string]func(func(two) weft.Array, two) weft.Array{
		"grad": func(f func(two) weft.Array, p two) weft.Array { return weft.Grad(f)(p).A },
		"jvp": func(f func(two) weft.Array, p two) weft.Array {
			_, d := weft.JVP(f, p, two{s(1), s(0.5)})
			return d
		},
	}
	seconds := map[string]func(func(weft.Array) weft.Array) func(weft.Array) weft.Array{
		"grad": func(g func(weft.Array) weft.Array) func(weft.Array) weft.Array { return weft.Grad(g) },
		"jvp": func(g func(weft.Array) weft.Array) func(weft.Array) weft.Array {
			return func(x weft.Array) weft.Array { _, d := weft.JVP(g, x, s(1)); return d }
		},
	}
	xs := vec(0.3, 0.9, 1.4)
	for fname, f := range functions {
		for rname, ruled := range over(f) {
			for aname, wrap := range around {
				for d1, one := range first {
					for d2, second := range seconds {
						for bname, other := range map[string]func(x weft.Array) weft.Array{
							"constant": func(weft.Array) weft.Array { return s(2) },
							"the same": func(x weft.Array) weft.Array { return x },
						} {
							of := func(f func(two) weft.Array) func(weft.Array) weft.Array {
								g := wrap(f)
								return weft.Vmap(second(func(x weft.Array) weft.Array { return one(g, two{x, other(x)}) }))
							}
							want := of(f)(xs)
							arraycheck.Within(t, d2+" of "+d1+" of "+aname+" of "+fname+", "+rname+", B "+bname, of(ruled)(xs), want, 1e-5)
						}
					}
				}
			}
		}
	}
}
