package mesh

import (
	"strings"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/internal/test/golden"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lax"
)

// A record is a line of shard.jsonl: a program over a mesh or, with an error, a mistake.
type record struct {
	Name, Text, Error string
	In, Out           golden.Arrays
}

type (
	array = weft.Array
	one   = func(array) array
	two   = func(array, array) array
	three = func(array, array, array) array
)

// ring returns the pairs that send along an axis of size n.
func ring(n, by int) (pairs [][2]int) {
	for i := range n {
		pairs = append(pairs, [2]int{i, (i + by + n) % n})
	}
	return pairs
}

func reduction(f func(array, ...string) array, names ...string) one {
	return func(a array) array { return f(a, names...) }
}

func sum(a array, names ...string) array { return lax.Psum(a, names...) }

func matmul(a, b array) array { return a.MatMul(b) }

func mlp(axis string) three {
	return func(x, v, w array) array { return lax.Psum(weft.Maximum(x.MatMul(v), 0).MatMul(w), axis) }
}

// sources are the functions of the records, written in Go.
var sources = map[string]any{
	"psum":                     reduction(sum, "d"),
	"psum 2 axes":              reduction(sum, "x", "y"),
	"psum one of two":          reduction(sum, "y"),
	"pmax":                     reduction(lax.Pmax, "d"),
	"pmax 2 axes":              reduction(lax.Pmax, "x", "y"),
	"pmax one of two":          reduction(lax.Pmax, "y"),
	"pmin":                     reduction(lax.Pmin, "d"),
	"pmin 2 axes":              reduction(lax.Pmin, "x", "y"),
	"pmin one of two":          reduction(lax.Pmin, "y"),
	"pmean":                    reduction(lax.Pmean, "d"),
	"pmean 2 axes":             reduction(lax.Pmean, "x", "y"),
	"pmean one of two":         reduction(lax.Pmean, "y"),
	"psum ints":                reduction(sum, "d"),
	"psum of 1":                one(func(a array) array { return a.Mul(lax.Psum(1, "d")) }),
	"axis index":               one(func(a array) array { return a.Add(lax.AxisIndex("d").AsType(a.DType())) }),
	"axis size":                one(func(a array) array { return a.Div(lax.AxisSize("d")) }),
	"all_gather 0 False":       one(func(a array) array { return lax.AllGather(a, "d", 0, false) }),
	"all_gather 0 True":        one(func(a array) array { return lax.AllGather(a, "d", 0, true) }),
	"all_gather 1 True":        one(func(a array) array { return lax.AllGather(a, "d", 1, true) }),
	"psum_scatter 0 False":     one(func(a array) array { return lax.PsumScatter(a, "d", 0, false) }),
	"psum_scatter 1 False":     one(func(a array) array { return lax.PsumScatter(a, "d", 1, false) }),
	"psum_scatter 1 True":      one(func(a array) array { return lax.PsumScatter(a, "d", 1, true) }),
	"all_to_all False":         one(func(a array) array { return lax.AllToAll(a, "d", 1, 0, false) }),
	"all_to_all True":          one(func(a array) array { return lax.AllToAll(a, "d", 1, 0, true) }),
	"ppermute -1":              one(func(a array) array { return lax.Ppermute(a, "d", ring(4, -1)...) }),
	"ppermute 2":               one(func(a array) array { return lax.Ppermute(a, "d", ring(4, 2)...) }),
	"ppermute partial":         one(func(a array) array { return lax.Ppermute(a, "d", [2]int{0, 1}, [2]int{1, 2}) }),
	"identity":                 one(func(a array) array { return a }),
	"replicated":               one(func(a array) array { return a.Mul(2) }),
	"relayout":                 one(func(a array) array { return lax.AllToAll(a, "x", 1, 0, true) }),
	"three axes":               reduction(sum, "x", "z"),
	"mesh of one":              reduction(sum, "d"),
	"closed over":              one(func(a array) array { return a.Add(weft.Arange(float32(2))) }),
	"matmul rows":              two(matmul),
	"matmul columns":           two(matmul),
	"matmul contracted":        two(func(a, b array) array { return lax.Psum(a.MatMul(b), "d") }),
	"matmul 2d":                two(func(a, b array) array { return lax.Psum(a.MatMul(b), "y") }),
	"gathered weights":         two(func(a, w array) array { return a.MatMul(lax.AllGather(w, "d", 0, true)) }),
	"data parallel loss":       three(func(w, x, y array) array { return lax.Pmean(x.MatMul(w).Sub(y).Pow(2).Mean(), "d") }),
	"tensor parallel mlp":      mlp("d"),
	"tensor and data parallel": mlp("y"),
	"ring": one(func(a array) array {
		return weft.ForI(4, func(_ array, c [2]array) [2]array {
			return [2]array{c[0].Add(c[1]), lax.Ppermute(c[1], "d", ring(4, 1)...)}
		}, [2]array{weft.ZerosLike(a), a})[0]
	}),
	"cond inside": one(func(a array) array {
		return weft.Cond(lax.AxisIndex("d").Lt(2), func() array { return a.Mul(2) }, func() array { return a.Add(1) })
	}),
	"while inside": one(func(a array) array {
		return weft.While(func(c array) array { return c.Sum().Lt(100) }, func(c array) array { return c.Mul(2).Add(1) }, weft.Abs(a).Add(1))
	}),
	"halo": one(func(a array) array {
		n := a.Dim(0)
		from := lax.Ppermute(a.Index(weft.R(n-1, n)), "d", ring(4, 1)...)
		return a.Add(from).Sub(lax.Ppermute(a.Index(weft.R(0, 1)), "d", ring(4, -1)...))
	}),
	"softmax across": one(func(a array) array {
		e := func() array { return weft.Exp(a.Sub(lax.Pmax(weft.StopGradient(a.Max()), "d"))) }
		return e().Div(lax.Psum(e().Sum(), "d"))
	}),
	"vmap inside": one(func(a array) array { return weft.Vmap(one(func(r array) array { return lax.Psum(r, "d") }))(a) }),
	"nested jit": one(func(a array) array {
		return weft.Jit(one(func(v array) array { return lax.Psum(v.Mul(3), "d") }), weft.Name("<lambda>"))(a)
	}),
	"bf16":  one(func(a array) array { return lax.Psum(a.AsType(weft.BFloat16), "d") }),
	"bools": one(func(a array) array { return lax.Pmax(a.Gt(0).AsType(weft.Int32), "d").Gt(0) }),
	"expert exchange": one(func(a array) array {
		return lax.AllToAll(lax.AllToAll(a, "d", 0, 0, true).Mul(2), "d", 0, 0, true)
	}),
}

