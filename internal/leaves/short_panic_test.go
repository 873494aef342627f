package leaves_test

import (
	"runtime"
	"strings"
	"testing"

	"github.com/weft-go/weft"
)

// Go prints the lines of an uncaught panic below its message: there are few of them above the user's,
// however many transformations the mistake is in.
func TestUncaughtErrorsHaveFewLines(t *testing.T) {
	loss := func(w weft.Array) weft.Array { return w.Add(weft.Ones(3)).Sum() }
	rows := func(w weft.Array) weft.Array { return weft.Vmap(weft.Grad(loss))(w) }
	for name, f := range map[string]func(weft.Array) weft.Array{
		"Jit(Grad)":             weft.Jit(weft.Grad(loss)),
		"Jit of Grad":           weft.Jit(func(w weft.Array) weft.Array { return weft.Grad(loss)(w) }),
		"Grad":                  weft.Grad(loss),
		"Jit(Vmap(Grad)) twice": weft.Jit(weft.Jit(func(w weft.Array) weft.Array { return rows(weft.Stack(0, w, w)).Sum() })),
		"Hessian":               weft.Hessian(loss),
	} {
		lines := linesOfPanic(t, func() { f(weft.Ones(2)) })
		if lines == 0 || lines > 20 {
			t.Errorf("%s: %d lines, want 1 to 20", name, lines)
		}
	}
}

// linesOfPanic returns how many functions were running above the test when f panicked with an error of ours.
func linesOfPanic(t *testing.T, f func()) (n int) {
	defer func() {
		e := recover()
		if err, ok := e.(error); !ok || !strings.Contains(err.Error(), "do not broadcast") {
			t.Errorf("got %v", e)
		}
		pcs := make([]uintptr, 500)
		frames := runtime.CallersFrames(pcs[:runtime.Callers(1, pcs)])
		panicking := false
		for {
			frame, more := frames.Next()
			switch {
			case frame.Function == "runtime.gopanic":
				n, panicking = 0, true
			case strings.Contains(frame.Function, "linesOfPanic"):
				if panicking {
					return
				}
			default:
				n++
			}
			if !more {
				return
			}
		}
	}()
	f()
	return 0
}
