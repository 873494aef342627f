package reference

import (
	"sync/atomic"
	"testing"
	"unsafe"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/lower/scalar"
)

// counted runs an operation and returns how many multiply-adds of f32 its tiles, its blocks and the
// loop over elements do.
func counted(t *testing.T, p core.Primitive, in ...*Tensor) (tiled, blocked, looped int) {
	t.Helper()
	var tile, block, loops atomic.Int64
	if m := tiles32; m != nil {
		run := m.run
		m.run = func(c, a unsafe.Pointer, step int, b unsafe.Pointer, k int) {
			tile.Add(int64(m.rows * m.cols * k))
			run(c, a, step, b, k)
		}
		defer func() { m.run = run }()
	}
	f := &fieldF32
	old := f.lowerBlock
	f.lowerBlock = func(c []float32, ldc int, a []float32, lda int, w []float32, ldw, m, n, k int) {
		block.Add(int64(m * n * k))
		if old != nil {
			old(c, ldc, a, lda, w, ldw, m, n, k)
			return
		}
		for i := range m {
			for l := range k {
				for j := range n {
					c[i*ldc+j] = scalar.FMA32(-a[i*lda+l], w[l*ldw+j], c[i*ldc+j])
				}
			}
		}
	}
	defer func() { f.lowerBlock = old }()
	fma := opLoops[scalar.OpFMA][scalar.F32]
	opLoops[scalar.OpFMA][scalar.F32] = func(d, a, b, c unsafe.Pointer, n int) { loops.Add(int64(n)); fma(d, a, b, c, n) }
	defer func() { opLoops[scalar.OpFMA][scalar.F32] = fma }()
	apply(t, p, in...)
	return int(tile.Load()), int(block.Load()), int(loops.Load())
}

// Products of complex matrices go by tiles as those of real ones, factorizations and systems by blocks, and a
// depthwise convolution by loops over all features.
func TestFastPathsAreTaken(t *testing.T) {
	const n = 512
	d := core.MakeDims
	real32, complex64s := NewTensor(core.Aval(core.Float32, n, n)), NewTensor(core.Aval(core.Complex64, n, n))
	for i := range n {
		View[float32](real32)[i*(n+1)] = float32(i + 1)
		View[complex64](complex64s)[i*(n+1)] = complex(1, float32(i))
	}
	product := prim.DotGeneralP{LhsContract: d(1), RhsContract: d(0)}
	if tiles32 != nil {
		for name, c := range map[string]struct {
			x    *Tensor
			want int
		}{"real": {real32, n * n * n}, "complex": {complex64s, 4 * n * n * n}} {
			if tiled, _, _ := counted(t, product, c.x, c.x); tiled < c.want || tiled > c.want*11/10 {
				t.Errorf("a %s product: %d multiply-adds in tiles, want %d", name, tiled, c.want)
			}
		}
	}
	for name, c := range map[string]struct {
		p    core.Primitive
		in   []*Tensor
		want int
	}{
		"cholesky":         {prim.CholeskyP{}, []*Tensor{real32}, n * n * n / 6},
		"triangular_solve": {prim.TriangularSolveP{LeftSide: true, Lower: true}, []*Tensor{real32, real32}, n * n * n / 2},
	} {
		if _, blocked, _ := counted(t, c.p, c.in...); blocked < c.want*8/10 {
			t.Errorf("%s: %d multiply-adds in blocks, want most of %d", name, blocked, c.want)
		}
	}
	const batch, features, side = 2, 32, 64
	x, w := NewTensor(core.Aval(core.Float32, batch, features, side, side)), NewTensor(core.Aval(core.Float32, features, 1, 3, 3))
	depthwise := prim.ConvP{LhsSpec: d(0, 1, 2, 3), RhsSpec: d(0, 1, 2, 3), OutSpec: d(0, 1, 2, 3), Strides: d(1, 1), Padding: d(1, 1, 1, 1),
		LhsDilation: d(1, 1), RhsDilation: d(1, 1), FeatureGroups: features, BatchGroups: 1}
	want := batch * features * (3*side - 2) * (3*side - 2) // without what lies outside
	if _, _, looped := counted(t, depthwise, x, w); looped < want*9/10 || looped > want {
		t.Errorf("a depthwise convolution: %d multiply-adds in loops, want %d", looped, want)
	}
}
