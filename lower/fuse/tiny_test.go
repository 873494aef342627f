package fuse_test

import (
	"fmt"
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

// Factorizations of small matrices are one kernel with the equations around them, and have the reference's bits; steps
// that need their results follow, and a large array stays outside.
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

// A long chain of factorizations is not unrolled as a whole: those beyond the bound are called, and no bit changes.
func TestTinyProgramsAreBounded(t *testing.T) {
	const rounds = 12
	var b strings.Builder
	b.WriteString("{ lambda ; x0:f32[8,8] i:f32[8,8]. let\n")
	for k := range rounds { // 512 operations of the product, some 200 of the factorization
		fmt.Fprintf(&b, "    t%d:f32[8,8] = transpose[permutation=(1, 0)] x%d\n", k, k)
		fmt.Fprintf(&b, "    p%d:f32[8,8] = dot_general[dimension_numbers=(([1], [0]), ([], [])) preferred_element_type=float32] x%d t%d\n", k, k, k)
		fmt.Fprintf(&b, "    s%d:f32[8,8] = add p%d i\n    x%d:f32[8,8] = cholesky s%d\n", k, k, k+1, k)
	}
	fmt.Fprintf(&b, "  in (x%d,) }", rounds)
	j := parse(t, b.String())
	r := rand.New(rand.NewPCG(3, 3))
	args := []*reference.Tensor{draw(r, j.Ins[0].Type, primtest.Domain{Lo: 0.5, Hi: 1}), identity(8)}
	vs := make([]core.Value, len(args))
	for i, a := range args {
		vs[i] = runtime.FromTensor(a)
	}
	p := fuse.Translate(j, fuse.Native())
	same(t, "chain", j, p, args, unboxed(jaxpr.Eval(j, nil, vs)))
	text := p.String()
	if n := strings.Count(text, "call cholesky"); n < rounds/2 || n == rounds || !strings.Contains(text, "_tiny") {
		t.Errorf("%d of %d factorizations are calls, want at least half and not all:\n%v", n, rounds, text)
	}
}

// identity returns the identity matrix of size n, times 16.
func identity(n int) *reference.Tensor {
	x := reference.NewTensor(core.ShapedArray{DType: core.Float32, Shape: core.MakeDims(n, n)})
	for i := range n {
		reference.View[float32](x)[i*n+i] = 16
	}
	return x
}