// want returns the text of a record's function. The counter of a loop has 32 bits, where JAX's had 64: it was
// traced with 64-bit numbers on.
func (r record) want() string {
	if r.Name == "ring" {
		return strings.ReplaceAll(r.Text, "i64[]", "i32[]")
	}
	return r.Text
}

// shardMap returns the function of a record over its mesh.
func shardMap(t *testing.T, r record) any {
	j, err := jaxpr.Parse(r.Text, prim.Vocabulary)
	if err != nil {
		t.Fatal(err)
	}
	p := j.Eqns[0].Prim.(*jaxpr.ShardMap)
	m := Mesh{ir: jaxpr.Mesh{Axes: p.Mesh.Axes}}
	specs := func(ss []jaxpr.Spec) (out []any) {
		for _, s := range ss {
			out = append(out, Spec{s})
		}
		return out
	}
	opts := []Option{In(specs(p.In)...), Out(specs(p.Out)...)}
	if !p.Check {
		opts = append(opts, Unchecked())
	}
	switch f := sources[r.Name].(type) {
	case one:
		return ShardMap(f, m, opts...)
	case two:
		return ShardMap(f, m, opts...)
	case three:
		return ShardMap(f, m, opts...)
	}
	t.Fatalf("there is no function for %q", r.Name)
	return nil
}

// Functions over meshes are traced into the programs that JAX traces, and have their values.
func TestTracedPrograms(t *testing.T) {
	records, _ := golden.Records[record](t, "jax/shard.jsonl")
	for _, r := range records {
		if r.Error != "" {
			continue
		}
		t.Run(r.Name, func(t *testing.T) {
			f := shardMap(t, r)
			var args []any
			var in []array
			for _, v := range r.In.Values() {
				in = append(in, weft.FromValue(v))
				args = append(args, weft.FromValue(v))
			}
			j, err := weft.Jaxpr(f, args...)
			if err != nil {
				t.Fatal(err)
			}
			if err := jaxpr.Check(j); err != nil {
				t.Error(err)
			}
			if j.String() != r.want() {
				t.Errorf("got\n%s\nwant\n%s", j, r.want())
			}
			var out array
			switch f := f.(type) {
			case one:
				out = f(in[0])
			case two:
				out = f(in[0], in[1])
			case three:
				out = f(in[0], in[1], in[2])
			}
			ulps := 0.0
			if r.Name == "softmax across" {
				ulps = 1
			}
			if diff := golden.Compare(out.Value(), r.Out[0], ulps, 0); diff != "" {
				t.Error(diff)
			}
		})
	}
}
