//go:build linux && (amd64 || arm64) && !purego

package cpu_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/runtime"
)

// unreadable returns an array of n numbers whose second half cannot be read.
func unreadable(t *testing.T, n int) *runtime.Array {
	m, err := unix.Mmap(-1, 0, 4*n, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE)
	if err == nil {
		err = unix.Mprotect(m[2*n:], unix.PROT_NONE)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = unix.Munmap(m) })
	return runtime.Made(core.Aval(core.Float32, n), m, nil)
}

func checkFault(t *testing.T, err error, kernel string) {
	t.Helper()
	if !errors.Is(err, core.ErrDevice) || !strings.Contains(err.Error(), "memory fault") || !strings.Contains(err.Error(), kernel) {
		t.Errorf("got error %v, want a memory fault that names kernel %s", err, kernel)
	}
}

// A memory fault of machine code is an error, on the caller's thread and on others.
func TestMemoryFaults(t *testing.T) {
	const n = 1 << 20
	j, err := weft.Jaxpr(func(x weft.Array) weft.Array { return weft.Sin(x).Mul(2) }, weft.Zeros(n))
	if err != nil {
		t.Fatal(err)
	}
	bad, good := unreadable(t, n), runtime.New(core.Aval(core.Float32, n))
	ctx := context.Background()
	onNative(t, func(t *testing.T, e runtime.Executor) {
		for _, threads := range []int{1, 2, 4} {
			c, err := runtime.Compile(e, &runtime.Request{Jaxpr: j, Options: runtime.Options{Threads: threads}})
			if err != nil {
				t.Fatal(err)
			}
			for range 5 {
				_, err := c.Run(ctx, []*runtime.Array{bad})
				checkFault(t, err, "sin")
				if _, err := c.Run(ctx, []*runtime.Array{good}); err != nil {
					t.Errorf("after a fault: %v", err)
				}
			}
		}
		square := core.Aval(core.Float32, 1<<10, 1<<10)
		p, err := weft.Jaxpr(func(x weft.Array) weft.Array { return x.MatMul(x) }, weft.Zeros(1<<10, 1<<10))
		if err != nil {
			t.Fatal(err)
		}
		c, err := runtime.Compile(e, &runtime.Request{Jaxpr: p})
		if err != nil {
			t.Fatal(err)
		}
		_, err = c.Run(ctx, []*runtime.Array{bad.WithType(square)})
		checkFault(t, err, "tile")
		in, out := []core.ShapedArray{bad.Aval()}, []core.ShapedArray{bad.Aval()}
		leaf := e.Leaf(prim.ExpP{}, in, out)
		if leaf == nil {
			t.Fatal("exp has no code outside of programs")
		}
		err = leaf(ctx, prim.ExpP{}, []*runtime.Array{bad}, out, make([]*runtime.Array, 1))
		if err == nil || !strings.Contains(err.Error(), "exp: memory fault") {
			t.Errorf("eager exp: got error %v, want a memory fault", err)
		}
		if err := leaf(ctx, prim.ExpP{}, []*runtime.Array{good}, out, make([]*runtime.Array, 1)); err != nil {
			t.Errorf("eager exp after a fault: %v", err)
		}
	})
}
