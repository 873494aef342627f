package cpu_test

import (
	"context"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/runtime"
	"github.com/weft-go/weft/runtime/cpu"
)

// nativeExecutor returns an executor of machine code, and skips the test where there is none.
func nativeExecutor(t *testing.T) runtime.Executor {
	t.Helper()
	for _, name := range cpu.Targets() {
		if e, _ := runtime.Named(name); e != nil && e.Available() == nil {
			return e
		}
	}
	t.Skip("no executor of machine code runs here")
	return nil
}

// onNative runs a test on each native executor that this machine can run.
func onNative(t *testing.T, f func(t *testing.T, e runtime.Executor)) {
	for _, name := range cpu.Targets() {
		e, ok := runtime.Named(name)
		if !ok {
			t.Fatalf("the executor %s is not registered", name)
		}
		if e.Available() == nil {
			t.Run(name, func(t *testing.T) { f(t, e) })
		}
	}
}

// same fails if two arrays differ in type or bits.
func same(t *testing.T, what string, got, want *runtime.Array) {
	t.Helper()
	if got.Aval() != want.Aval() {
		t.Errorf("%s: got type %v, want %v", what, got.Aval().Full(), want.Aval().Full())
		return
	}
	if string(got.Tensor().Data) != string(want.Tensor().Data) {
		t.Errorf("%s: bits differ: got %s, want %s", what, got.Text(nil), want.Text(nil))
	}
}

func TestPrograms(t *testing.T) {
	n := 10_000
	x := make([]float32, n)
	for i := range x {
		x[i] = float32(i%977)*0.01 - 4
	}
	v := weft.FromSlice(x)
	m := v.Reshape(100, 100)
	for name, test := range map[string]struct {
		f  func(weft.Array) weft.Array
		in weft.Array
	}{
		"chain":   {func(x weft.Array) weft.Array { return weft.Tanh(x.Mul(1.5).Add(0.25)).Mul(weft.Exp(x)).Add(0.125) }, v},
		"sum":     {func(x weft.Array) weft.Array { return x.Sum() }, v},
		"rows":    {func(x weft.Array) weft.Array { return x.Sum(1) }, m},
		"columns": {func(x weft.Array) weft.Array { return x.Sum(0) }, m},
		"softmax": {func(x weft.Array) weft.Array {
			e := weft.Exp(x.Sub(x.Max(-1, weft.Keep)))
			return e.Div(e.Sum(-1, weft.Keep))
		}, m},
		"matmul then relu": {func(x weft.Array) weft.Array { return weft.Maximum(x.MatMul(x), 0) }, m},
		"cumsum":           {func(x weft.Array) weft.Array { return x.CumSum() }, v},
		"scan": {func(x weft.Array) weft.Array {
			_, ys := weft.Scan(func(c, x weft.Array) (weft.Array, weft.Array) { c = c.Mul(0.5).Add(x); return c, c }, weft.Zeros(100), x)
			return ys
		}, m},
		"while": {func(x weft.Array) weft.Array {
			return weft.While(func(c weft.Array) weft.Array { return c.Sum().Lt(1e6) }, func(c weft.Array) weft.Array { return c.Mul(1.5).Add(1) }, x)
		}, v},
		"cond": {func(x weft.Array) weft.Array {
			return weft.Cond(x.Sum().Gt(0), func() weft.Array { return weft.Sin(x) }, func() weft.Array { return weft.Cos(x) })
		}, v},
	} {
		j, err := weft.Jaxpr(test.f, test.in)
		if err != nil {
			t.Fatal(err)
		}
		in := []*runtime.Array{test.in.Value().(*runtime.Array)}
		want, err := runtime.Evaluate(context.Background(), runtime.Reference, j, in)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(name, func(t *testing.T) {
			onNative(t, func(t *testing.T, e runtime.Executor) {
				got, err := runtime.Evaluate(context.Background(), e, j, in)
				if err != nil {
					t.Fatal(err)
				}
				for i := range got {
					same(t, name, got[i], want[i])
				}
			})
		})
	}
}
