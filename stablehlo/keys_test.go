package stablehlo_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/random"
	"github.com/weft-go/weft/stablehlo"
)

func isWords(a weft.Array) bool { return a.DType() == weft.Uint32 }

// A module that takes keys runs on keys, and then returns keys, and also runs on their words.
func TestKeysOfModules(t *testing.T) {
	e := readExport(t, "keys")
	in, want := e.list("in"), e.list("out")
	var asKeys []weft.Array
	for _, a := range in {
		if isWords(a) {
			a = random.Wrap(a).Data
		}
		asKeys = append(asKeys, a)
	}
	for ending, m := range e.models {
		got, err := m.Call(in...)
		require.NoError(t, err, ending)
		agree(t, ending+" of words", 2, got, want)

		got, err = m.Call(asKeys...)
		require.NoError(t, err, ending)
		for i, w := range want {
			if isWords(w) {
				assert.Equal(t, core.Key, got[i].DType(), "%s: result %d", ending, i)
				got[i] = random.Key{Data: got[i]}.Words()
			}
		}
		agree(t, ending+" of keys", 2, got, want)

		ir, err := m.IR("")
		require.NoError(t, err)
		assert.Equal(t, "[key<fry>[] f32[4] key<fry>[3]]", fmt.Sprint(ir.InAvals()), ending)
		assert.Equal(t, "[key<fry>[] f32[4] key<fry>[3] f32[]]", fmt.Sprint(ir.OutAvals()), ending)

		_, err = m.Call(asKeys[2], asKeys[1], asKeys[0])
		assert.ErrorContains(t, err, "argument 0: declared tensor<2xui32>, got tensor<3x2xui32>", ending)
	}
}

// A call of Python is an error if it is reached and has results, and is ignored if it has none.
func TestCallsOfPython(t *testing.T) {
	f, err := os.Open(filepath.Join("testdata", "exports", "callback.mlir"))
	require.NoError(t, err)
	defer f.Close()
	m, err := stablehlo.Load(f)
	require.NoError(t, err)
	got, err := m.Call(weft.Of[float32](0, 1, 2, 3))
	require.NoError(t, err)
	assert.Equal(t, []float32{0, 2, 4, 6}, weft.ToSlice[float32](got[0]))
	_, err = m.Call(weft.Of[float32](0, 1, 2, 3).Div(weft.Scalar(float32(0))))
	assert.ErrorContains(t, err, "of Python that callback 1 calls")
}
