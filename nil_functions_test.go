package weft_test

import (
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/custom"
	"github.com/weft-go/weft/internal/testcheck"
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
