//go:build linux

package cpu_test

import (
	"context"
	goruntime "runtime"
	"testing"
	"time"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/lower"
	"github.com/weft-go/weft/nn"
	"github.com/weft-go/weft/random"
	"github.com/weft-go/weft/runtime"
	"github.com/weft-go/weft/runtime/cpu"
)

// BenchmarkEstimates compares the estimates of kernels with the time that they take, in the
// second cache: time of the processor over estimate.
func BenchmarkEstimates(b *testing.B) {
	rows := func(dt weft.DType) weft.Array { return weft.Linspace(0.1, 0.9, 1<<14).AsType(dt).Reshape(128, 128) }
	x, d := rows(weft.Float32), rows(weft.Float64)
	h, i := rows(weft.BFloat16), weft.Arange(1<<14).AsType(weft.Int32).Reshape(128, 128).Add(1)
	small := weft.Arange(64).AsType(weft.Int32)
	for _, c := range []struct {
		name string
		f    func(x weft.Array) weft.Array
		x    weft.Array
	}{
		{"add", func(x weft.Array) weft.Array { return x.Add(1) }, x},
		{"add-f64", func(x weft.Array) weft.Array { return x.Add(1) }, d},
		{"add-bf16", func(x weft.Array) weft.Array { return x.Add(1) }, h},
		{"add-i32", func(x weft.Array) weft.Array { return x.Add(1) }, i},
		{"div", func(x weft.Array) weft.Array { return weft.Scalar(float32(1)).Div(x) }, x},
		{"div-i32", func(x weft.Array) weft.Array { return x.FloorDiv(7) }, i},
		{"rem-i32", func(x weft.Array) weft.Array { return x.Mul(3).Rem(x) }, i},
		{"exp", weft.Exp, x}, {"exp-f64", weft.Exp, d}, {"exp-bf16", weft.Exp, h},
		{"sin", weft.Sin, x}, {"tanh", weft.Tanh, x}, {"log-f64", weft.Log, d},
		{"pow", func(x weft.Array) weft.Array { return weft.Pow(x, x) }, x},
		{"gelu", nn.Gelu, x},
		{"chain", func(x weft.Array) weft.Array {
			return weft.Tanh(x.Mul(1.3).Add(0.2)).Mul(weft.Exp(x.Mul(x).Neg())).Add(0.5)
		}, x},
		{"sum", func(x weft.Array) weft.Array { return x.Sum() }, x},
		{"sum-rows", func(x weft.Array) weft.Array { return x.Sum(1) }, x},
		{"sum-columns", func(x weft.Array) weft.Array { return x.Sum(0) }, x},
		{"max-rows", func(x weft.Array) weft.Array { return x.Max(1) }, x},
		{"argmax", func(x weft.Array) weft.Array { return x.ArgMax(1) }, x},
		{"softmax", func(x weft.Array) weft.Array { return nn.Softmax(x) }, x},
		{"layernorm", func(x weft.Array) weft.Array {
			m := x.Mean(1).Reshape(128, 1)
			v := weft.Square(x.Sub(m)).Mean(1).Reshape(128, 1)
			return x.Sub(m).Mul(weft.Rsqrt(v.Add(1e-5)))
		}, x},
		{"cumsum", func(x weft.Array) weft.Array { return x.CumSum(1) }, x},
		{"cumsum-columns", func(x weft.Array) weft.Array { return x.CumSum(0) }, x},
		{"transpose-add", func(x weft.Array) weft.Array { return x.T().Add(x) }, x},
		{"take", func(x weft.Array) weft.Array { return weft.Take(x, small, 0).Mul(2) }, x},
		{"roll", func(x weft.Array) weft.Array { return weft.Roll(x, 3, 1).Add(x) }, x},
		{"where", func(x weft.Array) weft.Array { return weft.Where(x.Gt(0.5), x, x.Neg()) }, x},
		{"bits", func(x weft.Array) weft.Array { return random.Uniform(random.New(1), 128, 128).Add(x) }, x},
		{"normal", func(x weft.Array) weft.Array { return random.Normal(random.New(1), 128, 128).Add(x) }, x},
		{"complex", func(x weft.Array) weft.Array { return x.Mul(x) }, x.AsType(weft.Complex64)},
	} {
		for _, isa := range []string{"avx512", "avx2"} {
			b.Run(c.name+"/"+isa, func(b *testing.B) {
				e, err := runtime.Select(isa)
				if err != nil {
					b.Skip(err)
				}
				j, err := weft.Jaxpr(c.f, c.x)
				if err != nil {
					b.Fatal(err)
				}
				r := &runtime.Request{Jaxpr: lower.Program(j), Options: runtime.Options{Threads: 1}}
				exe, err := e.Compile(r)
				if err != nil {
					b.Fatal(err)
				}
				estimate, kernels, ok := cpu.Estimate(exe)
				if !ok {
					b.Skip("not kernels alone")
				}
				in := []*runtime.Array{c.x.Value().(*runtime.Array)}
				outs := []*runtime.Array{runtime.New(j.OutAvals()[0])}
				ctx := context.Background()
				goruntime.LockOSThread()
				defer goruntime.UnlockOSThread()
				least := time.Duration(1 << 40)
				for b.Loop() {
					t := cpuTime(b)
					for range 10 {
						if err := exe.Run(ctx, in, outs); err != nil {
							b.Fatal(err)
						}
					}
					least = min(least, (cpuTime(b)-t)/10)
				}
				b.ReportMetric(float64(least.Nanoseconds()), "least-ns")
				b.ReportMetric(float64(least.Nanoseconds())/estimate, "of-estimate")
				b.ReportMetric(float64(kernels), "kernels")
			})
		}
	}
}
