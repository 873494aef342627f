package fuse_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/internal/test/primtest"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower/fuse"
	"github.com/weft-go/weft/lower/reference"
	"github.com/weft-go/weft/runtime"
)

// Factorizations of small matrices are one kernel with what is around them, and have the reference's bits; what needs
// their results follows, and a large array stays outside.
func TestTinyPrograms(t *testing.T) {
	const text = `{ lambda ; x:f32[3,3] y:f32[3] z:f32[200]. let
    t:f32[3,3] = transpose[permutation=(1, 0)] x
    a:f32[3,3] = dot_general[dimension_numbers=(([1], [0]), ([], [])) preferred_element_type=float32] x t
    b:f32[3,3] = broadcast_in_dim[broadcast_dimensions=() shape=(3, 3) sharding=None] 1.0:f32[]
    c:f32[3,3] = add a b
    d:f32[3,3] = cholesky c
    u:f32[] = reduce_sum[axes=(0,) out_sharding=None] y
    v:f32[200] = mul z u
    w:f32[200] = sin v
    e:f32[3,1] = broadcast_in_dim[broadcast_dimensions=(0,) shape=(3, 1) sharding=None] y
    f:f32[3,1] = triangular_solve[conjugate_a=False left_side=True lower=True transpose_a=False unit_diagonal=False] d e
    g:f32[3] = squeeze[dimensions=(1,)] f
    h:f32[] = reduce_sum[axes=(0,) out_sharding=None] w
    k:f32[3] = mul g h
    l:f32[] = dot_general[dimension_numbers=(([0], [0]), ([], [])) preferred_element_type=float32] k g
    m:f32[3,3] = transpose[permutation=(1, 0)] a
  in (l, w, b, m, t) }`
	j := parse(t, text)
	r := rand.New(rand.NewPCG(2, 2))
	var args []*reference.Tensor
	for _, v := range j.Ins {
		args = append(args, draw(r, v.Type, primtest.Domain{Lo: 0.5, Hi: 2}))
	}
	vs := make([]core.Value, len(args))
	for i, a := range args {
		vs[i] = runtime.FromTensor(a)
	}
	want := unboxed(jaxpr.Eval(j, nil, vs))
	p := fuse.Translate(j, fuse.Native())
	same(t, "tiny", j, p, args, want)
	if n := strings.Count(p.String(), "_tiny"); n != 1 || strings.Contains(p.String(), "call ") {
		t.Errorf("got %d kernels of small arrays, want 1 and no call:\n%v", n, p)
	}
	for _, e := range j.Eqns { // an executor may refuse any of them
		same(t, "refused "+e.Prim.Name(), j, fuse.TranslateWithout(j, fuse.Native(), fuse.Refusals{e: "a test"}), args, want)
	}
}
