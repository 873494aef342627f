package reference

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/core/prim/indexed"
	"github.com/weft-go/weft/core/prim/matrices"
	"github.com/weft-go/weft/core/prim/rng"
	"github.com/weft-go/weft/core/prim/windows"
	"github.com/weft-go/weft/internal/test/testcheck"
	"github.com/weft-go/weft/lower/reference/internal/block"
	"github.com/weft-go/weft/lower/reference/internal/product"
	"github.com/weft-go/weft/lower/scalar"
)

func benchLoop(b *testing.B, name string, work int, p core.Primitive, in ...*block.Tensor) {
	avals := make([]core.ShapedArray, len(in))
	for i, x := range in {
		avals[i] = x.ShapedArray
	}
	var out []*block.Tensor
	for _, a := range core.AbstractOf(p, avals) {
		out = append(out, block.NewTensor(a))
	}
	f, ok := Lookup(p)
	if !ok {
		b.Fatal(p)
	}
	b.Run(name, func(b *testing.B) {
		b.ReportAllocs()
		start := testcheck.CPUTime()
		for range b.N {
			f(p, in, out)
		}
		b.ReportMetric(float64(testcheck.CPUTime()-start)/float64(b.N)/float64(work), "ns/elem")
	})
}

func benchArray(dt core.DType, dims ...int) *block.Tensor {
	x := block.NewTensor(core.Aval(dt, dims...))
	draw(rand.New(rand.NewPCG(1, 1)), x, false)
	return x
}

func BenchmarkLoops(b *testing.B) {
	d := core.MakeDims
	f32, f64 := core.Float32, core.Float64
	mm := prim.DotGeneralP{LhsContract: d(1), RhsContract: d(0)}
	n := 256
	benchLoop(b, "dot-f32", n*n*n, mm, benchArray(f32, n, n), benchArray(f32, n, n))
	benchLoop(b, "dot-f64", n*n*n, mm, benchArray(f64, n, n), benchArray(f64, n, n))
	benchLoop(b, "dot-bf16", n*n*n, mm, benchArray(core.BFloat16, n, n), benchArray(core.BFloat16, n, n))
	benchLoop(b, "matvec-f32", n*n, prim.DotGeneralP{LhsContract: d(1), RhsContract: d(0)}, benchArray(f32, n, n), benchArray(f32, n))
	benchLoop(b, "vdot-f32", 1<<14, prim.DotGeneralP{LhsContract: d(0), RhsContract: d(0)}, benchArray(f32, 1<<14), benchArray(f32, 1<<14))
	benchLoop(b, "dot-tiny", 8, prim.DotGeneralP{LhsContract: d(1), RhsContract: d(0)}, benchArray(f32, 2, 2), benchArray(f32, 2, 2))
	conv := windows.ConvP{Strides: d(1, 1), Padding: d(1, 1, 1, 1), LhsDilation: d(1, 1), RhsDilation: d(1, 1), LhsSpec: d(0, 1, 2, 3), RhsSpec: d(0, 1, 2, 3), OutSpec: d(0, 1, 2, 3), FeatureGroups: 1, BatchGroups: 1}
	benchLoop(b, "conv-nchw", 32*32*32*32*9, conv, benchArray(f32, 1, 32, 32, 32), benchArray(f32, 32, 32, 3, 3))
	s := 1024
	m := benchArray(f32, s, s)
	benchLoop(b, "transpose", s*s, prim.TransposeP{Perm: d(1, 0)}, m)
	benchLoop(b, "transpose-0213", 16*64*16*64, prim.TransposeP{Perm: d(0, 2, 1, 3)}, benchArray(f32, 16, 64, 16, 64))
	benchLoop(b, "reshape", s*s, prim.ReshapeP{Shape: d(s * s)}, m)
	benchLoop(b, "broadcast-rows", s*s, prim.BroadcastInDimP{Shape: d(s, s), Dims: d(1)}, benchArray(f32, s))
	benchLoop(b, "broadcast-cols", s*s, prim.BroadcastInDimP{Shape: d(s, s), Dims: d(0)}, benchArray(f32, s))
	benchLoop(b, "slice", 512*512, prim.SliceP{Start: d(1, 1), Limit: d(1024, 1024), Strides: d(2, 2)}, m)
	benchLoop(b, "rev", s*s, prim.RevP{Dims: d(1)}, m)
	benchLoop(b, "concatenate", 2*s*s, prim.ConcatenateP{Dimension: 1}, m, m)
	benchLoop(b, "iota", s*s, prim.IotaP{DType: f32, Shape: d(s, s), Dimension: 0})
	benchLoop(b, "sum-rows", s*s, prim.ReduceSumP{Axes: d(1)}, m)
	benchLoop(b, "sum-cols", s*s, prim.ReduceSumP{Axes: d(0)}, m)
	benchLoop(b, "sum-all-bf16", s*s, prim.ReduceSumP{Axes: d(0, 1)}, benchArray(core.BFloat16, s, s))
	benchLoop(b, "sum-short-rows", 1<<17, prim.ReduceSumP{Axes: d(1)}, benchArray(f32, 1<<14, 8))
	benchLoop(b, "max-rows", s*s, prim.ReduceMaxP{Axes: d(1)}, m)
	benchLoop(b, "argmax-rows", s*s, prim.ArgmaxP{Axes: d(1), Index: core.Int32}, m)
	benchLoop(b, "cumsum-rows", s*s, prim.CumsumP{Cumulation: prim.Cumulation{Axis: 1}}, m)
	benchLoop(b, "cumsum-cols", s*s, prim.CumsumP{}, m)
	benchLoop(b, "max-pool", 512*512, windows.ReduceWindowMaxP{Window: windows.SimpleWindow(d(2, 2), d(2, 2), d(0, 0, 0, 0))}, m)
	idx := block.NewTensor(core.Aval(core.Int32, s, 1))
	for i := range block.View[int32](idx) {
		block.View[int32](idx)[i] = int32(i * 37 % s)
	}
	rows := indexed.GatherP{OffsetDims: d(1), CollapsedSliceDims: d(0), StartIndexMap: d(0), SliceSizes: d(1, s)}
	benchLoop(b, "gather-rows", s*s, rows, m, idx)
	benchLoop(b, "gather-elements", s, indexed.GatherP{CollapsedSliceDims: d(0), StartIndexMap: d(0), SliceSizes: d(1)}, benchArray(f32, s), idx)
	sc := indexed.Scattering{UpdateWindowDims: d(1), InsertedWindowDims: d(0), ScatterDimsToOperandDims: d(0)}
	benchLoop(b, "scatter-add-rows", s*s, sc.By(indexed.CombineAdd, f32), m, idx, m)
	benchLoop(b, "sort", s*s, indexed.SortP{Dimension: 1, NumKeys: 1}, m)
	benchLoop(b, "sort-short", 1<<17, indexed.SortP{Dimension: 1, NumKeys: 1}, benchArray(f32, 1<<14, 8))
	benchLoop(b, "top-k", s*s, indexed.TopKP{Axis: 1, K: 10}, m)
	benchLoop(b, "random-bits", s*s, rng.RandomBitsP{BitWidth: 32, Shape: d(s, s)}, block.NewTensor(core.Aval(core.Key)))
	benchLoop(b, "cholesky", n*n*n/6, matrices.CholeskyP{}, definite(rand.New(rand.NewPCG(1, 1)), f64, n))
}

