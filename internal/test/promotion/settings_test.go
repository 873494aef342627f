package promotion_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/internal/test/arraycheck"
	"github.com/weft-go/weft/internal/test/statement"
	"github.com/weft-go/weft/nn"
	"github.com/weft-go/weft/promote"
	"github.com/weft-go/weft/special"
	"github.com/weft-go/weft/trace"
)

func under(s promote.System, f func() weft.Array) (x weft.Array, err error) {
	weft.With(weft.Promotion(s), func() { x, err = weft.Try(f) })
	return x, err
}

// A program belongs to the system under which it was traced.
func TestSystemIsPartOfJitsKey(t *testing.T) {
	x, y := weft.Full(weft.Shape{2}, int32(1)), weft.Full(weft.Shape{2}, float32(2))
	traced := 0
	add := weft.Jit(func(x, y weft.Array) weft.Array { traced++; return x.Add(y) })
	want := func(s promote.System, typ string, n int) {
		t.Helper()
		got, err := under(s, func() weft.Array { return add(x, y) })
		if err != nil || arraycheck.TypeText(got) != typ || traced != n {
			t.Errorf("%s: %v %v after %d traces, want %s after %d", s.Name(), got, err, traced, typ, n)
		}
	}
	want(promote.JAX, "f32[2]", 1)
	want(promote.NumPy, "f64[2]", 2)
	want(promote.JAX, "f32[2]", 2)
	if got := add(x, y); arraycheck.TypeText(got) != "f32[2]" || traced != 2 {
		t.Errorf("without a setting: %s after %d traces", arraycheck.TypeText(got), traced)
	}
	want(promote.Option2, "f32[2]", 3)
	_, err := under(promote.JAXStrict, func() weft.Array { return add(x, y) })
	if !errors.Is(err, core.ErrPromotion) || !strings.Contains(err.Error(), "i32 and f32") || !strings.Contains(err.Error(), "strict") {
		t.Errorf("strict: %v", err)
	}
	want(promote.NumPy, "f64[2]", 4) // the refused one was traced, and not kept
	var e *core.Error
	if !errors.As(err, &e) || len(e.Avals) != 2 || !strings.Contains(e.Pos, "settings_test.go") {
		t.Errorf("the error has the types %v and the place %v", e.Avals, e.Pos)
	}
}

// A setting ends with its function, however that ends, nests, and is the
// goroutine's own.
func TestPromotionIsScoped(t *testing.T) {
	x, y := weft.Of(int32(1)), weft.Of(float32(1))
	sum := func() string { return arraycheck.TypeText(x.Add(y)) }
	weft.With(weft.Promotion(promote.NumPy), func() {
		if sum() != "f64[1]" {
			t.Errorf("numpy: %s", sum())
		}
		weft.With(weft.DefaultBits(64), func() {
			weft.With(weft.Promotion(promote.JAX), func() {
				if got := arraycheck.TypeText(x.Add(1.)); sum() != "f32[1]" || got != "~f64[1]" {
					t.Errorf("within: %s, %s", sum(), got)
				}
			})
		})
		other := make(chan string)
		go func() { other <- sum() }()
		if got := <-other; got != "f32[1]" {
			t.Errorf("on another goroutine: %s", got)
		}
		_, err := weft.Try(func() weft.Array {
			weft.With(weft.Promotion(promote.JAXLax), func() { x.Add(y) })
			return x
		})
		if !errors.Is(err, core.ErrPromotion) || sum() != "f64[1]" {
			t.Errorf("after a panic: %s, %v", sum(), err)
		}
	})
	if sum() != "f32[1]" {
		t.Errorf("after all: %s", sum())
	}
	for _, set := range []func(){func() { weft.Promotion(nil) }, func() { weft.DefaultBits(16) }} {
		if err := core.Catch(set); err == nil {
			t.Error("a setting that means nothing was accepted")
		}
	}
}

