package cpu_test

import (
	"testing"

	"github.com/weft-go/weft"
)

// Large results that are moved, past the caches where they can be, have the reference's bits: of rows at
// multiples of vectors and elsewhere, of whole vectors and rests, and of bytes.
func TestStreams(t *testing.T) {
	for name, test := range map[string]struct {
		dt      weft.DType
		rows, n int
	}{"whole": {weft.Float32, 1100, 2048}, "rests": {weft.Float32, 1031, 2049}, "f64": {weft.Float64, 1031, 1029}, "bytes": {weft.Int8, 4099, 2051}} {
		x := weft.Arange(test.rows*test.n).AsType(test.dt).Reshape(test.rows, test.n)
		j, args := traced(t, func(x []weft.Array) []weft.Array {
			return []weft.Array{weft.Concat(1, x[0], weft.Flip(x[0], 0)), weft.Concat(0, x[0], weft.Flip(x[0], 1)), weft.Pad(x[0], [][2]int{{3, 3}, {3, 3}}, weft.PadConfig{}), weft.Take(x[0], weft.Arange(2*test.rows).Mod(test.rows), 0)}
		}, []weft.Array{x})
		matches(t, name, j, args)
	}
}
