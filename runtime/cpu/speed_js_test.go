//go:build js && !purego

package cpu_test

import (
	"context"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/runtime"
)

// BenchmarkPrograms compares the executors of WebAssembly with the reference.
func BenchmarkPrograms(b *testing.B) {
	unit := func(n ...int) weft.Array {
		size := 1
		for _, d := range n {
			size *= d
		}
		return weft.Sin(weft.Arange(size).AsType(weft.Float32).Mul(0.37)).Reshape(n...)
	}
	product := func(x weft.Array) weft.Array { return x.MatMul(x) }
	softmax := func(x weft.Array) weft.Array {
		e := weft.Exp(x.Sub(x.Max(-1, weft.Keep)))
		return e.Div(e.Sum(-1, weft.Keep))
	}
	chain := func(x weft.Array) weft.Array {
		return weft.Tanh(x.Mul(1.5).Add(0.25)).Mul(weft.Exp(x)).Add(0.125)
	}
	for _, p := range []struct {
		name string
		f    func(weft.Array) weft.Array
		x    weft.Array
		slow bool // takes seconds on the reference
	}{
		{"chain/1e5", chain, unit(100_000), false},
		{"exp-f64/4096", weft.Exp, unit(4096).AsType(weft.Float64), false},
		{"tanh-f64/4096", weft.Tanh, unit(4096).AsType(weft.Float64), false},
		{"sin-f64/4096", weft.Sin, unit(4096).AsType(weft.Float64), false},
		{"softmax/1024x1024", softmax, unit(1024, 1024), false},
		{"matmul-f32/256", product, unit(256, 256), false},
		{"matmul-f32/512", product, unit(512, 512), true},
		{"matmul-f64/512", product, unit(512, 512).AsType(weft.Float64), true},
		{"add/8", func(x weft.Array) weft.Array { return x.Add(1) }, unit(8), false},
	} {
		j, err := weft.Jaxpr(p.f, p.x)
		if err != nil {
			b.Fatal(err)
		}
		for _, e := range runtime.Executors() {
			if e.Available() != nil || p.slow && e == runtime.Reference {
				continue
			}
			b.Run(p.name+"/"+e.Name(), func(b *testing.B) {
				c, err := runtime.Compile(e, &runtime.Request{Jaxpr: j})
				if err != nil {
					b.Fatal(err)
				}
				in := []*runtime.Array{p.x.Value().(*runtime.Array)}
				for b.Loop() {
					if _, err := c.Run(context.Background(), in); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
