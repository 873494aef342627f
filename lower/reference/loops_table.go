package reference

import (
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/core/prim/indexed"
	"github.com/weft-go/weft/core/prim/rng"
	"github.com/weft-go/weft/core/prim/windows"
	"github.com/weft-go/weft/lower/reference/internal/block"
)

// loopRows contains the canonical loops, such as reductions, products, gathers, sorts and copies. The kernels of
// operations with a program are in programRows.
var loopRows = []block.Row{
	block.On(func(_ prim.ReshapeP, in, out []*block.Tensor) { copyAll(in, out) }),
	block.On(func(_ prim.SqueezeP, in, out []*block.Tensor) { copyAll(in, out) }),
	block.On(func(_ rng.RandomCloneP, in, out []*block.Tensor) { copyAll(in, out) }),
	block.On(func(_ prim.RandomWrapP, in, out []*block.Tensor) { copyAll(in, out) }),
	block.On(func(_ prim.RandomUnwrapP, in, out []*block.Tensor) { copyAll(in, out) }),
	block.On(func(p prim.BroadcastInDimP, in, out []*block.Tensor) { broadcastInDim(out[0], in[0], p.Dims) }),
	block.On(func(p prim.TransposeP, in, out []*block.Tensor) { transpose(out[0], in[0], p.Perm) }),
	block.On(func(p prim.RevP, in, out []*block.Tensor) { reverse(out[0], in[0], p.Dims) }),
	block.On(func(p prim.SliceP, in, out []*block.Tensor) { slice(out[0], in[0], p.Start, p.Strides) }),
	block.On(func(p prim.PadP, in, out []*block.Tensor) { pad(out[0], in[0], in[1], p.Config) }),
	block.On(func(p prim.ConcatenateP, in, out []*block.Tensor) { concatenate(out[0], in, p.Dimension) }),
	block.On(func(p prim.SplitP, in, out []*block.Tensor) { split(out, in[0], p.Axis) }),
	block.On(func(p prim.StackP, in, out []*block.Tensor) { stack(out[0], in, p.Axis) }),
	block.On(func(p prim.UnstackP, in, out []*block.Tensor) { unstack(out, in[0], p.Axis) }),
	block.On(func(p prim.TileP, in, out []*block.Tensor) { tileCopies(out[0], in[0], p.Reps) }),
	block.On(func(p prim.IotaP, _, out []*block.Tensor) { count(out[0], p.Dimension) }),
	block.On(func(_ prim.EmptyP, _, out []*block.Tensor) { clear(out[0].Data) }),
	block.On(func(_ prim.Empty2P, _, out []*block.Tensor) { clear(out[0].Data) }),
	block.On(func(p prim.ReduceSumP, in, out []*block.Tensor) {
		reduceTo(foldSum, out[0], in[0], p.Axes, p.Order.Implied(in[0].Shape, p.Axes) == prim.OrderLanes)
	}),
	block.On(func(p prim.ReduceProdP, in, out []*block.Tensor) {
		reduceTo(foldProd, out[0], in[0], p.Axes, p.Order.Implied(in[0].Shape, p.Axes) == prim.OrderLanes)
	}),
	block.On(func(p prim.ReduceMaxP, in, out []*block.Tensor) { reduceFree(foldMax, out[0], in[0], p.Axes) }),
	block.On(func(p prim.ReduceMinP, in, out []*block.Tensor) { reduceFree(foldMin, out[0], in[0], p.Axes) }),
	block.On(func(p prim.ReduceAndP, in, out []*block.Tensor) { reduceFree(foldAnd, out[0], in[0], p.Axes) }),
	block.On(func(p prim.ReduceOrP, in, out []*block.Tensor) { reduceFree(foldOr, out[0], in[0], p.Axes) }),
	block.On(func(p prim.ReduceXorP, in, out []*block.Tensor) { reduceFree(foldXor, out[0], in[0], p.Axes) }),
	block.On(func(p prim.DotGeneralP, in, out []*block.Tensor) {
		dotGeneral(out[0], in[0], in[1], p.LhsContract, p.RhsContract, p.LhsBatch, p.RhsBatch, nil)
	}),
	block.On(func(p prim.ArgmaxP, in, out []*block.Tensor) { argTo(true, out[0], in[0], p.Axes.At(0)) }),
	block.On(func(p prim.ArgminP, in, out []*block.Tensor) { argTo(false, out[0], in[0], p.Axes.At(0)) }),
	block.On(func(p prim.CumsumP, in, out []*block.Tensor) { cumulate(foldSum, out[0], in[0], p.Axis, p.Reverse) }),
	block.On(func(p prim.CumprodP, in, out []*block.Tensor) { cumulate(foldProd, out[0], in[0], p.Axis, p.Reverse) }),
	block.On(func(p prim.CummaxP, in, out []*block.Tensor) { cumulate(foldMax, out[0], in[0], p.Axis, p.Reverse) }),
	block.On(func(p prim.CumminP, in, out []*block.Tensor) { cumulate(foldMin, out[0], in[0], p.Axis, p.Reverse) }),
	block.On(func(_ indexed.DynamicSliceP, in, out []*block.Tensor) { dynamicSlice(out[0], in[0], in[1:]) }),
	block.On(func(_ indexed.DynamicUpdateSliceP, in, out []*block.Tensor) {
		dynamicUpdateSlice(out[0], in[0], in[1], in[2:])
	}),
	block.On(func(p indexed.GatherP, in, out []*block.Tensor) { gatherWindows(out[0], in[0], in[1], p) }),
	block.On(func(p indexed.ScatterP, in, out []*block.Tensor) {
		scatter(p.Combine, out[0], in[0], in[1], in[2], p.Scattering)
	}),
	block.On(func(p windows.ConvP, in, out []*block.Tensor) { convolve(out[0], in[0], in[1], p, nil) }),
	block.On(func(p windows.ReduceWindowSumP, in, out []*block.Tensor) {
		reduceWindow(foldSum, out[0], in[0], p.Window)
	}),
	block.On(func(p windows.ReduceWindowMaxP, in, out []*block.Tensor) {
		reduceWindow(foldMax, out[0], in[0], p.Window)
	}),
	block.On(func(p windows.ReduceWindowMinP, in, out []*block.Tensor) {
		reduceWindow(foldMin, out[0], in[0], p.Window)
	}),
	block.On(func(p windows.SelectAndGatherAddP, in, out []*block.Tensor) { selectAndGather(out[0], in[0], in[1], p) }),
	block.On(func(p windows.SelectAndScatterAddP, in, out []*block.Tensor) {
		selectAndScatter(out[0], in[0], in[1], p)
	}),
	block.On(func(p indexed.SortP, in, out []*block.Tensor) { sortAlong(out, in, p.Dimension, p.NumKeys) }),
	block.On(func(p indexed.TopKP, in, out []*block.Tensor) { topK(out[0], out[1], in[0], p.Axis) }),
	block.On(func(_ rng.RandomSeedP, in, out []*block.Tensor) { randomSeed(in, out) }),
	block.On(func(_ rng.RandomSplitP, in, out []*block.Tensor) { randomSplit(in, out) }),
	block.On(func(_ rng.RandomFoldInP, in, out []*block.Tensor) { randomFoldIn(in, out) }),
	block.On(func(_ rng.RandomBitsP, in, out []*block.Tensor) { randomBits(in, out) }),
	block.On(func(_ rng.Threefry2x32P, in, out []*block.Tensor) { threefryWords(in, out) }),
}
