package stablehlo_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/lax"
	"github.com/weft-go/weft/stablehlo"
)

// In StableHLO padding of a windowed reduction counts as initial values. In programs of Weft it
// is skipped, also in those that were written as StableHLO and read again.
func TestPaddingOfWindows(t *testing.T) {
	x := weft.Of[float32](1, 2, 3)
	window := lax.WindowConfig{Dims: []int{3}, Padding: lax.Same}
	ir, err := weft.Lower(func(x weft.Array) weft.Array {
		return lax.ReduceWindow(x, 10., lax.Add[weft.Array, weft.Array], window)
	}, x)
	require.NoError(t, err)
	var text bytes.Buffer
	require.NoError(t, stablehlo.Write(&text, ir))
	const mark = ", weft_skips_padding = true"
	require.Contains(t, text.String(), mark)
	for module, want := range map[string][]float32{
		text.String(): {13, 16, 15},
		strings.Replace(text.String(), mark, "", 1):                             {23, 16, 25},
		strings.Replace(text.String(), mark, ", weft_skips_padding = false", 1): {23, 16, 25},
	} {
		out, err := load(t, module).Call(x)
		require.NoError(t, err)
		assert.Equal(t, want, weft.ToSlice[float32](out[0]), module)
	}
}
