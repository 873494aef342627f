package cpu_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/internal/test/race"
)

// Reductions of long columns, which kernels of parts compute, have the reference's bits.
func TestLongColumns(t *testing.T) {
	for _, shape := range [][]int{{300_000, 2}, {140_001, 3}, {40_000, 64}, {40_000, 130}, {20_000, 3, 20}}[:race.Few(5)] {
		for _, dt := range []weft.DType{weft.Float32, weft.Float64, weft.BFloat16, weft.Int16} {
			size := 1
			for _, n := range shape {
				size *= n
			}
			x := weft.Sin(weft.Arange(float32(size))).Mul(100).AsType(dt).Reshape(shape...)
			j, args := traced(t, func(x []weft.Array) []weft.Array {
				return []weft.Array{x[0].Sum(0), x[0].Max(0).Mul(x[0].Sum(0)), x[0].ArgMin(0), weft.Where(x[0].Gt(0), x[0], 0).Sum(0)}
			}, []weft.Array{x})
			matches(t, fmt.Sprint(dt, shape), j, args)
		}
	}
}

// Sums of columns that read a large matrix by whole rows have the reference's bits, also of columns of
// −0, of NaN and of infinities.
func TestColumnsByRows(t *testing.T) {
	for _, shape := range [][]int{{1024, 1030}, {212, 5001}, {1000, 1111}, {2052, 2048}}[:race.Few(4)] {
		for _, dt := range []weft.DType{weft.Float32, weft.Float64, weft.BFloat16} {
			elements := make([]float64, shape[0]*shape[1])
			for i := range elements {
				elements[i] = 100 * math.Sin(float64(i))
			}
			for row := range shape[0] {
				first := elements[row*shape[1]:]
				first[0], first[1], first[2] = math.Copysign(0, -1), math.Copysign(math.NaN(), -1), math.Inf(1)
				first[3] = math.Inf(1 - row%2*2)
			}
			x := weft.FromSlice(elements, shape...).AsType(dt)
			j, args := traced(t, func(x []weft.Array) []weft.Array {
				return []weft.Array{x[0].Sum(0), weft.Square(x[0]).Mean(0), weft.Where(x[0].Gt(0), x[0], 1).Prod(0)}
			}, []weft.Array{x})
			matches(t, fmt.Sprint(dt, shape), j, args)
		}
	}
}
