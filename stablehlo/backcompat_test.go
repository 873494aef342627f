package stablehlo_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/stablehlo"
)

// missingLinearAlgebra are the families of JAX's artifacts that call functions of LAPACK
// which weft has no operation for.
var missingLinearAlgebra = []string{"eig_", "eigh_", "hessenberg_", "lu_", "qr_", "schur_", "svd_", "tridiagonal_"}

// JAX's published artifacts for CPUs, of which some are years old, give the results that
// are published with them, or are refused by the name of what they call.
func TestBackwardCompatibility(t *testing.T) {
	files, err := filepath.Glob("testdata/backcompat/*.mlirbc")
	require.NoError(t, err)
	require.Len(t, files, 48)
	ran := 0
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".mlirbc")
		t.Run(name, func(t *testing.T) {
			f, err := os.Open(file)
			require.NoError(t, err)
			defer f.Close()
			m, err := stablehlo.Load(f)
			if slices.ContainsFunc(missingLinearAlgebra, func(p string) bool { return strings.HasPrefix(name, "cpu_"+p) }) {
				require.ErrorIs(t, err, core.ErrNoRule)
				assert.ErrorContains(t, err, "there is no meaning for the target lapack_")
				return
			}
			require.NoError(t, err)
			e := export{arrays: map[string]weft.Array{}}
			data, err := os.Open(strings.TrimSuffix(file, ".mlirbc") + ".npz")
			require.NoError(t, err)
			defer data.Close()
			require.NoError(t, weft.Load(data, &e.arrays))
			got, err := m.Call(e.list("in")...)
			require.NoError(t, err)
			agree(t, name, 8, got, e.list("out"))
			ran++
		})
	}
	t.Logf("%d of %d ran", ran, len(files))
}

// Whole exports, in every version of jax.export's own format, load on one device.
func TestSerializedExports(t *testing.T) {
	files, err := filepath.Glob("testdata/backcompat/*.bin")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		f, err := os.Open(file)
		require.NoError(t, err)
		m, err := stablehlo.Load(f)
		if assert.NoError(t, err, file) {
			_, err = m.IR("")
			assert.NoError(t, err, file)
		}
		f.Close()
	}
}
