package reference

import (
	"crypto/sha256"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/core/prim/indexed"
	"github.com/weft-go/weft/core/prim/matrices"
	"github.com/weft-go/weft/core/prim/rng"
	"github.com/weft-go/weft/core/prim/windows"
	"github.com/weft-go/weft/lower/reference/internal/block"
)

// TestAbsurdSizes: sizes without meaning are errors, or nothing to do, but no crash.
func TestAbsurdSizes(t *testing.T) {
	d := core.MakeDims
	x := block.NewTensor(core.Aval(core.Float32, 3, 2))
	empty := block.NewTensor(core.Aval(core.Float32, 0, 2))
	one := block.NewTensor(core.Aval(core.Float32))
	k := block.NewTensor(core.Aval(core.Float32, 1, 1, 3))
	img := block.NewTensor(core.Aval(core.Float32, 1, 1, 3))
	const big = math.MaxInt
	window := func(dims, strides, padding, bd, wd core.Dims) windows.Window {
		return windows.Window{Dims: dims, Strides: strides, Padding: padding, BaseDilation: bd, WindowDilation: wd}
	}
	conv := func(pad0, pad1, stride, ld, rd int) windows.ConvP {
		return windows.ConvP{Strides: d(stride), Padding: d(pad0, pad1), LhsDilation: d(ld), RhsDilation: d(rd), LhsSpec: d(0, 1, 2), RhsSpec: d(0, 1, 2), OutSpec: d(0, 1, 2), FeatureGroups: 1, BatchGroups: 1}
	}
	for i, c := range []struct {
		p  core.Primitive
		in []*block.Tensor
	}{
		{prim.TileP{Reps: d(big/2, big/2)}, []*block.Tensor{x}},
		{prim.TileP{Reps: d(1<<30, 1<<30)}, []*block.Tensor{empty}},
		{prim.PadP{Config: d(0, 0, big, 0, 0, 0)}, []*block.Tensor{x, one}},
		{prim.PadP{Config: d(big, big, 0, 0, 0, 0)}, []*block.Tensor{x, one}},
		{prim.PadP{Config: d(-big, big, 0, -2, 1, 3)}, []*block.Tensor{x, one}},
		{prim.PadP{Config: d(0, 0, 7, -5, 5, 0)}, []*block.Tensor{x, one}},
		{prim.PadP{Config: d(1, 0, big, 0, 0, 0)}, []*block.Tensor{empty, one}},
		{windows.ReduceWindowSumP{Window: window(d(big, 1), d(1, 1), d(0, 0, 0, 0), d(1, 1), d(big, 1))}, []*block.Tensor{x}},
		{windows.ReduceWindowSumP{Window: window(d(1, 1), d(big, 1), d(0, 0, 0, 0), d(1, 1), d(1, 1))}, []*block.Tensor{x}},
		{windows.ReduceWindowSumP{Window: window(d(1, 1), d(1<<20, 1), d(0, 0, 0, 0), d(1<<20, 1), d(big, 1))}, []*block.Tensor{x}},
		{windows.ReduceWindowMaxP{Window: window(d(big/2, 1), d(big/4, 1), d(big/2, 0, 0, 0), d(1, 1), d(1, 1))}, []*block.Tensor{x}},
		{windows.ReduceWindowSumP{Window: window(d(0, 1), d(1, 1), d(0, 0, 0, 0), d(1, 1), d(1, 1))}, []*block.Tensor{x}},
		{conv(0, 0, 1, big, 1), []*block.Tensor{img, k}},
		{conv(0, 0, 1, 1, big), []*block.Tensor{img, k}},
		{conv(big, big, 1, 1, 1), []*block.Tensor{img, k}},
		{conv(1<<29, 0, 1<<28, 1, 1), []*block.Tensor{img, k}},
		{conv(1<<28, -(1 << 28), 1, 1, 1), []*block.Tensor{img, k}},
		{conv(-2, -2, 1, 1, 1), []*block.Tensor{img, k}},
		{prim.BroadcastInDimP{Shape: d(1<<30, 1<<30, 1<<30)}, []*block.Tensor{one}},
		{prim.IotaP{DType: core.Int8, Shape: d(0, 1<<30, 1<<30), Dimension: 1}, nil},
	} {
		if err := core.Catch(func() { apply(t, c.p, c.in...) }); err != nil && testing.Verbose() {
			t.Log(i, c.p.Name(), err)
		}
	}
}

