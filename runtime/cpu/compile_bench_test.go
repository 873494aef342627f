//go:build linux

package cpu_test

import (
	goruntime "runtime"
	"strconv"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower"
	"github.com/weft-go/weft/lower/fuse"
	codegen "github.com/weft-go/weft/lower/native"
	"github.com/weft-go/weft/nn"
	"github.com/weft-go/weft/runtime/cpu"
	"github.com/weft-go/weft/runtime/cpu/internal/native"
)

// chainOf returns a chain of n elementwise operations.
func chainOf(n int) func(weft.Array) weft.Array {
	return func(x weft.Array) weft.Array {
		y := x
		for range n / 5 {
			y = weft.Tanh(weft.Sin(y.Mul(1.01).Add(x)).Sub(0.5))
		}
		return y
	}
}

// compiled are programs whose compilation is measured.
func compiled(b *testing.B) map[string]*jaxpr.Jaxpr {
	trace := func(f any, args ...any) *jaxpr.Jaxpr {
		j, err := weft.Jaxpr(f, args...)
		if err != nil {
			b.Fatal(err)
		}
		return j
	}
	adds := func(x weft.Array) weft.Array {
		y := x
		for range 1000 {
			y = y.Add(x)
		}
		return y
	}
	sines := weft.Grad(func(x weft.Array) weft.Array {
		y := x
		for range 1000 {
			y = weft.Sin(y).Add(x)
		}
		return y.Sum()
	})
	type mlp struct{ W1, B1, W2, B2 weft.Array }
	loss := func(p mlp, x, y weft.Array) weft.Array {
		h := weft.Tanh(x.MatMul(p.W1).Add(p.B1))
		return nn.CrossEntropy(h.MatMul(p.W2).Add(p.B2), y).Mean()
	}
	step := func(p mlp, x, y weft.Array) mlp {
		g := weft.Grad(func(p mlp) weft.Array { return loss(p, x, y) })(p)
		return weft.TreeMap2(func(p, g weft.Array) weft.Array { return p.Sub(g.Mul(0.1)) }, p, g)
	}
	x := weft.Zeros(1024)
	return map[string]*jaxpr.Jaxpr{
		"chain-100":   trace(chainOf(100), x),
		"chain-1000":  trace(chainOf(1000), x),
		"chain-10000": trace(chainOf(10000), x),
		"adds-1000":   trace(adds, weft.Zeros(16)),
		"grad-sines":  trace(sines, weft.Zeros(16)),
		"mlp-step": trace(step, mlp{weft.Zeros(784, 128), weft.Zeros(128), weft.Zeros(128, 10), weft.Zeros(10)},
			weft.Zeros(128, 784), weft.Zeros(128, 10)),
	}
}

// cpuTime returns the time that the processor has spent on this thread.
func cpuTime(b *testing.B) time.Duration {
	var t unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &t); err != nil {
		b.Fatal(err)
	}
	return time.Duration(t.Nano())
}

// BenchmarkCompile measures what becomes of a program from its jaxpr to code, by phase:
// time of the processor, without Go's collector.
func BenchmarkCompile(b *testing.B) {
	for name, j := range compiled(b) {
		b.Run(name, func(b *testing.B) {
			goruntime.LockOSThread()
			defer goruntime.UnlockOSThread()
			passes := lower.Passes()
			var low, fusing, code, load time.Duration
			instructions, scalars := 0, 0
			b.ReportAllocs()
			for b.Loop() {
				t := cpuTime(b)
				l := lower.After(j, passes[len(passes)-1].Name)
				low += cpuTime(b) - t
				t = cpuTime(b)
				p := fuse.Translate(l, fuse.Target{})
				fusing += cpuTime(b) - t
				for _, k := range p.Kernels() {
					t = cpuTime(b)
					c, err := codegen.Compile(k, codegen.Options{ISA: cpu.WidestISA()})
					if err != nil {
						b.Fatal(err)
					}
					code += cpuTime(b) - t
					instructions += c.Instructions
					scalars += len(k.Types)
					t = cpuTime(b)
					if _, err := native.Load(k.Name, c.Bytes); err != nil {
						b.Fatal(err)
					}
					load += cpuTime(b) - t
				}
			}
			all := (low + fusing + code + load).Microseconds()
			b.ReportMetric(float64(all)/float64(b.N), "all-us")
			for what, d := range map[string]time.Duration{"lower": low, "fuse": fusing, "code": code, "load": load} {
				b.ReportMetric(float64(d.Microseconds())/float64(b.N), what+"-us")
			}
			b.ReportMetric(float64(instructions)/float64(b.N), "instrs")
			b.ReportMetric(float64(scalars)/float64(b.N), "scalars")
		})
	}
}

// BenchmarkCompileLength measures what an equation of a chain costs, from its jaxpr to code, as
// the chain becomes longer: time of the processor, and bytes that are allocated.
func BenchmarkCompileLength(b *testing.B) {
	for _, n := range []int{1_000, 10_000, 100_000, 1_000_000} {
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			j, err := weft.Jaxpr(chainOf(n), weft.Zeros(1024))
			if err != nil {
				b.Fatal(err)
			}
			goruntime.LockOSThread()
			defer goruntime.UnlockOSThread()
			passes := lower.Passes()
			var low, fusing, code time.Duration
			var before, after goruntime.MemStats
			goruntime.ReadMemStats(&before)
			for b.Loop() {
				t := cpuTime(b)
				l := lower.After(j, passes[len(passes)-1].Name)
				low += cpuTime(b) - t
				t = cpuTime(b)
				p := fuse.Translate(l, fuse.Target{})
				fusing += cpuTime(b) - t
				t = cpuTime(b)
				for _, k := range p.Kernels() {
					if _, err := codegen.Compile(k, codegen.Options{ISA: cpu.WidestISA()}); err != nil {
						b.Fatal(err)
					}
				}
				code += cpuTime(b) - t
			}
			goruntime.ReadMemStats(&after)
			per := float64(b.N) * float64(n)
			for what, d := range map[string]time.Duration{"lower": low, "fuse": fusing, "code": code} {
				b.ReportMetric(float64(d.Nanoseconds())/per, what+"-ns/eqn")
			}
			b.ReportMetric(float64(after.TotalAlloc-before.TotalAlloc)/per, "B/eqn")
		})
	}
}
