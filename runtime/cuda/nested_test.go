//go:build linux && (amd64 || arm64) && !drivers

package cuda

import (
	"context"
	"errors"
	goruntime "runtime"
	"slices"
	"testing"
	"time"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/internal/test/fakecuda"
	"github.com/weft-go/weft/internal/test/testcheck"
	"github.com/weft-go/weft/runtime/cuda/internal/cu"
	"github.com/weft-go/weft/runtime/device"
)

// two returns two devices of a fake driver.
func two(t *testing.T) [2]weft.Device {
	t.Helper()
	f := fakecuda.New()
	f.Devices = 2
	l, err := cu.New(f.Symbol)
	if err != nil {
		t.Fatal(err)
	}
	ds, err := find(l, "")
	if err != nil {
		t.Fatal(err)
	}
	return [2]weft.Device{named(ds[0]), named(ds[1])}
}

// User code that runs between two launches may use another device, or leave the thread with another context.
func TestUserCodeBetweenLaunchesUsesAnotherDevice(t *testing.T) {
	on := two(t)
	other := weft.Jit(func(x weft.Array) weft.Array { return weft.Sin(x).CumSum(0) }, weft.On(on[1]))
	use := func(x weft.Array) weft.Array {
		y := other(x.To(on[1]))
		_ = y.String()
		return y
	}
	x := weft.Linspace(0, 1, 10)
	for name, f := range map[string]func(x weft.Array) weft.Array{
		"DebugCallback": func(x weft.Array) weft.Array {
			weft.DebugCallback(func(x weft.Array) { use(x) }, x)
			return x
		},
		"PureCallback": func(x weft.Array) weft.Array {
			return weft.PureCallback(func(x weft.Array) weft.Array { return use(x) }, x, x)
		},
		"IOCallback": func(x weft.Array) weft.Array {
			return weft.IOCallback(func(x weft.Array) weft.Array { return use(x) }, x, x)
		},
	} {
		program := func(x weft.Array) weft.Array {
			return weft.Cos(f(weft.Exp(x).Sort()).Sort()).CumSum(0)
		}
		want := program(x)
		g := weft.Jit(program, weft.On(on[0]))
		for i := range 3 {
			got, err := weft.Try(func() weft.Array { return g(x) })
			if err != nil || !testcheck.SameBinary(got, want) {
				t.Errorf("%s, call %d: got %v, %v, want %v", name, i, got, err, want)
			}
		}
	}
}

// asking is a context that calls user code, which uses a device, in its method Err.
type asking struct {
	context.Context
	use func()
}

func (c asking) Err() error { c.use(); return nil }

// A context may use another device when its methods are called between launches.
func TestContextUsesAnotherDevice(t *testing.T) {
	on := two(t)
	other := weft.Jit(func(x weft.Array) weft.Array { return weft.Sin(x) }, weft.On(on[1]))
	x := weft.Linspace(0, 1, 10)
	program := func(x weft.Array) weft.Array { return x.Sort().CumSum(0).Sort().CumSum(0) }
	there := x.To(on[1])
	asked, inside := 0, false
	ctx := asking{t.Context(), func() {
		if !inside { // the call within has the same context
			inside = true
			other(there)
			inside = false
			asked++
		}
	}}
	g := weft.Jit(program, weft.On(on[0]))
	for range 3 {
		var got weft.Array
		_, err := weft.Try(func() int {
			weft.With(weft.Context(ctx), func() { got = g(x) })
			return 0
		})
		if err != nil || !testcheck.SameBinary(got, program(x)) {
			t.Errorf("got %v, %v", got, err)
		}
	}
	if asked == 0 {
		t.Error("the context was not asked")
	}
}

// After user code that panics, or whose device cannot be entered again, the device works.
func TestUserCodeThatFails(t *testing.T) {
	f := fakecuda.New()
	dev, _ := registered(t, f)
	x := weft.Linspace(0, 1, 10)
	fail := 0
	program := func(x weft.Array) weft.Array {
		y := x.Sort()
		weft.DebugCallback(func(y weft.Array) error {
			switch fail {
			case 1:
				return errors.New("no")
			case 2:
				panic("no")
			case 3:
				// Not once only: the collector, too, enters the device, to free arrays.
				f.Fail("cuCtxPushCurrent_v2", 0, 999, 1<<30)
			}
			return nil
		}, y)
		return weft.Sin(y).Sort()
	}
	g := weft.Jit(program, weft.On(dev))
	for _, fail = range []int{0, 1, 0, 2, 0, 3, 0, 0} {
		got, err := weft.Try(func() (y weft.Array) {
			defer func() {
				if p := recover(); p != nil {
					panic(&core.Error{Msg: "it panics"})
				}
			}()
			return g(x)
		})
		f.Fail("cuCtxPushCurrent_v2", 0, 0, 0)
		if fail == 0 && (err != nil || !testcheck.SameBinary(got, weft.Sin(x.Sort()).Sort())) || fail != 0 && err == nil {
			t.Errorf("failure %d: got %v, %v", fail, got, err)
		}
	}
}

// The assembler's options stay where they are until its linker is destroyed.
func TestOptionsOutliveTheLinker(t *testing.T) {
	f := fakecuda.New()
	f.Strict = true
	dev, d := registered(t, f)
	_ = weft.Sin(weft.Ones(3).To(dev)).String()
	if _, err := d.l.Assemble("no text", 0); err == nil {
		t.Error("text that is none is assembled")
	}
	if err := f.Fault(); err != nil {
		t.Error(err)
	}
}

