package runtime

import (
	"context"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/internal/test/race"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower/reference"
	"github.com/weft-go/weft/trace"
)

func BenchmarkAdd(b *testing.B) {
	x, y := f32([]int{4}, 1, 2, 3, 4), f32([]int{4}, 1, 2, 3, 4)
	b.ReportAllocs()
	for b.Loop() {
		prim.Add(x, y)
	}
}

func BenchmarkMulLiteral(b *testing.B) {
	x := f32([]int{4}, 1, 2, 3, 4)
	b.ReportAllocs()
	for b.Loop() {
		prim.Mul(x, core.Lit(core.FloatNumber(0.1), core.Float32))
	}
}

func BenchmarkStaged10(b *testing.B) {
	x := f32([]int{4}, 1, 2, 3, 4)
	j := trace.Stage("f", []core.ShapedArray{vec(4)}, func(in []core.Value) []core.Value {
		v := in[0]
		for range 10 {
			v = prim.Add(v, in[0])
		}
		return one(v)
	})
	p := &jaxpr.Jit{Jaxpr: j}
	b.ReportAllocs()
	for b.Loop() {
		Call(context.Background(), p, one(x))
	}
}

func BenchmarkScan1000(b *testing.B) {
	x := f32([]int{1000})
	j := trace.Stage("f", []core.ShapedArray{vec(1000)}, func(in []core.Value) []core.Value {
		c, ys := trace.Scan(func(c, x []core.Value) (next, y []core.Value) {
			s := prim.Add(c[0], x[0])
			return one(s), one(s)
		}, one(lit(0)), in, trace.ScanConfig{Length: 1000})
		return append(c, ys...)
	})
	p := &jaxpr.Jit{Jaxpr: j}
	b.ReportAllocs()
	for b.Loop() {
		Call(context.Background(), p, one(x))
	}
}

// Loops allocate nothing on their iterations, regardless of what passes through the carry.
func TestLoopsAllocateNothing(t *testing.T) {
	if race.Enabled {
		t.Skip("the race detector allocates on its own")
	}
	for _, size := range []int{1, 4, 40} {
		x := f32([]int{1000, size})
		body := func(c, x []core.Value) (next, y []core.Value) {
			s := prim.Add(c[0], x[0])
			sum := trace.While(func(c []core.Value) core.Value { return prim.Lt(c[0], i32(3)) },
				func(c []core.Value) []core.Value {
					return []core.Value{prim.Add(c[0], i32(1)), prim.Mul(c[1], c[2]), c[1]}
				},
				[]core.Value{i32(0), s, x[0]})
			picked := trace.Cond(prim.Lt(sum[0], i32(9)), func() []core.Value { return one(sum[1]) }, func() []core.Value { return one(s) })
			return []core.Value{picked[0], x[0], c[0]}, []core.Value{s, c[1]}
		}
		zero := prim.Full(vec(size), 0)
		program := func(length int) func() {
			j := trace.Stage("f", []core.ShapedArray{vec(length, size)}, func(in []core.Value) []core.Value {
				c, ys := trace.Scan(body, []core.Value{zero, zero, zero}, in, trace.ScanConfig{Length: length})
				return append(c, ys...)
			})
			p, in := &jaxpr.Jit{Jaxpr: j}, one(FromTensor(&reference.Tensor{ShapedArray: vec(length, size), Data: x.(*Array).t.Data[:length*size*4]}))
			return func() { inHostMemory(func() { Call(context.Background(), p, in) }) }
		}
		// Results of 100 iterations could be small arrays or lie in other memory than those of 1000.
		short, long := testing.AllocsPerRun(20, program(500)), testing.AllocsPerRun(20, program(1000))
		if long > short+4 {
			t.Errorf("rows of %d: %v allocations for 500 iterations, %v for 1000", size, short, long)
		}
	}
}
