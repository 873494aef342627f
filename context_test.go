package weft_test

import (
	"context"
	"errors"
	"fmt"
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

// manyLooks is more than a program looks at its context but for its iterations.
const manyLooks = 100

// many returns a loop of a known number of iterations, long enough to be cancelled.
func many(x weft.Array) weft.Array { return trips(1 << 21)(x) }

func trips(n int) func(weft.Array) weft.Array {
	return func(x weft.Array) weft.Array {
		y, _ := weft.ScanN(func(x weft.Array) (weft.Array, weft.Array) { y := weft.Sin(x); return y, y.Sum() }, x, n)
		return y.Sum()
	}
}

// What runs at once checks the context while it runs, under any transformation; Try returns the
// error. The context ends after some looks at it, so that what does not look on every iteration
// never returns, or returns a value.
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
		ctx := stopping(manyLooks)
		_, err := weft.Try(func() int { weft.With(weft.Context(ctx), f); return 0 })
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%s: got %v after %d looks at the context, want its error", name, err, ctx.looks.Load())
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
	if !errors.Is(err, context.Canceled) || !strings.Contains(err.Error(), "context_test.go:") {
		t.Errorf("in reverse: got %v", err)
	}
	// A context that has not ended changes nothing, and is no part of Jit's key.
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

// The context argument of a jitted function is asked under transformations too.
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
		ctx := stopping(manyLooks)
		err := call(ctx)
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%s: got %v after %d looks at the context, want its error", name, err, ctx.looks.Load())
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
