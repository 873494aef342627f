package staging_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"runtime"
	"runtime/pprof"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/internal/test/testcheck"
	wruntime "github.com/weft-go/weft/runtime"
)

// pointed is a structure that is changed behind a pointer.
type pointed struct {
	W, B weft.Array
	Act  func(weft.Array) weft.Array
}

// Where a transformation does not return what a function writes behind a pointer,
// writing is refused: Grad states so when it happens, Vmap takes no pointers at all.
func TestWrittenPointersAreRefusedUnderGradAndVmap(t *testing.T) {
	x := weft.Of(float32(1), 2)
	m := &pointed{W: x, B: x}
	double := func(m *pointed) weft.Array { m.B = m.B.Mul(2); return m.B.Sum() }
	for name, f := range map[string]func(){
		"Grad":      func() { weft.Grad(double)(m) },
		"Jacrev":    func() { weft.Jacrev(double)(m) },
		"Jacfwd":    func() { weft.Jacfwd(double)(m) },
		"JVP":       func() { weft.JVP(double, m, m) },
		"VJP":       func() { weft.VJP(double, m) },
		"Linearize": func() { weft.Linearize(double, m) },
	} {
		testcheck.Fails(t, core.ErrTree, f, "jit_test.go:", name, `".B"`, "as a result")
	}
	testcheck.Fails(t, core.ErrTree, func() { weft.Vmap(double) }, "jit_test.go:", "only Jit takes pointers")
	if !m.B.Equal(x) {
		t.Errorf("behind the pointer is now %v", m.B)
	}
	// Reading is fine; and so is writing within a jitted function's own call.
	if g := weft.Grad(func(m *pointed) weft.Array { return m.B.Mul(m.W).Sum() })(m); !g.B.Equal(x) {
		t.Errorf("the gradient is %v", g.B)
	}
	step := weft.Jit(double)
	weft.Grad(func(x weft.Array) weft.Array { own := &pointed{W: x, B: x}; return step(own).Add(own.B.Sum()) })(x)
}

// Nothing is written when the program fails while it runs, nor when tracing panics
// or its goroutine exits.
func TestPointersStayWhenACallFails(t *testing.T) {
	x := weft.Of(float32(1), 2)
	for name, fail := range map[string]func(m *pointed){
		"panic":  func(*pointed) { panic("other") },
		"goexit": func(*pointed) { runtime.Goexit() },
		"shapes": func(m *pointed) { m.W = m.W.Dot(weft.Zeros(7)) },
	} {
		m := &pointed{W: x, B: x}
		f := weft.Jit(func(m *pointed) weft.Array {
			m.B = m.B.Mul(2)
			fail(m)
			return m.B
		})
		var wg sync.WaitGroup
		wg.Go(func() {
			_ = testcheck.Recover(func() {
				f(m)
				t.Errorf("%s: the call returned", name)
			})
		})
		wg.Wait()
		if !m.B.Equal(x) || !m.W.Equal(x) {
			t.Errorf("%s: behind the pointer is %v", name, m.B)
		}
	}
	// The context ends while the program runs.
	m := &pointed{W: x, B: x}
	spin := weft.Jit(func(ctx context.Context, m *pointed) (weft.Array, error) {
		m.B = weft.While(func(b weft.Array) weft.Array { return b.Sum().Ge(0) }, func(b weft.Array) weft.Array { return b.Mul(1) }, m.B)
		return m.B, nil
	})
	ctx, cancel := context.WithCancelCause(context.Background())
	go cancel(errors.New("enough"))
	if _, err := spin(ctx, m); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if !m.B.Equal(x) {
		t.Errorf("behind the pointer is %v", m.B)
	}
}

// After a panic or an exit mid-trace nothing is active on any goroutine.
func TestStackAfterPanics(t *testing.T) {
	for name, f := range map[string]func(weft.Array) weft.Array{
		"panic":  func(weft.Array) weft.Array { panic("other") },
		"goexit": func(weft.Array) weft.Array { runtime.Goexit(); return weft.Array{} },
	} {
		for how, wrapped := range map[string]func(weft.Array) weft.Array{
			"jit": weft.Jit(f), "grad": weft.Grad(f), "vmap": weft.Vmap(f),
			"jit of grad of jit": weft.Jit(weft.Grad(weft.Jit(f))),
		} {
			var wg sync.WaitGroup
			wg.Go(func() {
				// Deferred calls run on the same goroutine, after the library's.
				defer func() {
					if core.Tracing() {
						t.Errorf("%s, %s: an interpreter stays active", name, how)
					}
				}()
				_ = testcheck.Recover(func() { wrapped(weft.Of(float32(1)).Sum()) })
			})
			wg.Wait()
		}
	}
	if core.Tracing() {
		t.Error("an interpreter stays active on the test's goroutine")
	}
}

