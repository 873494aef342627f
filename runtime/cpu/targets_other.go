//go:build !amd64 && !arm64 && !js

package cpu

import codegen "github.com/weft-go/weft/lower/native"

var avx512, avx2, neon, simd128 codegen.ISA