// Transformations promote as plain calls do: gradients and batches under a system
// have its types.
func TestTransformationsUnderASystem(t *testing.T) {
	w, n := weft.Of(float32(1), 2), weft.Of(int32(3), 4)
	f := func(w weft.Array) weft.Array { return w.Mul(n).Sum() }
	weft.With(weft.Promotion(promote.NumPy), func() {
		if got := arraycheck.TypeText(f(w)); got != "f64[]" {
			t.Errorf("value %s", got)
		}
		for name, g := range map[string]func(weft.Array) weft.Array{"Grad": weft.Grad(f), "Grad(Jit)": weft.Grad(weft.Jit(f)), "Jit(Grad)": weft.Jit(weft.Grad(f))} {
			if got := g(w); arraycheck.TypeText(got) != "f32[2]" || !got.Equal(weft.Of(float32(3), 4)) {
				t.Errorf("%s: %v %s", name, got, arraycheck.TypeText(got))
			}
		}
		g := weft.Vmap(func(a, b weft.Array) weft.Array { return a.Add(b) })
		for name, h := range map[string]func(a, b weft.Array) weft.Array{"Vmap": g, "Jit(Vmap)": weft.Jit(g), "Vmap(Jit)": weft.Vmap(weft.Jit(func(a, b weft.Array) weft.Array { return a.Add(b) }))} {
			if got := arraycheck.TypeText(h(w, n)); got != "f64[2]" {
				t.Errorf("%s: %s", name, got)
			}
		}
	})
}

// Operations with rules of their own ask the system too.
func TestOtherOperatorsUnderASystem(t *testing.T) {
	i8, i32, f16, f32, b := weft.Of(int8(3)), weft.Of(int32(3)), weft.OnesOf(weft.Float16, 1), weft.Of(float32(2)), weft.Of(true)
	for _, c := range []struct {
		s    promote.System
		f    func() weft.Array
		want string // - is a refusal
	}{
		{promote.JAX, func() weft.Array { return i8.Pow(2) }, "i8[1]"},
		{promote.JAX, func() weft.Array { return b.Pow(2) }, "i32[1]"},
		{promote.NumPy1, func() weft.Array { return i8.Pow(1000) }, "i16[1]"},
		{promote.NumPy, func() weft.Array { return f16.Pow(i32) }, "f64[1]"},
		{promote.JAXLax, func() weft.Array { return i32.Pow(2) }, "-"},
		{promote.JAXStrict, func() weft.Array { return b.Pow(2) }, "-"},
		{promote.NumPy, func() weft.Array { return f16.Div(i32) }, "f64[1]"},
		{promote.JAXStrict, func() weft.Array { return f16.Div(i32) }, "-"},
		{promote.NumPy, func() weft.Array { return i32.Mod(f32) }, "f64[1]"},
		{promote.JAXStrict, func() weft.Array { return i32.FloorDiv(f32) }, "-"},
		{promote.JAXStrict, func() weft.Array { return i32.Lt(f32) }, "-"},
		{promote.JAXStrict, func() weft.Array { return i32.Lt(2) }, "bool[1]"},
		{promote.JAXStrict, func() weft.Array { return i8.Shl(i32) }, "-"},
		{promote.NumPy, func() weft.Array { return f32.Dot(i32) }, "f64[]"},
		{promote.JAXStrict, func() weft.Array { return f32.MatMul(i32) }, "-"},
		{promote.NumPy, func() weft.Array { return weft.Hypot(f32, i32) }, "f64[1]"},
		{promote.JAXStrict, func() weft.Array { return weft.Clip(f32, i32, 1) }, "-"},
		{promote.JAXStrict, func() weft.Array { return weft.Concat(0, f32, i32) }, "-"},
		{promote.JAXStrict, func() weft.Array { return f32.At(0).Set(i32.Index(0)) }, "-"},
		{promote.TensorFlow, func() weft.Array { return weft.Sub(1, f32) }, "-"},
		{promote.TensorFlow, func() weft.Array { return f32.Sub(1) }, "f32[1]"},
		{promote.MAX, func() weft.Array { return f32.Sub(1.) }, "-"},
		{promote.MAX, func() weft.Array { return f32.Sub(float32(1)) }, "f32[1]"},
		{promote.PyTorch, func() weft.Array { return f16.Mul(1i) }, "-"},
	} {
		for _, f := range []func() weft.Array{c.f, weft.Jit(c.f)} {
			got, err := under(c.s, f)
			if c.want == "-" && (!errors.Is(err, core.ErrPromotion) || !strings.Contains(err.Error(), " under "+c.s.Name())) {
				t.Errorf("%s: want a refusal for %s: %v, %v", c.s.Name(), c.want, got, err)
			}
			if c.want != "-" && (err != nil || arraycheck.TypeText(got) != c.want) {
				t.Errorf("%s: %v, %v, want %s", c.s.Name(), got, err, c.want)
			}
		}
	}
}

