//go:build linux && (amd64 || arm64) && !purego

package native_test

import (
	"bytes"
	"runtime"
	"sync"
	"testing"
	"time"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/weft-go/weft/internal/test/ireval"
	"github.com/weft-go/weft/internal/test/irtext"
	codegen "github.com/weft-go/weft/lower/native"
	"github.com/weft-go/weft/runtime/cpu/internal/native"
)

// Goroutines with small stacks compile, load, call and panic while garbage is collected.
func TestConcurrentCalls(t *testing.T) {
	text := "kernel columns(in x f32[3000], out y f32[30]) {\nvector a0<30 {\nreduce chunks a1<100 {\n%0 = load f32 x[30*a1+a0<3000]\n} fold %1 = sum %0\nstore y[a0<30], %1\n}\n}"
	k, err := irtext.Parse(text)
	require.NoError(t, err)
	in := make([]byte, 12000)
	for i := range 3000 {
		in[4*i+3], in[4*i+2] = 0x3f, byte(i)
	}
	want := make([]byte, 120)
	require.NoError(t, ireval.Run(k, nil, [][]byte{in, want}))
	list := targets(t)
	stop := time.Now().Add(300 * time.Millisecond)
	var wg sync.WaitGroup
	for worker := range 16 {
		wg.Go(func() {
			for n := 0; time.Now().Before(stop); n++ {
				code, err := codegen.Compile(k, codegen.Options{ISA: list[n%len(list)]})
				if err != nil {
					t.Error(err)
					return
				}
				c, err := native.Load(k.Name, code.Bytes)
				if err != nil {
					t.Error(err)
					return
				}
				scratch, y := make([]byte, code.Scratch+64), make([]byte, 128)
				x := bytes.Clone(in)
				args := make([]unsafe.Pointer, code.Args)
				args[0] = unsafe.Add(unsafe.Pointer(&scratch[0]), -int(uintptr(unsafe.Pointer(&scratch[0])))&63)
				args[1], args[2] = unsafe.Pointer(&x[0]), unsafe.Pointer(&y[0])
				for range 20 {
					if err := c.Guard(func() { c.Call(unsafe.Pointer(&args[0])) }); err != nil {
						t.Error(err)
						return
					}
				}
				if !bytes.Equal(want, y[:120]) {
					t.Error("results differ under concurrency")
					return
				}
				if n%8 == 0 {
					func() {
						defer func() { _ = recover() }()
						panic("collected")
					}()
				}
				if worker == 0 {
					runtime.GC()
				}
			}
		})
	}
	wg.Wait()
}
