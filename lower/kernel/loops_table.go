package kernel

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
)

// loopTable holds the canonical loops: reductions, products, gathers, and what
// moves elements.
var loopTable = map[string]Func{
	"reshape":       copyAll,
	"squeeze":       copyAll,
	"random_clone":  copyAll,
	"random_wrap":   copyAll,
	"random_unwrap": copyAll,
	"broadcast_in_dim": func(p core.Primitive, in, out []*Tensor) {
		broadcastInDim(out[0], in[0], p.(prim.BroadcastInDimP).Dims)
	},
	"transpose": func(p core.Primitive, in, out []*Tensor) { transpose(out[0], in[0], p.(prim.TransposeP).Perm) },
	"rev":       func(p core.Primitive, in, out []*Tensor) { reverse(out[0], in[0], p.(prim.RevP).Dims) },
	"slice": func(p core.Primitive, in, out []*Tensor) {
		q := p.(prim.SliceP)
		slice(out[0], in[0], q.Start, q.Strides)
	},
	"pad": func(p core.Primitive, in, out []*Tensor) { pad(out[0], in[0], in[1], p.(prim.PadP).Config) },
	"concatenate": func(p core.Primitive, in, out []*Tensor) {
		concatenate(out[0], in, p.(prim.ConcatenateP).Dimension)
	},
	"split":   func(p core.Primitive, in, out []*Tensor) { split(out, in[0], p.(prim.SplitP).Axis) },
	"stack":   func(p core.Primitive, in, out []*Tensor) { stack(out[0], in, p.(prim.StackP).Axis) },
	"unstack": func(p core.Primitive, in, out []*Tensor) { unstack(out, in[0], p.(prim.UnstackP).Axis) },
	"tile":    func(p core.Primitive, in, out []*Tensor) { tileCopies(out[0], in[0], p.(prim.TileP).Reps) },
	"iota":    func(p core.Primitive, _, out []*Tensor) { count(out[0], p.(prim.IotaP).Dimension) },
	"empty":   func(_ core.Primitive, _, out []*Tensor) { clear(out[0].Data) },
	"empty2":  func(_ core.Primitive, _, out []*Tensor) { clear(out[0].Data) },

	"reduce_sum": func(p core.Primitive, in, out []*Tensor) {
		q := p.(prim.ReduceSumP)
		reduceTo(foldSum, out[0], in[0], q.Axes, q.Order.Implied(in[0].Shape, q.Axes) == prim.OrderLanes)
	},
	"reduce_prod": func(p core.Primitive, in, out []*Tensor) {
		q := p.(prim.ReduceProdP)
		reduceTo(foldProd, out[0], in[0], q.Axes, q.Order.Implied(in[0].Shape, q.Axes) == prim.OrderLanes)
	},
	"reduce_max": func(p core.Primitive, in, out []*Tensor) {
		reduceFree(foldMax, out[0], in[0], p.(prim.ReduceMaxP).Axes)
	},
	"reduce_min": func(p core.Primitive, in, out []*Tensor) {
		reduceFree(foldMin, out[0], in[0], p.(prim.ReduceMinP).Axes)
	},
	"reduce_and": func(p core.Primitive, in, out []*Tensor) {
		reduceFree(foldAnd, out[0], in[0], p.(prim.ReduceAndP).Axes)
	},
	"reduce_or": func(p core.Primitive, in, out []*Tensor) { reduceFree(foldOr, out[0], in[0], p.(prim.ReduceOrP).Axes) },
	"reduce_xor": func(p core.Primitive, in, out []*Tensor) {
		reduceFree(foldXor, out[0], in[0], p.(prim.ReduceXorP).Axes)
	},

	"dot_general": func(p core.Primitive, in, out []*Tensor) {
		q := p.(prim.DotGeneralP)
		dotGeneral(out[0], in[0], in[1], q.LhsContract, q.RhsContract, q.LhsBatch, q.RhsBatch)
	},

	"argmax": func(p core.Primitive, in, out []*Tensor) { argTo(true, out[0], in[0], p.(prim.ArgmaxP).Axes.At(0)) },
	"argmin": func(p core.Primitive, in, out []*Tensor) { argTo(false, out[0], in[0], p.(prim.ArgminP).Axes.At(0)) },

	"cumsum": func(p core.Primitive, in, out []*Tensor) {
		q := p.(prim.CumsumP)
		cumulate(foldSum, out[0], in[0], q.Axis, q.Reverse)
	},
	"cumprod": func(p core.Primitive, in, out []*Tensor) {
		q := p.(prim.CumprodP)
		cumulate(foldProd, out[0], in[0], q.Axis, q.Reverse)
	},
	"cummax": func(p core.Primitive, in, out []*Tensor) {
		q := p.(prim.CummaxP)
		cumulate(foldMax, out[0], in[0], q.Axis, q.Reverse)
	},
	"cummin": func(p core.Primitive, in, out []*Tensor) {
		q := p.(prim.CumminP)
		cumulate(foldMin, out[0], in[0], q.Axis, q.Reverse)
	},

	"dynamic_slice": func(_ core.Primitive, in, out []*Tensor) { dynamicSlice(out[0], in[0], in[1:]) },
	"dynamic_update_slice": func(_ core.Primitive, in, out []*Tensor) {
		dynamicUpdateSlice(out[0], in[0], in[1], in[2:])
	},
	"gather": func(p core.Primitive, in, out []*Tensor) { gatherWindows(out[0], in[0], in[1], p.(prim.GatherP)) },
	"scatter": func(p core.Primitive, in, out []*Tensor) {
		q, ok := p.(prim.ScatterP)
		if !ok {
			core.Failf(core.ErrNoRule, "a scatter with a program of its own is run by an executor: see ScatterApply")
		}
		scatter(scatterSet, out[0], in[0], in[1], in[2], q.Scattering)
	},
	"scatter-add": func(p core.Primitive, in, out []*Tensor) {
		scatter(scatterAdd, out[0], in[0], in[1], in[2], p.(prim.ScatterAddP).Scattering)
	},
	"scatter-sub": func(p core.Primitive, in, out []*Tensor) {
		scatter(scatterSub, out[0], in[0], in[1], in[2], p.(prim.ScatterSubP).Scattering)
	},
	"scatter-mul": func(p core.Primitive, in, out []*Tensor) {
		scatter(scatterMul, out[0], in[0], in[1], in[2], p.(prim.ScatterMulP).Scattering)
	},
	"scatter-min": func(p core.Primitive, in, out []*Tensor) {
		scatter(scatterMin, out[0], in[0], in[1], in[2], p.(prim.ScatterMinP).Scattering)
	},
	"scatter-max": func(p core.Primitive, in, out []*Tensor) {
		scatter(scatterMax, out[0], in[0], in[1], in[2], p.(prim.ScatterMaxP).Scattering)
	},

	"conv_general_dilated": func(p core.Primitive, in, out []*Tensor) { convolve(out[0], in[0], in[1], p.(prim.ConvP)) },
	"reduce_window_sum": func(p core.Primitive, in, out []*Tensor) {
		reduceWindow(foldSum, out[0], in[0], p.(prim.ReduceWindowSumP).Window)
	},
	"reduce_window_max": func(p core.Primitive, in, out []*Tensor) {
		reduceWindow(foldMax, out[0], in[0], p.(prim.ReduceWindowMaxP).Window)
	},
	"reduce_window_min": func(p core.Primitive, in, out []*Tensor) {
		reduceWindow(foldMin, out[0], in[0], p.(prim.ReduceWindowMinP).Window)
	},
	"select_and_gather_add": func(p core.Primitive, in, out []*Tensor) {
		selectAndGather(out[0], in[0], in[1], p.(prim.SelectAndGatherAddP))
	},
	"select_and_scatter_add": func(p core.Primitive, in, out []*Tensor) {
		selectAndScatter(out[0], in[0], in[1], p.(prim.SelectAndScatterAddP))
	},

	"sort": func(p core.Primitive, in, out []*Tensor) {
		q := p.(prim.SortP)
		sortAlong(out, in, q.Dimension, q.NumKeys)
	},
	"top_k": func(p core.Primitive, in, out []*Tensor) { topK(out[0], out[1], in[0], p.(prim.TopKP).Axis) },

	"random_seed":    randomSeed,
	"random_split":   randomSplit,
	"random_fold_in": randomFoldIn,
	"random_bits":    randomBits,
	"threefry2x32":   threefryWords,

	"cholesky": func(_ core.Primitive, in, out []*Tensor) { cholesky(out[0], in[0]) },
	"triangular_solve": func(p core.Primitive, in, out []*Tensor) {
		triangularSolve(out[0], in[0], in[1], p.(prim.TriangularSolveP))
	},
}