// What has one operand does not promote: it is the same under every system.
func TestOneOperandUnderEverySystem(t *testing.T) {
	x := weft.Of(float32(0.5), 2, -1)
	n := weft.Of(int8(3), 1, 2)
	where := weft.Of(true, false, true)
	for name, f := range map[string]func() weft.Array{
		"Softmax":    func() weft.Array { return nn.Softmax(x) },
		"LogSoftmax": func() weft.Array { return nn.LogSoftmax(x) },
		"LogSumExp":  func() weft.Array { return special.LogSumExp(x) },
		"Softplus":   func() weft.Array { return nn.Softplus(x) },
		"Silu":       func() weft.Array { return nn.Silu(x) },
		"Gelu":       func() weft.Array { return nn.Gelu(x) },
		"Elu":        func() weft.Array { return nn.Elu(x) },
		"Relu":       func() weft.Array { return nn.Relu(n) },
		"Square":     func() weft.Array { return weft.Square(n) },
		"Sqrt":       func() weft.Array { return weft.Sqrt(n) },
		"Mean":       func() weft.Array { return n.Mean() },
		"Var":        func() weft.Array { return x.Var() },
		"Std":        func() weft.Array { return n.Std() },
		"Sum where":  func() weft.Array { return weft.Reduce(x, weft.ReduceConfig{Op: weft.ReduceSum, Where: where}) },
		"Mean where": func() weft.Array { return weft.Reduce(n, weft.ReduceConfig{Op: weft.ReduceMean, Where: where}) },
		"Var where":  func() weft.Array { return weft.Reduce(x, weft.ReduceConfig{Op: weft.ReduceVar, Where: where, DDof: 1}) },
		"Index":      func() weft.Array { return x.Index("::-1") },
		"Flip":       func() weft.Array { return weft.Flip(x) },
		"Tril":       func() weft.Array { return weft.Tril(weft.Ones(2, 2)) },
		"Linspace":   func() weft.Array { return weft.Linspace(0., 1., 5) },
		"OneHot":     func() weft.Array { return weft.OneHot(n, 4) },
		"Norm":       func() weft.Array { return weft.Sqrt(weft.Square(x).Sum()) },
	} {
		want := f()
		for _, s := range promote.Systems() {
			got, err := under(s, f)
			if err != nil || arraycheck.TypeText(got) != arraycheck.TypeText(want) || !got.Equal(want) {
				t.Errorf("%s under %s: %v %v, want %v", name, s.Name(), got, err, want)
			}
		}
	}
}

