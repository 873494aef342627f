package fuse_test

import (
	"math/rand/v2"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/core/prim/indexed"
	"github.com/weft-go/weft/internal/test/primtest"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower/fuse"
	"github.com/weft-go/weft/lower/reference"
)

// updateProgram updates the sines of an array twice. If later, it reads the sines after.
func updateProgram(later bool) *jaxpr.Jaxpr {
	b := jaxpr.NewBuilder()
	x, row, at := b.Input(core.Aval(core.Float32, 8, 64)), b.Input(core.Aval(core.Float32, 1, 64)), b.Input(core.Aval(core.Int32))
	s := b.Eqn(prim.SinP{}, x)[0]
	u := b.Eqn(indexed.DynamicUpdateSliceP{}, s, row, at, at)[0]
	y := b.Eqn(indexed.DynamicUpdateSliceP{}, u, row, core.Lit(core.IntNumber(2), core.Int32), at)[0]
	if !later {
		return b.Build(y)
	}
	return b.Build(b.Eqn(prim.AddP{}, y, s)[0])
}

// An update is made in place where nothing reads the array afterwards, else in a copy.
func TestUpdateInPlace(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, later := range []bool{false, true} {
		j := updateProgram(later)
		args := make([]*reference.Tensor, len(j.Ins))
		for i, v := range j.Ins {
			args[i] = draw(r, v.Type, primtest.Domain{})
		}
		p := compare(t, "update", j, args)
		var same []bool
		for _, s := range p.Steps {
			if s, ok := s.(*fuse.Update); ok {
				from, to := p.Values[s.Args[0]], p.Values[s.Out]
				same = append(same, from.Place == to.Place && from.Offset == to.Offset && from.Index == to.Index)
			}
		}
		if len(same) != 2 || same[0] == later || !same[1] {
			t.Errorf("later = %v: updates in place: %v, want %v\n%v", later, same, []bool{!later, true}, p)
		}
	}
}