// Of many first callers each gets the right result, and later callers one program.
func TestConcurrentFirstCalls(t *testing.T) {
	for range 20 {
		var traces atomic.Int64
		f := weft.Jit(func(m pointed, n int) weft.Array {
			traces.Add(1)
			runtime.Gosched()
			return m.W.Mul(n).Add(m.B)
		})
		var wg sync.WaitGroup
		for i := range 8 {
			wg.Go(func() {
				m := pointed{W: weft.Scalar(float32(i)), B: weft.Scalar(float32(1))}
				if got := f(m, 3).Float(); got != float64(3*i+1) {
					t.Errorf("got %v for %d", got, i)
				}
			})
		}
		wg.Wait()
		before := traces.Load()
		f(pointed{W: weft.Scalar(float32(1)), B: weft.Scalar(float32(1))}, 3)
		if before < 1 || traces.Load() != before {
			t.Errorf("traced %d times, and then %d", before, traces.Load())
		}
	}
}

// Goroutines transform one function at once: they share its program, and what transformations keep with it.
func TestConcurrentTransformations(t *testing.T) {
	type unary = func(weft.Array) weft.Array
	transformed := func() []unary {
		f := weft.Jit(func(x weft.Array) weft.Array {
			return weft.ForI(3, func(_, y weft.Array) weft.Array { return weft.Sin(y).Mul(x) }, x)
		})
		sum := func(x weft.Array) weft.Array { return f(x).Sum() }
		return []unary{
			weft.Grad(sum), weft.Vmap(weft.Grad(f)), weft.Jit(weft.Grad(sum)), weft.Vmap(f),
			weft.Grad(func(x weft.Array) weft.Array { return weft.Grad(sum)(x).Sum() }),
		}
	}
	x := weft.Of(float32(0.5), 1, 2)
	var want []weft.Array
	for _, f := range transformed() {
		want = append(want, f(x))
	}
	fs := transformed()
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Go(func() {
			for i := range fs {
				k := (g + i) % len(fs)
				if got := fs[k](x); !got.Equal(want[k]) {
					t.Errorf("function %d: got %v, want %v", k, got, want[k])
				}
			}
		})
	}
	wg.Wait()
}

// The error of an escaped tracer names the place that made it and the place that
// used it.
func TestEscapedTracersNameBothPlaces(t *testing.T) {
	var leak weft.Array
	var made, used int
	line := func() int { _, _, n, _ := runtime.Caller(1); return n }
	weft.Jit(func(x weft.Array) weft.Array {
		made = line() + 1
		leak = weft.Sin(x)
		return x
	}, weft.Name("leaky"))(weft.Scalar(float32(1)))
	used = line() + 1
	err := core.Catch(func() { leak.Add(1) })
	var e *core.Error
	if !errors.As(err, &e) || !errors.Is(err, core.ErrEscaped) {
		t.Fatalf("got %v", err)
	}
	for _, want := range []string{place(used) + ": ", "sin at " + place(made), "leaky", "return it"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q is not in %v", want, err)
		}
	}
}

func place(line int) string { return "jit_test.go:" + strconv.Itoa(line) }

// A function as a static field is part of the key, by its pointer. One that is made
// anew for every call is reported once, even where explanations are off.
func TestFunctionsAsStatics(t *testing.T) {
	traces := 0
	f := weft.Jit(func(m pointed) weft.Array { traces++; return m.Act(m.W).Add(m.B) }, weft.Name("apply"))
	x := weft.Scalar(float32(0.5))
	for range 3 {
		f(pointed{x, x, weft.Sin})
	}
	f(pointed{x, x, weft.Cos})
	f(pointed{x, x, weft.Sin})
	if traces != 2 {
		t.Errorf("traced %d times, want 2", traces)
	}
	var log bytes.Buffer
	old := slog.Default()
	slog.SetDefault(slog.New(slog.NewTextHandler(&log, nil)))
	defer slog.SetDefault(old)
	for i := range 20 {
		got := f(pointed{x, x, func(x weft.Array) weft.Array { return x.Mul(i) }})
		near(t, "apply", got, 0.5*float64(i)+0.5)
	}
	said := log.String()
	if strings.Count(said, "level=WARN") != 1 {
		t.Fatalf("logged %q", said)
	}
	for _, want := range []string{"jit_test.go:", "apply", "argument 0.Act", "TestFunctionsAsStatics", "make it once"} {
		if !strings.Contains(said, want) {
			t.Errorf("%q is not in %s", want, said)
		}
	}
	// Numbers that differ are no mistake: recursion counts them down.
	log.Reset()
	g := weft.Jit(func(x weft.Array, n int) weft.Array { return x.Mul(n) })
	for n := range 30 {
		g(x, n)
	}
	if log.Len() > 0 {
		t.Errorf("logged %q", log.String())
	}
}

// Explanations name the argument, the leaf and what differs, of statics and
// settings, too.
func TestRetracingIsExplained(t *testing.T) {
	var why []string
	weft.ExplainRetracing(func(s string) { why = append(why, s) })
	defer weft.ExplainRetracing(nil)
	x := weft.Scalar(float32(1))
	f := weft.Jit(func(m pointed, n int) weft.Array { return m.W.Mul(n) }, weft.Name("f"))
	f(pointed{W: x, B: x}, 1)
	f(pointed{W: x, B: x}, 2)
	z := weft.Zeros(3)
	f(pointed{W: x, B: z}, 2)
	weft.With(weft.DefaultBits(64), func() { f(pointed{W: x, B: z}, 2) })
	want := []string{"argument 1 was static 1, now static 2", "argument 0.B was f32[], now f32[3]", "settings"}
	if len(why) != len(want) {
		t.Fatalf("explained %q", why)
	}
	for i, w := range want {
		if !strings.Contains(why[i], w) || !strings.Contains(why[i], "jit_test.go:") {
			t.Errorf("%q is not in %q", w, why[i])
		}
	}
}

