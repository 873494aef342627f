package cpu

import (
	codegen "github.com/weft-go/weft/lower/native"
	"github.com/weft-go/weft/lower/native/amd64"
)

var avx512, avx2, neon, simd128 codegen.ISA = amd64.AVX512, amd64.AVX2, nil, nil
