package custom_test

import (
	"github.com/weft-go/weft"
	"github.com/weft-go/weft/custom"
	"github.com/weft-go/weft/internal/test/arraycheck"
)

type (
	none = custom.None
	xy   = [2]weft.Array
	xyz  = [3]weft.Array
)

var (
	s, vec        = arraycheck.F32, arraycheck.Vector32
	near, nearAll = arraycheck.Near, arraycheck.NearAll
)

// jvpWith returns a function with a rule in the order of the document.
func jvpWith[D, P, O any](f func(d D, p P) O, rule func(p, t P, d D) (O, O)) func(D, P) O {
	c := custom.NewJVP(f)
	c.Rule(rule)
	return c.Call
}

// jvpWithFirst returns a function with a rule in JAX's order.
func jvpWithFirst[D, P, O any](f func(d D, p P) O, rule func(d D, p, t P) (O, O)) func(D, P) O {
	c := custom.NewJVP(f)
	c.RuleFirst(rule)
	return c.Call
}

func vjpWith[D, P, R, O any](f func(d D, p P) O, fwd func(d D, p P) (O, R), bwd func(d D, r R, ct O) P, names ...weft.NameOption) func(D, P) O {
	c := custom.NewVJP[D, P, R](f, names...)
	c.Rules(fwd, bwd)
	return c.Call
}

// plainJVP is a handle of a function without a non-differentiable argument.
type plainJVP[P, O any] struct{ *custom.JVPRule[none, P, O] }

func newJVP[P, O any](f func(P) O, names ...weft.NameOption) plainJVP[P, O] {
	return plainJVP[P, O]{custom.NewJVP(func(_ none, p P) O { return f(p) }, names...)}
}

func (c plainJVP[P, O]) Call(p P) O { return c.JVPRule.Call(none{}, p) }

func (c plainJVP[P, O]) Rule(rule func(p, t P) (O, O)) {
	c.JVPRule.Rule(func(p, t P, _ none) (O, O) { return rule(p, t) })
}

func (c plainJVP[P, O]) RuleWithZeros(rule func(p, t P) (O, O)) {
	c.JVPRule.RuleWithZeros(func(p, t P, _ none) (O, O) { return rule(p, t) })
}

// plainVJP is a handle of a function without a non-differentiable argument.
type plainVJP[P, R, O any] struct{ *custom.VJPRule[none, P, R, O] }

func newVJP[P, R, O any](f func(P) O, names ...weft.NameOption) plainVJP[P, R, O] {
	return plainVJP[P, R, O]{custom.NewVJP[none, P, R](func(_ none, p P) O { return f(p) }, names...)}
}

func (c plainVJP[P, R, O]) Call(p P) O { return c.VJPRule.Call(none{}, p) }

func (c plainVJP[P, R, O]) Rules(fwd func(P) (O, R), bwd func(R, O) P) {
	c.VJPRule.Rules(func(_ none, p P) (O, R) { return fwd(p) }, func(_ none, r R, ct O) P { return bwd(r, ct) })
}

func (c plainVJP[P, R, O]) RulesWithZeros(fwd func(p, active P) (O, R), bwd func(R, O) P) {
	c.VJPRule.RulesWithZeros(func(_ none, p, active P) (O, R) { return fwd(p, active) }, func(_ none, r R, ct O) P { return bwd(r, ct) })
}

// vjp3 returns a function of three arrays with reverse rules.
func vjp3[R any](f func(x, y, z weft.Array) weft.Array, fwd func(x, y, z weft.Array) (weft.Array, R), bwd func(R, weft.Array) (x, y, z weft.Array), names ...weft.NameOption) func(x, y, z weft.Array) weft.Array {
	g := custom.VJP(func(p xyz) weft.Array { return f(p[0], p[1], p[2]) },
		func(p xyz) (weft.Array, R) { return fwd(p[0], p[1], p[2]) },
		func(r R, ct weft.Array) xyz { x, y, z := bwd(r, ct); return xyz{x, y, z} }, names...)
	return func(x, y, z weft.Array) weft.Array { return g(xyz{x, y, z}) }
}

// jvps returns a function with a rule for its array.
func jvps(f unary, dx func(t, ans, x weft.Array) weft.Array) unary {
	c := custom.NewJVP(func(_ none, x weft.Array) weft.Array { return f(x) })
	if dx == nil {
		c.RuleEach(nil)
	} else {
		c.RuleEach(func(t, ans, x weft.Array, _ none) weft.Array { return dx(t, ans, x) })
	}
	return func(x weft.Array) weft.Array { return c.Call(none{}, x) }
}

// jvps2 returns a function of two arrays with a rule for each.
func jvps2[O any](f func(x, y weft.Array) O, dx, dy func(t weft.Array, ans O, x, y weft.Array) O) func(x, y weft.Array) O {
	each := func(d func(t weft.Array, ans O, x, y weft.Array) O) func(weft.Array, O, xy, none) O {
		if d == nil {
			return nil
		}
		return func(t weft.Array, ans O, p xy, _ none) O { return d(t, ans, p[0], p[1]) }
	}
	c := custom.NewJVP(func(_ none, p xy) O { return f(p[0], p[1]) })
	c.RuleEach(each(dx), each(dy))
	return func(x, y weft.Array) O { return c.Call(none{}, xy{x, y}) }
}

func symmetricSolve[X any](matvec func(X) X, b X, solve func(func(X) X, X) X) X {
	return custom.LinearSolve(matvec, b, solve, nil, custom.Symmetric())
}