// A donated array is dead after the call, and the program shows what is donated.
func TestDonate(t *testing.T) {
	f := weft.Jit(func(x, y weft.Array) weft.Array { return x.Add(y) }, weft.Donate(0))
	x, y := weft.Of(float32(1), 2), weft.Of(float32(3), 4)
	if got := f(x, y); !got.Equal(weft.Of(float32(4), 6)) {
		t.Errorf("got %v", got)
	}
	testcheck.Fails(t, core.ErrDevice, func() { x.Add(1) }, "donated")
	y.Add(1)
	testcheck.Fails(t, core.ErrIndex, func() { weft.Jit(func(x, y weft.Array) weft.Array { return x }, weft.Donate(2)) }, "argument 2")
	ir, err := weft.Jaxpr(func(x, y weft.Array) weft.Array { return f(x, y) }, y, y)
	if err != nil || !strings.Contains(ir.String(), "donated_invars=(True, False)") {
		t.Errorf("the program is %v, %v", ir, err)
	}
	// Traced, it takes nothing.
	g := weft.Jit(func(x, y weft.Array) weft.Array { return f(x, y) })
	g(y, y)
	y.Add(1)
}

// countingExecutor is the reference executor under another name.
type countingExecutor struct {
	wruntime.Executor
	compiled atomic.Int64
}

func (*countingExecutor) Name() string { return "counting" }

func (c *countingExecutor) Compile(r *wruntime.Request) (wruntime.Executable, error) {
	c.compiled.Add(1)
	return c.Executor.Compile(r)
}

var registerCounting = sync.OnceValue(func() *countingExecutor {
	c := &countingExecutor{Executor: wruntime.Reference}
	if err := wruntime.Register(c); err != nil {
		panic(err)
	}
	return c
})

func TestOnADevice(t *testing.T) {
	c := registerCounting()
	d := weft.DeviceNamed("counting")
	f := weft.Jit(func(x weft.Array) weft.Array { return x.Mul(3) }, weft.On(d))
	m := weft.Jit(func(ctx context.Context, p *pointed) (weft.Array, error) { p.B = p.B.Mul(2); return p.W, nil }, weft.On(d))
	before := c.compiled.Load()
	x := weft.Of(float32(1), 2)
	for range 3 {
		if got := f(x); !got.Equal(weft.Of(float32(3), 6)) {
			t.Errorf("got %v", got)
		}
	}
	p := &pointed{W: x, B: x}
	if _, err := m(context.Background(), p); err != nil || !p.B.Equal(weft.Of(float32(2), 4)) {
		t.Errorf("got %v, %v", p.B, err)
	}
	if n := c.compiled.Load() - before; n != 2 {
		t.Errorf("the device compiled %d programs, want 2", n)
	}
	// Within another program and under a derivative it runs there, too.
	weft.Jit(func(x weft.Array) weft.Array { return weft.Tanh(f(x)) })(x)
	if n := c.compiled.Load() - before; n != 2 {
		t.Errorf("within a program: the device compiled %d programs, want 2", n)
	}
	weft.Grad(func(x weft.Array) weft.Array { return f(x).Sum() })(x)
	if n := c.compiled.Load() - before; n < 3 {
		t.Errorf("under a derivative: the device compiled %d programs, want 3 or more", n)
	}
	ir, err := weft.Jaxpr(func(x weft.Array) weft.Array { return f(x) }, x)
	if err != nil || !strings.Contains(ir.String(), "device=counting") {
		t.Errorf("the program does not name the device: %v, %v", ir, err)
	}
	if weft.Devices()[0].String() != "reference" || (weft.Device{}).String() != wruntime.Default().Name() {
		t.Errorf("the devices are %v", weft.Devices())
	}
	if !x.To(d).Equal(x) {
		t.Error("To changes the elements")
	}
	testcheck.Fails(t, core.ErrDevice, func() { weft.DeviceNamed("tpu") }, `"tpu"`, "reference", "import the package")
}

// CPU profiles name the jitted function.
func TestProfilesNameFunctions(t *testing.T) {
	names := func() string {
		var b bytes.Buffer
		if err := pprof.Lookup("goroutine").WriteTo(&b, 1); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	var within string
	f := weft.Jit(func(x weft.Array) weft.Array {
		return weft.PureCallback(func(x weft.Array) weft.Array { within = names(); return x }, x, x)
	}, weft.Name("profiled"))
	f(weft.Scalar(float32(1)))
	if !strings.Contains(within, `"weft":"profiled"`) {
		t.Errorf("the labels are not in\n%s", within)
	}
	if strings.Contains(names(), `"weft":"profiled"`) {
		t.Error("the label stays after the call")
	}
}
