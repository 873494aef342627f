package cpu

import (
	codegen "github.com/weft-go/weft/lower/native"
	"github.com/weft-go/weft/lower/native/arm64"
)

var avx512, avx2, neon codegen.ISA = nil, nil, arm64.NEON{}
