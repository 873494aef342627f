package runtime_test

import (
	"bytes"
	goruntime "runtime"
	"sync/atomic"
	"testing"
	"time"
	"unsafe"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/internal/test/fakedevice"
	"github.com/weft-go/weft/runtime"
	"github.com/weft-go/weft/trace"
)

// aligned returns n bytes aligned to 16.
func aligned(n int) []byte {
	b := make([]byte, n+15)
	off := int(-uintptr(unsafe.Pointer(&b[0])) & 15)
	return b[off : off+n : off+n]
}

func vector(v ...float32) *runtime.Array {
	a := runtime.New(core.Aval(core.Float32, len(v)))
	copy(unsafe.Slice((*float32)(unsafe.Pointer(&a.Tensor().Data[0])), len(v)), v)
	return a
}

// elements returns the bytes of an array in any memory.
func elements(t *testing.T, a *runtime.Array) []byte {
	t.Helper()
	h, err := runtime.Reference.Place(t.Context(), a)
	if err != nil {
		t.Fatal(err)
	}
	return h.Tensor().Data
}

// Executors write results into arrays of the caller's, in host memory that they did not make,
// also where two results, or a result and an argument, are one value.
func TestOutsOfTheCaller(t *testing.T) {
	typ := core.Aval(core.Float32, 32)
	j := trace.Stage("f", []core.ShapedArray{typ}, func(in []core.Value) []core.Value {
		y := prim.Mul(prim.Sin(in[0]), in[0])
		return []core.Value{y, prim.Exp(y), y, in[0]}
	})
	v := make([]float32, 32)
	for i := range v {
		v[i] = float32(i) / 7
	}
	var want []*runtime.Array
	for _, e := range []runtime.Executor{runtime.Reference, fakedevice.New("pretended outs")} {
		x, err := e.Compile(&runtime.Request{Jaxpr: j})
		if err != nil {
			t.Fatal(err)
		}
		arg, err := e.Place(t.Context(), vector(v...))
		if err != nil {
			t.Fatal(err)
		}
		for mask := range 1 << 4 {
			outs := make([]*runtime.Array, 4)
			memory := make([][]byte, 4)
			for i := range outs {
				if mask>>i&1 == 1 {
					memory[i] = aligned(4 * len(v))
					outs[i] = runtime.Made(typ, memory[i], nil)
				}
			}
			given := append([]*runtime.Array(nil), outs...)
			if err := x.Run(t.Context(), []*runtime.Array{arg}, outs); err != nil {
				t.Fatalf("%s, outs %04b: %v", e.Name(), mask, err)
			}
			if want == nil {
				want = outs
			}
			for i, o := range outs {
				if err := o.Wait(t.Context()); err != nil {
					t.Fatal(err)
				}
				if given[i] != nil && o != given[i] {
					t.Errorf("%s, outs %04b: result %d is another array than the caller's", e.Name(), mask, i)
				}
				wanted := elements(t, want[i])
				if memory[i] != nil && !bytes.Equal(memory[i], wanted) {
					t.Errorf("%s, outs %04b: result %d was not written to the caller's memory", e.Name(), mask, i)
				}
				if got := elements(t, o); !bytes.Equal(got, wanted) {
					t.Errorf("%s, outs %04b: result %d: got %x, want %x", e.Name(), mask, i, got, wanted)
				}
			}
		}
	}
}

// The memory of an array that Made returned is freed once, when nothing refers to it.
func TestMadeIsFreed(t *testing.T) {
	var freed atomic.Int32
	func() {
		a := runtime.Made(core.Aval(core.Float32, 64), aligned(256), func([]byte) { freed.Add(1) })
		goruntime.GC()
		if freed.Load() != 0 {
			t.Error("freed while in use")
		}
		goruntime.KeepAlive(a)
	}()
	for range 100 {
		goruntime.GC()
		if freed.Load() > 0 {
			break
		}
		time.Sleep(time.Millisecond)
	}
	if n := freed.Load(); n != 1 {
		t.Errorf("freed %d times, want once", n)
	}
}

// An account lists what the reference executor runs for an executor.
func TestAccountOfFallbacks(t *testing.T) {
	typ := core.Aval(core.Float32, 32)
	j := trace.Stage("f", []core.ShapedArray{typ}, func(in []core.Value) []core.Value {
		return []core.Value{prim.Exp(prim.Sin(in[0]))}
	})
	c, err := runtime.Compile(fakedevice.New("pretended account"), &runtime.Request{Jaxpr: j})
	if err != nil {
		t.Fatal(err)
	}
	f := c.Account().Fallbacks
	if len(f) != 2 || f[0].Op != "sin" || f[1].Op != "exp" || f[0].Reason == "" {
		t.Errorf("got %+v, want sin and exp with a reason", f)
	}
}
