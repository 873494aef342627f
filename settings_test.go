package weft_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	goruntime "runtime"
	"strings"
	"testing"
	"time"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/internal/test/testcheck"
	"github.com/weft-go/weft/nn"
)

func ExampleContext() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Millisecond)
	defer cancel()
	forever := func(x weft.Array) weft.Array {
		return weft.While(func(x weft.Array) weft.Array { return x.Ge(0) }, func(x weft.Array) weft.Array { return x.Mul(1) }, x)
	}
	_, err := weft.Try(func() (y weft.Array) {
		weft.With(weft.Context(ctx), func() { y = weft.Vmap(forever)(weft.Of(1., 2)) })
		return y
	})
	fmt.Println(errors.Is(err, context.DeadlineExceeded))
	// Output:
	// true
}

// spin does not end for x ≥ 0, has a derivative in reverse and takes long to batch.
func spin(x weft.Array) weft.Array {
	return weft.While(func(x weft.Array) weft.Array { return x.Ge(0).Any() }, func(x weft.Array) weft.Array { return x.Mul(1) }, x)
}

// manyLooks is larger than the number of times that a program checks its context outside of iterations.
const manyLooks = 100

// many returns a loop of a known number of iterations, long enough to be cancelled.
func many(x weft.Array) weft.Array { return trips(1 << 21)(x) }

func trips(n int) func(weft.Array) weft.Array {
	return func(x weft.Array) weft.Array {
		y, _ := weft.ScanN(func(x weft.Array) (weft.Array, weft.Array) { y := weft.Sin(x); return y, y.Sum() }, x, n)
		return y.Sum()
	}
}

// Operations that run at once check the context while they run, under any transformation; Try
// returns its error. The context ends after some checks: a program that did not check on every
// iteration would never return, or return a value.
func TestContextStopsPrograms(t *testing.T) {
	x := weft.Of(1., 2)
	for name, f := range map[string]func(){
		"While":       func() { spin(x) },
		"Jit":         func() { weft.Jit(spin)(x) },
		"Vmap":        func() { weft.Vmap(spin)(x) },
		"Vmap of Jit": func() { weft.Vmap(weft.Jit(spin))(x) },
		"JVP":         func() { weft.JVP(spin, x, x) },
		"Grad":        func() { weft.Grad(many)(x) },
		"Grad of Jit": func() { weft.Grad(weft.Jit(many))(x) },
		"Jit of Grad": func() { weft.Jit(weft.Grad(many))(x) },
		"eager for": func() {
			for {
				x.Mul(2)
			}
		},
		"eager sort": func() {
			for {
				x.Sort()
			}
		},
		"eager custom": func() {
			for {
				nn.Relu(x)
			}
		},
		"under debug": func() { weft.With(weft.DebugNaNs(true), func() { weft.Jit(spin)(x) }) },
		"expansion": func() {
			weft.With(weft.DebugNaNs(true), func() {
				for {
					nn.Softmax(x)
				}
			})
		},
		"compiled": func() { g, _ := weft.Compile(spin, x); g.Call(x) },
		"before tracing": func() {
			weft.Jit(func(x weft.Array) weft.Array { return x })(x)
			for {
				weft.Now(func() weft.Array { return x.Add(1) })
			}
		},
	} {
		ctx := testcheck.Stopping(manyLooks)
		_, err := weft.Try(func() int { weft.With(weft.Context(ctx), f); return 0 })
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%s: got %v after %d looks at the context, want its error", name, err, ctx.Looks())
		}
		cause := errors.New("enough")
		ended, cancel := context.WithCancelCause(context.Background())
		cancel(cause)
		_, err = weft.Try(func() int { weft.With(weft.Context(ended), f); return 0 })
		if !errors.Is(err, context.Canceled) || !errors.Is(err, cause) {
			t.Errorf("%s, ended before: got %v, want its error and its cause", name, err)
		}
	}
	// The derivative in reverse runs after the function is done.
	ctx, cancel := context.WithCancel(context.Background())
	_, back := weft.VJP(trips(100), x)
	cancel()
	_, err := weft.Try(func() (y weft.Array) {
		weft.With(weft.Context(ctx), func() { y = back(weft.Scalar(float32(1))) })
		return y
	})
	if !errors.Is(err, context.Canceled) || !strings.Contains(err.Error(), "settings_test.go:") {
		t.Errorf("in reverse: got %v", err)
	}
	// A context that has not ended changes nothing, and is not a part of Jit's key.
	traces := 0
	f := weft.Jit(func(x weft.Array) weft.Array { traces++; return x.Add(1) })
	for range 3 {
		ctx, cancel := context.WithCancel(context.Background())
		weft.With(weft.Context(ctx), func() { near(t, "alive", f(x).Sum(), 5) })
		cancel()
	}
	if traces != 1 {
		t.Errorf("traced %d times, want 1", traces)
	}
}