// A device can be used without the functions that it may lack.
func TestOptionalFunctionsFail(t *testing.T) {
	const notSupported = 801
	x := weft.Linspace(1, 0, 10)
	program := func(x weft.Array) weft.Array { return x.Sort().CumSum(0).Sort().CumSum(0) }
	for _, function := range []string{"cuDeviceGetDefaultMemPool", "cuMemPoolSetAttribute", "cuMemAllocAsync", "cuMemFreeAsync", "cuGraphCreate", "cuGraphInstantiateWithFlags"} {
		f := fakecuda.New()
		f.Fail(function, 0, notSupported, 1<<30)
		dev, d := registeredWith(t, f.Symbol)
		g := weft.Jit(program, weft.On(dev))
		for i := range 3 {
			got, err := weft.Try(func() weft.Array { return g(x) })
			if err != nil || !testcheck.SameBinary(got, program(x)) {
				t.Errorf("%s, call %d: got %v, %v", function, i, got, err)
			}
		}
		if n := f.Calls(function); n == 0 {
			t.Errorf("%s is not called", function)
		}
		p, err := d.Alloc(1 << 20)
		if err != nil {
			t.Fatal(err)
		}
		bytes := f.Objects().Bytes
		d.Free(p)
		d.Trim()
		if n := bytes - f.Objects().Bytes; n < 1<<20 {
			t.Errorf("%s: %d bytes of 1 MiB are released", function, n)
		}
	}
}

// Modules stay loaded until graphs with their kernels are destroyed, and the collector's goroutines never wait.
func TestGraphsGoBeforeTheirModules(t *testing.T) {
	f := fakecuda.New()
	dev, d := registered(t, f)
	x := weft.Linspace(1, 0, 10).To(dev)
	for range 10 {
		g := weft.Jit(func(x weft.Array) weft.Array { return x.Sort().CumSum(0).Sort().CumSum(0) }, weft.On(dev))
		for range 3 {
			_ = g(x)
		}
	}
	waits := f.Calls("cuEventSynchronize")
	waiting := f.Waiting()
	for range 10 {
		collect()
	}
	if n := f.Calls("cuEventSynchronize") - waits; n != 0 || f.Waiting() != waiting {
		t.Errorf("the collector waits %d times, and %d of %d commands have run", n, waiting-f.Waiting(), waiting)
	}
	for range 10 {
		collect()
		d.Trim()
	}
	if n := f.Objects(); n.Graphs != 0 || n.Modules != 0 {
		t.Errorf("%+v are left", n)
	}
	if err := f.Fault(); err != nil {
		t.Error(err)
	}
}

// A graph keeps the modules of its kernels, also when it is garbage, until it is destroyed.
func TestGraphsKeepTheirModules(t *testing.T) {
	f := fakecuda.New()
	_, d := registered(t, f)
	if err := d.Enter(); err != nil {
		t.Fatal(err)
	}
	defer d.Leave()
	memory, err := d.Alloc(64)
	if err != nil {
		t.Fatal(err)
	}
	g, err := func() (device.Graph, error) {
		c, err := d.Build(differentKernels(t, 1))
		if err != nil {
			return nil, err
		}
		at := []device.Place{{Memory: memory}, {Memory: memory, Offset: 32}}
		return d.Graph([]device.Launch{{Kernel: c.Kernels[0], Groups: 1, Buffers: at}})
	}()
	if err != nil {
		t.Fatal(err)
	}
	for range 5 {
		collect()
		d.Trim()
	}
	if n := f.Objects(); n.Modules != 1 {
		t.Errorf("%+v while the graph is in use", n)
	}
	if err := g.Run(); err != nil {
		t.Error(err)
	}
	goruntime.KeepAlive(g)
	g = nil
	for range 10 {
		collect()
	}
	d.garbage.mu.Lock()
	if r := &d.garbage.found; len(r.graphs) != 1 || len(r.modules) != 0 {
		t.Errorf("%d graphs and %d modules are garbage, want the graph alone", len(r.graphs), len(r.modules))
	}
	d.garbage.mu.Unlock()
	for range 5 {
		d.Trim()
		collect()
	}
	if n := f.Objects(); n.Graphs != 0 || n.Modules != 0 {
		t.Errorf("%+v are left", n)
	}
	if err := f.Fault(); err != nil {
		t.Error(err)
	}
}

// Memory without pools, whose release waits for the device, is released by later calls.
func TestMemoryWithoutPoolsIsReleasedLater(t *testing.T) {
	f := fakecuda.New()
	f.Pools = false
	f.Total = 1 << 20
	dev, _ := registered(t, f)
	g := weft.Jit(func(x weft.Array) weft.Array { return x.Add(1) }, weft.On(dev))
	x := weft.Ones(1 << 15)
	for i := range 20 {
		if y := g(x); y.Index(0).Float() != float64(i)+2 {
			t.Fatalf("got %v", y.Index(0))
		} else {
			x = y
		}
		_ = weft.Ones(1000 * (i + 1)).To(dev) // of many sizes
	}
}

// Threads that wait for the device poll for a short time, then sleep.
func TestWaitingThreadsSleep(t *testing.T) {
	f := fakecuda.New()
	dev, _ := registered(t, f)
	g := weft.Jit(func(x weft.Array) weft.Array { return x.Add(1) }, weft.On(dev))
	var xs []weft.Array
	for range 64 {
		xs = append(xs, g(weft.Ones(3).To(dev)))
	}
	release := f.Hold()
	defer release()
	done := make(chan error)
	for _, x := range slices.Backward(xs) {
		go func() {
			done <- x.Value().(interface{ Wait(context.Context) error }).Wait(t.Context())
		}()
	}
	for start := time.Now(); f.Asleep() < len(xs) && time.Since(start) < 10*time.Second; {
		time.Sleep(time.Millisecond)
	}
	if n := f.Asleep(); n != len(xs) {
		t.Errorf("%d threads sleep, want %d", n, len(xs))
	}
	release()
	for range xs {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
}
