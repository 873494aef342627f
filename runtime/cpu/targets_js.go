package cpu

import (
	codegen "github.com/weft-go/weft/lower/native"
	"github.com/weft-go/weft/lower/native/wasm"
	"github.com/weft-go/weft/runtime/cpu/internal/native"
)

var avx512, avx2, neon, simd128 codegen.ISA = nil, nil, nil, wasm.SIMD128{Relaxed: native.CPU().RelaxedMadd}
