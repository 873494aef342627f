package fuse_test

import (
	"math"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower/fuse"
)

// attends takes every attention and divides no sum.
type attends struct{ parts }

// Attends accepts every attention.
func (attends) Attends(core.DType, [2]int) bool { return true }

// attends32 returns the step for the attention of 32 queries to themselves, whose scores change makes others of, nil if
// it is none.
func attends32(change func(op func(core.Primitive, ...jaxpr.Atom) jaxpr.Atom, b *jaxpr.Builder, s jaxpr.Atom) jaxpr.Atom) *fuse.Attention {
	b := jaxpr.NewBuilder()
	q := b.Input(core.Aval(core.Float32, 32, 16))
	op := func(p core.Primitive, in ...jaxpr.Atom) jaxpr.Atom { return b.Eqn(p, in...)[0] }
	spread := func(x jaxpr.Atom) jaxpr.Atom {
		return op(prim.BroadcastInDimP{Shape: core.MakeDims(32, 1), Dims: core.MakeDims(0)}, x)
	}
	s := change(op, b, op(prim.DotGeneralP{LhsContract: core.MakeDims(1), RhsContract: core.MakeDims(1)}, q, q))
	e := op(prim.ExpP{}, op(prim.SubP{}, s, spread(op(prim.ReduceMaxP{Axes: core.MakeDims(1)}, s))))
	w := op(prim.DivP{}, e, spread(op(prim.ReduceSumP{Axes: core.MakeDims(1)}, e)))
	y := op(prim.DotGeneralP{LhsContract: core.MakeDims(1), RhsContract: core.MakeDims(0)}, w, q)
	plan := fuse.Translate(b.Build(y), fuse.Target{Tensor: fuse.TensorOptions{Cores: true, Parts: attends{parts{n: 1}}}})
	for _, s := range plan.Steps {
		if a, ok := s.(*fuse.Attention); ok {
			return a
		}
	}
	return nil
}

// A selection between two cases is a mask; one with a single case is not.
func TestAttentionSelectionOfOneCase(t *testing.T) {
	for cases, want := range map[int]bool{1: false, 2: true} {
		a := attends32(func(op func(core.Primitive, ...jaxpr.Atom) jaxpr.Atom, b *jaxpr.Builder, s jaxpr.Atom) jaxpr.Atom {
			in := []jaxpr.Atom{b.Input(core.Aval(core.Bool, 32, 32)), s}
			if cases == 2 {
				in = append(in, op(prim.BroadcastInDimP{Shape: core.MakeDims(32, 32)}, core.Lit(core.FloatNumber(-1e9), core.Float32)))
			}
			return op(prim.SelectNP{}, in...)
		})
		if got := a != nil; got != want {
			t.Errorf("%d cases: one kernel: got %v, want %v", cases, got, want)
		}
	}
}

// Only keys behind their query that certainly have no weight are left out.
func TestCausalAttention(t *testing.T) {
	for _, c := range []struct {
		name         string
		keys         int // the numbers of keys that the mask compares
		fill         float64
		bias, causal bool
	}{
		{"causal", 32, -1e30, false, true},
		{"one number for all keys", 1, -1e30, false, false},
		{"a small fill", 32, -1e9, false, false},
		{"a bias", 32, -1e30, true, false},
		{"a bias, hidden by -Inf", 32, math.Inf(-1), true, true},
	} {
		a := attends32(func(op func(core.Primitive, ...jaxpr.Atom) jaxpr.Atom, b *jaxpr.Builder, s jaxpr.Atom) jaxpr.Atom {
			if c.bias {
				s = op(prim.AddP{}, s, b.Input(core.Aval(core.Float32, 32, 32)))
			}
			rows := op(prim.IotaP{DType: core.Int32, Shape: core.MakeDims(32, 32), Dimension: 0})
			columns := op(prim.IotaP{DType: core.Int32, Shape: core.MakeDims(32, c.keys), Dimension: 1})
			fill := op(prim.BroadcastInDimP{Shape: core.MakeDims(32, 32)}, core.Lit(core.FloatNumber(c.fill), core.Float32))
			return op(prim.SelectNP{}, op(prim.GeP{}, rows, columns), fill, s)
		})
		if a == nil || a.Causal != c.causal {
			t.Errorf("%s: got %+v, want causal: %v", c.name, a, c.causal)
		}
	}
}
