package transforms_test

import (
	"context"
	"slices"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/internal/test/primtest"
	"github.com/weft-go/weft/internal/test/race"
	"github.com/weft-go/weft/internal/test/testcheck"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/runtime"
	"github.com/weft-go/weft/transforms"
)

// Every operation on keys of either kind, at once and in programs under every transformation,
// has a result or an error of the library.
func TestKeysUnderTransformations(t *testing.T) {
	race.Values(t)
	t.Parallel()
	ran := 0
	for _, s := range primtest.All() {
		for i := range s.In {
			for _, dt := range []core.DType{core.Key, core.KeyRBG, core.KeyURBG, core.KeyPhilox2x32, core.KeyPhilox4x32} {
				for _, alone := range []bool{false, true} {
					in := slices.Clone(s.In)
					for k, a := range in {
						if k == i || !alone && a.DType == s.In[i].DType {
							in[k] = a.WithDType(dt).Strong()
						}
					}
					if core.Catch(func() { core.AbstractOf(s.Prim, in) }) != nil {
						continue
					}
					ran++
					runKeys(t, s.Prim, in)
				}
			}
		}
	}
	if ran < 100 {
		t.Errorf("ran %d operations on keys, want 100", ran)
	}
}

func runKeys(t *testing.T, p core.Primitive, in []core.ShapedArray) {
	t.Helper()
	var values []core.Value
	var arrays []*runtime.Array
	for _, a := range in {
		arrays = append(arrays, runtime.New(a))
		values = append(values, arrays[len(arrays)-1])
	}
	check := func(what string, f func()) {
		if bad := testcheck.Foreign(f); bad != nil {
			t.Errorf("%s of %v %s: got %v, want a result or an error", p.Name(), in, what, bad)
		}
	}
	evaluate := func(j *jaxpr.Jaxpr) {
		var args []*runtime.Array
		for _, a := range j.InAvals() {
			args = append(args, runtime.New(a))
		}
		if _, err := runtime.Evaluate(context.Background(), runtime.Reference, j, args); err != nil {
			panic(err)
		}
	}
	check("at once", func() { core.Bind(p, values...) })
	var j *jaxpr.Jaxpr
	check("in a program", func() {
		b := jaxpr.NewBuilder()
		var atoms []jaxpr.Atom
		for _, a := range in {
			atoms = append(atoms, b.Input(a))
		}
		var outs []jaxpr.Atom
		for _, v := range b.Eqn(p, atoms...) {
			outs = append(outs, v)
		}
		j = b.Build(outs...)
		evaluate(j)
	})
	if j == nil {
		return
	}
	check("as text", func() { _ = j.String() })
	mapped, outs := make([]int, len(in)), make([]int, len(j.Outs))
	check("under jvp", func() { evaluate(transforms.JVPProgram(j)) })
	check("under vjp", func() { evaluate(transforms.VJPProgram(j)) })
	check("under vmap", func() { evaluate(transforms.VmapProgram(j, mapped, outs, 3)) })
	check("under vmap of vjp", func() {
		q := transforms.VJPProgram(j)
		evaluate(transforms.VmapProgram(q, make([]int, len(q.Ins)), make([]int, len(q.Outs)), 3))
	})
}
