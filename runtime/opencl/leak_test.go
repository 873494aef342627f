//go:build linux && (amd64 || arm64)

package opencl

import (
	goruntime "runtime"
	"sync"
	"testing"
	"time"

	"github.com/ebitengine/purego"

	"github.com/weft-go/weft/internal/test/devicecheck"
	"github.com/weft-go/weft/internal/test/irtext"
	"github.com/weft-go/weft/lower/simt"
	"github.com/weft-go/weft/runtime/device"
	"github.com/weft-go/weft/runtime/opencl/internal/cl"
)

// opened returns the driver of the first device. If there is none that can be used, the test ends.
func opened(t testing.TB) *driver { return openedWith(t, "") }

// openedWith returns the driver of the first device, with a folder of compiled programs.
func openedWith(t testing.TB, dir string) *driver {
	t.Helper()
	if err := cl.Load(); err != nil {
		devicecheck.Absent(t, "opencl", err)
	}
	ds, err := find(dir)
	if err != nil || len(ds) == 0 {
		devicecheck.Absent(t, "opencl", "there is no device:", err)
	}
	if err := ds[0].Available(); err != nil {
		devicecheck.Absent(t, "opencl", err)
	}
	return ds[0]
}

// readComputed reads memory after the commands given so far.
func readComputed(t testing.TB, d *driver, data []byte, m device.Memory) {
	t.Helper()
	mark, err := d.Mark()
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Wait(mark); err != nil {
		t.Fatal(err)
	}
	if err := d.Read(data, m, 0); err != nil {
		t.Fatal(err)
	}
}

// objects counts the objects that functions of the library create and release.
type objects struct {
	mu      sync.Mutex
	created map[string]int // by the function
	live    map[uintptr]bool
}

// countObjects counts the objects that functions create from now on, and which of them another function
// releases. Objects that exist already, which other goroutines may release meanwhile, are not counted.
func countObjects(release string, create ...string) (o *objects, restore func()) {
	o = &objects{created: map[string]int{}, live: map[uintptr]bool{}}
	replace := func(name string, note func(first, result uintptr)) func() {
		function := cl.Function(name)
		return cl.Replace(name, purego.NewCallback(func(a, b, c, d, e, g, h uintptr) uintptr {
			r, _, _ := purego.SyscallN(function, a, b, c, d, e, g, h)
			o.mu.Lock()
			defer o.mu.Unlock()
			note(a, r)
			return r
		}))
	}
	restores := []func(){replace(release, func(object, _ uintptr) { delete(o.live, object) })}
	for _, name := range create {
		restores = append(restores, replace(name, func(_, object uintptr) {
			o.created[name]++
			if object != 0 {
				o.live[object] = true
			}
		}))
	}
	return o, func() {
		for _, r := range restores {
			r()
		}
	}
}

// left returns the number of objects that are not released.
func (o *objects) left() int {
	o.mu.Lock()
	defer o.mu.Unlock()
	return len(o.live)
}

// by returns the number of calls of a function that creates objects.
func (o *objects) by(function string) int {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.created[function]
}

// Kernels of programs to which nothing refers are released by the next command, and their programs
// with them: not by the collector, concurrently with commands.
func TestKernelsAreReleased(t *testing.T) {
	d := opened(t)
	k, err := irtext.Parse("kernel k(in x f32[8], out y f32[8]) {\nvector a0<8 {\n%0 = load f32 x[a0<8]\nstore y[a0<8], %0\n}\n}")
	if err != nil {
		t.Fatal(err)
	}
	kernels, restore := countObjects("clReleaseKernel", "clCreateKernel")
	defer restore()
	func() {
		code, err := d.Build([]*simt.Func{simt.Lower(k, simt.Options{})})
		if err != nil {
			t.Fatal(err)
		}
		if n := kernels.left(); n != 1 {
			t.Errorf("got %d kernels after a program of one, want 1", n)
		}
		goruntime.KeepAlive(code)
	}()
	for range 200 {
		goruntime.GC()
		time.Sleep(5 * time.Millisecond)
		if n := kernels.left(); n != 1 {
			t.Fatalf("got %d kernels before a command, want 1", n)
		}
		d.garbage.mu.Lock()
		found := len(d.garbage.kernels)
		d.garbage.mu.Unlock()
		if found == 0 {
			continue
		}
		if _, err := d.Mark(); err != nil {
			t.Fatal(err)
		}
		if n := kernels.left(); n != 0 {
			t.Errorf("got %d kernels after a command, want none", n)
		}
		return
	}
	t.Error("the collector found no kernel")
}

// Memory is released by a later command, and no object is released while another goroutine
// calls the driver.
func TestReleasesWaitForCommands(t *testing.T) {
	d := opened(t)
	garbage := func() int {
		d.garbage.mu.Lock()
		defer d.garbage.mu.Unlock()
		return len(d.garbage.memory)
	}
	m, err := d.Alloc(64)
	if err != nil {
		t.Fatal(err)
	}
	d.Free(m)
	for name, command := range map[string]func() error{
		"mark":     func() error { _, err := d.Mark(); return err },
		"trim":     func() error { d.Trim(); return nil },
		"allocate": func() (err error) { m, err = d.Alloc(64); return err },
	} {
		if n := garbage(); n != 1 {
			t.Fatalf("got %d freed memories before a command, want 1", n)
		}
		d.mu.Lock() // as a launch does
		done := make(chan error)
		go func() { done <- command() }()
		time.Sleep(10 * time.Millisecond)
		if n := garbage(); n != 1 {
			t.Errorf("%s: got %d freed memories during a launch, want 1", name, n)
		}
		d.mu.Unlock()
		if err := <-done; err != nil {
			t.Fatal(err)
		}
		if n := garbage(); n != 0 {
			t.Errorf("%s: got %d freed memories after a command, want 0", name, n)
		}
		if name != "allocate" {
			if m, err = d.Alloc(64); err != nil {
				t.Fatal(err)
			}
		}
		d.Free(m)
	}
	d.Trim()
}
