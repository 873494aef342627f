package weft_test

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/runtime"
)

// printed returns what f prints by DebugPrint.
func printed(f func()) string {
	var b strings.Builder
	defer runtime.SetOutput(runtime.SetOutput(&b))
	f()
	return b.String()
}

func TestDebugPrint(t *testing.T) {
	x := weft.Of(1., 2.5)
	f := func(x weft.Array) weft.Array {
		weft.DebugPrint("x = {}, {1:.2f}, {1:>6}, {1:06.2f}, {{}}", x, x.Sum())
		return x.Mul(2)
	}
	want := "x = [1.  2.5], 3.50,    3.5, 003.50, {}\n"
	for name, g := range map[string]func(weft.Array) weft.Array{"eager": f, "jit": weft.Jit(f),
		"grad": weft.Grad(func(x weft.Array) weft.Array { return f(x).Sum() })} {
		if got := printed(func() { g(x) }); got != want {
			t.Errorf("%s prints %q, want %q", name, got, want)
		}
	}
	if got := printed(func() { weft.Vmap(func(x weft.Array) weft.Array { weft.DebugPrint("{}", x); return x })(x) }); got != "1.0\n2.5\n" {
		t.Errorf("vmap prints %q", got)
	}
	// Derivatives keep prints of calls whose results nothing needs.
	dead := weft.Jit(func(x weft.Array) weft.Array { weft.DebugPrint("dead {}", x); return weft.Sin(x) })
	outer := weft.Jit(func(x weft.Array) weft.Array { dead(x.Mul(2)); return x.Mul(x) })
	if got := printed(func() { weft.Grad(outer)(weft.Scalar(3.)).Float() }); got != "dead 6.0\n" {
		t.Errorf("the gradient of a call within a call prints %q, want what the dead call prints", got)
	}
	// Only the branch that runs prints, and a loop on every iteration.
	cond := weft.Jit(func(x weft.Array) weft.Array {
		return weft.Cond(x.Gt(0), func() weft.Array { weft.DebugPrint("yes"); return x },
			func() weft.Array { weft.DebugPrint("no {}", x); return x.Neg() })
	})
	if got := printed(func() { cond(weft.Scalar(2.)); cond(weft.Scalar(-2.)) }); got != "yes\nno -2.0\n" {
		t.Errorf("cond prints %q", got)
	}
	loop := weft.Jit(func(x weft.Array) weft.Array {
		return weft.ForI(3, func(i, c weft.Array) weft.Array { weft.DebugPrint("iteration {}", i); return c.Add(1) }, x)
	})
	if got := printed(func() { loop(weft.Scalar(2.)) }); got != "iteration 0\niteration 1\niteration 2\n" {
		t.Errorf("loop prints %q", got)
	}
}

// A callback that returns a value of the trace around it is an error; a known value is
// an array.
func TestCallbackReturnsTracer(t *testing.T) {
	x := weft.Of(1., 2.5)
	f := weft.Jit(func(x weft.Array) weft.Array {
		return weft.PureCallback(func(weft.Array) weft.Array { return x }, x, x)
	})
	_, err := weft.Try(func() weft.Array { return f(x) })
	if !errors.Is(err, core.ErrEscaped) || !strings.Contains(err.Error(), "pure_callback: result 0 of the function ") {
		t.Errorf("a traced result: got error %v, want ErrEscaped", err)
	}
	g := weft.Jit(func(x weft.Array) weft.Array {
		known := weft.Of(2., 3).Mul(2)
		return weft.PureCallback(func(weft.Array) weft.Array { return known }, x, x)
	})
	if got := g(x); !got.Equal(weft.Of(4., 6)) {
		t.Errorf("a known result: got %v, want [4 6]", got)
	}
}

