package fuse_test

import (
	"math/rand/v2"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/elem"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower/fuse"
	"github.com/weft-go/weft/lower/reference"
)

// A sum of a product that is computed in parts is the sum of all parts. The numbers are small integers, whose
// sums are exact in any order.
func TestSumOfParts(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	const dt = core.Float32
	for _, n := range []int{2, 3, 4} {
		b := jaxpr.NewBuilder()
		x, y := b.Input(core.Aval(dt, 32, 48)), b.Input(core.Aval(dt, 48, 32))
		p := prim.DotGeneralP{LhsContract: core.MakeDims(1), RhsContract: core.MakeDims(0)}
		j := b.Build(b.Eqn(p, x, y)[0])
		args := []*reference.Tensor{reference.NewTensor(x.Aval()), reference.NewTensor(y.Aval())}
		for _, a := range args {
			for i := range a.Size() {
				elem.Put(a.Data[4*i:], core.IntNumber(int64(r.IntN(3)-1)), dt)
			}
		}
		plan := fuse.Translate(j, fuse.Target{Tensor: fuse.TensorOptions{Cores: true, Parts: parts{n: n}}})
		got, err := run(plan, args)
		if err != nil {
			t.Fatal(err)
		}
		if want := referenceOf(p, args)[0]; string(got[0].Data) != string(want.Data) {
			t.Errorf("%d parts: got %v, want %v\n%v", n, got[0], want, plan)
		}
	}
}
