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

// An optimization barrier divides kernels, and copies nothing.
func TestBarriers(t *testing.T) {
	in := core.Aval(core.Float32, 100)
	b := jaxpr.NewBuilder()
	x, y := b.Input(in), b.Input(in)
	s := b.Eqn(prim.SinP{}, x)[0]
	outs := b.Eqn(prim.OptimizationBarrierP{}, s, y)
	j := b.Build(b.Eqn(prim.CosP{}, outs[0])[0], outs[0], outs[1])
	r := rand.New(rand.NewPCG(1, 2))
	p := compare(t, "barrier", j, []*reference.Tensor{draw(r, in, primtest.Domain{}), draw(r, in, primtest.Domain{})})
	if len(p.Steps) != 2 {
		t.Errorf("there are %d steps, want 2:\n%v", len(p.Steps), p)
	}
	for _, s := range p.Steps {
		if _, ok := s.(*fuse.Launch); !ok {
			t.Errorf("a step is a %T, want a launch:\n%v", s, p)
		}
	}
}
