//go:build js && !purego

package native

import (
	"runtime"
	"strings"
	"syscall/js"
	"testing"
	"time"

	codegen "github.com/weft-go/weft/lower/native"
	"github.com/weft-go/weft/lower/native/wasm"
)

// Errors of the engine name the code and their reason: only its traps are memory faults. Other panics propagate.
func TestFaultsOfEngine(t *testing.T) {
	for _, class := range []string{"WebAssembly.RuntimeError", "RangeError"} {
		c := &Code{name: "twice", kernel: js.Global().Get("Function").New("throw new " + class + "('the reason')")}
		err := c.Guard(func() { c.Call(nil) })
		if err == nil {
			t.Fatalf("%s: got no error", class)
		}
		for text, want := range map[string]bool{"twice": true, "the reason": true, "memory fault": class != "RangeError"} {
			if got := strings.Contains(err.Error(), text); got != want {
				t.Errorf("%s: error %q has %q: got %v, want %v", class, err, text, got, want)
			}
		}
	}
	defer func() {
		if r := recover(); r != "other" {
			t.Errorf("got the panic %v, want other", r)
		}
	}()
	_ = new(Code).Guard(func() { panic("other") })
}

// The engine frees a module when nothing refers to its Code.
func TestModulesAreFreed(t *testing.T) {
	require := js.Global().Get("require")
	if require.Type() != js.TypeFunction {
		t.Skip("the engine's collector cannot be called here")
	}
	require.Invoke("v8").Call("setFlagsFromString", "--expose_gc")
	collect := require.Invoke("vm").Call("runInNewContext", "gc")
	code, err := codegen.CompileMicro(codegen.RowCopy{Size: 4}, wasm.SIMD128{})
	if err != nil {
		t.Fatal(err)
	}
	const modules = 20
	weak := js.Global().Get("Array").New()
	alive := js.Global().Get("Function").New("list", "return list.filter(r => r.deref()).length")
	load := func() *Code {
		c, err := Load("module", code.Bytes)
		if err != nil {
			t.Fatal(err)
		}
		weak.Call("push", js.Global().Get("WeakRef").New(c.kernel))
		return c
	}
	kept := load()
	func() {
		for range modules {
			load()
		}
	}()
	// Go's references to values of the engine are small and lie in pairs, so that one may keep another.
	n := 0
	for range 100 {
		runtime.GC()
		time.Sleep(time.Millisecond) // what was looked at stays until the engine's job ends
		collect.Invoke()
		if n = alive.Invoke(weak).Int(); n <= modules/4 {
			break
		}
	}
	if n > modules/4 || n == 0 {
		t.Errorf("got %d of %d modules after collections, one of them in use", n, modules+1)
	}
	runtime.KeepAlive(kept)
}