// TestEmpty: every loop takes arrays of nothing.
func TestEmpty(t *testing.T) {
	d := core.MakeDims
	a := block.NewTensor(core.Aval(core.Float32, 0, 3))
	b := block.NewTensor(core.Aval(core.Float32, 3, 0))
	sq := block.NewTensor(core.Aval(core.Float32, 0, 2, 2))
	i0 := block.NewTensor(core.Aval(core.Int32, 0, 1))
	for _, c := range []struct {
		p    core.Primitive
		in   []*block.Tensor
		want int
	}{
		{prim.ReduceSumP{Axes: d(0)}, []*block.Tensor{a}, 3}, {prim.ReduceMaxP{Axes: d(1)}, []*block.Tensor{a}, 0}, {prim.ReduceProdP{Axes: d(0, 1)}, []*block.Tensor{b}, 1},
		{prim.ArgmaxP{Axes: d(1), Index: core.Int32}, []*block.Tensor{a}, 0}, {prim.CumsumP{}, []*block.Tensor{a}, 0}, {prim.CummaxP{Cumulation: prim.Cumulation{Axis: 1}}, []*block.Tensor{a}, 0},
		{indexed.SortP{NumKeys: 1}, []*block.Tensor{a}, 0}, {indexed.SortP{Dimension: 1, NumKeys: 1}, []*block.Tensor{b}, 0}, {indexed.TopKP{Axis: 1, K: 0}, []*block.Tensor{b}, 0},
		{prim.DotGeneralP{LhsContract: d(0), RhsContract: d(1)}, []*block.Tensor{a, b}, 9}, {prim.DotGeneralP{LhsContract: d(1), RhsContract: d(0)}, []*block.Tensor{a, b}, 0},
		{matrices.CholeskyP{}, []*block.Tensor{sq}, 0}, {matrices.TriangularSolveP{LeftSide: true}, []*block.Tensor{sq, sq}, 0},
		{indexed.GatherP{OffsetDims: d(1), CollapsedSliceDims: d(1), StartIndexMap: d(1), SliceSizes: d(0, 1)}, []*block.Tensor{a, i0}, 0},
		{indexed.Scattering{UpdateWindowDims: d(1), InsertedWindowDims: d(0), ScatterDimsToOperandDims: d(0)}.By(indexed.CombineAdd, core.Float32), []*block.Tensor{b, i0, block.NewTensor(core.Aval(core.Float32, 0, 0))}, 0},
		{rng.RandomSplitP{Shape: d(0)}, []*block.Tensor{block.NewTensor(core.Aval(core.Key))}, 0}, {rng.RandomBitsP{BitWidth: 32, Shape: d(3)}, []*block.Tensor{block.NewTensor(core.Aval(core.Key, 0))}, 0},
		{windows.ReduceWindowSumP{Window: windows.SimpleWindow(d(1, 2), d(1, 1), d(0, 0, 0, 0))}, []*block.Tensor{a}, 0},
		{windows.SelectAndScatterAddP{Select: windows.SelectGe, Dims: d(1, 2), Strides: d(1, 1), Padding: d(0, 0, 0, 0)}, []*block.Tensor{block.NewTensor(core.Aval(core.Float32, 0, 2)), a}, 0},
	} {
		for _, y := range apply(t, c.p, c.in...) {
			if y.Size() != c.want {
				t.Errorf("%s of %v: %v", c.p.Name(), c.in, y)
			}
		}
	}
	if y := block.View[float32](apply(t, prim.ReduceProdP{Axes: d(0)}, a)[0]); y[0] != 1 {
		t.Errorf("the product of nothing is %v", y)
	}
	if y := block.View[float32](apply(t, prim.DotGeneralP{LhsContract: d(0), RhsContract: d(1)}, a, b)[0]); y[8] != 0 {
		t.Errorf("the dot of nothing is %v", y)
	}
}

