package transforms_test

import (
	"github.com/weft-go/weft"
	"github.com/weft-go/weft/custom"
)

type scalarFunc = func(weft.Array) weft.Array

// A wrapping puts a function into a program within the program.
type wrapping struct {
	name             string
	wrap             func(scalarFunc) scalarFunc
	reverse, forward bool // modes of derivatives that it has
}

// withResiduals are calls that need a residual at each level. All residuals within a call are results of
// it, in JAX too, so that a program has the square of its depth of variables.
var withResiduals = []wrapping{
	{"Jit and sin", func(f scalarFunc) scalarFunc {
		return weft.Jit(func(x weft.Array) weft.Array { return weft.Sin(f(x)) })
	}, true, true},
	{"Call and sin", func(f scalarFunc) scalarFunc {
		return weft.Call(func(x weft.Array) weft.Array { return weft.Sin(f(x)) })
	}, true, true},
	{"Remat and sin", func(f scalarFunc) scalarFunc {
		return weft.Remat(func(x weft.Array) weft.Array { return weft.Sin(f(x)) })
	}, true, true},
	{"custom.Vmap and sin", func(f scalarFunc) scalarFunc {
		return custom.Vmap[weft.Array, weft.Array](func(x weft.Array) weft.Array { return weft.Sin(f(x)) }, nil)
	}, true, true},
}

// wrappings are the constructs that contain programs. Conditionals have residuals of their own at each level,
// calls have none: in the notation all residuals within a call are results of it, so that a program with
// residuals at each level has itself the square of its depth of variables.
var wrappings = []wrapping{
	{"Jit", func(f scalarFunc) scalarFunc {
		return weft.Jit(f)
	}, true, true},
	{"Remat", func(f scalarFunc) scalarFunc {
		return weft.Remat(f)
	}, true, true},
	{"Call", func(f scalarFunc) scalarFunc {
		return weft.Call(f)
	}, true, true},
	{"custom.VJP", func(f scalarFunc) scalarFunc {
		return custom.VJP(f, func(x weft.Array) (weft.Array, weft.Array) { return f(x), x },
			func(x, ct weft.Array) weft.Array { return ct.Mul(weft.Cos(x)) })
	}, true, false},
	{"custom.JVP", func(f scalarFunc) scalarFunc {
		return custom.JVP(f, func(x, t weft.Array) (weft.Array, weft.Array) { return f(x), t.Mul(weft.Cos(x)) })
	}, true, true},
	{"custom.Vmap", func(f scalarFunc) scalarFunc {
		return custom.Vmap(f, func(n int, mapped, x weft.Array) (weft.Array, weft.Array) { return weft.Vmap(f)(x), mapped })
	}, true, true},
	{"custom.Vmap(f, nil)", func(f scalarFunc) scalarFunc { return custom.Vmap[weft.Array, weft.Array](f, nil) }, true, true},
	{"LinearSolve", func(f scalarFunc) scalarFunc {
		return func(x weft.Array) weft.Array {
			return custom.LinearSolve(func(v weft.Array) weft.Array { return v.Mul(2) }, x,
				func(_ scalarFunc, b weft.Array) weft.Array { return f(b) }, nil)
		}
	}, false, true},
	{"LinearSolve's operator", func(f scalarFunc) scalarFunc {
		return func(x weft.Array) weft.Array {
			halve := func(_ scalarFunc, b weft.Array) weft.Array { return b.Mul(0.5) }
			return custom.LinearSolve(func(v weft.Array) weft.Array { return f(x).Mul(v) }, x, halve, halve)
		}
	}, true, true},
	{"Cond", func(f scalarFunc) scalarFunc {
		return func(x weft.Array) weft.Array {
			return weft.Cond(x.Gt(0), func() weft.Array { return f(weft.Sin(x)) }, func() weft.Array { return x })
		}
	}, true, true},
	{"Switch", func(f scalarFunc) scalarFunc {
		return func(x weft.Array) weft.Array {
			return weft.Switch(x.AsType(weft.Int32), func() weft.Array { return f(weft.Sin(x)) }, func() weft.Array { return x })
		}
	}, true, true},
	{"ForI", func(f scalarFunc) scalarFunc {
		return func(x weft.Array) weft.Array {
			return weft.ForI(1, func(_, x weft.Array) weft.Array { return f(x) }, x)
		}
	}, true, true},
	{"While", func(f scalarFunc) scalarFunc {
		return func(x weft.Array) weft.Array {
			return weft.While(func(x weft.Array) weft.Array { return x.Gt(2) }, func(x weft.Array) weft.Array { return f(x) }, x)
		}
	}, false, true},
	{"Scan", func(f scalarFunc) scalarFunc {
		return func(x weft.Array) weft.Array {
			c, _ := weft.ScanN(func(x weft.Array) (weft.Array, weft.Array) { return f(x), x }, x, 1)
			return c
		}
	}, true, true},
}
