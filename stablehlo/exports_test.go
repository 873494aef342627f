package stablehlo_test

import (
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/stablehlo"
)

func arrays(t *testing.T, name string) []weft.Array {
	t.Helper()
	f, err := os.Open(name)
	require.NoError(t, err)
	defer f.Close()
	all := map[string]weft.Array{}
	require.NoError(t, weft.Load(f, &all))
	var list []weft.Array
	for _, k := range slices.Sorted(maps.Keys(all)) {
		list = append(list, all[k])
	}
	return list
}

// Programs that JAX exported give JAX's results within 32 ε of the largest element.
func TestExports(t *testing.T) {
	files, err := filepath.Glob("testdata/exports/*.mlir")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		base := strings.TrimSuffix(file, ".mlir")
		t.Run(filepath.Base(base), func(t *testing.T) {
			f, err := os.Open(file)
			require.NoError(t, err)
			defer f.Close()
			m, err := stablehlo.Load(f)
			require.NoError(t, err)
			got, err := m.Call(arrays(t, base+"_in.npz")...)
			require.NoError(t, err)
			want := arrays(t, base+"_out.npz")
			require.Len(t, got, len(want))
			for i, w := range want {
				require.Equal(t, w.Shape(), got[i].Shape())
				require.Equal(t, w.DType(), got[i].DType())
				if w.DType() != weft.Float32 {
					assert.True(t, w.Equal(got[i]), "result %d", i)
					continue
				}
				x, y := weft.ToSlice[float32](got[i]), weft.ToSlice[float32](w)
				largest, diff := 0.0, 0.0
				for k := range y {
					largest, diff = max(largest, math.Abs(float64(y[k]))), max(diff, math.Abs(float64(x[k])-float64(y[k])))
				}
				assert.LessOrEqual(t, diff, 32*0x1p-23*largest, "result %d", i)
			}
		})
	}
}