// TestSameBitsEverywhere: the bits of drawn programs, by name, as they came out on
// the first machine; they are the same on every other.
func TestSameBitsEverywhere(t *testing.T) {
	r := rand.New(rand.NewPCG(2026, 11))
	d := core.MakeDims
	arr := func(dt core.DType, dims ...int) *block.Tensor {
		x := block.NewTensor(core.Aval(dt, dims...))
		draw(r, x, false)
		return x
	}
	got := map[string]string{}
	note := func(name string, p core.Primitive, in ...*block.Tensor) {
		h := sha256.New()
		for _, y := range apply(t, p, in...) {
			h.Write(littleEndian(y))
		}
		got[name] = fmt.Sprintf("%.8x", h.Sum(nil))
	}
	for _, dt := range []core.DType{core.Float32, core.Float64, core.BFloat16, core.Float16, core.Complex64, core.Complex128} {
		n := dt.String()
		note("sum "+n, prim.ReduceSumP{Axes: d(1)}, arr(dt, 3, 9000))
		note("prod "+n, prim.ReduceProdP{Axes: d(0)}, arr(dt, 300, 4))
		note("cumsum "+n, prim.CumsumP{Cumulation: prim.Cumulation{Axis: 1, Reverse: true}}, arr(dt, 2, 700))
		note("dot "+n, prim.DotGeneralP{LhsContract: d(1), RhsContract: d(0)}, arr(dt, 5, 333), arr(dt, 333, 6))
		note("conv "+n, windows.ConvP{Strides: d(2, 1), Padding: d(1, 1, 0, 2), LhsDilation: d(1, 2), RhsDilation: d(2, 1), LhsSpec: d(0, 1, 2, 3),
			RhsSpec: d(0, 1, 2, 3), OutSpec: d(0, 3, 1, 2), FeatureGroups: 2, BatchGroups: 1}, arr(dt, 2, 40, 9, 8), arr(dt, 6, 20, 3, 3))
		note("window "+n, windows.ReduceWindowSumP{Window: windows.SimpleWindow(d(3, 3), d(1, 2), d(1, 1, 0, 1))}, arr(dt, 9, 20))
		idx := block.NewTensor(core.Aval(core.Int32, 50, 1))
		for i := range block.View[int32](idx) {
			block.View[int32](idx)[i] = int32(r.IntN(5))
		}
		note("scatter-add "+n, indexed.Scattering{UpdateWindowDims: d(1),
			InsertedWindowDims: d(0), ScatterDimsToOperandDims: d(0)}.By(indexed.CombineAdd, dt), arr(dt, 4, 3), idx, arr(dt, 50, 3))
		tri := arr(dt, 6, 6)
		note("solve "+n, matrices.TriangularSolveP{LeftSide: true, Lower: true}, tri, arr(dt, 6, 4))
		note("cholesky "+n, matrices.CholeskyP{}, definite(r, dt, 7))
	}
	for name, bits := range got {
		if want := everywhere[name]; bits != want {
			t.Errorf("%q: %q,", name, bits)
		}
	}
}

var everywhere = map[string]string{
	"cholesky bf16":    "5781d1149fe66916",
	"cholesky c128":    "c12676978e50e440",
	"cholesky c64":     "5e6bbc8bcbcc4cd3",
	"cholesky f16":     "547abd4b480d892c",
	"cholesky f32":     "74b5afedc8658c77",
	"cholesky f64":     "f1c4a0d46fa40764",
	"conv bf16":        "1e5d315071a64f01",
	"conv c128":        "d74e29cc20b9719b",
	"conv c64":         "b04df35a67c00908",
	"conv f16":         "6344053013fff0d5",
	"conv f32":         "1530cc58c0b1c789",
	"conv f64":         "e816fed044390f37",
	"cumsum bf16":      "01ef85529cb227e6",
	"cumsum c128":      "cce9f24f49a3b1c2",
	"cumsum c64":       "41ac4557a59e625f",
	"cumsum f16":       "0582d0ace09ebace",
	"cumsum f32":       "4e47809165d61370",
	"cumsum f64":       "93bea02fc269c32b",
	"dot bf16":         "fc172faeec71ee30",
	"dot c128":         "8b11f1e4de7656bd",
	"dot c64":          "508caf6d6b6b2e0f",
	"dot f16":          "a1247f0ee08366d8",
	"dot f32":          "54f8a1640f5ffaeb",
	"dot f64":          "d79035371f70a45e",
	"prod bf16":        "a9765c4805658a96",
	"prod c128":        "b1bd9b8e15d998f4",
	"prod c64":         "5f5934a227fc10fe",
	"prod f16":         "a898d8944ee5088a",
	"prod f32":         "325beab8b919944c",
	"prod f64":         "12962e5437925f6d",
	"scatter-add bf16": "66f1b1084cd1fdb7",
	"scatter-add c128": "ae1588ce497e6105",
	"scatter-add c64":  "c9b0b181e42caba1",
	"scatter-add f16":  "22856581871c8d10",
	"scatter-add f32":  "8661242a6c3e135f",
	"scatter-add f64":  "64fc3c583b657a86",
	"solve bf16":       "6bd486fde551c167",
	"solve c128":       "f14c3e959bcf4afd",
	"solve c64":        "62d8ea422bc05703",
	"solve f16":        "3d7616c14e225587",
	"solve f32":        "0c3551123fc89734",
	"solve f64":        "2deaccc43ed9794d",
	"sum bf16":         "67d89627db6cdff4",
	"sum c128":         "42397c4bd4b26415",
	"sum c64":          "d9c0ddeb0d34ecbf",
	"sum f16":          "38602b3ecafd7500",
	"sum f32":          "99a4da329ff35bde",
	"sum f64":          "75fae09d29f1b7f4",
	"window bf16":      "065df7890e6e93e2",
	"window c128":      "1ac32eab09ee2e99",
	"window c64":       "66fc7d8ce19daca7",
	"window f16":       "9bb723c877e15efb",
	"window f32":       "1765f3c1ed4816f0",
	"window f64":       "dd5853701576b12c",
}
