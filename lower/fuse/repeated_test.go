package fuse_test

import (
	"math/rand/v2"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/internal/test/primtest"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower/fuse"
	"github.com/weft-go/weft/lower/reference"
	"github.com/weft-go/weft/runtime"
)

// A concatenation of few numbers that each row of a large result uses is written to memory once, unless rows are few.
func TestRepeatedNumbers(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	d := core.MakeDims
	for rows, kernels := range map[int]int{16: 1, 1 << 13: 2} {
		for _, broadcast := range []bool{false, true} {
			b := jaxpr.NewBuilder()
			x, head, last := b.Input(core.Aval(core.Float32, rows, 1)), b.Input(core.Aval(core.Float32, 19)), b.Input(core.Aval(core.Float32, 1))
			y := b.Eqn(prim.ConcatenateP{Dimension: 0}, head, last)[0]
			if broadcast {
				y = b.Eqn(prim.BroadcastInDimP{Shape: d(rows, 20), Dims: d(1)}, y)[0]
				x = b.Eqn(prim.BroadcastInDimP{Shape: d(rows, 20), Dims: d(0, 1)}, x)[0]
			} else {
				y = b.Eqn(prim.BroadcastInDimP{Shape: d(1, 20), Dims: d(1)}, y)[0]
			}
			j := b.Build(b.Eqn(prim.ExpP{}, b.Eqn(prim.SubP{}, x, y)[0])[0])
			args := make([]*reference.Tensor, len(j.Ins))
			for i, v := range j.Ins {
				args[i] = draw(r, v.Type, primtest.Domain{Lo: -1, Hi: 1})
			}
			vs := make([]core.Value, len(args))
			for i, a := range args {
				vs[i] = runtime.FromTensor(a)
			}
			p := fuse.Translate(j, fuse.Native())
			same(t, "rows", j, p, args, unboxed(jaxpr.Eval(j, nil, vs)))
			if len(p.Steps) != kernels {
				t.Errorf("%d rows have %d steps, want %d:\n%v", rows, len(p.Steps), kernels, p)
			}
		}
	}
}
