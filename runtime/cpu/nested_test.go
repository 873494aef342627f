package cpu_test

import (
	"context"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lax"
	"github.com/weft-go/weft/lower/fuse"
	"github.com/weft-go/weft/runtime"
)

const doublings = 64

// doubled applies f, which uses its operand twice, again and again: an expression of 2⁶⁴ leaves.
func doubled[T any](x T, f func(T) T) T {
	for range doublings {
		x = f(x)
	}
	return x
}

// Programs in which each value is used twice by the next one are translated in time linear in
// their equations.
func TestNestedDoublings(t *testing.T) {
	table := weft.Arange(20_000*16).AsType(weft.Float32).Reshape(20_000, 16)
	index := weft.Arange(100).AsType(weft.Int32)
	type as = []weft.Array
	programs := map[string]func(x as) as{
		"positions of rows": func(x as) as {
			i := doubled(x[1], func(i weft.Array) weft.Array { return i.Add(i) }).Add(x[1])
			return as{weft.Take(x[0], i, 0).Sum(1)}
		},
		"positions of rows, and copies": func(x as) as {
			i := doubled(x[1], func(i weft.Array) weft.Array { return i.Add(i) }).Add(x[1])
			return as{weft.Take(x[0], i, 0), x[0].At(i).Set(1)}
		},
		"few operations on positions": func(x as) as {
			i := x[1]
			for range 14 {
				i = i.Add(i)
			}
			return as{weft.Take(x[0], i, 0).Sum(1)}
		},
		"chosen pieces": func(x as) as {
			y := doubled(x[0].Index(0), func(y weft.Array) weft.Array {
				return lax.Slice(weft.Concat(0, y, weft.Flip(y)), []int{3}, []int{19}, []int{1})
			})
			return as{y.Mul(2)}
		},
		"positions from positions": func(x as) as {
			c := x[1].Reshape(2, 5, 10)
			i := doubled(x[1].Index(4), func(i weft.Array) weft.Array {
				return lax.DynamicSlice(c, as{i, i, i}, 1, 1, 1).Reshape()
			})
			return as{i.Add(1)}
		},
		"positions of several axes": func(x as) as {
			c := x[1].Reshape(1, 2, 5, 10)
			i := doubled(x[1].Index(weft.R(0, 4)), func(i weft.Array) weft.Array {
				return c.Index(i.Index(0), i.Index(1), i.Index(2), i.Index(3)).BroadcastTo(4)
			})
			return as{i.Add(1)}
		},
	}
	for name, f := range programs {
		t.Run(name, func(t *testing.T) {
			j, args := traced(t, f, as{table, index})
			matches(t, name, j, args)
		})
	}
}

// Programs that are used twice at each of many levels are translated once.
func TestNestedBranches(t *testing.T) {
	x := core.Aval(core.Float32, 32)
	b := jaxpr.NewBuilder()
	j := b.Build(b.Eqn(prim.MulP{}, b.Input(x), core.Lit(core.FloatNumber(1.5), core.Float32))[0])
	for range doublings {
		b := jaxpr.NewBuilder()
		y := b.Input(x)
		which := b.Eqn(prim.ReduceSumP{Axes: core.MakeDims(0)}, b.Eqn(prim.ConvertElementTypeP{NewDType: core.Int32}, y)[0])[0]
		j = b.Build(b.Eqn(&jaxpr.Cond{Branches: []*jaxpr.Jaxpr{j, j}}, which, y)[0])
	}
	a := runtime.New(x)
	want, err := runtime.Evaluate(context.Background(), runtime.Reference, j, []*runtime.Array{a})
	if err != nil {
		t.Fatal(err)
	}
	onNative(t, func(t *testing.T, e runtime.Executor) {
		got, err := runtime.Evaluate(context.Background(), e, j, []*runtime.Array{a})
		if err != nil {
			t.Fatal(err)
		}
		same(t, "branches", got[0], want[0])
	})
	fuse.Estimate(j)
}
