package devices_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	goruntime "runtime"
	"strings"
	"sync"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/custom"
	"github.com/weft-go/weft/internal/test/fakedevice"
	"github.com/weft-go/weft/internal/test/testcheck"
	wruntime "github.com/weft-go/weft/runtime"
)

func TestDeviceInf(t *testing.T) {
	d := weft.DeviceNamed(fakedevice.Pair()[0].Name())
	x := weft.Of(float32(0), 1).To(d)
	weft.With(weft.DebugInfs(true), func() {
		testcheck.Fails(t, core.ErrNaN, func() { weft.Jit(func(x weft.Array) weft.Array { return weft.Div(1, x) })(x) }, "div", "DebugInfs")
		testcheck.Fails(t, core.ErrNaN, func() { weft.Div(1, x) }, "div", "DebugInfs")
	})
}

// A rule with a wrong derivative is found on a device as it is on the host.
func TestDeviceGradients(t *testing.T) {
	d := weft.DeviceNamed(fakedevice.Pair()[0].Name())
	x := weft.Of(float32(0.5), 1)
	wrong := custom.JVP(weft.Sin, func(x, t weft.Array) (weft.Array, weft.Array) { return weft.Sin(x), t.Mul(3) })
	f := func(x weft.Array) weft.Array { return wrong(x).Sum() }
	weft.With(weft.DebugGradients(true), func() {
		host := core.Catch(func() { weft.Grad(f)(x) })
		device := core.Catch(func() { weft.Grad(f)(x.To(d)) })
		if (host == nil) != (device == nil) {
			t.Errorf("on the host %v, on the device %v; want both or none", host, device)
		}
	})
}

func TestDeviceNaN(t *testing.T) {
	d := weft.DeviceNamed(fakedevice.Pair()[0].Name())
	x := weft.Of(float32(0), 1).To(d)
	weft.With(weft.DebugNaNs(true), func() {
		testcheck.Fails(t, core.ErrNaN, func() { weft.Jit(func(x weft.Array) weft.Array { return x.Div(x) })(x) }, "NaN")
		testcheck.Fails(t, core.ErrNaN, func() { x.Div(x) }, "NaN")
	})
}

