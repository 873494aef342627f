//go:build linux && (amd64 || arm64) && !drivers

package cuda

import (
	"errors"
	"fmt"
	goruntime "runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/core/prim/indexed"
	"github.com/weft-go/weft/internal/test/fakecuda"
	"github.com/weft-go/weft/internal/test/testcheck"
	"github.com/weft-go/weft/jaxpr"
	numbers "github.com/weft-go/weft/lower/reference"
	"github.com/weft-go/weft/runtime"
	"github.com/weft-go/weft/runtime/cuda/internal/cu"
	"github.com/weft-go/weft/runtime/device"
)

var devices int

// registered registers a device of the fake driver, so that package weft can use it.
func registered(t *testing.T, f *fakecuda.Driver) (weft.Device, *driver) {
	d := open(t, f, "")
	return named(d), d
}

// registeredWith registers a device of a library with these functions. The device need not be usable.
func registeredWith(t *testing.T, symbol func(name string) (uintptr, error)) (weft.Device, *driver) {
	t.Helper()
	l, err := cu.New(symbol)
	if err != nil {
		t.Fatal(err)
	}
	ds, err := find(l, "")
	if err != nil {
		t.Fatal(err)
	}
	return named(ds[0]), ds[0]
}

// named registers a device under a name of its own.
func named(d *driver) weft.Device {
	devices++
	d.name = fmt.Sprintf("fake%d", devices)
	if err := runtime.Register(device.New(d)); err != nil {
		panic(err)
	}
	return weft.DeviceNamed(d.name)
}

// step returns a step of training: products, sums, gradients.
func step(w, x, y weft.Array) weft.Array {
	loss := func(w weft.Array) weft.Array { return weft.Square(weft.Tanh(x.MatMul(w)).Sub(y)).Sum() }
	return w.Sub(weft.Grad(loss)(w).Mul(0.1))
}

// A program that is called again runs as a graph whose nodes get the memory of each call.
func TestGraphs(t *testing.T) {
	f := fakecuda.New()
	dev, _ := registered(t, f)
	g := weft.Jit(step, weft.On(dev))
	x, y := weft.Linspace(-1, 1, 12).Reshape(4, 3), weft.Linspace(0, 1, 8).Reshape(4, 2)
	w := weft.Linspace(-1, 1, 6).Reshape(3, 2)
	here := w
	for range 5 {
		w, here = g(w, x, y), step(here, x, y)
	}
	if !testcheck.SameBinary(w, here) {
		t.Errorf("got %v, want %v", w, here)
	}
	if n := f.Calls("cuGraphInstantiateWithFlags"); n != 1 {
		t.Errorf("%d graphs were made, want 1", n)
	}
	if n := f.Calls("cuGraphLaunch"); n != 4 {
		t.Errorf("%d graphs were launched, want 4", n)
	}
	if f.Calls("cuGraphExecKernelNodeSetParams_v2") == 0 {
		t.Error("no node got other memory")
	}
}

// A driver without graphs, pools or both computes the same.
func TestOldDriver(t *testing.T) {
	f := fakecuda.New()
	f.Pools = false
	dev, d := registeredWith(t, func(name string) (uintptr, error) {
		if strings.HasPrefix(name, "cuGraph") || strings.HasPrefix(name, "cuMemPool") {
			return 0, errors.New("undefined symbol")
		}
		return f.Symbol(name)
	})
	g := weft.Jit(step, weft.On(dev))
	x, y := weft.Linspace(-1, 1, 12).Reshape(4, 3), weft.Linspace(0, 1, 8).Reshape(4, 2)
	w := weft.Linspace(-1, 1, 6).Reshape(3, 2)
	want := step(w, x, y)
	for range 3 {
		if got := g(w, x, y); !testcheck.SameBinary(got, want) {
			t.Errorf("got %v, want %v", got, want)
		}
	}
	if f.Calls("cuMemAlloc_v2") == 0 || strings.Contains(d.Description(), "graphs") {
		t.Errorf("the device is %s", d.Description())
	}
}

// A device that cannot be used has a name. Its description and the error of the first operation on it name the reason.
func TestDeviceThatCannotBeUsed(t *testing.T) {
	f := fakecuda.New()
	f.Capability = 50
	old, d := registeredWith(t, f.Symbol)
	const why = "compute capability 5.0 with driver 13.0 is not supported"
	for name, use := range map[string]func() weft.Array{
		"To": func() weft.Array { return weft.Ones(3).To(old) },
		"Jit": func() weft.Array {
			return weft.Jit(func(x weft.Array) weft.Array { return x.Add(1) }, weft.On(old))(weft.Ones(3))
		},
	} {
		if _, err := weft.Try(use); err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("%s: got %v, want %q", name, err, why)
		}
	}
	if about := d.Description(); !strings.Contains(about, "not used: "+why) {
		t.Errorf("got %s, want %q", about, why)
	}
}

