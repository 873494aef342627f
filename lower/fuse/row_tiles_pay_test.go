package fuse_test

import (
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/lower/fuse"
	"github.com/weft-go/weft/nn"
)

// tilesOf returns the plan of f, whose steps run on row tiles if they pass each other at least so many bytes, and its row tiles.
func tilesOf(t *testing.T, least int, f any, in ...core.ShapedArray) (p *fuse.Plan, tiles []*fuse.RowTiles) {
	t.Helper()
	args := make([]any, len(in))
	for i, a := range in {
		args[i] = weft.ZerosOf(a.DType, a.Shape.Ints()...)
	}
	p = fuse.Translate(trace(t, f, args...), nativeFrom(least))
	for _, s := range p.Steps {
		if b, ok := s.(*fuse.RowTiles); ok {
			tiles = append(tiles, b)
		}
	}
	return p, tiles
}

// A value that two members read counts once among the bytes that members pass to each other.
func TestRowTilesCountValuesOnce(t *testing.T) {
	f := func(x, w, v, u weft.Array) (weft.Array, weft.Array) {
		h := weft.Tanh(x.MatMul(w))
		return h.MatMul(v), h.MatMul(u)
	}
	in := []core.ShapedArray{core.Aval(core.Float32, 1024, 64), core.Aval(core.Float32, 64, 128), core.Aval(core.Float32, 128, 64), core.Aval(core.Float32, 128, 32)}
	const hidden = 1024 * 128 * 4 // bytes of the first product, and of h
	for least, want := range map[int]int{2 * hidden: 1, 2*hidden + 1: 0} {
		p, tiles := tilesOf(t, least, f, in...)
		if len(tiles) != want {
			t.Errorf("from %d bytes on: %d tiles, want %d\n%v", least, len(tiles), want, p)
		}
		for _, b := range tiles {
			if len(b.Steps) != 4 {
				t.Errorf("%d steps on tiles, want 4\n%v", len(b.Steps), p)
			}
		}
	}
}

// A step beside the tiles that reads an input runs before them, if a result of the tiles may lie in the input's
// memory then.
func TestRowTilesOverwriteInputs(t *testing.T) {
	f := func(x, y, w, v weft.Array) (weft.Array, weft.Array) {
		z := weft.Tanh(y.MatMul(w)).MatMul(v).Add(x)
		return x.T().MatMul(x), z
	}
	rows := core.Aval(core.Float32, 1024, 64)
	p, tiles := tilesOf(t, 1, f, rows, rows, core.Aval(core.Float32, 64, 128), core.Aval(core.Float32, 128, 64))
	if len(tiles) != 1 || p.Reuse[1].Input != 0 {
		t.Errorf("%d tiles, the result lies in input %d, want 1 and input 0\n%v", len(tiles), p.Reuse[1].Input, p)
	}
}

// Row tiles of sums have whole items where an item has no more rows than a sum takes at a time; one such item is no
// tile.
func TestRowTilesOfWholeItems(t *testing.T) {
	attention := func(a [3]weft.Array) weft.Array {
		s := weft.Einsum("bhqd,bhkd->bhqk", a[0], a[1]).Mul(0.125)
		return weft.Einsum("bhqk,bhkd->bhqd", nn.Softmax(s, -1), a[2])
	}
	backward := func(q, k, v, o weft.Array) [3]weft.Array {
		_, g := weft.VJP(attention, [3]weft.Array{q, k, v})
		return g(o)
	}
	for heads, want := range map[int]bool{1: false, 4: true} {
		h := core.Aval(core.Float32, 1, heads, 64, 64)
		p, tiles := tilesOf(t, 1, backward, h, h, h, h)
		whole := false
		for _, b := range tiles {
			whole = whole || b.Rows <= b.Unit
		}
		if whole != want {
			t.Errorf("%d heads: tiles of whole items: got %v, want %v\n%v", heads, whole, want, p)
		}
	}
}