// Under NumPy 1, a scalar beside an array counts by its value where that is known. A scalar
// that is an argument of a traced function is an error that explains this.
func TestNumPy1OnArrays(t *testing.T) {
	statement.Shows(t, "P-12", "under NumPy 1, int8(0) + 1 is i64")
	statement.Shows(t, "P-13", "under NumPy 1, zeros(1, i8) + 1 is i8")
	statement.Shows(t, "P-14", "under NumPy 1 the value of a scalar decides: zeros(1, i8) + 1000 is i16")
	x := weft.FromSlice(make([]int8, 3))
	u := weft.FromSlice(make([]uint8, 3))
	w := weft.FromSlice(make([]uint64, 3))
	for _, c := range []struct {
		f    func() weft.Array
		want string
	}{
		{func() weft.Array { return weft.Add(int8(0), 1) }, "i64[]"}, // P-12
		{func() weft.Array { return x.Add(1) }, "i8[3]"},             // P-13
		{func() weft.Array { return x.Add(1000) }, "i16[3]"},         // P-14
		{func() weft.Array { return x.Add(127) }, "i8[3]"},
		{func() weft.Array { return x.Add(128) }, "i16[3]"},
		{func() weft.Array { return weft.Add(-129, x) }, "i16[3]"},
		{func() weft.Array { return x.Add(int32(1000)) }, "i16[3]"}, // typed Go numbers too
		{func() weft.Array { return x.Add(int64(100)) }, "i8[3]"},
		{func() weft.Array { return x.Add(uint64(1 << 63)) }, "f64[3]"},
		{func() weft.Array { return weft.OnesOf(weft.Float16, 2).Mul(float64(float32(2))) }, "f16[2]"},
		{func() weft.Array { return weft.OnesOf(weft.Float16, 2).Mul(float32(2)) }, "f16[2]"},
		{func() weft.Array { return u.Sub(-1) }, "i16[3]"},
		{func() weft.Array { return w.Mul(-1) }, "f64[3]"},
		{func() weft.Array { return weft.OnesOf(weft.Float16, 2).Mul(1e5) }, "f32[2]"},
		{func() weft.Array { return weft.OnesOf(weft.Float32, 2).Mul(1e300) }, "f64[2]"},
		{func() weft.Array { return weft.OnesOf(weft.Float32, 2).Mul(1e30) }, "f32[2]"},
		{func() weft.Array { return weft.Where(weft.Of(true, false, true), x, 1000) }, "i16[3]"},
		{func() weft.Array { return x.Add(weft.Scalar(1000)) }, "i16[3]"}, // a constant by another name
		{func() weft.Array { return x.Add(weft.Of(1000)) }, "i32[3]"},     // an array: its type counts
		{func() weft.Array { return x.Add(weft.Of(1, 2).Index(0)) }, "i8[3]"},
		{func() weft.Array { return x.Add(weft.Of(100, 200).Sum()) }, "i16[3]"},
		{func() weft.Array { return weft.Where(weft.Of(true), x.Index("0:1"), x.Sum()) }, "i8[1]"},
		{func() weft.Array {
			return weft.Grad(func(s weft.Array) weft.Array { return weft.Ones(2).Mul(s).Sum() })(weft.Scalar(1.))
		}, "~f32[]"},
	} {
		for _, f := range []func() weft.Array{c.f, weft.Jit(c.f)} {
			if got, err := under(promote.NumPy1, f); err != nil || arraycheck.TypeText(got) != c.want {
				t.Errorf("%v, %v, want %s", got, err, c.want)
			}
		}
	}
	three, err := under(promote.NumPy1, func() weft.Array { return x.Add(1000) })
	if err != nil || !slices.Equal(weft.ToSlice[int16](three), []int16{1000, 1000, 1000}) {
		t.Errorf("%v, %v", three, err)
	}

	add := weft.Jit(func(x, s weft.Array) weft.Array { return x.Add(s) })
	for name, f := range map[string]func() weft.Array{
		"a traced scalar":    func() weft.Array { return add(x, weft.Scalar(1000)) },
		"a batch of scalars": func() weft.Array { return weft.Vmap(func(s weft.Array) weft.Array { return x.Add(s) })(weft.Of(1, 2)) },
		"a traced sum":       func() weft.Array { return add(x, x.Sum().Mul(2)) },
	} {
		_, err := under(promote.NumPy1, f)
		if !errors.Is(err, core.ErrPromotion) || !strings.Contains(err.Error(), "that of an argument of a traced function is not known") {
			t.Errorf("%s: want an error that states it, got %v", name, err)
		}
		if _, err := under(promote.NumPy, f); err != nil {
			t.Errorf("%s under NumPy 2: %v", name, err)
		}
	}
}

