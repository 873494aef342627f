package fuse_test

import (
	"math/rand/v2"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower/fuse"
	"github.com/weft-go/weft/lower/reference"
)

// Running folds of more rows than a kernel takes undivided have the reference's bits.
func TestDividedRunningFolds(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 1))
	for _, c := range []struct {
		shape []int
		axis  int
	}{
		{[]int{1 << 17, 3}, 1},
		{[]int{1<<17 + 77, 2}, 1},
		{[]int{2, 1<<17 + 1}, 0},
		{[]int{1 << 19, 2}, 1},
	} {
		for _, p := range []core.Primitive{
			prim.CumsumP{Cumulation: prim.Cumulation{Axis: c.axis}},
			prim.CummaxP{Cumulation: prim.Cumulation{Axis: c.axis, Reverse: true}},
		} {
			b := jaxpr.NewBuilder()
			in := core.Aval(core.Float32, c.shape...)
			j := b.Build(b.Eqn(p, b.Input(in))[0])
			plan := compare(t, p.Name(), j, []*reference.Tensor{draw(r, in, finite)})
			if len(plan.Fallbacks()) != 0 {
				t.Errorf("%s of %v: the reference runs it", p.Name(), in)
			}
		}
	}
}

// A kernel of every primitive that has one is made for rows that are divided.
func TestDividedKernels(t *testing.T) {
	for _, text := range []string{
		`{ lambda ; a:f32[131072,1024]. let b:f32[131072,1024] = cumsum[axis=1 reverse=False] a in (b,) }`,
		`{ lambda ; a:f32[600000,64]. let b:f32[600000,64] = cumprod[axis=1 reverse=True] a in (b,) }`,
		`{ lambda ; a:f32[2,600000,64]. let b:f32[2,600000,64] = cumlogsumexp[axis=2 reverse=False] a in (b,) }`,
		`{ lambda ; a:f32[262144,64]. let
		    b:f32[262144,64] = exp a
		    c:f32[262144,64] = cumsum[axis=1 reverse=False] b
		    d:f32[262144] = reduce_sum[axes=(1,) out_sharding=None] c
		  in (c, d) }`,
	} {
		j := parse(t, text)
		for _, s := range fuse.Translate(j, fuse.Target{}).Steps {
			if l, ok := s.(*fuse.Launch); ok {
				if err := l.Kernel.Check(); err != nil {
					t.Errorf("%v\n%v", err, l.Kernel)
				}
			}
		}
	}
}
