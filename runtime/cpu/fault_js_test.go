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
	product := func(x, y weft.Array) weft.Array { return x.Reshape(256, 256).MatMul(y.Reshape(256, 256)) }
	for _, p := range []struct {
		kernel string
		f      func(x, y weft.Array) weft.Array
		in     []*runtime.Array
	}{
		{"sin", func(x, y weft.Array) weft.Array { return weft.Sin(x).Mul(y) }, []*runtime.Array{bad, good}},
		{"tile_f32", product, []*runtime.Array{bad, good}},
		{"copy_4", product, []*runtime.Array{good, bad}}, // the right operand's rows are moved together first
	} {
		j, err := weft.Jaxpr(p.f, weft.Zeros(n), weft.Zeros(n))
		if err != nil {
			t.Fatal(err)
		}
		onNative(t, func(t *testing.T, e runtime.Executor) {
			c, err := runtime.Compile(e, &runtime.Request{Jaxpr: j})
			if err != nil {
				t.Fatal(err)
			}
			for range 3 {
				_, err := c.Run(context.Background(), p.in)
				if !errors.Is(err, core.ErrDevice) || !strings.Contains(err.Error(), "memory fault") || !strings.Contains(err.Error(), p.kernel) {
					t.Errorf("got error %v, want a memory fault that names kernel %s", err, p.kernel)
				}
				if _, err := c.Run(context.Background(), []*runtime.Array{good, good}); err != nil {
					t.Errorf("after a trap: %v", err)
				}
			}
		})
	}
}