func TestCallbacks(t *testing.T) {
	calls := 0
	cbrt := func(x weft.Array) weft.Array {
		return weft.PureCallback(func(x weft.Array) weft.Array {
			calls++
			return weft.FromSlice([]float32{float32(math.Cbrt(x.Float()))}).Reshape()
		}, weft.ZerosOf(weft.Float32), x)
	}
	if got := weft.Jit(cbrt)(weft.Scalar(float32(8))).Float(); got != 2 || calls != 1 {
		t.Errorf("cbrt(8) = %v after %d calls", got, calls)
	}
	if got := weft.Vmap(cbrt)(weft.Of(1., 8, 27)).String(); got != "[1. 2. 3.]" || calls != 4 {
		t.Errorf("%v after %d calls", got, calls)
	}
	fails(t, core.ErrNoRule, func() { weft.Grad(cbrt)(weft.Scalar(8.)) }, "custom.JVP")
	wrong := func(x weft.Array) weft.Array {
		return weft.PureCallback(func(x weft.Array) weft.Array { return weft.Of(1, 2) }, x, x)
	}
	fails(t, core.ErrDType, func() { weft.Jit(wrong)(weft.Of(1., 2)) }, "PureCallback: the function at host_test.go:", "returned another type than was promised for its result (got i32[2], want f32[2])")

	var log []string
	effect := weft.Jit(func(x weft.Array) weft.Array {
		for i := range 3 {
			weft.IOCallback(func(x weft.Array) []weft.Array {
				log = append(log, fmt.Sprint(i, x))
				return nil
			}, []weft.Array(nil), x, weft.Ordered())
			x = x.Add(1)
		}
		return x
	})
	effect(weft.Scalar(1))
	effect(weft.Scalar(5))
	if got := fmt.Sprint(log); got != "[0 1 1 2 2 3 0 5 1 6 2 7]" {
		t.Error(got)
	}
	seen := ""
	weft.Jit(func(m map[string]weft.Array) weft.Array {
		weft.DebugCallback(func(m map[string]weft.Array) { seen = fmt.Sprint(m["a"], m["b"]) }, m)
		return m["a"]
	})(map[string]weft.Array{"a": weft.Scalar(1), "b": weft.Scalar(2)})
	if seen != "1 2" {
		t.Errorf("the callback received %q", seen)
	}
}

// Ordered prints keep the order of the program among each other and among ordered callbacks.
func TestDebugPrintOrdered(t *testing.T) {
	var out strings.Builder
	defer runtime.SetOutput(runtime.SetOutput(&out))
	f := func(x weft.Array) weft.Array {
		return weft.ForI(2, func(i, x weft.Array) weft.Array {
			weft.DebugPrint("a{} {}", i, x, weft.Ordered())
			weft.IOCallback(func(x weft.Array) []weft.Array {
				fmt.Fprintln(&out, "callback", x)
				return nil
			}, []weft.Array(nil), x, weft.Ordered())
			weft.DebugPrint("b{0} {0}", i, weft.Ordered())
			return x.Mul(2)
		}, x)
	}
	const want = "a0 3\ncallback 3\nb0 0\na1 6\ncallback 6\nb1 1\n"
	for name, f := range map[string]func(weft.Array) weft.Array{"eager": f, "jitted": weft.Jit(f)} {
		out.Reset()
		if got := f(weft.Scalar(3)).Int(); got != 12 || out.String() != want {
			t.Errorf("%s: got %d and %q, want 12 and %q", name, got, out.String(), want)
		}
	}
	ir, err := weft.Jaxpr(func(x weft.Array) weft.Array { weft.DebugPrint("{}", x, weft.Ordered()); return x }, weft.Scalar(1))
	if err != nil || !strings.Contains(ir.String(), "ordered=True") {
		t.Errorf("the program is %v, %v; want ordered=True", ir, err)
	}
	fails(t, core.ErrStatic, func() { weft.DebugPrint("", weft.VmapMethod("sequential")) }, "VmapMethod")
}

type lookup func(weft.Array) (weft.Array, error)

// An error that a callback returns ends the program, eager or staged, and stays findable.
func TestCallbackReturnsError(t *testing.T) {
	missing := errors.New("row is missing")
	row := func(i weft.Array) (weft.Array, error) {
		if i.Int() > 2 {
			return weft.Array{}, fmt.Errorf("row %d: %w", i.Int(), missing)
		}
		return weft.Full(weft.Shape{2}, i.Float()).AsType(weft.Float32), nil
	}
	like := weft.ZerosOf(weft.Float32, 2)
	calls := map[string]func(weft.Array) weft.Array{
		"pure":  func(i weft.Array) weft.Array { return weft.PureCallback(row, like, i) },
		"named": func(i weft.Array) weft.Array { return weft.PureCallback(lookup(row), like, i) },
		"io":    func(i weft.Array) weft.Array { return weft.IOCallback(row, like, i) },
		"debug": func(i weft.Array) weft.Array {
			weft.DebugCallback(func(i weft.Array) error { _, err := row(i); return err }, i)
			return weft.Stack(0, i, i).AsType(weft.Float32)
		},
	}
	for name, f := range calls {
		jitted := weft.Jit(func(i weft.Array) (weft.Array, error) { return f(i).Mul(2), nil })
		if got, err := jitted(weft.Scalar(2)); err != nil || got.String() != "[4. 4.]" {
			t.Errorf("%s: got %v, %v; want [4. 4.]", name, got, err)
		}
		_, staged := jitted(weft.Scalar(3))
		_, eager := weft.Try(func() weft.Array { return f(weft.Scalar(3)) })
		_, batched := weft.Try(func() weft.Array { return weft.Vmap(f)(weft.Of(1, 3)) })
		for how, err := range map[string]error{"staged": staged, "eager": eager, "in a batch": batched} {
			if !errors.Is(err, missing) || !strings.Contains(err.Error(), "returned an error: row 3: row is missing") {
				t.Errorf("%s, %s: got error %v, want that of the callback", name, how, err)
			}
		}
		if got, err := jitted(weft.Scalar(1)); err != nil || got.String() != "[2. 2.]" {
			t.Errorf("%s after an error: got %v, %v; want [2. 2.]", name, got, err)
		}
	}
}

