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
)

// The transpose of a product is a product, to the bit.
func TestTransposedProduct(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	d := core.MakeDims
	for _, dt := range []core.DType{core.Float32, core.Float64, core.BFloat16, core.Int32, core.Complex64, core.Complex128} {
		for _, returned := range []bool{false, true} {
			b := jaxpr.NewBuilder()
			x, y := b.Input(core.Aval(dt, 2, 30, 5, 4)), b.Input(core.Aval(dt, 2, 30, 7))
			v := b.Eqn(prim.DotGeneralP{LhsContract: d(1), RhsContract: d(1), LhsBatch: d(0), RhsBatch: d(0)}, x, y)[0]
			outs := []jaxpr.Atom{b.Eqn(prim.TransposeP{Perm: d(0, 3, 1, 2)}, v)[0]}
			if returned {
				outs = append(outs, v)
			}
			j := b.Build(outs...)
			args := make([]*reference.Tensor, 2)
			for i, v := range j.Ins {
				args[i] = draw(r, v.Type, primtest.Domain{Lo: -1, Hi: 1})
			}
			p := compare(t, "product", j, args)
			if !returned && dt == core.Float32 && len(p.Steps) != 1 {
				t.Errorf("the transpose of a product is no product:\n%v", p)
			}
			for _, s := range p.Steps { // a complex product is not commutative to the bit
				if s, ok := s.(*fuse.Product); ok && dt.IsComplex() && s.M != 5*4 {
					t.Errorf("the operands of the complex product %v are exchanged", s)
				}
			}
		}
	}
}
