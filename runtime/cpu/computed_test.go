package cpu_test

import (
	"fmt"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/lax"
	"github.com/weft-go/weft/lower/fuse"
)

// Products of few rows with weights that are stored in few bits make the weights in registers.
func TestComputedOperands(t *testing.T) {
	for _, c := range []struct{ m, k, blocks, n int }{{5, 384, 12, 128}, {1, 2560, 6, 64}, {3, 700, 5, 130}, {32, 259, 9, 128}} {
		for _, dt := range []weft.DType{weft.Int8, weft.Uint8, weft.BFloat16} {
			x := weft.Sin(weft.Arange(float32(c.m*c.k))).Reshape(c.m, c.k)
			w := weft.Cos(weft.Arange(float32(c.blocks*c.k*c.n))).Mul(100).Reshape(c.blocks, c.k, c.n).AsType(dt)
			scale := weft.Arange(float32(c.blocks*c.n)).Add(0.5).Div(float32(c.n)).Reshape(c.blocks, 1, c.n)
			f := func(in []weft.Array) []weft.Array {
				v := in[1].AsType(weft.Float32).Sub(3).Mul(in[2])
				x := in[0].BroadcastTo(c.blocks, c.m, c.k)
				y := lax.DotGeneral(x, v, lax.DotConfig{LhsContract: []int{2}, RhsContract: []int{1}, LhsBatch: []int{0}, RhsBatch: []int{0}})
				return []weft.Array{weft.Tanh(y.Transpose(1, 0, 2))}
			}
			j, args := traced(t, f, []weft.Array{x, w, scale})
			matches(t, fmt.Sprint(c, dt), j, args)
			if p, whole := fuse.Translate(j, fuse.Native()), c.blocks*c.n*c.k*4; p.Arena >= whole {
				t.Errorf("%v %v: an arena of %d bytes, the weights have %d as floats\n%v", c, dt, p.Arena, whole, p)
			}
		}
	}
}

// Products of small floats are sums in f32 along several contracted axes, too, which do not merge.
func TestComputedOperandsOfSmallFloats(t *testing.T) {
	for _, dt := range []weft.DType{weft.BFloat16, weft.Float16, weft.Float8E4M3FN} {
		x := weft.Sin(weft.Arange(float32(3*16*8))).Reshape(3, 16, 8).AsType(dt)
		w := weft.Cos(weft.Arange(float32(16*4*8*256))).Reshape(16, 4, 8, 256).AsType(dt)
		f := func(in []weft.Array) []weft.Array {
			return []weft.Array{lax.DotGeneral(in[0], in[1], lax.DotConfig{LhsContract: []int{1, 2}, RhsContract: []int{0, 2}})}
		}
		j, args := traced(t, f, []weft.Array{x, w})
		matches(t, dt.String(), j, args)
		if p := fuse.Translate(j, fuse.Native()); len(p.Kernels()) != len(p.Steps) {
			t.Errorf("%v: the product is a step of its own\n%v", dt, p)
		}
	}
}

// Products of more rows compute some columns of the weights at a time, and multiply them while they are in the cache.
func TestComputedOperandsOfManyRows(t *testing.T) {
	const k, n = 1024, 1056
	x := weft.Sin(weft.Arange(float32(33*k))).Reshape(3, 11, k)
	for _, c := range []struct {
		name  string
		shape []int
		axis  int  // contracted
		whole bool // all weights are floats in memory
	}{
		{"columns", []int{n, k}, 1, false},
		{"two axes of columns", []int{32, 33, k}, 2, false},
		{"rows", []int{k, n}, 0, true},
	} {
		w := weft.Cos(weft.Arange(float32(n * k))).Mul(100).Reshape(c.shape...).AsType(weft.Int8)
		f := func(in []weft.Array) []weft.Array {
			v := in[1].AsType(weft.Float32).Sub(3).Mul(0.25)
			return []weft.Array{lax.DotGeneral(in[0], v, lax.DotConfig{LhsContract: []int{2}, RhsContract: []int{c.axis}})}
		}
		j, args := traced(t, f, []weft.Array{x, w})
		matches(t, c.name, j, args)
		if p := fuse.Translate(j, fuse.Native()); p.Arena >= n*k*4 != c.whole {
			t.Errorf("%s: an arena of %d bytes, the weights have %d as floats\n%v", c.name, p.Arena, n*k*4, p)
		}
	}
}
