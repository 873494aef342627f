//go:build linux && !purego

package native_test

import (
	"testing"

	codegen "github.com/weft-go/weft/lower/native"
	"github.com/weft-go/weft/lower/native/amd64"
	"github.com/weft-go/weft/runtime/cpu/internal/native"
)

// spills reports that registers can run out.
const spills = true

// targets returns what code is compiled for here.
func targets(t testing.TB) (list []codegen.ISA) {
	f := native.CPU()
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
