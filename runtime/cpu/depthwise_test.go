package cpu_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/internal/test/race"
	"github.com/weft-go/weft/lax"
	"github.com/weft-go/weft/lower/fuse"
)

// Convolutions of each feature alone, with one or several outputs of each, run as native code with windows of several chains of products, over
// dilated arrays, with padding that is negative or more than the array, and kernels that contain ∞ and NaN.
func TestDepthwise(t *testing.T) {
	race.Values(t)
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

// Few rows at an edge have kernels of their own, of as many axes as there are, and neighbours along the last axis are computed together: with
// strides and dilated windows, and where a window has several chains of products.
func TestDepthwiseNeighbours(t *testing.T) {
	for i, c := range []struct {
		of        []int // the array's and the window's axes
		window    []int
		stride    []int
		gap, dist []int
		pads      [][2]int
		kernels   int
	}{
		{[]int{16}, []int{3}, nil, nil, nil, [][2]int{{0, 0}}, 1},
		{[]int{15}, []int{3}, []int{2}, nil, []int{4}, [][2]int{{-1, 0}}, 1}, // 3 neighbours
		{[]int{12, 19}, []int{3, 3}, []int{1, 2}, nil, []int{1, 2}, [][2]int{{0, 0}, {0, 0}}, 1},
		{[]int{40, 13}, []int{30, 8}, nil, nil, nil, [][2]int{{0, 0}, {0, 0}}, 1},
		{[]int{2, 10}, []int{3, 3}, nil, nil, nil, [][2]int{{1, 1}, {0, 0}}, 2},
		{[]int{2, 9}, []int{3, 3}, []int{1, 2}, []int{2, 1}, nil, [][2]int{{1, 1}, {0, 0}}, 3},
		{[]int{1, 10}, []int{36, 7}, nil, nil, nil, [][2]int{{20, 18}, {0, 0}}, 4}, // rows of which most taps read nothing
		{[]int{1, 8}, []int{2, 1}, nil, nil, nil, [][2]int{{3, 1}, {0, 0}}, 4},     // and all taps
		{[]int{2, 2, 10}, []int{3, 3, 3}, nil, nil, nil, [][2]int{{1, 1}, {0, 2}, {0, 0}}, 4},
		{[]int{2, 3, 7}, []int{3, 3, 3}, nil, nil, nil, [][2]int{{1, 1}, {1, 1}, {1, 1}}, 1},
	} {
		for _, dt := range []weft.DType{weft.Float32, weft.BFloat16, weft.Int32} {
			const features = 19
			shape, window := append([]int{2, features}, c.of...), append([]int{features, 1}, c.window...)
			made := func(f func(weft.Array) weft.Array, shape []int) weft.Array {
				n := 1
				for _, d := range shape {
					n *= d
				}
				return f(weft.Arange(float32(n))).Mul(40).Reshape(shape...).AsType(dt)
			}
			f := func(x []weft.Array) []weft.Array {
				return []weft.Array{lax.ConvGeneralDilated(x[0], x[1], lax.ConvConfig{Strides: c.stride, Padding: lax.Pads(c.pads...), LhsDilation: c.gap, RhsDilation: c.dist, FeatureGroups: features})}
			}
			j, args := traced(t, f, []weft.Array{made(weft.Sin, shape), made(weft.Cos, window)})
			if text := fuse.Translate(j, fuse.Native()).String(); strings.Count(text, "_depthwise") != c.kernels {
				t.Errorf("%d %v: want %d kernels:\n%v", i, dt, c.kernels, text)
			}
			matches(t, fmt.Sprint(i, dt), j, args)
		}
	}
}
