//go:build linux && (amd64 || arm64) && !drivers

package cuda

import (
	"slices"
	"testing"

	"github.com/ebitengine/purego"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/internal/test/fakecuda"
	"github.com/weft-go/weft/internal/test/race"
	"github.com/weft-go/weft/internal/test/testcheck"
	"github.com/weft-go/weft/runtime/cuda/internal/cu"
	"github.com/weft-go/weft/runtime/device"
)

// launching returns a driver whose function for launches is replaced by a function of the C
// library that returns 0 at once, so that only this package's part of a launch is measured.
func launching(t testing.TB) (*driver, *kernel) {
	return doingNothing(t, "cuLaunchKernel"), &kernel{handle: 1 << 40, threads: 128}
}

// doingNothing returns a driver of which the given functions return 0 at once.
func doingNothing(t testing.TB, functions ...string) *driver {
	libc, err := purego.Dlopen("libc.so.6", purego.RTLD_NOW)
	if err != nil {
		t.Skip(err)
	}
	nothing, err := purego.Dlsym(libc, "pthread_equal") // its first arguments, a handle and a number of groups, differ
	if err != nil {
		t.Skip(err)
	}
	f := fakecuda.New()
	l, err := cu.New(func(name string) (uintptr, error) {
		if slices.Contains(functions, name) {
			return nothing, nil
		}
		return f.Symbol(name)
	})
	if err != nil {
		t.Fatal(err)
	}
	ds, err := find(l, "")
	if err != nil {
		t.Fatal(err)
	}
	if err := ds[0].Available(); err != nil {
		t.Fatal(err)
	}
	return ds[0]
}

// A call of a program that has run before allocates five objects for each result, and the list of
// results, whatever the number of kernels.
func TestSteadyCallsAllocateResults(t *testing.T) {
	if race.Enabled {
		t.Skip("the race detector allocates on its own")
	}
	d := doingNothing(t, "cuLaunchKernel", "cuEventRecord", "cuGraphLaunch", "cuGraphExecKernelNodeSetParams_v2")
	dev := named(d)
	entered := testing.AllocsPerRun(100, func() { // allocations of the fake driver
		if err := d.Enter(); err != nil {
			t.Fatal(err)
		}
		d.Leave()
	})
	x := weft.Ones(10).To(dev)
	graph := weft.Jit(func(x weft.Array) weft.Array { return x.Sort().CumSum(0).Sort().CumSum(0) })
	one := weft.Jit(func(x weft.Array) weft.Array { return x.Add(1) })
	two := weft.Jit(func(x weft.Array) (weft.Array, weft.Array) { return x.CumSum(0).Sort(), x.Sort().CumSum(0) })
	for name, c := range map[string]struct {
		call    func()
		results int
	}{
		"one launch":  {func() { one(x) }, 1},
		"graph":       {func() { graph(x) }, 1},
		"two results": {func() { two(x) }, 2},
	} {
		if got, most := testcheck.SteadyAllocs(c.call)-entered, float64(2+5*c.results); got > most {
			t.Errorf("%s: got %v allocations, want %v at most", name, got, most)
		}
	}
}

// A launch allocates nothing.
func TestLaunchAllocatesNothing(t *testing.T) {
	d, k := launching(t)
	var kernel device.Kernel = k
	places := []device.Place{{Memory: 1, Offset: 0}, {Memory: 2, Offset: 64}, {Memory: 3, Offset: 0}}
	if n := testing.AllocsPerRun(1000, func() {
		if err := d.Launch(kernel, 100, places, nil); err != nil {
			t.Fatal(err)
		}
	}); n != 0 {
		t.Errorf("a launch makes %v allocations", n)
	}
}

// The processor time of a launch without the driver's part, at most 0.2 µs. It is reported as cpu-ns/op, in which other
// work of the machine does not count.
func BenchmarkLaunch(b *testing.B) {
	d, k := launching(b)
	var kernel device.Kernel = k
	places := []device.Place{{Memory: 1, Offset: 0}, {Memory: 2, Offset: 64}, {Memory: 3, Offset: 0}}
	if err := d.Enter(); err != nil {
		b.Fatal(err)
	}
	defer d.Leave()
	b.ReportAllocs()
	start := testcheck.CPUTime()
	for b.Loop() {
		if err := d.Launch(kernel, 100, places, nil); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(testcheck.CPUTime()-start)/float64(b.N), "cpu-ns/op")
}
