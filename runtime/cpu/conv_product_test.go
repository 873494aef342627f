package cpu_test

import (
	"fmt"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/lax"
	"github.com/weft-go/weft/lower/fuse"
)

// Convolutions whose windows are rows in memory, those that overlap included, run as products; others do not.
func TestConvProducts(t *testing.T) {
	type of struct{ x, w, stride, gap []int }
	for i, c := range []struct {
		of
		pads    [][2]int
		groups  int
		product bool
	}{
		{of: of{[]int{2, 5, 6, 7}, []int{1, 1, 7, 9}, nil, nil}, product: true},
		{of: of{[]int{1, 40, 1, 16}, []int{5, 1, 16, 33}, nil, nil}, product: true},
		{of: of{[]int{1, 40, 16}, []int{5, 16, 8}, []int{3}, nil}, product: true},
		{of: of{[]int{3, 140, 16}, []int{5, 16, 8}, nil, nil}, product: true},
		{of: of{[]int{3, 40, 16}, []int{5, 16, 8}, nil, nil}}, // few windows an image
		{of: of{[]int{1, 40, 16}, []int{5, 16, 8}, nil, []int{2}}},
		{of: of{[]int{1, 40, 1}, []int{5, 1, 8}, nil, []int{2}}}, // elements lie apart
		{of: of{[]int{1, 12, 300, 8}, []int{1, 1, 8, 5}, []int{2, 2}, nil}, product: true},
		{of: of{[]int{1, 12, 20, 8}, []int{12, 20, 8, 5}, nil, nil}, product: true},
		{of: of{[]int{1, 12, 20, 8}, []int{3, 3, 8, 5}, nil, nil}},
		{of: of{[]int{1, 12, 20, 8}, []int{1, 1, 8, 5}, nil, nil}, pads: [][2]int{{0, 1}, {0, 0}}},
		{of: of{[]int{1, 12, 20, 8}, []int{1, 1, 4, 6}, nil, nil}, groups: 2},
	} {
		for _, dt := range []weft.DType{weft.Float32, weft.Int32, weft.Float64} {
			size := func(dims []int) (n int) {
				n = 1
				for _, d := range dims {
					n *= d
				}
				return n
			}
			x := weft.Sin(weft.Arange(float32(size(c.x)))).Mul(9).Reshape(c.x...).AsType(dt)
			w := weft.Cos(weft.Arange(float32(size(c.w)))).Mul(9).Reshape(c.w...).AsType(dt)
			axes := "HW"[:len(c.x)-2]
			config := lax.ConvConfig{Strides: c.stride, Padding: lax.Pads(c.pads...), RhsDilation: c.gap, FeatureGroups: max(1, c.groups), Lhs: "N" + axes + "C", Rhs: axes + "IO", Out: "N" + axes + "C"}
			if c.pads == nil {
				config.Padding = lax.Pads(make([][2]int, len(axes))...)
			}
			j, args := traced(t, func(in []weft.Array) []weft.Array { return []weft.Array{lax.ConvGeneralDilated(in[0], in[1], config)} }, []weft.Array{x, w})
			matches(t, fmt.Sprint(i, dt), j, args)
			p := fuse.Translate(j, fuse.Native())
			if _, product := p.Steps[0].(*fuse.Product); product != c.product {
				t.Errorf("case %d, %v: got a product: %v, want %v\n%v", i, dt, product, c.product, p)
			}
		}
	}
}
