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

// Transpositions of many elements are steps, and kernels for executors that have no code
// for these.
func TestTransposes(t *testing.T) {
	r := rand.New(rand.NewPCG(16, 3))
	steps := 0
	for range 100 {
		dt := []core.DType{core.Float32, core.Float64, core.Complex64, core.Int32}[r.IntN(4)]
		shape := []int{1 + r.IntN(20), 4 + r.IntN(20), 4 + r.IntN(20), 1 + r.IntN(3)}
		b := jaxpr.NewBuilder()
		in := core.Aval(dt, shape...)
		j := b.Build(b.Eqn(prim.TransposeP{Perm: core.MakeDims(r.Perm(4)...)}, b.Input(in))[0])
		p := compare(t, "transpose", j, []*reference.Tensor{draw(r, in, primtest.Domain{})})
		for _, s := range p.Steps {
			if _, ok := s.(*fuse.Transpose); ok {
				steps++
			}
		}
	}
	if steps < 20 {
		t.Errorf("%d of 100 transpositions are steps of their own", steps)
	}
}
