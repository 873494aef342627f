package stablehlo_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/weft-go/weft/lower/stablehlo"
)

// BenchmarkReadBlob reads a constant of 16 MiB: MB/s are of the text.
func BenchmarkReadBlob(b *testing.B) {
	const n = 4 << 20
	text := fmt.Sprintf("func.func @main() -> tensor<%dxf32> {\n  %%0 = stablehlo.constant dense<\"0x%s\"> : tensor<%dxf32>\n  return %%0 : tensor<%dxf32>\n}\n", n, strings.Repeat("0000803F", n), n, n)
	read(b, text)
}

// BenchmarkReadOps reads 10,000 operations.
func BenchmarkReadOps(b *testing.B) {
	var s strings.Builder
	s.WriteString("func.func @main(%arg0: tensor<8x16xf32>) -> tensor<8x16xf32> {\n  %0 = stablehlo.add %arg0, %arg0 : tensor<8x16xf32>\n")
	const n = 10000
	for i := range n {
		fmt.Fprintf(&s, "  %%%d = stablehlo.multiply %%%d, %%arg0 : tensor<8x16xf32>\n", i+1, i)
	}
	fmt.Fprintf(&s, "  return %%%d : tensor<8x16xf32>\n}\n", n)
	read(b, s.String())
}

func read(b *testing.B, text string) {
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		m, err := stablehlo.Parse("bench", text)
		require.NoError(b, err)
		avals, err := m.Avals(m.Main())
		require.NoError(b, err)
		_, err = m.Program(m.Main(), avals, options)
		require.NoError(b, err)
	}
}
