package cpu

import (
	codegen "github.com/weft-go/weft/lower/native"
	"github.com/weft-go/weft/lower/native/arm64"
)

var avx512, avx2, neon, simd128 codegen.ISA = nil, nil, arm64.NEON{}, nil