// BenchmarkPlainDot is the arithmetic of a dot in the simplest of loops: what the
// dots above are measured against.
func BenchmarkPlainDot(b *testing.B) {
	const n = 256
	a, c := block.View[float32](benchArray(core.Float32, n, n)), block.View[float32](benchArray(core.Float32, n, n))
	y := make([]float32, n*n)
	b.Run("f32", func(b *testing.B) {
		start := testcheck.CPUTime()
		for range b.N {
			for i := range n {
				for j := range n {
					total := float32(0)
					for lo := 0; lo < n; lo += product.DotChunk {
						s := float32(0)
						for k := lo; k < lo+product.DotChunk; k++ {
							s = scalar.FMA32(a[i*n+k], c[k*n+j], s)
						}
						total += s
					}
					y[i*n+j] = total
				}
			}
		}
		b.ReportMetric(float64(testcheck.CPUTime()-start)/float64(b.N)/(n*n*n), "ns/elem")
	})
	e, f := block.View[float64](benchArray(core.Float64, n, n)), block.View[float64](benchArray(core.Float64, n, n))
	z := make([]float64, n*n)
	b.Run("f64", func(b *testing.B) {
		start := testcheck.CPUTime()
		for range b.N {
			for i := range n {
				for j := range n {
					total := 0.0
					for lo := 0; lo < n; lo += product.DotChunk {
						s := 0.0
						for k := lo; k < lo+product.DotChunk; k++ {
							s = math.FMA(e[i*n+k], f[k*n+j], s)
						}
						total += s
					}
					z[i*n+j] = total
				}
			}
		}
		b.ReportMetric(float64(testcheck.CPUTime()-start)/float64(b.N)/(n*n*n), "ns/elem")
	})
}
