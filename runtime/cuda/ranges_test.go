//go:build linux && (amd64 || arm64) && !drivers

package cuda

import (
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"unsafe"

	"github.com/ebitengine/purego"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/internal/test/fakecuda"
	"github.com/weft-go/weft/runtime/cuda/internal/cu"
)

// startProfiler starts a profiler that keeps the names of ranges.
func startProfiler(t *testing.T) (names func() []string) {
	var mu sync.Mutex
	var all []string
	depth := 0
	push := purego.NewCallback(func(name *byte) uintptr {
		n := 0
		for *(*byte)(unsafe.Add(unsafe.Pointer(name), n)) != 0 {
			n++
		}
		mu.Lock()
		defer mu.Unlock()
		depth++
		all = append(all, string(unsafe.Slice(name, n)))
		return 0
	})
	pop := purego.NewCallback(func() uintptr {
		mu.Lock()
		defer mu.Unlock()
		depth--
		return 0
	})
	start := purego.NewCallback(func(export uintptr) uintptr {
		tables, _, _ := purego.SyscallN(export, 1)
		callbacks := *(**[2]uintptr)(unsafe.Pointer(&tables))
		if none, _, _ := purego.SyscallN(export, 7); none != 0 || tables == 0 || callbacks[0] != 16 {
			return 0
		}
		cell, size := new(*[17]*uintptr), new(uint32)
		if r, _, _ := purego.SyscallN(callbacks[1], 9, 0, 0); r != 0 { // there is no such module
			return 0
		}
		if r, _, _ := purego.SyscallN(callbacks[1], 1, uintptr(unsafe.Pointer(cell)), uintptr(unsafe.Pointer(size))); r != 1 || *size != 17 {
			return 0
		}
		*(*cell)[9], *(*cell)[11] = push, pop
		return 1
	})
	if !cu.Profiler(start) {
		t.Fatal("the profiler does not start")
	}
	return func() []string {
		mu.Lock()
		defer mu.Unlock()
		if depth != 0 {
			t.Errorf("%d ranges have not ended", depth)
		}
		return slices.Clone(all)
	}
}

// A profiler sees the calls of functions as ranges, also around user code, and kernels' names with the user's lines.
func TestProfilerSeesRangesAndLines(t *testing.T) {
	names := startProfiler(t)
	f := fakecuda.New()
	dev, d := registered(t, f)
	x := weft.Linspace(0, 1, 10).To(dev)
	plain := weft.Jit(func(x weft.Array) weft.Array { return weft.Sin(x) }, weft.On(dev))
	_ = plain(x).String()
	if n := names(); len(n) != 0 {
		t.Errorf("without a profiler: %q", n)
	}
	d.profiled = true
	called := weft.Jit(func(x weft.Array) weft.Array {
		y := weft.Cos(x)
		weft.DebugCallback(func(y weft.Array) { plain(y) }, y)
		return y.Sort()
	}, weft.On(dev))
	for range 2 {
		_ = called(x).String()
	}
	_ = plain(x).String()
	if _, _, err := profile(d, func(x weft.Array) weft.Array { // steps of it are ranges too
		weft.DebugCallback(func(weft.Array) {}, x)
		return x.Sort()
	}, 0); err != nil {
		t.Error(err)
	}
	got := names()
	if len(got) < 6 {
		t.Errorf("got the ranges %q, want one for each call and each part of it", got)
	}
	if text := f.Texts(); !strings.Contains(text, "cos__ranges_test_go_") || strings.Contains(text, "sin__") {
		t.Errorf("got kernels without lines, or lines where no profiler ran:\n%s", text)
	}
	runtime.KeepAlive(called) // its modules are loaded until here
	runtime.KeepAlive(plain)
}
