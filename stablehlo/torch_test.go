package stablehlo_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/stablehlo"
)

// torchModel returns a model that PyTorch exported, with its weights bound by name.
func torchModel(t *testing.T, base, ending string) *stablehlo.Model {
	t.Helper()
	f, err := os.Open(base + ending)
	require.NoError(t, err)
	defer f.Close()
	m, err := stablehlo.Load(f)
	require.NoError(t, err)
	names, err := os.ReadFile(base + ".txt")
	require.NoError(t, err)
	w, err := os.Open(base + ".safetensors")
	require.NoError(t, err)
	defer w.Close()
	weights := map[string]weft.Array{}
	require.NoError(t, weft.Load(w, &weights))
	m, err = m.Bind(weights, strings.Fields(string(names))...)
	require.NoError(t, err)
	return m
}

// Models that PyTorch exported through torch_xla have PyTorch's results, as text and as
// bytecode.
func TestTorchExports(t *testing.T) {
	for name, tolerance := range map[string]float64{"perceptron": 2, "convolution": 4, "encoder": 8} {
		t.Run(name, func(t *testing.T) {
			base := filepath.Join("testdata", "torch", name)
			e := export{arrays: map[string]weft.Array{}}
			data, err := os.Open(base + ".npz")
			require.NoError(t, err)
			defer data.Close()
			require.NoError(t, weft.Load(data, &e.arrays))
			var texts []string
			for _, ending := range []string{".mlir", ".mlirbc"} {
				m := torchModel(t, base, ending)
				got, err := m.Call(e.list("in")...)
				require.NoError(t, err)
				agree(t, ending, tolerance, got, e.list("out"))
				ir, err := m.IR("")
				require.NoError(t, err)
				texts = append(texts, ir.String())
			}
			assert.Equal(t, texts[0], texts[1], "text and bytecode are one program")
		})
	}
}