// Each device has memory and streams of its own.
func TestSeveralDevices(t *testing.T) {
	f := fakecuda.New()
	f.Devices = 3
	l, err := cu.New(f.Symbol)
	if err != nil {
		t.Fatal(err)
	}
	ds, err := find(l, "")
	if err != nil || len(ds) != 3 {
		t.Fatal(len(ds), err)
	}
	var on []weft.Device
	for _, d := range ds {
		on = append(on, named(d))
	}
	x := weft.Linspace(0, 3, 100)
	want := weft.Sin(x).CumSum(0)
	var wg sync.WaitGroup
	for _, d := range on {
		wg.Go(func() {
			there := x.To(d)
			if got := weft.Sin(there).CumSum(0); !testcheck.SameBinary(got, want) {
				t.Errorf("%v: got %v", d, got)
			}
		})
	}
	wg.Wait()
	_, err = weft.Try(func() weft.Array { return x.To(on[0]).Add(x.To(on[1])) })
	if err == nil || !strings.Contains(err.Error(), "To(") {
		t.Errorf("operands on two devices: got %v", err)
	}
	if got := x.To(on[0]).To(on[1]).Add(1); !testcheck.SameBinary(got, x.Add(1)) {
		t.Errorf("moved: got %v", got)
	}
}

// If a function of the driver fails, the error names the device and the function. Afterwards
// the device works, and no memory is lost.
func TestInjectedFailures(t *testing.T) {
	const oom, notReady = 2, 999
	for _, c := range []struct {
		function string
		code     int32
		times    int
		want     string // in the error; "" where the call works all the same
	}{
		{"cuMemAllocAsync", oom, 10, "CUDA_ERROR_OUT_OF_MEMORY"},
		{"cuMemAllocAsync", oom, 1, ""}, // what the pool keeps is released
		{"cuMemHostAlloc", oom, 1, "cuMemHostAlloc"},
		{"cuMemcpyHtoDAsync_v2", 1, 1, "CUDA_ERROR_INVALID_VALUE"},
		{"cuMemcpyDtoHAsync_v2", 1, 1, "cuMemcpyDtoHAsync_v2"},
		{"cuLaunchKernel", 701, 1, "kernel k0_sin"},
		{"cuLaunchKernel", 701, 1, "driver_test.go:"}, // the user's line
		{"cuModuleLoadData", 209, 1, "cuModuleLoadData"},
		{"cuModuleGetFunction", 500, 1, "cuModuleGetFunction"},
		{"cuLinkCreate_v2", 221, 1, "libnvidia-ptxjitcompiler"},
		{"cuLinkAddData_v2", 222, 1, "newer driver"},
		{"cuLinkComplete", notReady, 1, "code 999"},
		{"cuEventCreate", oom, 1000, "cuEventCreate"}, // more than the calls by which memory is freed meanwhile
		{"cuEventRecord", 400, 1000, "cuEventRecord"}, // likewise
		{"cuCtxPushCurrent_v2", 201, 1000, "cuCtxPushCurrent_v2"},
		{"cuGraphCreate", oom, 1, "cuGraphCreate"},
		{"cuGraphAddKernelNode_v2", 1, 1, "cuGraphAddKernelNode_v2"},
		{"cuGraphInstantiateWithFlags", 1, 1, "cuGraphInstantiateWithFlags"},
		{"cuGraphLaunch", 701, 1, "cuGraphLaunch"},
	} {
		f := fakecuda.New()
		dev, d := registered(t, f)
		g := weft.Jit(func(x weft.Array) weft.Array {
			return weft.Sin(x).Sort().CumSum(0).Sort().Add(1)
		}, weft.On(dev))
		x := weft.Linspace(0, 1, 10)
		if strings.HasPrefix(c.function, "cuGraph") {
			_ = g(x).String() // the second call makes a graph
		}
		f.Fail(c.function, 0, c.code, c.times)
		_, err := weft.Try(func() weft.Array { return g(x) })
		if err == nil && c.function == "cuMemcpyDtoHAsync_v2" {
			_, err = g(x).MarshalBinary()
		}
		switch {
		case c.want == "" && err != nil:
			t.Errorf("%s %d: got %v", c.function, c.code, err)
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), d.name)):
			t.Errorf("%s %d: got %v, want %q", c.function, c.code, err, c.want)
		}
		f.Fail(c.function, 0, 0, 0)
		want := weft.Sin(x).Sort().CumSum(0).Sort().Add(1)
		for range 2 {
			if got, err := weft.Try(func() weft.Array { return g(x) }); err != nil || !testcheck.SameBinary(got, want) {
				t.Errorf("after %s %d: got %v, %v", c.function, c.code, got, err)
			}
		}
		if n := f.Objects().Links; n != 0 {
			t.Errorf("%s %d: %d links are left", c.function, c.code, n)
		}
	}
}