// Results without arrays, which Jit returns as they are, pass through the other wrappers.
func TestWrappersReturnStatics(t *testing.T) {
	type report struct {
		Loss  weft.Array
		Terms int
	}
	f := func(x weft.Array) (weft.Array, int, report, error) {
		y := weft.Square(x)
		return y, x.Rank(), report{y.Sum(), x.Size()}, nil
	}
	for name, g := range map[string]func(weft.Array) (weft.Array, int, report, error){
		"Jit": weft.Jit(f), "Vmap": weft.Vmap(f), "Jit of Vmap": weft.Jit(weft.Vmap(f)), "Vmap of Jit": weft.Vmap(weft.Jit(f)), "Remat": weft.Remat(f),
	} {
		x := weft.Of(1., 2)
		rank := 1
		if strings.Contains(name, "Vmap") {
			x = weft.Stack(0, x, x, x)
		}
		y, n, r, err := g(x)
		if err != nil || n != rank || r.Terms != 2 || !y.Equal(weft.Square(x)) {
			t.Errorf("%s: got %v, %d, %v, %v; want rank %d and 2 terms", name, y, n, r, err, rank)
		}
	}
	if n := weft.Vmap(func(x weft.Array) int { return x.Len() })(weft.Zeros(5, 3)); n != 3 {
		t.Errorf("a function of an int alone: got %d, want 3", n)
	}
	second := weft.Vmap(f, weft.Out(0, weft.None, weft.Axes{"Loss": 0}))
	if _, n, _, err := second(weft.Zeros(5, 3)); err != nil || n != 1 {
		t.Errorf("with Out: got %d, %v; want 1", n, err)
	}
	if _, _, _, err := weft.Vmap(f, weft.Out(0, 1, 0))(weft.Zeros(5, 3)); !errors.Is(err, core.ErrAxis) || !strings.Contains(err.Error(), "result 1 is static") {
		t.Errorf("an axis for an int: got error %v, want ErrAxis naming result 1", err)
	}
}

// TestCallbackTypedNilError checks a callback whose error is a nil pointer, and so not nil:
// composing the message must not fail.
func TestCallbackTypedNilError(t *testing.T) {
	x := weft.Of(1.)
	_, err := weft.Try(func() weft.Array {
		return weft.PureCallback(func(x weft.Array) (weft.Array, error) { var e *brokenError; return x, e }, x, x)
	})
	var broken *brokenError
	if err == nil || !strings.Contains(fmt.Sprint(err), "returned an error: <nil>") || !errors.As(err, &broken) {
		t.Errorf("got %v, want an error that shows <nil>", err)
	}
	if text := err.Error(); !strings.Contains(text, "<nil>") {
		t.Errorf("got %q", text)
	}
}

func TestVmapMethod(t *testing.T) {
	for method, want := range map[string]int{"sequential": 3, "sequential_unrolled": 3, "expand_dims": 1, "broadcast_all": 1} {
		calls := 0
		f := func(x weft.Array) weft.Array {
			return weft.PureCallback(func(x weft.Array) weft.Array { calls++; return x.Mul(2) }, x, x, weft.VmapMethod(method))
		}
		nearAll(t, method, weft.Vmap(f)(vec(1, 2, 3)), 2, 4, 6)
		if calls != want {
			t.Errorf("%s: %d calls, want %d", method, calls, want)
		}
	}
}

func TestDebugPrintFieldWidth(t *testing.T) {
	for _, spec := range []string{"99999999999999", "99999999999999d", ">99999999999f", ".99999999999f", "10001"} {
		got := printed(func() { weft.DebugPrint("{:"+spec+"}", 1.5) })
		if !strings.Contains(got, "is no format") {
			t.Errorf("{:%s} prints %.60q (%d bytes), want a text that refuses the format", spec, got, len(got))
		}
	}
	if got := printed(func() { weft.DebugPrint("{:>10000}", 1.5) }); len(got) != 10001 {
		t.Errorf("{:>10000} prints %d bytes, want 10001", len(got))
	}
}
