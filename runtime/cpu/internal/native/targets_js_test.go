//go:build js && !purego

package native_test

import (
	"testing"

	codegen "github.com/weft-go/weft/lower/native"
	"github.com/weft-go/weft/lower/native/wasm"
	"github.com/weft-go/weft/runtime/cpu/internal/native"
)

// spills reports that registers never run out.
const spills = false

// targets returns what code is compiled for here: both forms of fused multiply-adds where the engine has them.
func targets(t testing.TB) (list []codegen.ISA) {
	if err := native.Available(); err != nil {
		t.Fatal(err)
	}
	if native.CPU().RelaxedMadd {
		list = append(list, wasm.SIMD128{Relaxed: true})
	}
	return append(list, wasm.SIMD128{})
}