func TestOperandsInDifferentMemories(t *testing.T) {
	es := fakedevice.Pair()
	a, b := weft.DeviceNamed(es[0].Name()), weft.DeviceNamed(es[1].Name())
	host := weft.Of(float32(1), 2).To(weft.DeviceNamed("reference"))
	x, y := host.To(a), host.To(b)
	free := weft.Of(float32(1), 2)
	plus := func(x, y weft.Array) weft.Array { return x.Add(y) }
	add := compiled(weft.Compile(plus, free, free))
	addOnA := compiled(weft.Compile(weft.Jit(plus, weft.On(a)), free, free))
	for name, f := range map[string]func(){
		"eager":                           func() { x.Add(y) },
		"host":                            func() { x.Add(host) },
		"jit":                             func() { weft.Jit(func(x, y weft.Array) weft.Array { return x.Add(y) })(x, y) },
		"jit on":                          func() { weft.Jit(func(x weft.Array) weft.Array { return x.Add(1) }, weft.On(b))(x) },
		"jit host":                        func() { weft.Jit(func(x, y weft.Array) weft.Array { return x.Add(y) })(host, y) },
		"compiled":                        func() { add.Call(x, y) },
		"compiled for the default device": func() { add.Call(x, x) },
		"compiled on":                     func() { addOnA.Call(y, y) },
		"captured":                        func() { weft.Jit(func(x weft.Array) weft.Array { return x.Add(y) })(x) },
		"captured twice":                  func() { weft.Jit(func(z weft.Array) weft.Array { return x.Add(z).Add(y.Mul(z)) })(free) },
		"captured on":                     func() { weft.Jit(func(x weft.Array) weft.Array { return x.Add(y) }, weft.On(a))(x) },
		"captured on, without operands":   func() { weft.Jit(func(z weft.Array) weft.Array { return z.Add(y) }, weft.On(a))(free) },
		"captured by a compiled function": func() {
			compiled(weft.Compile(weft.Jit(func(z weft.Array) weft.Array { return z.Add(y) }, weft.On(a)), free)).Call(free)
		},
		"captured by branches in jit": func() {
			weft.Jit(func(p, z weft.Array) weft.Array {
				return weft.Cond(p, func() weft.Array { return z.Add(x) }, func() weft.Array { return z.Add(y) })
			})(weft.Scalar(true), free)
		},
	} {
		err := core.Catch(f)
		if !errors.Is(err, core.ErrDevice) || !strings.Contains(err.Error(), "To(d)") {
			t.Errorf("%s: got %v, want an error that recommends To", name, err)
		}
	}
	for name, f := range map[string]func() weft.Array{
		"captured":              func() weft.Array { return weft.Jit(func(z weft.Array) weft.Array { return z.Add(y) })(free) },
		"compiled for operands": func() weft.Array { return compiled(weft.Compile(plus, y, y)).Call(y, free) },
		"compiled for what it captured": func() weft.Array {
			return compiled(weft.Compile(func(z weft.Array) weft.Array { return z.Add(y) }, free)).Call(free)
		},
		"captured, and an operand of b": func() weft.Array { return weft.Jit(func(z weft.Array) weft.Array { return z.Add(y) })(y) },
		"captured, on b": func() weft.Array {
			return weft.Jit(func(z weft.Array) weft.Array { return z.Add(y) }, weft.On(b))(free)
		},
		"captured, without placing": func() weft.Array { return weft.Jit(func(z weft.Array) weft.Array { return z.Add(free) })(y) },
		"result on a device, not placed": func() weft.Array {
			r := x.Mul(1)
			return weft.Jit(func(z weft.Array) weft.Array { return z.Add(r) })(y)
		},
		"captured by a branch, operand b": func() weft.Array {
			return weft.Jit(func(p, z weft.Array) weft.Array {
				return weft.Cond(p, func() weft.Array { return z.Add(y) }, func() weft.Array { return z })
			})(weft.Scalar(true), free)
		},
	} {
		got := f()
		if at := got.Value().(*wruntime.Array).Memory(); at != es[1].Memory() {
			t.Errorf("%s: the result is in %s, want %s", name, at, es[1].Memory())
		}
		if !got.Equal(weft.Of(float32(2), 4)) {
			t.Errorf("%s: got %v", name, got)
		}
	}
	if got := x.Add(weft.Scalar(float32(1))).Add(y.Index(0)); !got.Equal(weft.Of(float32(3), 4)) {
		t.Errorf("scalars do not move by themselves: %v", got)
	}
	if e := y.Index(0).Mul(2).Value().(*wruntime.Array).Buffer().Executor(); e.Name() != es[1].Name() {
		t.Errorf("a product of numbers on %s is on %s", es[1].Name(), e.Name())
	}
	if got := x.To(b).Add(y).To(weft.DeviceNamed("reference")).Add(host); !got.Equal(weft.Of(float32(3), 6)) {
		t.Errorf("after To: %v", got)
	}
}

func compiled[F any](c *weft.Compiled[F], err error) *weft.Compiled[F] {
	testcheck.Must(err)
	return c
}

