//go:build linux && (amd64 || arm64) && !drivers

package cuda

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/internal/test/fakecuda"
	"github.com/weft-go/weft/internal/test/testcheck"
)

// nested is a loop in a loop with branches.
func nested(x weft.Array) weft.Array {
	return weft.While(func(c weft.Array) weft.Array { return c.Max().Lt(300) }, func(c weft.Array) weft.Array {
		d := weft.While(func(d weft.Array) weft.Array { return d.Sum().Lt(c.Sum().Add(50)) }, func(d weft.Array) weft.Array { return d.Sort().Mul(1.25).Add(1) }, c)
		return weft.Cond(d.Max().Gt(20), func() weft.Array { return d.CumSum(0).Mul(0.5).Add(c) }, func() weft.Array { return d })
	}, x)
}

// A program with loops and branches is one graph, launched once a call, whose nodes get the memory of each call; also those in loops.
func TestLoopsInGraphs(t *testing.T) {
	f := fakecuda.New()
	dev, d := registered(t, f)
	g := weft.Jit(nested, weft.On(dev))
	calls := []weft.Array{weft.Linspace(0.1, 2, 20), weft.Linspace(1, 3, 20), weft.Linspace(600, 900, 20), weft.Linspace(0.1, 2, 20)}
	for i, x := range calls {
		want := nested(x)
		if got := g(x.To(dev)); !testcheck.SameBinary(got, want) {
			t.Errorf("call %d: got %v, want %v", i, got, want)
		}
	}
	if n := f.Calls("cuGraphInstantiateWithFlags"); n != 2 { // the first one asks whether that is possible
		t.Errorf("%d graphs were made, want 2", n)
	}
	if n := f.Calls("cuGraphLaunch"); n != len(calls) {
		t.Errorf("%d graphs were launched, want %d", n, len(calls))
	}
	if f.Calls("cuGraphExecKernelNodeSetParams_v2") == 0 || !strings.Contains(d.Description(), "graphs with loops") {
		t.Errorf("no node got other memory, or the device is %s", d.Description())
	}
	if err := f.Fault(); err != nil {
		t.Error(err)
	}
}

// A driver that is too old for loops in graphs, lacks their functions, or fails when the device is asked, computes the same; so does one that
// cannot change a node, or whose graph fails later.
func TestLoopsWithoutConditionalNodes(t *testing.T) {
	x := weft.Linspace(0.1, 2, 20)
	want := nested(x)
	without := func(f *fakecuda.Driver, prefix string) func(string) (uintptr, error) {
		return func(name string) (uintptr, error) {
			if prefix != "" && strings.HasPrefix(name, prefix) {
				return 0, errors.New("undefined symbol")
			}
			return f.Symbol(name)
		}
	}
	for name, c := range map[string]struct {
		prepare func(f *fakecuda.Driver)
		lacks   string
		loops   bool
	}{
		"old":              {func(f *fakecuda.Driver) { f.Version = 12030 }, "", false},
		"no handles":       {func(*fakecuda.Driver) {}, "cuGraphConditional", false},
		"no nodes":         {func(*fakecuda.Driver) {}, "cuGraphAddNode", false},
		"no text":          {func(f *fakecuda.Driver) { f.Fail("cuModuleLoadData", 0, 218, 1) }, "", false},
		"refused":          {func(f *fakecuda.Driver) { f.Fail("cuGraphAddNode_v2", 0, 801, 1) }, "", false},
		"refused later":    {func(f *fakecuda.Driver) { f.Fail("cuGraphAddNode_v2", 2, 801, 1) }, "", true},
		"handles run out":  {func(f *fakecuda.Driver) { f.Fail("cuGraphConditionalHandleCreate", 2, 1, 1) }, "", true},
		"no instance":      {func(f *fakecuda.Driver) { f.Fail("cuGraphInstantiateWithFlags", 1, 1, 1) }, "", true},
		"nodes are frozen": {func(f *fakecuda.Driver) { f.Fail("cuGraphExecKernelNodeSetParams_v2", 0, 1, 1<<30) }, "", true},
	} {
		f := fakecuda.New()
		c.prepare(f)
		dev, d := registeredWith(t, without(f, c.lacks))
		g := weft.Jit(nested, weft.On(dev))
		for i := range 3 {
			if got := g(x.Add(0).To(dev)); !testcheck.SameBinary(got, want) {
				t.Errorf("%s, call %d: got %v, want %v", name, i, got, want)
			}
		}
		if d.Loops() != c.loops {
			t.Errorf("%s: loops %v, want %v: %s", name, d.Loops(), c.loops, d.Description())
		}
	}
}

// A driver that lacks memory when it is asked for loops in graphs is asked again; another error is its answer.
func TestLoopsAreAskedForAgain(t *testing.T) {
	for _, function := range []string{"cuModuleLoadData", "cuMemHostAlloc", "cuGraphCreate", "cuGraphAddNode_v2", "cuGraphInstantiateWithFlags"} {
		for code, want := range map[int32]bool{2: true, 801: false} {
			f := fakecuda.New()
			_, d := registered(t, f)
			if err := d.Available(); err != nil {
				t.Fatal(err)
			}
			modules := f.Objects().Modules
			f.Fail(function, 0, code, 1)
			if d.Loops() {
				t.Errorf("%s, code %d: loops although the driver failed", function, code)
			}
			if n := f.Objects().Modules; n != modules {
				t.Errorf("%s, code %d: %d modules are left", function, code, n-modules)
			}
			if got := d.Loops(); got != want {
				t.Errorf("%s, code %d: then loops %v, want %v: %s", function, code, got, want, d.Description())
			}
		}
	}
}

