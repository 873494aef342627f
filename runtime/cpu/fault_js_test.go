//go:build js && !purego

package cpu_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"unsafe"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/runtime"
)

// An access behind the end of memory is an error that names the kernel, and the executor goes on.
func TestTraps(t *testing.T) {
	const n = 1 << 16
	behind := uintptr(0xff000000) // programs of these tests have less memory
	data := unsafe.Slice(*(**byte)(unsafe.Pointer(&behind)), 4*n)
	bad, good := runtime.Made(core.Aval(core.Float32, n), data, nil), runtime.New(core.Aval(core.Float32, n))
	for kernel, f := range map[string]func(weft.Array) weft.Array{
		"sin":  func(x weft.Array) weft.Array { return weft.Sin(x).Mul(2) },
		"tile": func(x weft.Array) weft.Array { return x.Reshape(256, 256).MatMul(x.Reshape(256, 256)) },
	} {
		j, err := weft.Jaxpr(f, weft.Zeros(n))
		if err != nil {
			t.Fatal(err)
		}
		onNative(t, func(t *testing.T, e runtime.Executor) {
			c, err := runtime.Compile(e, &runtime.Request{Jaxpr: j})
			if err != nil {
				t.Fatal(err)
			}
			for range 3 {
				_, err := c.Run(context.Background(), []*runtime.Array{bad})
				if !errors.Is(err, core.ErrDevice) || !strings.Contains(err.Error(), "memory fault") || !strings.Contains(err.Error(), kernel) {
					t.Errorf("got error %v, want a memory fault that names kernel %s", err, kernel)
				}
				if _, err := c.Run(context.Background(), []*runtime.Array{good}); err != nil {
					t.Errorf("after a trap: %v", err)
				}
			}
		})
	}
}
