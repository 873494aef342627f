package cpu_test

import (
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/internal/test/race"
	"github.com/weft-go/weft/internal/test/samples"
	"github.com/weft-go/weft/lax"
)

// Running folds that take several calls have the reference's bits: of one row, of rows, of columns in
// one block and in many, forwards and backwards, fused with what stands around them.
func TestFoldSegments(t *testing.T) {
	bytes := make([]uint8, race.Few(3<<20)+1234)
	for i := range bytes {
		bytes[i] = uint8(i * i >> 3)
	}
	x := weft.FromSlice(bytes)
	for _, dt := range []weft.DType{weft.Float32, weft.Float64, weft.Float16, weft.BFloat16, weft.Int32, weft.Int8}[:race.Few(6)] {
		for name, dims := range map[string][]int{"row": {-1}, "rows": {2, -1}, "seven columns": {-1, 7}, "70 columns": {-1, 70}, "300 columns": {-1, 300}} {
			if !samples.Thorough() && dt != weft.Float32 && name != "seven columns" {
				continue
			}
			n := len(bytes)
			if len(dims) == 2 {
				n -= n % max(dims[0], dims[1])
			}
			m := x.Index(weft.R(0, n)).Reshape(dims...).AsType(weft.Float64).Mul(0.37).AsType(dt)
			axis := 0
			if dims[0] == 2 {
				axis = 1
			}
			j, args := traced(t, func(x []weft.Array) []weft.Array {
				y := x[0].Mul(3)
				return []weft.Array{lax.Cumsum(y, axis, false).Add(1), lax.Cumsum(y, axis, true), lax.Cummax(y.Neg(), axis, true)}
			}, []weft.Array{m})
			matches(t, dt.String()+" "+name, j, args)
		}
	}
}
