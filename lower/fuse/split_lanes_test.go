package fuse_test

import (
	"math/rand/v2"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower/fuse"
	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/reference"
	"github.com/weft-go/weft/runtime"
)

// The parts of a reduction in lanes are whole blocks in a loop over columns, too. The first one of two sums of one array is
// in such a loop.
func TestPartsInLanes(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 9))
	for _, c := range []struct {
		in      core.ShapedArray
		divided bool
	}{
		{core.Aval(core.Float64, 2, 4, 1114), true},
		{core.Aval(core.Float32, 5, 3, 3000), true},
		{core.Aval(core.Float32, 7, 2, 700), false}, // shorter than two blocks
	} {
		rows := core.Aval(c.in.DType, c.in.Shape.At(0))
		b := jaxpr.NewBuilder()
		x, bias := b.Input(c.in), b.Input(rows)
		less := func(x jaxpr.Atom) jaxpr.Atom {
			return b.Eqn(prim.SubP{}, x, b.Eqn(prim.BroadcastInDimP{Shape: c.in.Shape, Dims: core.MakeDims(0)}, bias)[0])[0]
		}
		y := less(x)
		z := less(y)
		sum := prim.ReduceSumP{Axes: core.MakeDims(1, 2)}
		j := b.Build(b.Eqn(sum, z)[0], b.Eqn(sum, z)[0], b.Eqn(prim.DivP{}, y, x)[0])
		args := []*reference.Tensor{draw(r, c.in, finite), draw(r, rows, finite)}
		want := unboxed(jaxpr.Eval(j, nil, []core.Value{runtime.FromTensor(args[0]), runtime.FromTensor(args[1])}))
		plan := fuse.Translate(j, fuse.Device(divides(false)))
		same(t, "lanes", j, plan, args, want)
		divided := false
		for _, k := range plan.Kernels() {
			k.Body.Walk(func(s ir.Stmt) {
				l, ok := s.(*ir.Reduce)
				if !ok || l.Order != ir.Lanes || l.Tail == nil {
					return
				}
				divided = true
				if l.Extent.Value%ir.BlockSize != 0 {
					t.Errorf("%v: parts of %d elements, want whole blocks of %d\n%v", c.in.Full(), l.Extent.Value, ir.BlockSize, k)
				}
			})
		}
		if divided != c.divided {
			t.Errorf("%v: divided: %t, want %t\n%v", c.in.Full(), divided, c.divided, plan)
		}
	}
}
