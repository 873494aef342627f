package cpu_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/lax"
)

// Convolutions of each feature alone, with one or several outputs of each, run as native code with windows of several chains of products, over
// dilated arrays, with padding that is negative or more than the array, and kernels that contain ∞ and NaN.
func TestDepthwise(t *testing.T) {
	inf := weft.Scalar(math.Inf(1))
	for i, c := range []struct {
		n, h, w, k, l     int // batch, sizes of the array and of the window
		stride, gap, dist []int
		pads              [][2]int
	}{
		{1, 9, 7, 3, 3, nil, nil, nil, [][2]int{{1, 1}, {1, 1}}},
		{2, 20, 20, 7, 7, nil, nil, nil, [][2]int{{3, 3}, {3, 3}}},
		{1, 18, 17, 11, 13, []int{2, 1}, nil, nil, [][2]int{{5, 5}, {8, 4}}},
		{1, 16, 20, 16, 16, nil, nil, nil, [][2]int{{0, 3}, {2, 1}}},
		{2, 6, 5, 3, 3, nil, []int{2, 3}, nil, [][2]int{{2, 2}, {1, 2}}},
		{1, 5, 6, 4, 2, []int{3, 2}, []int{4, 1}, []int{2, 3}, [][2]int{{7, 3}, {-1, 4}}},
		{1, 3, 90, 3, 90, nil, nil, nil, [][2]int{{1, 1}, {40, 9}}},
		{1, 1, 40, 1, 130, nil, []int{1, 5}, nil, [][2]int{{0, 0}, {40, 9}}},
	} {
		for _, dt := range []weft.DType{weft.Float32, weft.Float64, weft.BFloat16, weft.Int32} {
			for _, features := range []int{2, 19, 64} {
				outputs := features * (1 + i%3)
				x := weft.Sin(weft.Arange(float32(c.n*features*c.h*c.w))).Mul(50).Reshape(c.n, features, c.h, c.w).AsType(dt)
				w := weft.Cos(weft.Arange(float32(outputs*c.k*c.l))).Mul(30).Reshape(outputs, 1, c.k, c.l).AsType(dt)
				f := func(x []weft.Array) []weft.Array {
					o := lax.ConvConfig{Strides: c.stride, Padding: lax.Pads(c.pads...), LhsDilation: c.gap, RhsDilation: c.dist, FeatureGroups: features}
					out := []weft.Array{lax.ConvGeneralDilated(x[0], x[1], o)}
					if dt != weft.Int32 {
						wild := weft.Where(x[1].Gt(29), inf, weft.Where(x[1].Lt(-29), inf.Mul(0), x[1])).AsType(dt)
						out = append(out, lax.ConvGeneralDilated(x[0], wild, o))
					}
					return out
				}
				j, args := traced(t, f, []weft.Array{x, w})
				matches(t, fmt.Sprint(i, dt, features), j, args)
			}
		}
	}
}