// A function on a device that cannot be used is an error at the call, with the reason.
func TestDeviceOfFunctionCannotRun(t *testing.T) {
	e := fakedevice.Pair()[1]
	on := weft.On(weft.DeviceNamed(e.Name()))
	f := weft.Jit(func(x weft.Array) weft.Array { return x.Add(1) }, on)
	within := weft.Jit(func(x weft.Array) weft.Array { return f(x).Mul(2) })
	defer e.Fail.Store(nil)
	why := errors.New("the driver is too old")
	e.Fail.Store(&fakedevice.Failure{Available: why})
	for name, g := range map[string]func(weft.Array) weft.Array{"jit": f, "within another": within} {
		err := core.Catch(func() { g(weft.Of(float32(1), 2)) })
		if !errors.Is(err, core.ErrDevice) || !errors.Is(err, why) || !strings.HasPrefix(err.Error(), "devices_test.go:") || !strings.Contains(err.Error(), e.Name()) {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

// What an executor gets wrong is an error that names it.
func TestDeviceFailures(t *testing.T) {
	e := fakedevice.Pair()[1]
	d := weft.DeviceNamed(e.Name())
	defer e.Fail.Store(nil)
	broken := errors.New("out of device memory")
	x := weft.Of(float32(1), 2)
	on := x.To(d)
	wrong := weft.Of(int32(1)).Value().(*wruntime.Array)
	for name, f := range map[string]fakedevice.Failure{
		"compile": {Compile: broken}, "run": {Run: broken}, "place": {Place: broken}, "leaf": {Leaf: broken},
		"missing":    {Results: func(outs []*wruntime.Array) { outs[0] = nil }},
		"wrong type": {Results: func(outs []*wruntime.Array) { outs[0] = wrong }},
	} {
		e.Fail.Store(&f)
		arg := on
		if name == "place" {
			arg = x
		}
		err := core.Catch(func() {
			if name == "leaf" {
				on.Add(on)
			} else {
				weft.Jit(func(x weft.Array) weft.Array { return x.Mul(3) }, weft.On(d))(arg)
			}
		})
		e.Fail.Store(nil)
		if !errors.Is(err, core.ErrDevice) || !strings.Contains(err.Error(), e.Name()) {
			t.Errorf("%s: got %v, want an error that names the executor", name, err)
		}
		if name == "run" && !errors.Is(err, broken) {
			t.Errorf("%s: the cause is not behind %v", name, err)
		}
	}
	fresh := x.To(d)
	e.Fail.Store(&fakedevice.Failure{Bytes: broken})
	if err := core.Catch(func() { weft.ToSlice[float32](fresh) }); !errors.Is(err, broken) {
		t.Errorf("reading: got %v, want %v", err, broken)
	}
	_ = fresh.String() // does not panic
	e.Fail.Store(nil)
	if got := on.Add(1); !got.Equal(weft.Of(float32(2), 3)) {
		t.Errorf("afterwards: got %v", got)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := weft.Try(func() (y weft.Array) {
		weft.With(weft.Context(ctx), func() { y = on.Add(1) })
		return y
	}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: got %v", err)
	}
}

// A host that reads elements before it waited for them is refused, wherever elements are read,
// and finds poison in the memory. Without the wait of the device's buffer each of these
// would return wrong numbers.
func TestDeviceRefusesReadsWithoutWait(t *testing.T) {
	e, other := fakedevice.Pair()[0], fakedevice.Pair()[1]
	d := weft.DeviceNamed(e.Name())
	fresh := func() weft.Array { return weft.Of(float32(1), 2).To(d).Mul(3) }
	double := weft.Jit(func(x weft.Array) weft.Array { return x.Mul(2) })
	e.Fail.Store(&fakedevice.Failure{Hasty: true})
	defer e.Fail.Store(nil)
	for name, read := range map[string]func(x weft.Array){
		"ToSlice":       func(x weft.Array) { weft.ToSlice[float32](x) },
		"CopyTo":        func(x weft.Array) { weft.CopyTo(make([]float32, 2), x) },
		"Values":        func(x weft.Array) { weft.Values[float32](x)(func(float32) bool { return true }) },
		"Equal":         func(x weft.Array) { x.Equal(weft.Ones(2)) },
		"Float":         func(x weft.Array) { x.Sum().Float() },
		"Rows":          func(x weft.Array) { x.Rows()(func(_ int, x weft.Array) bool { x.Float(); return true }) },
		"Save":          func(x weft.Array) { testcheck.Must(weft.Save(io.Discard, []weft.Array{x})) },
		"SaveNpy":       func(x weft.Array) { testcheck.Must(weft.SaveNpy(io.Discard, x)) },
		"MarshalJSON":   func(x weft.Array) { _, err := x.MarshalJSON(); testcheck.Must(err) },
		"MarshalBinary": func(x weft.Array) { _, err := x.MarshalBinary(); testcheck.Must(err) },
		"to the host":   func(x weft.Array) { x.To(weft.DeviceNamed("reference")) },
		"elsewhere":     func(x weft.Array) { x.To(weft.DeviceNamed(other.Name())) },
		"reference":     func(x weft.Array) { x.Sort(0) },
		"NaNs":          func(x weft.Array) { weft.With(weft.DebugNaNs(true), func() { double(x) }) },
		"cond": func(x weft.Array) {
			weft.Cond(x.Sum().Gt(0), func() weft.Array { return x }, func() weft.Array { return x }).Equal(x)
		},
		"index": func(x weft.Array) { _ = weft.Zeros(x.Sum().Int()) },
	} {
		err := testcheck.Recover(func() { read(fresh()) })
		if !errors.Is(err, fakedevice.ErrNotWaited) {
			t.Errorf("%s: got %v, want %v", name, err, fakedevice.ErrNotWaited)
		}
	}
	x := fresh()
	_ = x.String() // does not panic
	if view, err := fakedevice.Peek(x.Value().(*wruntime.Array)); !errors.Is(err, fakedevice.ErrNotWaited) || !bytes.Equal(view, bytes.Repeat([]byte{0xff}, 8)) {
		t.Errorf("before the wait the host finds %x, %v, want poison", view, err)
	}
	double(x) // the device reads what is there for it
	e.Fail.Store(nil)
	if got := x.Add(0); !got.Equal(weft.Of(float32(3), 6)) {
		t.Errorf("after the wait: got %v", got)
	}
	waits := e.Waits.Load()
	if err := x.Value().(*wruntime.Array).Wait(t.Context()); err != nil || e.Waits.Load() != waits+1 {
		t.Errorf("Wait: got %v, and %d waits, want 1", err, e.Waits.Load()-waits)
	}
	if view, err := fakedevice.Peek(x.Value().(*wruntime.Array)); err != nil || bytes.Equal(view, bytes.Repeat([]byte{0xff}, 8)) {
		t.Errorf("after the wait the host finds %x, %v, want the elements", view, err)
	}
}

// Many goroutines read an array while others donate it: each read returns the right
// elements or an error.
func TestDonateConcurrently(t *testing.T) {
	const n = 1000
	take := weft.Jit(func(x weft.Array) weft.Array { return x.Add(1) }, weft.Donate(0))
	sum := weft.Jit(func(x weft.Array) weft.Array { return x.Sum() })
	for range 20 {
		x := weft.Ones(n).Add(0)
		var wg sync.WaitGroup
		donated := make(chan bool, 4)
		for range 4 {
			wg.Go(func() {
				_, err := weft.Try(func() weft.Array { return take(x) })
				donated <- err == nil
			})
			wg.Go(func() {
				for _, f := range []func() float64{
					func() float64 { return x.Add(1).Sum().Float() - n },
					func() float64 { return sum(x).Float() },
					func() float64 { return float64(weft.ToSlice[float32](x)[n-1]) * n },
				} {
					v, err := weft.Try(f)
					if err == nil && v != n {
						t.Errorf("got %v, want %d", v, n)
					} else if err != nil && !errors.Is(err, core.ErrDevice) {
						t.Errorf("got %v, want an error of the kind ErrDevice", err)
					}
				}
				_ = x.String()
			})
		}
		wg.Wait()
		close(donated)
		won := 0
		for ok := range donated {
			if ok {
				won++
			}
		}
		if won != 1 {
			t.Errorf("%d calls took the array, want 1", won)
		}
	}
}

// A donating call that fails leaves its arguments alive, on every executor.
func TestDonateFailedRun(t *testing.T) {
	e := fakedevice.Pair()[1]
	d := weft.DeviceNamed(e.Name())
	defer e.Fail.Store(nil)
	broken := errors.New("out of device memory")
	for name, fail := range map[string]fakedevice.Failure{"compile": {Compile: broken}, "run": {Run: broken}} {
		f := weft.Jit(func(x weft.Array) weft.Array { return x.Add(1) }, weft.Donate(0), weft.On(d)) // not compiled yet
		x := weft.Ones(100).Add(0).To(d)
		e.Fail.Store(&fail)
		if _, err := weft.Try(func() weft.Array { return f(x) }); !errors.Is(err, broken) {
			t.Errorf("%s: got %v, want %v", name, err, broken)
		}
		e.Fail.Store(nil)
		if !x.Equal(weft.Ones(100)) {
			t.Errorf("%s: the argument changed: %v", name, x)
		}
		if got := f(x); got.Index(99).Float() != 2 {
			t.Errorf("%s: afterwards got %v", name, got)
		}
		testcheck.Fails(t, core.ErrDevice, func() { x.Add(1) }, "donated")
	}
}

// Reading a donated array is an error in every function that reads elements.
func TestReadDonated(t *testing.T) {
	x := weft.Ones(100).Add(0)
	weft.Jit(func(x weft.Array) weft.Array { return x.Add(1) }, weft.Donate(0))(x)
	for name, f := range map[string]func() error{
		"Save":          func() error { return weft.Save(io.Discard, []weft.Array{x}) },
		"SaveNpy":       func() error { return weft.SaveNpy(io.Discard, x) },
		"SaveNpz":       func() error { return weft.SaveNpz(io.Discard, []weft.Array{x}) },
		"MarshalBinary": func() error { _, err := x.MarshalBinary(); return err },
		"MarshalJSON":   func() error { _, err := x.MarshalJSON(); return err },
		"ToSlice":       func() error { return core.Catch(func() { weft.ToSlice[float32](x) }) },
		"Equal":         func() error { return core.Catch(func() { x.Equal(weft.Ones(100)) }) },
	} {
		if err := f(); !errors.Is(err, core.ErrDevice) {
			t.Errorf("%s: got %v, want an error of the kind ErrDevice", name, err)
		}
	}
}

// A writer that donates the array while it is saved neither corrupts nor crashes.
func TestDonateWhileSaving(t *testing.T) {
	take := weft.Jit(func(x weft.Array) weft.Array { return x.Add(1) }, weft.Donate(0))
	for name, save := range map[string]func(io.Writer, weft.Array) error{
		"Save":    func(w io.Writer, x weft.Array) error { return weft.Save(w, map[string]weft.Array{"value": x}) },
		"SaveNpy": weft.SaveNpy,
	} {
		x := weft.Ones(100).Add(0)
		var b bytes.Buffer
		w := writerFunc(func(p []byte) (int, error) {
			if len(p) == 400 {
				take(x)
				goruntime.GC()
			}
			return b.Write(p)
		})
		if err := save(w, x); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		m := map[string]weft.Array{}
		if err := weft.Load(&b, &m); err != nil || !m["value"].Equal(weft.Ones(100)) {
			t.Errorf("%s: got %v, %v", name, m, err)
		}
	}
}

type writerFunc func(p []byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }

// Threads and Precision reach executors, do not change results, and do not trace again.
func TestThreadsAndPrecision(t *testing.T) {
	e := fakedevice.Pair()[0]
	traces := 0
	f := weft.Jit(func(x weft.Array) weft.Array { traces++; return x.Add(1) }, weft.On(weft.DeviceNamed(e.Name())))
	x := weft.Of(1., 2)
	want := f(x)
	before := e.Programs.Load()
	for _, set := range []weft.Setting{weft.Threads(1), weft.Threads(3), weft.Precision(weft.Fast)} {
		weft.With(set, func() {
			if got := f(x); !got.Equal(want) {
				t.Errorf("got %v, want %v", got, want)
			}
		})
	}
	weft.With(weft.Threads(0), func() { f(x) })
	weft.With(weft.Precision(weft.Exact), func() { f(x) })
	if n := e.Programs.Load() - before; n != 3 || traces != 1 {
		t.Errorf("compiled %d times and traced %d times, want 3 and 1", n, traces)
	}
	testcheck.Fails(t, core.ErrStatic, func() { weft.Threads(-1) }, "Threads", "got -1")
	testcheck.Fails(t, core.ErrStatic, func() { weft.Precision(9) }, "Precision", "weft.Fast")
}

// The error of a name that no device has lists the names and, of a kind that could not be
// found, the reason and no advice to import it.
func TestDeviceNamedUnknown(t *testing.T) {
	wruntime.RegisterLater("undriven:", func() ([]wruntime.Executor, error) { return nil, errors.New("its driver is not installed") })
	for name, want := range map[string]string{
		"undriven:0": "undriven:… cannot be had: its driver is not installed",
		"undriven":   "undriven:… cannot be had: its driver is not installed",
		"unheard-of": "import the package that contains it",
	} {
		_, err := weft.Try(func() weft.Device { return weft.DeviceNamed(name) })
		if !errors.Is(err, core.ErrDevice) || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "DeviceNamed: there is no executor") || !strings.Contains(err.Error(), "(there is reference") {
			t.Errorf("%s: got %v, want %q", name, err, want)
		}
	}
}

// TestCompileOnDevice checks that Compile of a jitted function with On compiles for its device.
func TestCompileOnDevice(t *testing.T) {
	gpu := weft.DeviceNamed(fakedevice.Pair()[1].Name())
	double := func(x weft.Array) weft.Array { return x.Mul(2) }
	w, b := weft.Of(float32(3), float32(5)), weft.Of(float32(7), float32(11))
	for name, f := range map[string]func(weft.Array) weft.Array{
		"On":            weft.Jit(double, weft.On(gpu)),
		"On and donate": weft.Jit(double, weft.On(gpu), weft.Donate(0)),
		"closed over":   weft.Jit(func(x weft.Array) weft.Array { return x.Mul(w).Add(b).Mul(w) }, weft.On(gpu)),
		"within":        func(x weft.Array) weft.Array { return weft.Jit(double, weft.On(gpu))(x).Add(1) },
	} {
		x := weft.Of(float32(1), float32(2))
		c, err := weft.Compile(f, x)
		if err != nil {
			t.Fatal(name, err)
		}
		want := gpu.String()
		if name == "within" {
			want = weft.Device{}.String()
		}
		if got := c.Device().String(); got != want {
			t.Errorf("%s: it is compiled for %s, want %s", name, got, want)
		}
		if got, want := c.Call(x), f(x); !got.Equal(want) { // Call does not donate x
			t.Errorf("%s: got %v, want %v", name, got, want)
		}
	}
}
