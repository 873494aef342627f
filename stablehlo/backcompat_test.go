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

// JAX's published artifacts for CPUs, some of which are years old, have the results that
// are published with them. Where an artifact's matrix does not determine its vectors, products with them are
// compared.
func TestBackwardCompatibility(t *testing.T) {
	files, err := filepath.Glob("testdata/backcompat/*.mlirbc")
	require.NoError(t, err)
	require.Len(t, files, 48)
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".mlirbc")
		t.Run(name, func(t *testing.T) {
			f, err := os.Open(file)
			require.NoError(t, err)
			defer f.Close()
			m, err := stablehlo.Load(f)
			require.NoError(t, err)
			e := export{arrays: map[string]weft.Array{}}
			data, err := os.Open(strings.TrimSuffix(file, ".mlirbc") + ".npz")
			require.NoError(t, err)
			defer data.Close()
			require.NoError(t, weft.Load(data, &e.arrays))
			in, want := e.list("in"), e.list("out")
			got, err := m.Call(in...)
			require.NoError(t, err)
			switch family, _, _ := strings.Cut(strings.TrimPrefix(name, "cpu_"), "_"); family {
			case "eig":
				agree(t, "eigenvalues", 8, got[:1], want[:1])
				// Rows 0, 1, … of the matrix are 0, 1, …, 15.
				a := weft.Arange(16.).Reshape(4, 4).AsType(got[0].DType())
				w, left, right := got[0], got[1], got[2]
				unitColumns(t, left)
				unitColumns(t, right)
				agree(t, "A·v and w·v", 8, []weft.Array{a.MatMul(right)}, []weft.Array{right.Mul(w)})
				agree(t, "uᴴ·A and w·uᴴ", 8, []weft.Array{adjointOf(left).MatMul(a)}, []weft.Array{adjointOf(left).Mul(w.Reshape(4, 1))})
			case "eigh":
				agree(t, "eigenvalues", 8, got[1:], want[1:])
				orthonormal(t, got[0])
				agree(t, "V·diag(w)·Vᴴ", 16, []weft.Array{conjugated(got[0], got[1])}, []weft.Array{conjugated(want[0], want[1])})
			case "schur":
				// The signs, and phases of complex vectors, are those that rounding leaves.
				agree(t, "sizes of the Schur form", 8, []weft.Array{weft.Abs(got[0])}, []weft.Array{weft.Abs(want[0])})
				orthonormal(t, got[1])
				agree(t, "Q·T·Qᴴ", 16, []weft.Array{got[1].MatMul(got[0]).MatMul(adjointOf(got[1]))}, in)
			case "svd":
				agree(t, name, 16, got, want)
			default:
				agree(t, name, 8, got, want)
			}
		})
	}
}

// adjointOf returns the conjugate transpose of a matrix.
func adjointOf(x weft.Array) weft.Array { return weft.Conj(x.T()) }

// conjugated returns V·diag(w)·Vᴴ.
func conjugated(v, w weft.Array) weft.Array {
	return v.Mul(w.AsType(v.DType())).MatMul(adjointOf(v))
}

// orthonormal checks that the columns of a matrix are orthonormal.
func orthonormal(t *testing.T, v weft.Array) {
	t.Helper()
	agree(t, "Vᴴ·V", 16, []weft.Array{adjointOf(v).MatMul(v)}, []weft.Array{weft.Eye(v.Dim(0)).AsType(v.DType())})
}

// unitColumns checks that the columns of a matrix have norm one.
func unitColumns(t *testing.T, v weft.Array) {
	t.Helper()
	norms := weft.Square(weft.Abs(v)).Sum(0)
	agree(t, "norms of columns", 8, []weft.Array{norms}, []weft.Array{weft.OnesLike(norms)})
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