// growing is a loop that has no end for endless.
func growing(x weft.Array) weft.Array {
	return weft.While(func(c weft.Array) weft.Array { return c.Max().Lt(100).And(c.Max().Gt(0)) }, func(c weft.Array) weft.Array { return c.Mul(c.Min().Add(1)).Sort() }, x)
}

func endless() weft.Array { return weft.Zeros(20).At(-1).Set(1) }

// ended calls g on endless with a context that ends soon, and returns the error.
func ended(t *testing.T, g func(weft.Array) weft.Array) (err error) {
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(20*time.Millisecond, cancel)
	weft.With(weft.Context(ctx), func() { _, err = weft.Try(func() weft.Array { return g(endless()) }) })
	return err
}

// A context ends a loop on the device that has no end. Later calls are whole, and so is what was given before.
func TestContextEndsLoopInGraph(t *testing.T) {
	f := fakecuda.New()
	dev, _ := registered(t, f)
	g := weft.Jit(growing, weft.On(dev))
	x := weft.Linspace(1, 2, 20)
	want := growing(x)
	for i := range 3 {
		release := f.Hold()
		before := weft.Sin(x.To(dev))
		err := ended(t, g)
		release()
		if !errors.Is(err, context.Canceled) {
			t.Errorf("call %d: got %v, want the context's error", i, err)
		}
		if got := g(x); !testcheck.SameBinary(got, want) {
			t.Errorf("after call %d: got %v, want %v", i, got, want)
		}
		if !testcheck.SameBinary(before, weft.Sin(x)) {
			t.Errorf("call %d: the operation before it has other bits", i)
		}
	}
	if err := f.Fault(); err != nil {
		t.Error(err)
	}
}

// A context that ends leaves a loop alone that an earlier call of the program has given to the device.
func TestContextLeavesEarlierLoop(t *testing.T) {
	f := fakecuda.New()
	dev, _ := registered(t, f)
	g := weft.Jit(growing, weft.On(dev))
	x := weft.Linspace(1, 2, 20)
	want := growing(x)
	for i := range 3 {
		release := f.Hold()
		earlier := g(x)
		err := ended(t, g)
		release()
		if !errors.Is(err, context.Canceled) {
			t.Errorf("call %d: got %v, want the context's error", i, err)
		}
		if !testcheck.SameBinary(earlier, want) {
			t.Errorf("call %d: the call before it has %v, want %v", i, earlier, want)
		}
	}
	if err := f.Fault(); err != nil {
		t.Error(err)
	}
}

// A call whose context ends does not wait for a loop that another goroutine's call waits for.
func TestContextEndsWaitForAnotherCall(t *testing.T) {
	f := fakecuda.New()
	dev, _ := registered(t, f)
	g := weft.Jit(growing, weft.On(dev))
	release := f.Hold()
	ctx, cancel := context.WithCancel(t.Context())
	other := make(chan error)
	go func() {
		var err error
		weft.With(weft.Context(ctx), func() { _, err = weft.Try(func() weft.Array { return g(endless()) }) })
		other <- err
	}()
	for f.Asleep() == 0 {
		time.Sleep(time.Millisecond)
	}
	late := time.AfterFunc(10*time.Second, cancel)
	err := ended(t, g)
	if !late.Stop() {
		t.Error("the call waited for the other one")
	}
	cancel()
	for _, err := range []error{err, <-other} {
		if !errors.Is(err, context.Canceled) {
			t.Errorf("got %v, want the context's error", err)
		}
	}
	release()
	x := weft.Linspace(1, 2, 20)
	if got, want := g(x), growing(x); !testcheck.SameBinary(got, want) {
		t.Errorf("a later call: got %v, want %v", got, want)
	}
}

// The byte that stops loops is free again if it cannot be cleared.
func TestStopIsFreed(t *testing.T) {
	f := fakecuda.New()
	_, d := registered(t, f)
	if err := d.Available(); err != nil || !d.Loops() {
		t.Fatal(err, d.Description())
	}
	before := f.Objects().Memory
	f.Fail("cuMemcpyHtoDAsync_v2", 0, 999, 1)
	if err := d.within(func() error { _, err := d.newStop(); return err }); err == nil {
		t.Error("there is no error")
	}
	if n := f.Objects().Memory; n != before {
		t.Errorf("%d pieces of memory are left", n-before)
	}
}

// NVIDIA's assembler accepts the kernel that sets conditions, whose function the driver has.
func TestConditionAssembles(t *testing.T) {
	ptxas := os.Getenv("WEFT_PTXAS")
	if ptxas == "" {
		t.Skip("WEFT_PTXAS does not name NVIDIA's assembler")
	}
	file := filepath.Join(t.TempDir(), "condition.ptx")
	if err := os.WriteFile(file, []byte(conditionText), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, arch := range []string{"sm_75", "sm_90", "sm_120"} {
		if out, err := exec.Command(ptxas, "-c", "-arch="+arch, "-o", file+".o", file).CombinedOutput(); err != nil {
			t.Errorf("%s: %v: %s", arch, err, out)
		}
	}
}
