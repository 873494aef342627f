//go:build js && !purego

package native

import (
	"strings"
	"syscall/js"
	"testing"
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
