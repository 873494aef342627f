//go:build linux

package cpu_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	goruntime "runtime"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/core/prim/windows"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/runtime"
)

// bestOf runs an operation on one thread into memory that exists, and reports the rate of
// the run that took the least time of the processor: other work on the machine lengthens
// the rest.
func bestOf(b *testing.B, p core.Primitive, amount float64, unit string, in ...core.ShapedArray) {
	e, _ := runtime.Named("avx512")
	if e.Available() != nil {
		if e, _ = runtime.Named("avx2"); e.Available() != nil {
			b.Skip("the processor has no AVX2")
		}
	}
	r := rand.New(rand.NewPCG(1, 1))
	jb := jaxpr.NewBuilder()
	var atoms []jaxpr.Atom
	var args []*runtime.Array
	for _, a := range in {
		atoms = append(atoms, jb.Input(a))
		x := runtime.New(a)
		fill(r, x, false)
		args = append(args, x)
	}
	var outs []jaxpr.Atom
	var to []*runtime.Array
	for _, v := range jb.Eqn(p, atoms...) {
		outs = append(outs, v)
		to = append(to, runtime.New(v.Type))
	}
	x, err := e.Compile(&runtime.Request{Jaxpr: jb.Build(outs...), Options: runtime.Options{Threads: 1}})
	if err != nil {
		b.Fatal(err)
	}
	best := math.Inf(1)
	goruntime.LockOSThread()
	defer goruntime.UnlockOSThread()
	for b.Loop() {
		start := threadTime()
		if err := x.Run(context.Background(), args, to); err != nil {
			b.Fatal(err)
		}
		best = min(best, float64(threadTime()-start))
	}
	b.ReportMetric(amount/best, unit)
	b.ReportMetric(best, "best-ns")
}

// threadTime returns the time that the thread has run, in nanoseconds.
func threadTime() int64 {
	var t unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &t); err != nil {
		panic(err)
	}
	return t.Nano()
}

func BenchmarkProduct(b *testing.B) {
	d := core.MakeDims
	for _, s := range [][3]int{{16, 16, 16}, {32, 32, 32}, {64, 64, 64}, {128, 128, 128}, {256, 256, 256}, {512, 512, 512}, {1024, 1024, 1024}, {2048, 2048, 2048},
		{1920, 1920, 1920}, {128, 784, 512}, {784, 128, 512}, {4096, 64, 4096}} {
		m, k, n := s[0], s[1], s[2]
		flops := 2 * float64(m) * float64(n) * float64(k)
		for _, layout := range []struct {
			name string
			q    prim.DotGeneralP
			a, b [2]int
		}{
			{"nn", prim.DotGeneralP{LhsContract: d(1), RhsContract: d(0)}, [2]int{m, k}, [2]int{k, n}},
			{"nt", prim.DotGeneralP{LhsContract: d(1), RhsContract: d(1)}, [2]int{m, k}, [2]int{n, k}},
			{"tn", prim.DotGeneralP{LhsContract: d(0), RhsContract: d(0)}, [2]int{k, m}, [2]int{k, n}},
		} {
			b.Run(fmt.Sprintf("%s/f32/%dx%dx%d", layout.name, m, k, n), func(b *testing.B) {
				bestOf(b, layout.q, flops, "GF/s", core.Aval(core.Float32, layout.a[:]...), core.Aval(core.Float32, layout.b[:]...))
			})
		}
	}
	b.Run("nn/f64/1024", func(b *testing.B) {
		bestOf(b, prim.DotGeneralP{LhsContract: d(1), RhsContract: d(0)}, 2<<30, "GF/s", core.Aval(core.Float64, 1024, 1024), core.Aval(core.Float64, 1024, 1024))
	})
	b.Run("batched/f32/256x128x64x128", func(b *testing.B) {
		bestOf(b, prim.DotGeneralP{LhsContract: d(2), RhsContract: d(1), LhsBatch: d(0), RhsBatch: d(0)}, 2*256*128*64*128, "GF/s",
			core.Aval(core.Float32, 256, 128, 64), core.Aval(core.Float32, 256, 64, 128))
	})
	for _, n := range []int{256, 1024, 4096} {
		bytes := float64(4 * n * n)
		b.Run(fmt.Sprintf("vector·matrix/%d", n), func(b *testing.B) {
			bestOf(b, prim.DotGeneralP{LhsContract: d(0), RhsContract: d(0)}, bytes, "GB/s", core.Aval(core.Float32, n), core.Aval(core.Float32, n, n))
		})
		b.Run(fmt.Sprintf("matrix·vector/%d", n), func(b *testing.B) {
			bestOf(b, prim.DotGeneralP{LhsContract: d(1), RhsContract: d(0)}, bytes, "GB/s", core.Aval(core.Float32, n, n), core.Aval(core.Float32, n))
		})
	}
	b.Run("vdot/1e6", func(b *testing.B) {
		bestOf(b, prim.DotGeneralP{LhsContract: d(0), RhsContract: d(0)}, 8e6, "GB/s", core.Aval(core.Float32, 1_000_000), core.Aval(core.Float32, 1_000_000))
	})
	for _, n := range []int{512, 4096} {
		b.Run(fmt.Sprintf("read/%d", n), func(b *testing.B) { // the roof
			bestOf(b, prim.ReduceMaxP{Axes: d(0)}, float64(4*n*n), "GB/s", core.Aval(core.Float32, n*n))
		})
	}
}

