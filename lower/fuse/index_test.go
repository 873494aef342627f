package fuse_test

import (
	"math/rand/v2"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/internal/test/primtest"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower/reference"
)

// A part of an axis that several axes have become is found again in these, in the last block too,
// which is shorter than the others.
func TestPartOfJoinedAxesInBlocks(t *testing.T) {
	const n = 5000 // no multiple of a block
	d := core.MakeDims
	b := jaxpr.NewBuilder()
	x := b.Input(core.Aval(core.Float32, 2, 2, n))
	v := b.Eqn(prim.TransposeP{Perm: d(1, 0, 2)}, b.Eqn(prim.NegP{}, x)[0])[0]
	v = b.Eqn(prim.ReshapeP{Shape: d(2, 1, 2*n)}, v)[0]
	v = b.Eqn(prim.SliceP{Start: d(0, 0, 0), Limit: d(2, 1, n)}, v)[0]
	j := b.Build(b.Eqn(prim.NegP{}, v)[0])
	compare(t, "part of joined axes", j, []*reference.Tensor{draw(rand.New(rand.NewPCG(5, 6)), j.Ins[0].Type, primtest.Domain{Lo: -1, Hi: 1})})
}
