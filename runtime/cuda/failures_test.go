//go:build linux && (amd64 || arm64) && !drivers

package cuda

import (
	goruntime "runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/internal/test/fakecuda"
	"github.com/weft-go/weft/internal/test/race"
	"github.com/weft-go/weft/internal/test/samples"
	"github.com/weft-go/weft/internal/test/testcheck"
	"github.com/weft-go/weft/runtime/cuda/internal/cu"
)

// session finds the devices of a driver, runs a program several times, so that it becomes a graph,
// another one that copies, and reads the results.
func session(f *fakecuda.Driver) (y, z weft.Array, err error) {
	l, err := cu.New(f.Symbol)
	if err != nil {
		return y, z, err
	}
	ds, err := find(l, "")
	if err != nil {
		return y, z, err
	}
	if err := ds[0].Available(); err != nil {
		return y, z, err
	}
	_ = ds[0].Description()
	d := named(ds[0])
	if _, _, err := profile(ds[0], func(x weft.Array) weft.Array { return x.Sort() }, 0); err != nil {
		return y, z, err
	}
	_, err = weft.Try(func() int {
		x := weft.Linspace(0, 1, 20)
		g := weft.Jit(func(x weft.Array) weft.Array { return weft.Sin(x).Sort().CumSum(0).Sort().Add(1) }, weft.On(d))
		for range 4 {
			y = g(x.To(d))
		}
		loop := weft.Jit(func(x weft.Array) weft.Array {
			return weft.While(func(c weft.Array) weft.Array { return c.Sum().Lt(-1) }, func(c weft.Array) weft.Array { return c.Sort().Add(1) }, x)
		}, weft.On(d))
		y = loop(loop(y))                                                                           // without an iteration
		h := weft.Jit(func(x weft.Array) weft.Array { return x.At(0).Set(x.Index(0)) }, weft.On(d)) // in a copy
		z = h(y)
		if f.Capability == 90 { // the product is exact on tensor cores, too
			m := weft.Arange(256).AsType(weft.Float32).Reshape(16, 16)
			square := func(m weft.Array) weft.Array { return m.MatMul(m.T()) }
			weft.With(weft.Precision(weft.Fast), func() {
				if got := weft.Jit(square, weft.On(d))(m); !testcheck.SameBinary(got, square(m)) {
					z = got // which is wrong
				}
			})
		}
		if len(ds) > 1 {
			z = z.To(named(ds[1]))
		}
		for _, a := range []weft.Array{y, z} {
			if _, err := a.MarshalBinary(); err != nil {
				panic(&core.Error{Msg: err.Error()})
			}
		}
		return 0
	})
	collected(f, ds[0])
	return y, z, err
}

// collected waits for a while until the graphs of a session are destroyed.
func collected(f *fakecuda.Driver, d *driver) {
	for i := range 30 {
		if i%5 == 0 { // cleanups run beside the test
			goruntime.GC()
		}
		d.Trim()
		if f.Objects().Graphs == 0 {
			return
		}
		time.Sleep(time.Millisecond)
	}
}

// A setting is how the driver of a session behaves.
type setting struct {
	pools   bool
	failing string // a function that runs out of memory
	times   int
	tensor  bool // the device has tensor cores, which a program uses
}

func (s setting) driver() *fakecuda.Driver {
	f := fakecuda.New()
	f.Devices = 2
	f.Pools = s.pools
	if s.tensor {
		f.Capability = 90
	}
	if s.failing != "" {
		f.Fail(s.failing, 2, 2, s.times)
	}
	return f
}

// Whichever function of the driver fails, and whenever, the session ends with an error that names
// the function, or has right results. If another function runs out of memory, the error may name that one.
func TestEveryFunctionFails(t *testing.T) {
	x := weft.Linspace(0, 1, 20)
	want := weft.Sin(x).Sort().CumSum(0).Sort().Add(1)
	chosen := samples.Named(t, 4)
	called := map[string]bool{}
	for _, s := range []setting{{pools: true}, {pools: false}, {true, "cuMemAllocAsync", 1, false}, {false, "cuMemAlloc_v2", 1, false}, {true, "cuMemAllocAsync", 1000, false}, {true, "cuMemHostAlloc", 1, false}, {pools: true, tensor: true}} {
		clean := s.driver()
		if y, z, err := session(clean); s.failing == "" && (err != nil || !testcheck.SameBinary(y, want) || !testcheck.SameBinary(z, want)) {
			t.Fatalf("%+v: got %v, %v, %v", s, y, z, err)
		}
		for _, name := range fakecuda.Names() {
			n := clean.Calls(name)
			if n == 0 || name == s.failing || (s.failing != "" || s.tensor) && called[name] {
				continue
			}
			called[name] = true
			if !chosen(name) {
				continue
			}
			calls := slices.Compact([]int{0, n / 2, n - 1})
			if race.Enabled { // the race detector is ten times as slow, and looks for other mistakes
				calls = calls[len(calls)-1:]
			}
			for _, after := range calls {
				f := s.driver()
				f.Fail(name, after, 999, 1)
				y, z, err := session(f)
				// A graph whose destruction fails still has kernels of modules that are unloaded.
				if fault := f.Fault(); fault != nil && name != "cuGraphDestroy" && name != "cuGraphExecDestroy" {
					t.Errorf("%s, call %d of %d, %+v: %v", name, after+1, n, s, fault)
				}
				switch {
				case err != nil:
					text := err.Error()
					if !strings.Contains(text, name) && !strings.Contains(text, "999") && (s.failing == "" || !strings.Contains(text, s.failing)) {
						t.Errorf("%s, call %d of %d, %+v: the error is %v", name, after+1, n, s, err)
					}
				case !testcheck.SameBinary(y, want) || !testcheck.SameBinary(z, want):
					t.Errorf("%s, call %d of %d, %+v: got %v and %v", name, after+1, n, s, y, z)
				}
			}
		}
	}
	for _, name := range fakecuda.Names() {
		if !called[name] && !strings.HasPrefix(name, "cuGetError") {
			t.Errorf("no session calls %s", name)
		}
	}
}

// A first run that ends for lack of memory puts back the memory that it has taken, once: later
// runs have the right results.
func TestFirstRunWithoutMemory(t *testing.T) {
	for after := range 12 {
		f := fakecuda.New()
		dev, _ := registered(t, f)
		program := func(x weft.Array) weft.Array { return x.Sort() }
		g := weft.Jit(program, weft.On(dev))
		x := weft.Linspace(1, -1, 70)
		there := x.To(dev)
		f.Fail("cuMemAllocAsync", after, 2, 1000)
		_, err := weft.Try(func() weft.Array { return g(there) })
		f.Fail("cuMemAllocAsync", 0, 0, 0)
		for range 3 {
			if got, want := g(there), program(x); !testcheck.SameBinary(got, want) {
				t.Errorf("after allocation %d failed (%v): got %v, want %v", after, err, got, want)
			}
		}
	}
}
