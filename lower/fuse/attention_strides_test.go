package fuse_test

import (
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/lower/fuse"
)

// The strides from row to row of an attention are those of its operands: of queries and results along the
// queries, of keys and values along the keys.
func TestAttentionStrides(t *testing.T) {
	f32 := func(sizes ...int) core.ShapedArray { return core.Aval(core.Float32, sizes...) }
	plan := fuse.Translate(attentionOf(f32(48, 16), f32(32, 16), f32(32, 24), core.MakeDims(), false, ""), fuse.Target{Tensor: fuse.TensorOptions{Cores: true, Parts: attends{parts{n: 1}}}})
	found := false
	for _, s := range plan.Steps {
		a, ok := s.(*fuse.Attention)
		if !ok {
			continue
		}
		found = true
		if a.T != 48 || a.S != 32 || [4]int(a.Row[:4]) != [4]int{16, 16, 24, 24} {
			t.Errorf("%d queries, %d keys, strides %v; want 48, 32, and 16 16 24 24 of queries, keys, values and result", a.T, a.S, a.Row)
		}
	}
	if !found {
		t.Errorf("no attention\n%v", plan)
	}
}
