package stablehlo_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/stablehlo"
)

var stacks = flag.String("stacks", "testdata/stacks", "a folder that testdata/exports/stacks.py wrote")

// stackTolerance is how many ε of the largest element results of stacks of transformations may
// be away from JAX's, in f64. Derivatives of factorizations divide by differences of eigenvalues.
func stackTolerance(path string) float64 {
	if filepath.Base(path) == "factors.mlir" {
		return 600
	}
	return 60
}

type arrayFunc = func(weft.Array) weft.Array

// makeOf maps letters to transformations. A word of them is a stack: see testdata/exports/stacks.py.
var makeOf = map[rune]func(arrayFunc) arrayFunc{
	'g': func(f arrayFunc) arrayFunc {
		return weft.Grad(func(x weft.Array) weft.Array { return weft.Sin(f(x)).Sum() })
	},
	'p': func(f arrayFunc) arrayFunc {
		return func(x weft.Array) weft.Array {
			_, t := weft.JVP(f, x, weft.Cos(x))
			return t
		}
	},
	'v': func(f arrayFunc) arrayFunc { return weft.Vmap(f) },
	'j': func(f arrayFunc) arrayFunc { return weft.Jit(f) },
}

// Random stacks of transformations of exported functions have JAX's results.
func TestStacksOfExports(t *testing.T) {
	paths, err := filepath.Glob(filepath.Join(*stacks, "*.mlir"))
	require.NoError(t, err)
	require.NotEmpty(t, paths)
	for _, path := range paths {
		f, err := os.Open(path)
		require.NoError(t, err)
		m, err := stablehlo.Load(f)
		f.Close()
		require.NoError(t, err)
		var arrays map[string]weft.Array
		f, err = os.Open(strings.TrimSuffix(path, ".mlir") + ".npz")
		require.NoError(t, err)
		require.NoError(t, weft.Load(f, &arrays))
		f.Close()
		for name, x := range arrays {
			word, ok := strings.CutPrefix(name, "x.")
			if !ok {
				continue
			}
			g := func(x weft.Array) weft.Array { return m.Func("")([]weft.Array{x})[0] }
			for _, letter := range word {
				g = makeOf[letter](g)
			}
			got, err := weft.Try(func() weft.Array { return g(x) })
			if assert.NoError(t, err, "%s %s", path, word) {
				d := deviation(t, got, arrays["y."+word])
				assert.LessOrEqual(t, d, stackTolerance(path), "%s %s", path, word)
				t.Logf("%s %s: %.3g ε", filepath.Base(path), word, d)
			}
		}
	}
}
