package reference

import (
	"sync/atomic"
	"testing"
	"unsafe"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/core/prim/windows"
	"github.com/weft-go/weft/lower/reference/internal/block"
	"github.com/weft-go/weft/lower/reference/internal/product"
	"github.com/weft-go/weft/lower/scalar"
)

// counted runs an operation and returns how many multiply-adds of f32 its tiles and the loop
// over elements do.
func counted(t *testing.T, p core.Primitive, in ...*block.Tensor) (tiled, looped int) {
	t.Helper()
	var tile, loops atomic.Int64
	if m := product.Tiles32; m != nil {
		run := m.Run
		m.Run = func(c, a unsafe.Pointer, step int, b unsafe.Pointer, k int) {
			tile.Add(int64(m.Rows * m.Cols * k))
			run(c, a, step, b, k)
		}
		defer func() { m.Run = run }()
	}
	fma := block.OpLoops[scalar.OpFMA][scalar.F32]
	block.OpLoops[scalar.OpFMA][scalar.F32] = func(d, a, b, c unsafe.Pointer, n int) { loops.Add(int64(n)); fma(d, a, b, c, n) }
	defer func() { block.OpLoops[scalar.OpFMA][scalar.F32] = fma }()
	apply(t, p, in...)
	return int(tile.Load()), int(loops.Load())
}

// Products of complex matrices go by tiles as those of real ones, and a depthwise convolution by loops over all features.
func TestFastPathsAreTaken(t *testing.T) {
	const n = 512
	d := core.MakeDims
	real32, complex64s := block.NewTensor(core.Aval(core.Float32, n, n)), block.NewTensor(core.Aval(core.Complex64, n, n))
	for i := range n {
		block.View[float32](real32)[i*(n+1)] = float32(i + 1)
		block.View[complex64](complex64s)[i*(n+1)] = complex(1, float32(i))
	}
	dot := prim.DotGeneralP{LhsContract: d(1), RhsContract: d(0)}
	if product.Tiles32 != nil {
		for name, c := range map[string]struct {
			x    *block.Tensor
			want int
		}{"real": {real32, n * n * n}, "complex": {complex64s, 4 * n * n * n}} {
			if tiled, _ := counted(t, dot, c.x, c.x); tiled < c.want || tiled > c.want*11/10 {
				t.Errorf("a %s product: %d multiply-adds in tiles, want %d", name, tiled, c.want)
			}
		}
	}
	const batch, features, side = 2, 32, 64
	x, w := block.NewTensor(core.Aval(core.Float32, batch, features, side, side)), block.NewTensor(core.Aval(core.Float32, features, 1, 3, 3))
	depthwise := windows.ConvP{LhsSpec: d(0, 1, 2, 3), RhsSpec: d(0, 1, 2, 3), OutSpec: d(0, 1, 2, 3), Strides: d(1, 1), Padding: d(1, 1, 1, 1),
		LhsDilation: d(1, 1), RhsDilation: d(1, 1), FeatureGroups: features, BatchGroups: 1}
	want := batch * features * (3*side - 2) * (3*side - 2) // without what lies outside
	if _, looped := counted(t, depthwise, x, w); looped < want*9/10 || looped > want {
		t.Errorf("a depthwise convolution: %d multiply-adds in loops, want %d", looped, want)
	}
}
