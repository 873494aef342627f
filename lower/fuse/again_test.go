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

// Numbers that a product reads are not also written to memory as larger ones for a later kernel, unless the program returns these.
func TestWidenedAgain(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	d := core.MakeDims
	const m, k, n = 40, 64, 24
	for _, returned := range []bool{false, true} {
		b := jaxpr.NewBuilder()
		x, w := b.Input(core.Aval(core.Float32, m, k)), b.Input(core.Aval(core.Float32, n, k))
		small := b.Eqn(prim.ExpP{}, x)[0]
		y := b.Eqn(prim.DotGeneralP{LhsContract: d(1), RhsContract: d(1)}, small, w)[0]
		wide := b.Eqn(prim.ConvertElementTypeP{NewDType: core.Float64}, small)[0]
		outs := []jaxpr.Atom{y, b.Eqn(prim.ReduceSumP{Axes: d(0)}, wide)[0]}
		if returned {
			outs = append(outs, wide)
		}
		j := b.Build(outs...)
		args := []*reference.Tensor{draw(r, x.Aval(), primtest.Domain{Lo: 0, Hi: 5}), draw(r, w.Aval(), primtest.Domain{Lo: -9, Hi: 9})}
		vs := make([]core.Value, len(args))
		for i, a := range args {
			vs[i] = runtime.FromTensor(a)
		}
		p := fuse.Translate(j, fuse.Native())
		same(t, "larger numbers", j, p, args, unboxed(jaxpr.Eval(j, nil, vs)))
		stored := false
		for _, s := range p.Steps {
			for _, id := range s.Writes() {
				stored = stored || p.Values[id].Type == wide.Aval()
			}
		}
		if stored != returned {
			t.Errorf("larger numbers are written is %v, want %v:\n%v", stored, returned, p)
		}
	}
}
