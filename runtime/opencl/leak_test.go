//go:build linux && (amd64 || arm64)

package opencl

import (
	goruntime "runtime"
	"testing"
	"time"

	"github.com/weft-go/weft/lower/kernel/ir"
	"github.com/weft-go/weft/lower/simt"
	"github.com/weft-go/weft/runtime/opencl/internal/cl"
)

// opened returns the driver of the first device. The test is skipped where it cannot be used.
func opened(t testing.TB) *driver { return openedWith(t, "") }

// openedWith returns the driver of the first device, with a folder of compiled programs.
func openedWith(t testing.TB, dir string) *driver {
	t.Helper()
	if err := cl.Load(); err != nil {
		t.Skip(err)
	}
	ds, err := find(dir)
	if err != nil || len(ds) == 0 {
		t.Skipf("there is no device: %v", err)
	}
	if err := ds[0].Available(); err != nil {
		t.Skip(err)
	}
	return ds[0]
}

// Kernels of programs that nothing refers to are released by the next command, and their programs
// with them: not by the collector, beside commands that run.
func TestKernelsAreReleased(t *testing.T) {
	d := opened(t)
	k, err := ir.Parse("kernel k(in x f32[8], out y f32[8]) {\nvector a0<8 {\n%0 = load f32 x[a0<8]\nstore y[a0<8], %0\n}\n}")
	if err != nil {
		t.Fatal(err)
	}
	before := cl.Kernels()
	func() {
		code, err := d.Build([]*simt.Func{simt.Lower(k, simt.Options{})})
		if err != nil {
			t.Fatal(err)
		}
		if n := cl.Kernels(); n != before+1 {
			t.Errorf("got %d kernels after a program of one, want %d", n, before+1)
		}
		goruntime.KeepAlive(code)
	}()
	for range 200 {
		goruntime.GC()
		time.Sleep(5 * time.Millisecond)
		n := cl.Kernels()
		if n != before+1 {
			t.Fatalf("got %d kernels before a command, want %d", n, before+1)
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
		if n := cl.Kernels(); n != before {
			t.Errorf("got %d kernels after a command, want %d", n, before)
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
