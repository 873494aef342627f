package weft_test

import (
	"errors"
	"math"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/internal/test/testcheck"
)

// caught requires that f, with a setting, fails with a message that contains all words.
func caught(t *testing.T, name string, set weft.Setting, f func(), words ...string) {
	t.Helper()
	t.Run(name, func(t *testing.T) {
		testcheck.Fails(t, core.ErrNaN, func() { weft.With(set, f) }, words...)
	})
}

// An operation that returns NaN is named, eagerly and in every kind of program.
func TestDebugNaNs(t *testing.T) {
	nans := weft.DebugNaNs(true)
	bad := weft.Of(1., 0, -1, 4)
	caught(t, "eager", nans, func() { weft.Log(bad) },
		"debugging_test.go:", "log: returns NaN at [2] (DebugNaNs is on): b:f32[4] = log a", "operand 0, f32[4], is finite, -1.0 there")

	logs := weft.Jit(func(x weft.Array) weft.Array { y := x.Mul(2); return weft.Log(y).Add(1) })
	logs(bad) // compiled before anybody looks
	caught(t, "jit", nans, func() { logs(bad) }, "debugging_test.go:", "c:f32[4] = log b", "-2.0 there")

	first := weft.Jit(func(x weft.Array) weft.Array { return x.Sub(x).Div(x.Sub(x)) })
	caught(t, "0/0", nans, func() { first(weft.Scalar(3.)) }, "div: returns NaN (DebugNaNs is on)", "operand 0, ~f32[], is finite, 0.0; operand 1, ~f32[], is finite, 0.0; keep")

	scan := weft.Jit(func(x weft.Array) weft.Array {
		c, _ := weft.Scan(func(c, x weft.Array) (weft.Array, weft.Array) { return c.Add(weft.Sqrt(x)), c }, weft.Scalar(0.), x)
		return c
	})
	caught(t, "scan", nans, func() { scan(bad) }, "sqrt: ", "= sqrt ", "in iteration 2 of a scan")

	while := weft.Jit(func(x weft.Array) weft.Array {
		return weft.While(func(c weft.Array) weft.Array { return c.Lt(10.) }, func(c weft.Array) weft.Array { return weft.Log(c.Sub(1)).Add(5) }, x)
	})
	caught(t, "while", nans, func() { while(weft.Scalar(0.5)) }, "log: ", "in iteration 0 of a while")

	cond := weft.Jit(func(x weft.Array) weft.Array {
		return weft.Cond(x.Gt(0), func() weft.Array { return x }, func() weft.Array { return weft.Log(x) })
	})
	cond(weft.Scalar(1.))
	caught(t, "cond", nans, func() { cond(weft.Scalar(-1.)) }, "log: returns NaN")

	caught(t, "grad of a hidden NaN", nans, func() {
		weft.Grad(func(x weft.Array) weft.Array { return weft.Where(x.Gt(0), weft.Sqrt(x), 0.).Sum() })(weft.Of(1., -1))
	}, "sqrt: ", "a later Where hides the element, but not from derivatives")

	vmapped := weft.Vmap(func(x weft.Array) weft.Array { return weft.Log(x) })
	caught(t, "vmap", nans, func() { vmapped(bad) }, "at [2]")
	caught(t, "argument", nans, func() { logs(weft.Of(math.NaN(), 1)) }, "mul: ", "holds nan already, at [0]", "came in as an argument")
	caught(t, "complex", nans, func() { weft.Of(complex(math.Inf(1), 0)).Mul(weft.Of(complex(0, 1))) }, "mul: returns NaN at [0]")
	caught(t, "narrow", nans, func() { weft.Of(70000.).AsType(weft.Float8E4M3FN).AsType(weft.Float32) }, "convert_element_type: returns NaN")

	caught(t, "infinity", weft.DebugInfs(true), func() { logs(weft.Of(0.)) }, "returns an infinity at [0] (DebugInfs is on)", "log: ")
	weft.With(nans, func() {
		if x := logs(weft.Of(0.)).Index(0).Float(); x != math.Inf(-1) {
			t.Errorf("log 0 is %v: infinities are not looked for", x)
		}
		weft.With(weft.DebugNaNs(false), func() { logs(bad) })
	})
	logs(bad) // the setting ended
}

// The process's setting reaches goroutines that have none of their own, and a
// function is not traced again when a check begins to look.
func TestDebugNaNsDefault(t *testing.T) {
	traced := 0
	f := weft.Jit(func(x weft.Array) weft.Array { traced++; return weft.Sqrt(x) })
	f(weft.Of(-1., 1))
	weft.SetProcessDefault(weft.DebugNaNs(true))
	defer weft.SetProcessDefault(weft.DebugNaNs(false))
	errs := make(chan error)
	go func() { _, err := weft.Try(func() weft.Array { return f(weft.Of(-1., 1)) }); errs <- err }()
	if err := <-errs; !errors.Is(err, core.ErrNaN) {
		t.Errorf("another goroutine: %v", err)
	}
	weft.With(weft.DebugNaNs(false), func() { f(weft.Of(-1., 1)) })
	if traced != 1 {
		t.Errorf("traced %d times", traced)
	}
}

// An error result carries it, too.
func TestDebugNaNsErrorResult(t *testing.T) {
	f := weft.Jit(func(x weft.Array) (weft.Array, error) { return weft.Log(x), nil })
	weft.With(weft.DebugNaNs(true), func() {
		if _, err := f(weft.Of(-1.)); !errors.Is(err, core.ErrNaN) {
			t.Errorf("the error is %v", err)
		}
	})
}
