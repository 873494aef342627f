//go:build linux && (amd64 || arm64) && !drivers

package cuda

import (
	"testing"

	"github.com/ebitengine/purego"

	"github.com/weft-go/weft/runtime/cuda/internal/cu"
	"github.com/weft-go/weft/runtime/cuda/internal/fake"
	"github.com/weft-go/weft/runtime/device"
)

// launching returns a driver whose function for launches is one of the C library that
// returns 0 at once, so that a launch costs what it costs us.
func launching(t testing.TB) (*driver, *kernel) {
	libc, err := purego.Dlopen("libc.so.6", purego.RTLD_NOW)
	if err != nil {
		t.Skip(err)
	}
	nothing, err := purego.Dlsym(libc, "pthread_equal") // of a handle and a number of groups
	if err != nil {
		t.Skip(err)
	}
	f := fake.New()
	l, err := cu.New(func(name string) (uintptr, error) {
		if name == "cuLaunchKernel" {
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
	return ds[0], &kernel{handle: 1 << 40, threads: 128}
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

// What a launch costs beside the driver's time: 0.2 µs at most.
func BenchmarkLaunch(b *testing.B) {
	d, k := launching(b)
	var kernel device.Kernel = k
	places := []device.Place{{Memory: 1, Offset: 0}, {Memory: 2, Offset: 64}, {Memory: 3, Offset: 0}}
	if err := d.Enter(); err != nil {
		b.Fatal(err)
	}
	defer d.Leave()
	b.ReportAllocs()
	for b.Loop() {
		if err := d.Launch(kernel, 100, places, nil); err != nil {
			b.Fatal(err)
		}
	}
}
