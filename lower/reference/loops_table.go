package reference

import "github.com/weft-go/weft/core/prim"

// loopRows contains the canonical loops: reductions, products, gathers, and what
// moves elements. An executor runs the scatter that has a program of its own: see
// LookupProgram.
var loopRows = []row{
	on(func(_ prim.ReshapeP, in, out []*Tensor) { copyAll(in, out) }),
	on(func(_ prim.SqueezeP, in, out []*Tensor) { copyAll(in, out) }),
	on(func(_ prim.RandomCloneP, in, out []*Tensor) { copyAll(in, out) }),
	on(func(_ prim.RandomWrapP, in, out []*Tensor) { copyAll(in, out) }),
	on(func(_ prim.RandomUnwrapP, in, out []*Tensor) { copyAll(in, out) }),
	on(func(p prim.BroadcastInDimP, in, out []*Tensor) { broadcastInDim(out[0], in[0], p.Dims) }),
	on(func(p prim.TransposeP, in, out []*Tensor) { transpose(out[0], in[0], p.Perm) }),
	on(func(p prim.RevP, in, out []*Tensor) { reverse(out[0], in[0], p.Dims) }),
	on(func(p prim.SliceP, in, out []*Tensor) { slice(out[0], in[0], p.Start, p.Strides) }),
	on(func(p prim.PadP, in, out []*Tensor) { pad(out[0], in[0], in[1], p.Config) }),
	on(func(p prim.ConcatenateP, in, out []*Tensor) { concatenate(out[0], in, p.Dimension) }),
	on(func(p prim.SplitP, in, out []*Tensor) { split(out, in[0], p.Axis) }),
	on(func(p prim.StackP, in, out []*Tensor) { stack(out[0], in, p.Axis) }),
	on(func(p prim.UnstackP, in, out []*Tensor) { unstack(out, in[0], p.Axis) }),
	on(func(p prim.TileP, in, out []*Tensor) { tileCopies(out[0], in[0], p.Reps) }),
	on(func(p prim.IotaP, _, out []*Tensor) { count(out[0], p.Dimension) }),
	on(func(_ prim.EmptyP, _, out []*Tensor) { clear(out[0].Data) }),
	on(func(_ prim.Empty2P, _, out []*Tensor) { clear(out[0].Data) }),
	on(func(p prim.ReduceSumP, in, out []*Tensor) {
		reduceTo(foldSum, out[0], in[0], p.Axes, p.Order.Implied(in[0].Shape, p.Axes) == prim.OrderLanes)
	}),
	on(func(p prim.ReduceProdP, in, out []*Tensor) {
		reduceTo(foldProd, out[0], in[0], p.Axes, p.Order.Implied(in[0].Shape, p.Axes) == prim.OrderLanes)
	}),
	on(func(p prim.ReduceMaxP, in, out []*Tensor) { reduceFree(foldMax, out[0], in[0], p.Axes) }),
	on(func(p prim.ReduceMinP, in, out []*Tensor) { reduceFree(foldMin, out[0], in[0], p.Axes) }),
	on(func(p prim.ReduceAndP, in, out []*Tensor) { reduceFree(foldAnd, out[0], in[0], p.Axes) }),
	on(func(p prim.ReduceOrP, in, out []*Tensor) { reduceFree(foldOr, out[0], in[0], p.Axes) }),
	on(func(p prim.ReduceXorP, in, out []*Tensor) { reduceFree(foldXor, out[0], in[0], p.Axes) }),
	on(func(p prim.DotGeneralP, in, out []*Tensor) {
		dotGeneral(out[0], in[0], in[1], p.LhsContract, p.RhsContract, p.LhsBatch, p.RhsBatch, nil)
	}),
	on(func(p prim.ArgmaxP, in, out []*Tensor) { argTo(true, out[0], in[0], p.Axes.At(0)) }),
	on(func(p prim.ArgminP, in, out []*Tensor) { argTo(false, out[0], in[0], p.Axes.At(0)) }),
	on(func(p prim.CumsumP, in, out []*Tensor) { cumulate(foldSum, out[0], in[0], p.Axis, p.Reverse) }),
	on(func(p prim.CumprodP, in, out []*Tensor) { cumulate(foldProd, out[0], in[0], p.Axis, p.Reverse) }),
	on(func(p prim.CummaxP, in, out []*Tensor) { cumulate(foldMax, out[0], in[0], p.Axis, p.Reverse) }),
	on(func(p prim.CumminP, in, out []*Tensor) { cumulate(foldMin, out[0], in[0], p.Axis, p.Reverse) }),
	on(func(_ prim.DynamicSliceP, in, out []*Tensor) { dynamicSlice(out[0], in[0], in[1:]) }),
	on(func(_ prim.DynamicUpdateSliceP, in, out []*Tensor) { dynamicUpdateSlice(out[0], in[0], in[1], in[2:]) }),
	on(func(p prim.GatherP, in, out []*Tensor) { gatherWindows(out[0], in[0], in[1], p) }),
	on(func(p prim.ScatterP, in, out []*Tensor) {
		scatter(p.Combine, out[0], in[0], in[1], in[2], p.Scattering)
	}),
	on(func(p prim.ConvP, in, out []*Tensor) { convolve(out[0], in[0], in[1], p, nil) }),
	on(func(p prim.ReduceWindowSumP, in, out []*Tensor) { reduceWindow(foldSum, out[0], in[0], p.Window) }),
	on(func(p prim.ReduceWindowMaxP, in, out []*Tensor) { reduceWindow(foldMax, out[0], in[0], p.Window) }),
	on(func(p prim.ReduceWindowMinP, in, out []*Tensor) { reduceWindow(foldMin, out[0], in[0], p.Window) }),
	on(func(p prim.SelectAndGatherAddP, in, out []*Tensor) { selectAndGather(out[0], in[0], in[1], p) }),
	on(func(p prim.SelectAndScatterAddP, in, out []*Tensor) { selectAndScatter(out[0], in[0], in[1], p) }),
	on(func(p prim.SortP, in, out []*Tensor) { sortAlong(out, in, p.Dimension, p.NumKeys) }),
	on(func(p prim.TopKP, in, out []*Tensor) { topK(out[0], out[1], in[0], p.Axis) }),
	on(func(_ prim.RandomSeedP, in, out []*Tensor) { randomSeed(in, out) }),
	on(func(_ prim.RandomSplitP, in, out []*Tensor) { randomSplit(in, out) }),
	on(func(_ prim.RandomFoldInP, in, out []*Tensor) { randomFoldIn(in, out) }),
	on(func(_ prim.RandomBitsP, in, out []*Tensor) { randomBits(in, out) }),
	on(func(_ prim.Threefry2x32P, in, out []*Tensor) { threefryWords(in, out) }),
	on(func(_ prim.CholeskyP, in, out []*Tensor) { choleskyPacked(out[0], in[0]) }),
	on(func(_ SymmetricRootP, in, out []*Tensor) { symmetricRoots(out[0], in[0]) }),
	on(func(_ SmallSystemP, in, out []*Tensor) { smallSystems(out[0], in[0], in[1]) }),
	on(func(p prim.TriangularSolveP, in, out []*Tensor) { triangularSolve(out[0], in[0], in[1], p) }),
	on(func(_ prim.LUP, in, out []*Tensor) { luFactors(in, out) }),
	on(func(p prim.LUPivotsToPermutationP, in, out []*Tensor) { pivotsToPermutation(out[0], in[0], p) }),
	on(func(_ prim.GeqrfP, in, out []*Tensor) { geqrf(in, out) }),
	on(func(_ prim.HouseholderProductP, in, out []*Tensor) { householderProduct(in, out) }),
	on(func(p prim.OrmqrP, in, out []*Tensor) { ormqr(in, out, p) }),
	on(func(p prim.QRP, in, out []*Tensor) { qrFactors(in, out, p) }),
	on(func(p prim.EighP, in, out []*Tensor) { eigh(in, out, p) }),
	on(func(p prim.TridiagonalP, in, out []*Tensor) { tridiagonal(in, out, p) }),
	on(func(p prim.SVDP, in, out []*Tensor) { svd(in, out, p) }),
	on(func(p prim.EigP, in, out []*Tensor) { eig(in, out, p) }),
	on(func(_ prim.SchurP, in, out []*Tensor) { schur(in, out) }),
	on(func(_ prim.HessenbergP, in, out []*Tensor) { hessenberg(in, out) }),
	on(func(p prim.TridiagonalSolveP, in, out []*Tensor) { tridiagonalSolve(in, out, p) }),
	on(func(p prim.FFTP, in, out []*Tensor) { fourier(out[0], in[0], p) }),
}
