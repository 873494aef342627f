package cpu_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/linalg"
	"github.com/weft-go/weft/runtime"
)

// Loops and straight programs of small matrices run as code, with the reference's bits.
func TestSmallMatrices(t *testing.T) {
	type as = []weft.Array
	step := func(x, p weft.Array) as {
		n := x.Shape()[0]
		one := weft.Eye(n).AsType(x.DType())
		l := linalg.Cholesky(p.MatMul(p.T()).Add(one.Mul(float64(n))))
		w := linalg.TriangularSolve(l, x, linalg.Triangle{Lower: true})
		v := linalg.Solve(x.Add(one.Mul(3)), w)
		return as{v.Mul(0.1), l, w.MatMul(v), linalg.Cholesky(x)}
	}
	for name, f := range map[string]func(x as) as{
		"loop": func(x as) as {
			c, ys := weft.Scan(func(c as, x weft.Array) (as, as) { s := step(x, c[0]); return s[:1], s }, as{x[1].Index(0)}, x[0])
			return append(c, ys...)
		},
		"straight": func(x as) as {
			s := step(x[0].Index(0), x[1].Index(1))
			return append(s, s[0].Sum().Mul(x[0]))
		},
	} {
		for n := 1; n <= 5; n++ {
			for _, dt := range []weft.DType{weft.Float32, weft.Float64} {
				in := arguments(2, 7, n, n)
				for i := range in {
					in[i] = in[i].AsType(dt)
				}
				j, args := traced(t, f, in)
				requireReference(t, fmt.Sprint(name, n, dt), j, args)
			}
		}
	}
}

// Rows of an array that a loop reads, and changes where it lies, have the reference's bits.
func TestRowsInRegisterLoops(t *testing.T) {
	j, err := jaxpr.Parse(`{ lambda ; s:f32[40,3] x:f32[9,3] i:i32[9] q:f32[3] z:f32[50,2]. let
    r:f32[40,3] k:f32[3] y:f32[9,1,3] = scan[
      jaxpr={ lambda ; z:f32[50,2] s:f32[40,3] c:f32[3] x:f32[3] i:i32[]. let
          a:f32[1,3] = dynamic_slice[slice_sizes=(1, 3)] s i 0:i32[]
          m:f32[1,2] = dynamic_slice[slice_sizes=(1, 2)] z i 0:i32[]
          n:f32[] = reduce_sum[axes=(0, 1) out_sharding=None] m
          b:f32[1,3] = reshape[dimensions=None new_sizes=(1, 3) sharding=None] x
          d:f32[1,3] = add_any a b
          e:f32[40,3] = dynamic_update_slice s d i 0:i32[]
          f:i32[] = mul i 2:i32[]
          g:f32[1,3] = dynamic_slice[slice_sizes=(1, 3)] e f 0:i32[]
          h:f32[40,3] = dynamic_update_slice e g 7:i32[] 0:i32[]
          l:f32[3] = mul c x
          o:f32[3] = add l n
        in (h, o, g) }
      length=9 num_carry=2 num_consts=1 reverse=True unroll=1
    ] z s q x i
  in (r, k, y) }`, prim.Vocabulary)
	if err != nil {
		t.Fatal(err)
	}
	var args []*runtime.Array
	for _, x := range []weft.Array{arguments(1, 40, 3)[0], arguments(2, 9, 3)[1], weft.FromSlice([]int32{3, 50, -4, 7, 0, 20, 14, 3, 39}), arguments(1, 3)[0], arguments(1, 50, 2)[0]} {
		args = append(args, x.Value().(*runtime.Array))
	}
	requireReference(t, "rows", j, args)
}

// requireReference runs a program on the native executors, and demands the reference's bits and code for all of it.
func requireReference(t *testing.T, name string, j *jaxpr.Jaxpr, args []*runtime.Array) {
	t.Helper()
	want, err := runtime.Evaluate(context.Background(), runtime.Reference, j, args)
	if err != nil {
		t.Fatal(err)
	}
	onNative(t, func(t *testing.T, e runtime.Executor) {
		c, err := runtime.Compile(e, &runtime.Request{Jaxpr: j})
		if err != nil {
			t.Fatal(err)
		}
		if f := c.Account().Fallbacks; len(f) > 0 {
			t.Errorf("%s: the reference runs %v", name, f)
		}
		got, err := c.Run(context.Background(), args)
		if err != nil {
			t.Fatal(err)
		}
		for i := range got {
			same(t, name, got[i], want[i])
		}
	})
}
