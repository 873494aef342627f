//go:build linux

package cpu_test

import (
	"context"
	goruntime "runtime"
	"testing"
	"time"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower"
	"github.com/weft-go/weft/lower/fuse"
	codegen "github.com/weft-go/weft/lower/native"
	"github.com/weft-go/weft/runtime"
	"github.com/weft-go/weft/runtime/cpu"
)

// BenchmarkProgramEstimates measures the constants of fuse.Estimate: nanoseconds of the processor
// on the reference executor and for the translation, least of several runs. Chains are of different
// operations, so that no pass makes them shorter.
func BenchmarkProgramEstimates(b *testing.B) {
	const n, long = 200, 1 << 16
	sums := func(x weft.Array) weft.Array {
		y := x
		for range n / 2 {
			y = y.Add(x).Mul(y)
		}
		return y
	}
	functions := func(x weft.Array) weft.Array {
		y := x
		for range n / 4 {
			y = weft.Log(weft.Tanh(weft.Exp(weft.Sin(y))))
		}
		return y
	}
	one := func(x weft.Array) weft.Array { return x.Add(1) }
	x := func(n int) weft.Array { return weft.Linspace(0.1, 0.9, n) }
	program := func(f func(weft.Array) weft.Array, x weft.Array) *jaxpr.Jaxpr {
		j, err := weft.Jaxpr(f, x)
		if err != nil {
			b.Fatal(err)
		}
		return lower.Program(j)
	}
	least := func(f func()) float64 {
		f()
		best := time.Hour
		for range 5 {
			t := cpuTime(b)
			f()
			best = min(best, cpuTime(b)-t)
		}
		return float64(best.Nanoseconds())
	}
	run := func(f func(weft.Array) weft.Array, size int) float64 {
		a := x(size)
		c, err := runtime.Compile(runtime.Reference, &runtime.Request{Jaxpr: program(f, a)})
		if err != nil {
			b.Fatal(err)
		}
		return least(func() {
			if _, err := c.Run(context.Background(), []*runtime.Array{a.Value().(*runtime.Array)}); err != nil {
				b.Fatal(err)
			}
		}) / n
	}
	translate := func(f func(weft.Array) weft.Array) float64 {
		j := program(f, x(1024))
		return least(func() {
			for _, k := range fuse.Translate(j, fuse.Target{}).Kernels() {
				if _, err := codegen.Compile(k, codegen.Options{ISA: cpu.WidestISA()}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	goruntime.LockOSThread()
	defer goruntime.UnlockOSThread()
	for b.Loop() {
		equation := run(sums, 1)
		program, step, expansion := translate(one), translate(sums)/n, translate(functions)/n
		b.ReportMetric(equation, "ns/equation")
		b.ReportMetric((run(sums, long)-equation)/long, "ns/element")
		b.ReportMetric((run(functions, long)-equation)/long, "ns/function")
		b.ReportMetric(program-step, "ns/program")
		b.ReportMetric(step, "ns/step")
		b.ReportMetric(expansion-step, "ns/expansion")
	}
}
