//go:build linux && !purego

package native_test

import (
	"testing"

	codegen "github.com/weft-go/weft/lower/native"
	"github.com/weft-go/weft/lower/native/amd64"
	"github.com/weft-go/weft/runtime/cpu/internal/native"
)

// isas returns the instruction sets of this machine.
func isas(t testing.TB) []amd64.ISA {
	f := native.CPU()
	var list []amd64.ISA
	if f.AVX512 {
		list = append(list, amd64.AVX512)
	}
	if f.AVX2 {
		list = append(list, amd64.AVX2)
	}
	if len(list) == 0 {
		t.Skip("the processor has no AVX2")
	}
	return list
}

// targets returns what code is compiled for here.
func targets(t testing.TB) (list []codegen.ISA) {
	for _, isa := range isas(t) {
		list = append(list, isa)
	}
	return list
}
