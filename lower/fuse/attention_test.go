package fuse_test

import (
	"strings"
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

// A selection between two cases is a mask; one with a single case is not.
func TestAttentionSelectionOfOneCase(t *testing.T) {
	for cases, want := range map[int]bool{1: false, 2: true} {
		b := jaxpr.NewBuilder()
		q := b.Input(core.Aval(core.Float32, 32, 16))
		which := b.Input(core.Aval(core.Bool, 32, 32))
		op := func(p core.Primitive, in ...jaxpr.Atom) jaxpr.Atom { return b.Eqn(p, in...)[0] }
		spread := func(x jaxpr.Atom) jaxpr.Atom {
			return op(prim.BroadcastInDimP{Shape: core.MakeDims(32, 1), Dims: core.MakeDims(0)}, x)
		}
		s := op(prim.DotGeneralP{LhsContract: core.MakeDims(1), RhsContract: core.MakeDims(1)}, q, q)
		in := []jaxpr.Atom{which, s}
		if cases == 2 {
			in = append(in, op(prim.BroadcastInDimP{Shape: core.MakeDims(32, 32)}, core.Lit(core.FloatNumber(-1e9), core.Float32)))
		}
		s = op(prim.SelectNP{}, in...)
		e := op(prim.ExpP{}, op(prim.SubP{}, s, spread(op(prim.ReduceMaxP{Axes: core.MakeDims(1)}, s))))
		w := op(prim.DivP{}, e, spread(op(prim.ReduceSumP{Axes: core.MakeDims(1)}, e)))
		y := op(prim.DotGeneralP{LhsContract: core.MakeDims(1), RhsContract: core.MakeDims(0)}, w, q)
		plan := fuse.Translate(b.Build(y), fuse.Target{Tensor: fuse.TensorOptions{Cores: true, Parts: attends{parts{n: 1}}}})
		if got := strings.Contains(plan.String(), "attention "); got != want {
			t.Errorf("%d cases: one kernel: got %v, want %v\n%v", cases, got, want, plan)
		}
	}
}
