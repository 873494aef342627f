//go:build js && !purego

package native

import (
	"math"
	"syscall/js"

	"github.com/weft-go/weft/lower/native/wasm"
)

// detected are the features of the engine. Whether relaxed_madd rounds once is the engine's choice, the same
// for all of its code, so one product tells.
var detected = func() (f Features) {
	f.SIMD128 = runs(wasm.Probe(false))
	f.RelaxedMadd = f.SIMD128 && runs(wasm.Probe(true))
	return f
}()

// runs reports whether the engine runs the module, in memory made for that,
// and rounds the module's result only once: then it is 2⁻²⁴.
func runs(module []byte) (ok bool) {
	defer func() {
		if recover() != nil { // the engine does not know its instructions
			ok = false
		}
	}()
	memory := js.Global().Get("WebAssembly").Get("Memory").New(map[string]any{"initial": 1})
	numbers := js.Global().Get("Float32Array").New(memory.Get("buffer"))
	x := 1 + 0x1p-12
	for i, n := range [...]float64{x, x, -(1 + 0x1p-11)} {
		for lane := range 4 {
			numbers.SetIndex(4*i+lane, n)
		}
	}
	instance(module, map[string]any{wasm.ImportMemory: memory, wasm.ImportConstants: 0}).Invoke(0)
	for lane := range 4 {
		if got := numbers.Index(12 + lane).Float(); math.Float64bits(got) != math.Float64bits(0x1p-24) {
			return false
		}
	}
	return true
}