// DefaultBits is the width of untyped constants and of what has no other; arrays of
// 32 and of 64 bits stay as they are under either.
func TestDefaultBits(t *testing.T) {
	i8, u8, i32, f32, f64 := weft.Of(int8(1), 2), weft.Of(uint8(1)), weft.Of(int32(1)), weft.Of(float32(1)), weft.FromSlice([]float64{1})
	u64, i64 := weft.Of(uint64(1)), weft.Of(int64(1))
	b := weft.Of(true)
	for _, c := range []struct {
		f        func() weft.Array
		w32, w64 string
	}{
		{func() weft.Array { return weft.Scalar(1) }, "~i32[]", "~i64[]"},
		{func() weft.Array { return weft.Scalar(1.) }, "~f32[]", "~f64[]"},
		{func() weft.Array { return weft.Scalar(1i) }, "~c64[]", "~c128[]"},
		{func() weft.Array { return weft.Of(1, 2) }, "i32[2]", "i64[2]"},
		{func() weft.Array { return weft.Of(1., 2) }, "f32[2]", "f64[2]"},
		{func() weft.Array { return weft.Arange(3) }, "i32[3]", "i64[3]"},
		{func() weft.Array { return weft.Zeros(2) }, "f32[2]", "f64[2]"},
		{func() weft.Array { return weft.Full(weft.Shape{2}, 4) }, "~i32[2]", "~i64[2]"},
		{func() weft.Array { return weft.Linspace(0., 1., 3) }, "f32[3]", "f64[3]"},
		{func() weft.Array { return weft.Eye(2) }, "f32[2,2]", "f64[2,2]"},
		{func() weft.Array { return i32.Add(1) }, "i32[1]", "i32[1]"},
		{func() weft.Array { return f32.Mul(0.1) }, "f32[1]", "f32[1]"},
		{func() weft.Array { return f64.Mul(0.1) }, "f64[1]", "f64[1]"},
		{func() weft.Array { return i32.Add(1.) }, "~f32[1]", "~f64[1]"},
		{func() weft.Array { return i64.Add(1.) }, "~f32[1]", "~f64[1]"},
		{func() weft.Array { return u64.Add(i64) }, "~f32[1]", "~f64[1]"},
		{func() weft.Array { return u64.Add(i64).Add(f32) }, "f32[1]", "f32[1]"},
		{func() weft.Array { return b.Add(1) }, "~i32[1]", "~i64[1]"},
		{func() weft.Array { return f32.Mul(1i) }, "c64[1]", "c64[1]"},
		{func() weft.Array { return i8.Sum() }, "i32[]", "i64[]"},
		{func() weft.Array { return u8.Prod() }, "u32[]", "u64[]"},
		{func() weft.Array { return i8.ArgMax() }, "i32[]", "i64[]"},
		{func() weft.Array { return i64.Sum() }, "i64[]", "i64[]"},
		{func() weft.Array { return f32.Sum() }, "f32[]", "f32[]"},
	} {
		for bits, want := range map[int]string{32: c.w32, 64: c.w64} {
			weft.With(weft.DefaultBits(bits), func() {
				for _, f := range []func() weft.Array{c.f, weft.Jit(c.f)} {
					if got, err := weft.Try(f); err != nil || arraycheck.TypeText(got) != want {
						t.Errorf("%d bits: %v, %v, want %s", bits, got, err, want)
					}
				}
			})
		}
	}
	// It is part of Jit's key.
	f := weft.Jit(func(x weft.Array) weft.Array { return x.Add(1.) })
	if got := arraycheck.TypeText(f(i32)); got != "~f32[1]" {
		t.Error(got)
	}
	weft.With(weft.DefaultBits(64), func() {
		before := trace.Started()
		if got := arraycheck.TypeText(f(i32)); got != "~f64[1]" || trace.Started() == before {
			t.Errorf("%s, %d traces", got, trace.Started()-before)
		}
	})
	// A constant that the default does not hold is refused, not wrapped.
	big := func() weft.Array { return weft.Scalar(1 << 40) }
	if _, err := weft.Try(big); err == nil || !strings.Contains(err.Error(), "DefaultBits(64)") {
		t.Errorf("2**40 as i32: %v", err)
	}
	weft.With(weft.DefaultBits(64), func() {
		if got := big(); got.Int() != 1<<40 {
			t.Errorf("%v", got)
		}
	})
}