// A fault of a running kernel is reported when its result is read, and names the kernel. The
// device is lost.
func TestLostContext(t *testing.T) {
	f := fakecuda.New()
	dev, _ := registered(t, f)
	x := weft.Linspace(0, 1, 10)
	g := weft.Jit(func(x weft.Array) weft.Array { return weft.Sin(x).Add(1) }, weft.On(dev))
	_ = g(x).String()
	y := g(x)
	f.Fail("cuEventSynchronize", 0, cu.IllegalAddress, 1000)
	_, err := y.MarshalBinary()
	for _, want := range []string{"CUDA_ERROR_ILLEGAL_ADDRESS", "start the process again", "k0_sin"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
}

// An error about memory reports sizes.
func TestOutOfMemory(t *testing.T) {
	f := fakecuda.New()
	f.Total = 1 << 20
	dev, _ := registered(t, f)
	_, err := weft.Try(func() weft.Array { return weft.Ones(1 << 20).To(dev) })
	for _, want := range []string{"4 MiB", "1 MiB", "CUDA_ERROR_OUT_OF_MEMORY"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
	// Arrays that are garbage make room.
	g := weft.Jit(func(x weft.Array) weft.Array { return x.Add(1) }, weft.On(dev))
	x := weft.Ones(1 << 16)
	for range 20 {
		x = g(x)
	}
	if x.Index(0).Float() != 21 {
		t.Errorf("got %v", x.Index(0))
	}
}

// Objects to which nothing refers are destroyed: memory, events, modules and graphs.
func TestNothingLeaks(t *testing.T) {
	f := fakecuda.New()
	d := open(t, f, "")
	before := f.Objects()
	func() {
		devices++
		d.name = fmt.Sprintf("fake%d", devices)
		e := device.New(d)
		for i := range 5 {
			b := jaxpr.NewBuilder()
			x := b.Input(core.Aval(core.Float32, 10+i))
			y := b.Eqn(prim.SinP{}, x)[0]
			for range 3 {
				y = b.Eqn(indexed.SortP{NumKeys: 1}, b.Eqn(prim.CumsumP{}, y)[0])[0]
			}
			c, err := runtime.Compile(e, &runtime.Request{Jaxpr: b.Build(y), Label: "f"})
			if err != nil {
				t.Fatal(err)
			}
			for range 3 {
				if _, err := c.Run(t.Context(), []*runtime.Array{runtime.FromTensor(numbers.NewTensor(core.Aval(core.Float32, 10+i)))}); err != nil {
					t.Fatal(err)
				}
			}
		}
	}()
	const mostEvents = 4 * len(marks{}.events)
	var after fakecuda.Objects
	for range 100 {
		goruntime.GC()
		time.Sleep(10 * time.Millisecond)
		d.Trim()
		after = f.Objects()
		if after.Modules == before.Modules && after.Graphs == before.Graphs && after.Events <= before.Events+mostEvents {
			break
		}
	}
	if after.Modules != before.Modules || after.Graphs != before.Graphs || after.Links != 0 || after.Events > before.Events+mostEvents {
		t.Errorf("before %+v, after %+v", before, after)
	}
	goruntime.KeepAlive(d)
}

// Marks reuse events, and waiting for a mark waits for the commands before it.
func TestMarks(t *testing.T) {
	f := fakecuda.New()
	d := open(t, f, "")
	if err := d.Enter(); err != nil {
		t.Fatal(err)
	}
	defer d.Leave()
	var first, last device.Mark
	for i := range 1000 {
		m, err := d.Mark()
		if err != nil || m <= last {
			t.Fatalf("mark %d after %d: %v", m, last, err)
		}
		if last = m; i == 0 {
			first = m
		}
	}
	for _, m := range []device.Mark{last, first, last - 500} {
		if err := d.Wait(m); err != nil {
			t.Errorf("mark %d: %v", m, err)
		}
	}
	// The collector may meanwhile free what devices of other tests have: their marks have events, too.
	if n, want := f.Objects().Events, len(d.marks.events); n < want || n > want+20 {
		t.Errorf("%d events for 1000 marks, want %d", n, want)
	}
	if n := f.Calls("cuEventSynchronize"); n != 1 {
		t.Errorf("%d waits, want 1: what is before a mark that is over is over", n)
	}
}
