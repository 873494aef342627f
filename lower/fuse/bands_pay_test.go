package fuse_test

import (
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/lower/fuse"
	"github.com/weft-go/weft/nn"
)

// bandsOf returns the plan of f with bands from so many bytes on that steps pass to each other, and its bands.
func bandsOf(t *testing.T, least int, f any, in ...core.ShapedArray) (p *fuse.Plan, bands []*fuse.Bands) {
	t.Helper()
	args := make([]any, len(in))
	for i, a := range in {
		args[i] = weft.ZerosOf(a.DType, a.Shape.Ints()...)
	}
	p = fuse.Translate(trace(t, f, args...), nativeFrom(least))
	for _, s := range p.Steps {
		if b, ok := s.(*fuse.Bands); ok {
			bands = append(bands, b)
		}
	}
	return p, bands
}

// What two members read counts once among the bytes that members pass to each other.
func TestBandsCountValuesOnce(t *testing.T) {
	f := func(x, w, v, u weft.Array) (weft.Array, weft.Array) {
		h := weft.Tanh(x.MatMul(w))
		return h.MatMul(v), h.MatMul(u)
	}
	in := []core.ShapedArray{core.Aval(core.Float32, 1024, 64), core.Aval(core.Float32, 64, 128), core.Aval(core.Float32, 128, 64), core.Aval(core.Float32, 128, 32)}
	const hidden = 1024 * 128 * 4 // bytes of the first product, and of h
	for least, want := range map[int]int{2 * hidden: 1, 2*hidden + 1: 0} {
		p, bands := bandsOf(t, least, f, in...)
		if len(bands) != want {
			t.Errorf("from %d bytes on: %d bands, want %d\n%v", least, len(bands), want, p)
		}
		for _, b := range bands {
			if len(b.Steps) != 4 {
				t.Errorf("%d steps on bands, want 4\n%v", len(b.Steps), p)
			}
		}
	}
}

// A step beside the bands that reads an input runs before them, if a result of the bands may lie in the input's
// memory then.
func TestBandsOverwriteInputs(t *testing.T) {
	f := func(x, y, w, v weft.Array) (weft.Array, weft.Array) {
		z := weft.Tanh(y.MatMul(w)).MatMul(v).Add(x)
		return x.T().MatMul(x), z
	}
	rows := core.Aval(core.Float32, 1024, 64)
	p, bands := bandsOf(t, 1, f, rows, rows, core.Aval(core.Float32, 64, 128), core.Aval(core.Float32, 128, 64))
	if len(bands) != 1 || p.Reuse[1].Input != 0 {
		t.Errorf("%d bands, the result lies in input %d, want 1 and input 0\n%v", len(bands), p.Reuse[1].Input, p)
	}
}

// Bands of sums have whole items where an item has no more rows than a sum takes at a time; one such item is no
// band.
func TestBandsOfWholeItems(t *testing.T) {
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
		p, bands := bandsOf(t, 1, backward, h, h, h, h)
		whole := false
		for _, b := range bands {
			whole = whole || b.Rows <= b.Unit
		}
		if whole != want {
			t.Errorf("%d heads: bands of whole items: got %v, want %v\n%v", heads, whole, want, p)
		}
	}
}
