package hostile_test

import (
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/custom"
	"github.com/weft-go/weft/internal/test/testcheck"
)

func TestNilFunctions(t *testing.T) {
	var f func(weft.Array) weft.Array
	var branch func() weft.Array
	x := weft.Zeros(3)
	for name, call := range map[string]func(){
		"Grad":      func() { weft.Grad(f) },
		"JVP":       func() { weft.JVP(f, x, x) },
		"Hessian":   func() { weft.Hessian(f) },
		"Cond":      func() { weft.Cond(x.Sum().Gt(0), branch, func() weft.Array { return x }) },
		"MapScan":   func() { weft.MapScan(f, x) },
		"While":     func() { weft.While(f, f, x) },
		"TreeMap":   func() { weft.TreeMap(f, x) },
		"CustomJVP": func() { custom.JVP(f, nil) },
	} {
		t.Run(name, func(t *testing.T) { testcheck.Fails(t, core.ErrTree, call, "is nil") })
	}
}

// A traced function that calls itself without end is an error, not a stack overflow.
func TestUnboundedRecursion(t *testing.T) {
	var f func(weft.Array) weft.Array
	f = weft.Jit(func(x weft.Array) weft.Array { return f(x) })
	testcheck.Fails(t, core.ErrStatic, func() { f(weft.Zeros(3)) }, "call itself without end")
	var g func(weft.Array) weft.Array
	g = weft.Grad(func(x weft.Array) weft.Array { return g(x) })
	err := core.Catch(func() { weft.Jit(g)(weft.Scalar(float32(1))) })
	if err == nil {
		t.Error("endless recursion through Grad returned a result")
	}
}

// Functions with custom rules are traced below the interpreter of their caller, and count as nested too.
func TestUnboundedRecursionOfCustomRules(t *testing.T) {
	type fn = func(weft.Array) weft.Array
	for name, wrap := range map[string]func(fn) fn{
		"custom.JVP": func(f fn) fn {
			return custom.JVP(f, func(x, t weft.Array) (weft.Array, weft.Array) { return f(x), t })
		},
		"custom.VJP": func(f fn) fn {
			return custom.VJP(f, func(x weft.Array) (weft.Array, weft.Array) { return f(x), x }, func(x, ct weft.Array) weft.Array { return ct })
		},
		"custom.Vmap":           func(f fn) fn { return custom.Vmap(f, nil) },
		"custom.Vmap in a call": func(f fn) fn { return weft.Call(custom.Vmap(f, nil)) },
		"Cond": func(f fn) fn {
			return func(x weft.Array) weft.Array {
				return weft.Cond(x.Gt(0), func() weft.Array { return f(x) }, func() weft.Array { return x })
			}
		},
		"ForI": func(f fn) fn {
			return func(x weft.Array) weft.Array {
				return weft.ForI(2, func(_, x weft.Array) weft.Array { return f(x) }, x)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			var f fn
			f = wrap(func(x weft.Array) weft.Array { return f(x) })
			testcheck.Fails(t, core.ErrStatic, func() { weft.Jit(f)(weft.Scalar(float32(1))) }, "call itself without end")
		})
	}
}
