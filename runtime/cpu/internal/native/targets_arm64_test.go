package native_test

import (
	"testing"

	codegen "github.com/weft-go/weft/lower/native"
	"github.com/weft-go/weft/lower/native/arm64"
)

// spills reports that registers can run out.
const spills = true

// targets returns what code is compiled for here.
func targets(testing.TB) []codegen.ISA { return []codegen.ISA{arm64.NEON{}} }
