package transforms_test

import (
	"slices"
	"strings"

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

// withResidual returns a wrapping that needs a residual at each level.
func (w wrapping) withResidual() wrapping {
	return wrapping{w.name + " and sin", func(f scalarFunc) scalarFunc {
		return w.wrap(func(x weft.Array) weft.Array { return weft.Sin(f(x)) })
	}, w.reverse, w.forward}
}

// mixed returns a wrapping that puts the named constructs into each other in turn.
func mixed(names ...string) wrapping {
	w := wrapping{strings.Join(names, ", "), nil, true, true}
	var ws []wrapping
	for _, name := range names {
		k := slices.IndexFunc(wrappings, func(w wrapping) bool { return w.name == name })
		ws = append(ws, wrappings[k])
		w.reverse, w.forward = w.reverse && ws[len(ws)-1].reverse, w.forward && ws[len(ws)-1].forward
	}
	k := 0
	w.wrap = func(f scalarFunc) scalarFunc {
		k++
		return ws[k%len(ws)].wrap(f)
	}
	return w
}

// wrappings are the constructs that contain programs.
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
	{"LinearCall", func(f scalarFunc) scalarFunc { // of functions that are not linear, which the cost does not depend on
		return func(x weft.Array) weft.Array {
			double := func(_, ct weft.Array) weft.Array { return ct.Mul(2) }
			return custom.LinearCall(func(_, x weft.Array) weft.Array { return f(x) }, double, x, x)
		}
	}, true, true},
	{"LinearCall's residual", func(f scalarFunc) scalarFunc {
		return func(x weft.Array) weft.Array {
			double := func(_, ct weft.Array) weft.Array { return ct.Mul(2) }
			return custom.LinearCall(func(r, x weft.Array) weft.Array { return f(r).Mul(x) }, double, x, x)
		}
	}, true, true},
	{"Root", func(f scalarFunc) scalarFunc {
		return func(x weft.Array) weft.Array {
			return custom.Root(func(y weft.Array) weft.Array { return y.Sub(f(x)) }, x,
				func(_ scalarFunc, guess weft.Array) weft.Array { return guess.Mul(0.5) },
				func(_ scalarFunc, y weft.Array) weft.Array { return y.Mul(0.5) })
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