func BenchmarkConv(b *testing.B) {
	d := core.MakeDims
	last := windows.ConvP{Strides: d(1, 1), Padding: d(1, 1, 1, 1), LhsDilation: d(1, 1), RhsDilation: d(1, 1), LhsSpec: d(0, 3, 1, 2), RhsSpec: d(3, 2, 0, 1), OutSpec: d(0, 3, 1, 2), FeatureGroups: 1, BatchGroups: 1}
	f := core.Float32
	b.Run("3x3/1x56x56x64", func(b *testing.B) {
		bestOf(b, last, 2*56*56*64*576, "GF/s", core.Aval(f, 1, 56, 56, 64), core.Aval(f, 3, 3, 64, 64))
	})
	b.Run("3x3/1x14x14x256", func(b *testing.B) {
		bestOf(b, last, 2*14*14*256*2304, "GF/s", core.Aval(f, 1, 14, 14, 256), core.Aval(f, 3, 3, 256, 256))
	})
	b.Run("3x3/1x12x40x32", func(b *testing.B) {
		bestOf(b, last, 2*12*40*32*288, "GF/s", core.Aval(f, 1, 12, 40, 32), core.Aval(f, 3, 3, 32, 32))
	})
	b.Run("3x3/32x56x56x64", func(b *testing.B) {
		bestOf(b, last, 2*32*56*56*64*576, "GF/s", core.Aval(f, 32, 56, 56, 64), core.Aval(f, 3, 3, 64, 64))
	})
	strided := last
	strided.Strides, strided.Padding = d(2, 2), d(3, 3, 3, 3)
	b.Run("7x7s2/8x224x224x3", func(b *testing.B) {
		bestOf(b, strided, 2*8*112*112*64*147, "GF/s", core.Aval(f, 8, 224, 224, 3), core.Aval(f, 7, 7, 3, 64))
	})
	weights := last // with respect to the kernel of the first
	weights.LhsSpec, weights.RhsSpec, weights.OutSpec = d(3, 0, 1, 2), d(3, 0, 1, 2), d(2, 3, 0, 1)
	b.Run("3x3/8x56x56x64/kernel", func(b *testing.B) {
		bestOf(b, weights, 2*8*56*56*64*576, "GF/s", core.Aval(f, 8, 56, 56, 64), core.Aval(f, 8, 56, 56, 64))
	})
}

func BenchmarkMovement(b *testing.B) {
	d := core.MakeDims
	pool := windows.Window{Dims: d(1, 3, 3, 1), Strides: d(1, 2, 2, 1), Padding: d(0, 0, 0, 0, 0, 0, 0, 0), BaseDilation: d(1, 1, 1, 1), WindowDilation: d(1, 1, 1, 1)}
	f := core.Float32
	b.Run("maxpool/8x112x112x64", func(b *testing.B) {
		bestOf(b, windows.ReduceWindowMaxP{Window: pool}, 4*8*112*112*64, "GB/s", core.Aval(f, 8, 112, 112, 64))
	})
	for _, n := range []int{256, 4096} {
		b.Run(fmt.Sprintf("transpose/%d", n), func(b *testing.B) {
			bestOf(b, prim.TransposeP{Perm: d(1, 0)}, float64(8*n*n), "GB/s", core.Aval(f, n, n))
		})
	}
}
