package reference

import (
	"bytes"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/core/prim/windows"
	"github.com/weft-go/weft/lower/reference/internal/block"
)

// Products and convolutions check often whether to stop, and leave the rest undone when they must.
func TestProductsStop(t *testing.T) {
	dot := func(batch core.Dims, lhs, rhs int) core.Primitive {
		return prim.DotGeneralP{LhsContract: core.MakeDims(lhs), RhsContract: core.MakeDims(rhs), LhsBatch: batch, RhsBatch: batch}
	}
	plain := dot(core.MakeDims(), 1, 0)
	two := core.MakeDims(1, 1)
	spec := core.MakeDims(0, 1, 2, 3)
	conv := func(groups int) core.Primitive {
		return windows.ConvP{Strides: two, Padding: core.MakeDims(1, 1, 1, 1), LhsDilation: two, RhsDilation: two, LhsSpec: spec, RhsSpec: spec, OutSpec: spec,
			FeatureGroups: groups, BatchGroups: 1}
	}
	for _, c := range []struct {
		name      string
		p         core.Primitive
		dt        core.DType
		x, y, out []int
		product   int // multiplications
	}{
		{"f32", plain, core.Float32, []int{256, 256}, []int{256, 256}, []int{256, 256}, 1 << 24},
		{"f64", plain, core.Float64, []int{256, 256}, []int{256, 256}, []int{256, 256}, 1 << 24},
		{"c64", plain, core.Complex64, []int{128, 256}, []int{256, 128}, []int{128, 128}, 1 << 22},
		{"bf16", plain, core.BFloat16, []int{128, 256}, []int{256, 128}, []int{128, 128}, 1 << 22},
		{"i64", plain, core.Int64, []int{128, 256}, []int{256, 128}, []int{128, 128}, 1 << 22},
		{"matrix and vector", dot(core.MakeDims(), 1, 0), core.Float32, []int{4096, 1024}, []int{1024}, []int{4096}, 1 << 22},
		{"vector and matrix", dot(core.MakeDims(), 0, 1), core.Float32, []int{1024}, []int{4096, 1024}, []int{4096}, 1 << 22},
		{"batch", dot(core.MakeDims(0), 2, 1), core.Float32, []int{64, 64, 64}, []int{64, 64, 64}, []int{64, 64, 64}, 1 << 24},
		{"vectors", dot(core.MakeDims(), 0, 0), core.Float32, []int{1 << 22}, []int{1 << 22}, []int{}, 1 << 22},
		{"long rows and vector", dot(core.MakeDims(), 1, 0), core.Float64, []int{8, 1 << 20}, []int{1 << 20}, []int{8}, 1 << 23},
		{"long rows and long columns", plain, core.Float32, []int{4, 1 << 18}, []int{1 << 18, 8}, []int{4, 8}, 1 << 23},
		{"long rows and long columns of i64", plain, core.Int64, []int{16, 1 << 16}, []int{1 << 16, 4}, []int{16, 4}, 1 << 22},
		{"convolution", conv(1), core.Float32, []int{2, 16, 64, 64}, []int{16, 16, 3, 3}, []int{2, 16, 64, 64}, 2 * 16 * 64 * 64 * 16 * 9},
		{"depthwise convolution", conv(16), core.Float32, []int{2, 16, 64, 64}, []int{16, 1, 3, 3}, []int{2, 16, 64, 64}, 2 * 16 * 64 * 64 * 9},
		{"convolution of i64", conv(1), core.Int64, []int{1, 8, 64, 64}, []int{8, 8, 3, 3}, []int{1, 8, 64, 64}, 8 * 64 * 64 * 8 * 9},
	} {
		f, ok := LookupStopping(c.p)
		if !ok {
			t.Fatalf("%s: got no kernel that stops", c.name)
		}
		run := func(v int, stop func() bool) (last []byte) {
			out := block.NewTensor(core.Aval(c.dt, c.out...))
			f(c.p, []*block.Tensor{filled(c.dt, v, c.x...), filled(c.dt, v, c.y...)}, []*block.Tensor{out}, stop)
			return out.Data[len(out.Data)-len(out.Data)/out.Size():]
		}
		polls := 0
		run(1, func() bool { polls++; return false })
		if most := 1 << 19; polls < c.product/most {
			t.Errorf("%s: asked %d times for %d products, want once for %d at least", c.name, polls, c.product, most)
		}
		var lasts [][]byte
		for _, after := range []int{0, polls / 2} {
			left, late := after, 0
			lasts = append(lasts, run(2, func() bool {
				if left--; left >= 0 {
					return false
				}
				late++
				return true
			}))
			if late == 0 || late > 100 {
				t.Errorf("%s, stopped at look %d of %d: asked %d times after", c.name, after, polls, late)
			}
		}
		for i, want := 0, run(2, nil); i < len(lasts); i++ {
			if bytes.Equal(lasts[i], want) {
				t.Errorf("%s, stopped at look %d of %d: the last element was computed", c.name, i*polls/2, polls)
			}
		}
	}
}

// filled returns a tensor of one small number.
func filled(dt core.DType, v int, dims ...int) *block.Tensor {
	x := block.NewTensor(core.Aval(dt, dims...))
	for i := range x.Size() {
		switch dt {
		case core.Float32:
			block.View[float32](x)[i] = float32(v)
		case core.Float64:
			block.View[float64](x)[i] = float64(v)
		case core.Complex64:
			block.View[complex64](x)[i] = complex(float32(v), float32(v))
		case core.BFloat16:
			block.View[uint16](x)[i] = 0x3f80 + uint16(v-1)<<7
		default:
			block.View[int64](x)[i] = int64(v)
		}
	}
	return x
}