// The context argument of a jitted function is checked under transformations too.
func TestJitAsksTheContextWhenTransformed(t *testing.T) {
	x := weft.Of(1., 2)
	f := weft.Jit(func(ctx context.Context, x weft.Array) (weft.Array, error) { return spin(x), nil })
	mute := weft.Jit(func(ctx context.Context, x weft.Array) weft.Array { return spin(x) })
	for name, call := range map[string]func(context.Context) error{
		"plain": func(ctx context.Context) error { _, err := f(ctx, x); return err },
		"without an error": func(ctx context.Context) error {
			_, err := weft.Try(func() weft.Array { return mute(ctx, x) })
			return err
		},
		"Vmap": func(ctx context.Context) (err error) {
			weft.Vmap(func(x weft.Array) (y weft.Array) {
				if y, err = f(ctx, x); err != nil {
					return weft.Scalar(1.)
				}
				return y
			})(x)
			return err
		},
		"JVP": func(ctx context.Context) error {
			_, err := weft.Try(func() weft.Array {
				y, _ := weft.JVP(func(x weft.Array) weft.Array { return mute(ctx, x) }, x, x)
				return y
			})
			return err
		},
		"Grad": func(ctx context.Context) error {
			long := weft.Jit(func(ctx context.Context, x weft.Array) weft.Array { return many(x) })
			_, err := weft.Try(func() weft.Array { return weft.Grad(func(x weft.Array) weft.Array { return long(ctx, x) })(x) })
			return err
		},
	} {
		ctx := testcheck.Stopping(manyLooks)
		err := call(ctx)
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%s: got %v after %d looks at the context, want its error", name, err, ctx.Looks())
		}
		if err := call(ctx); !errors.Is(err, context.Canceled) {
			t.Errorf("%s, ended before: got %v", name, err)
		}
	}
	// Another panic is not taken for the context's, even when that has ended.
	ctx, cancel := context.WithCancel(context.Background())
	boom := weft.Jit(func(ctx context.Context, x weft.Array) (weft.Array, error) {
		return weft.PureCallback(func(x weft.Array) weft.Array { cancel(); panic("boom") }, x, x), nil
	})
	func() {
		defer func() {
			if r := recover(); r == nil || !strings.Contains(fmt.Sprint(r), "boom") {
				t.Errorf("recovered %v", r)
			}
		}()
		_, err := boom(ctx, x)
		t.Errorf("got %v", err)
	}()
}

func TestContextRefusals(t *testing.T) {
	testcheck.Fails(t, core.ErrStatic, func() { var none context.Context; weft.Context(none) }, "context.Background()")
	testcheck.Fails(t, core.ErrStatic, func() { weft.SetProcessDefault(weft.Context(context.Background())) }, "weft.With")
}

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
		"settings_test.go:", "log: returns NaN at [2] (DebugNaNs is on): b:f32[4] = log a", "operand 0, f32[4], is finite, -1.0 there")

	logs := weft.Jit(func(x weft.Array) weft.Array { y := x.Mul(2); return weft.Log(y).Add(1) })
	logs(bad) // compiled before the check is on
	caught(t, "jit", nans, func() { logs(bad) }, "settings_test.go:", "c:f32[4] = log b", "-2.0 there")

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

	// In reverse mode the line is that of the operation, eagerly and in a program.
	_, file, line, _ := goruntime.Caller(0)
	root := func(x weft.Array) weft.Array {
		y := weft.Sqrt(x) // line + 2
		return y.Mul(0).Sum()
	}
	for name, g := range map[string]func(weft.Array) weft.Array{
		"at once": weft.Grad(root), "of jit": weft.Grad(weft.Jit(root)), "jit": weft.Jit(weft.Grad(root)),
		"vmap":  weft.Vmap(weft.Grad(func(x weft.Array) weft.Array { return root(x.ExpandDims(0)) })),
		"twice": weft.Grad(func(x weft.Array) weft.Array { return weft.Grad(root)(x).Mul(x).Sum() }),
	} {
		caught(t, "reverse, "+name, nans, func() { g(weft.Of(0., 1)) }, fmt.Sprintf("%s:%d", filepath.Base(file), line+2), "mul: returns NaN")
	}

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

// The process's setting reaches goroutines that have none of their own, and switching a check on
// does not trace a function again.
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

// A function with an error result returns the error of DebugNaNs.
func TestDebugNaNsErrorResult(t *testing.T) {
	f := weft.Jit(func(x weft.Array) (weft.Array, error) { return weft.Log(x), nil })
	weft.With(weft.DebugNaNs(true), func() {
		if _, err := f(weft.Of(-1.)); !errors.Is(err, core.ErrNaN) {
			t.Errorf("the error is %v", err)
		}
	})
}
