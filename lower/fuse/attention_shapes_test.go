package fuse_test

import (
	"strings"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower/fuse"
)

// attentionOf returns the program of a softmax between two products. The scores are reshaped if shape has
// axes, and the softmax goes along the last axis. The weights get the scores' shape back if again is set; the
// second product sums over the axis after the queries.
func attentionOf(queries, keys, values core.ShapedArray, shape core.Dims, again bool, precision string) *jaxpr.Jaxpr {
	d := core.MakeDims
	b := jaxpr.NewBuilder()
	q, k, v := b.Input(queries), b.Input(keys), b.Input(values)
	op := func(p core.Primitive, in ...jaxpr.Atom) jaxpr.Atom { return b.Eqn(p, in...)[0] }
	s := op(prim.DotGeneralP{LhsContract: d(queries.Rank() - 1), RhsContract: d(keys.Rank() - 1), Preferred: core.Float32}, q, k)
	product := s.Aval().Shape
	if shape.Len() > 0 {
		s = op(prim.ReshapeP{Shape: shape}, s)
	}
	last := s.Aval().Rank() - 1
	rows := s.Aval().Shape.Slice(0, last)
	spread := func(x jaxpr.Atom) jaxpr.Atom {
		return op(prim.BroadcastInDimP{Shape: d(append(rows.Ints(), 1)...), Dims: core.Range(0, last)}, x)
	}
	e := op(prim.ExpP{}, op(prim.SubP{}, s, spread(op(prim.ReduceMaxP{Axes: d(last)}, s))))
	w := op(prim.DivP{}, e, spread(op(prim.ReduceSumP{Axes: d(last)}, e)))
	if again {
		w = op(prim.ReshapeP{Shape: product}, w)
	}
	return b.Build(op(prim.DotGeneralP{LhsContract: d(last), RhsContract: d(0), Precision: precision}, w, v))
}

// An attention has one axis of queries and one of keys, each of 16 at least, that no reshape divides or
// merges, and weights of the type of its products.
func TestAttentionShapes(t *testing.T) {
	f32 := func(sizes ...int) core.ShapedArray { return core.Aval(core.Float32, sizes...) }
	bf16 := func(sizes ...int) core.ShapedArray { return core.Aval(core.BFloat16, sizes...) }
	d := core.MakeDims
	for name, c := range map[string]struct {
		j    *jaxpr.Jaxpr
		want bool
	}{
		"the least sizes":          {attentionOf(f32(16, 16), f32(16, 16), f32(16, 16), d(), false, ""), true},
		"few queries":              {attentionOf(f32(2, 8, 16), f32(16, 16), f32(16, 16), d(), false, ""), false},
		"few queries of many":      {attentionOf(f32(3, 16, 16), f32(16, 16), f32(16, 16), d(), false, ""), true},
		"keys of two axes":         {attentionOf(f32(32, 16), f32(4, 8, 16), f32(32, 16), d(32, 32), false, ""), false},
		"a softmax along two axes": {attentionOf(f32(32, 16), f32(16, 2, 16), f32(16, 16), d(32, 32), true, ""), false},
		"rows that are divided":    {attentionOf(f32(32, 16), f32(32, 16), f32(16, 16), d(64, 16), false, ""), false},
		"weights of another one":   {attentionOf(bf16(32, 16), bf16(32, 16), f32(32, 16), d(), false, "BF16_BF16_F32"), false},
		"products of one type":     {attentionOf(bf16(32, 16), bf16(32, 16), f32(32, 16), d(), false, ""), false},
	} {
		plan := fuse.Translate(c.j, fuse.Target{Tensor: fuse.TensorOptions{Cores: true, Parts: attends{parts{n: 1}}}})
		if got := strings.Contains(plan.String(), "attention "); got != c.want {
			t.Errorf("%s: one kernel: got %v, want %v\n%v", name, got, c.want, plan)
		}
	}
}
