package primtest

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/core/prim/indexed"
	"github.com/weft-go/weft/core/prim/rng"
	"github.com/weft-go/weft/jaxpr"
)

// structure returns the samples of operations that move, index, sort and draw elements.
func structure() []Sample {
	var s []Sample
	for _, part := range [][]Sample{shaping(), cutting(), dynamics(), gathers(), scatters(), sorts(), randoms()} {
		s = append(s, part...)
	}
	return s
}

func dims(v ...int) core.Dims { return core.MakeDims(v...) }

// moved are the types that can be moved about: truth values, numbers and keys.
var moved = join(everyone, keys)

// typed returns a sample of p for every dtype, all operands of that dtype and of the
// given shapes.
func typed(p core.Primitive, dts []core.DType, shapes ...core.Dims) []Sample {
	var s []Sample
	for _, dt := range dts {
		in := make([]core.ShapedArray, len(shapes))
		for i, d := range shapes {
			in[i] = core.ShapedArray{Shape: d, DType: dt}
		}
		s = append(s, Sample{Prim: p, In: in})
	}
	return s
}

// real returns a sample of p on f32 operands of the given shapes.
func real(p core.Primitive, shapes ...core.Dims) Sample {
	return typed(p, []core.DType{core.Float32}, shapes...)[0]
}

func shaping() []Sample {
	s := typed(prim.BroadcastInDimP{Shape: dims(2, 3, 2), Dims: dims(0, 1)}, moved, dims(2, 1))
	s = append(s, typed(prim.ReshapeP{Shape: dims(3, 2)}, moved, dims(2, 3))...)
	s = append(s, typed(prim.TransposeP{Perm: dims(1, 2, 0)}, moved, dims(2, 3, 2))...)
	s = append(s, typed(prim.SqueezeP{Dims: dims(1)}, moved, dims(3, 1))...)
	s = append(s, typed(prim.RevP{Dims: dims(1)}, moved, dims(2, 3))...)
	s = append(s, typed(prim.TileP{Reps: dims(2, 1)}, moved, dims(2, 3))...)
	for _, dt := range numbers {
		s = append(s, Sample{Prim: prim.IotaP{DType: dt, Shape: dims(2, 3), Dimension: 1}})
	}
	for _, dt := range everyone {
		s = append(s, Sample{Prim: prim.EmptyP{DType: dt, Shape: dims(2, 3)}}, Sample{Prim: prim.Empty2P{DType: dt}})
	}
	return append(s,
		real(prim.BroadcastInDimP{Shape: dims(2, 3)}, dims()),
		real(prim.BroadcastInDimP{Shape: dims(3, 2, 4), Dims: dims(0, 2)}, dims(3, 4)),
		real(prim.BroadcastInDimP{Shape: dims(1, 3), Dims: dims(1)}, dims(3)),
		real(prim.BroadcastInDimP{Shape: dims(2, 0), Dims: dims(0, 1)}, dims(2, 1)),
		real(prim.ReshapeP{}, dims(1, 1)),
		real(prim.ReshapeP{Shape: dims(2, 3, 2)}, dims(4, 3)),
		real(prim.ReshapeP{Shape: dims(0, 5)}, dims(3, 0)),
		real(prim.ReshapePermutedP{Shape: dims(4, 3), Perm: dims(2, 0, 1)}, dims(3, 2, 2)),
		Sample{Prim: prim.DevicePutP{}, In: []core.ShapedArray{core.Aval(core.Float64, 2), core.Aval(core.Int32, 3)}},
		real(prim.ReshardP{Word: "reshard"}, dims(2)),
		real(prim.ReshardP{Word: "sharding_constraint"}, dims(2)),
		real(prim.PvaryP{}, dims(2)),
		real(prim.SqueezeP{Dims: dims(2, 0)}, dims(1, 3, 1)),
		real(prim.SqueezeP{Dims: dims(0)}, dims(1, 0)),
		real(prim.TransposeP{Perm: dims(2, 0, 1)}, dims(2, 3, 4)),
		real(prim.TransposeP{Perm: dims(1, 0)}, dims(0, 3)),
		real(prim.RevP{}, dims(3)),
		real(prim.RevP{Dims: dims(2, 0)}, dims(2, 3, 4)),
		real(prim.TileP{}, dims()),
		real(prim.TileP{Reps: dims(1, 3, 2)}, dims(2, 1, 3)),
		real(prim.TileP{Reps: dims(0)}, dims(3)),
		Sample{Prim: prim.IotaP{DType: core.Int32, Shape: dims(2, 0, 3), Dimension: 0}},
		Sample{Prim: prim.IotaP{DType: core.Float32, Shape: dims(3, 2, 2), Dimension: 0}},
	)
}

func cutting() []Sample {
	s := typed(prim.ConcatenateP{Dimension: 1}, moved, dims(2, 1), dims(2, 3))
	s = append(s, typed(prim.SplitP{Axis: 0, Sizes: dims(1, 2)}, moved, dims(3, 2))...)
	s = append(s, typed(prim.StackP{Axis: 1}, moved, dims(2), dims(2))...)
	s = append(s, typed(prim.UnstackP{Axis: 0}, moved, dims(2, 3))...)
	s = append(s, typed(prim.PadP{Config: dims(1, 0, 1, 0, 2, 0)}, moved, dims(2, 3), dims())...)
	s = append(s, typed(prim.SliceP{Start: dims(0, 1), Limit: dims(2, 4), Strides: dims(1, 2)}, moved, dims(3, 4))...)
	return append(s,
		real(prim.ConcatenateP{Dimension: 0}, dims(2), dims(0), dims(1)),
		real(prim.ConcatenateP{Dimension: 2}, dims(2, 1, 3), dims(2, 1, 1)),
		real(prim.SplitP{Axis: 1, Sizes: dims(4)}, dims(2, 4)),
		real(prim.SplitP{Axis: 2, Sizes: dims(0, 1, 2)}, dims(2, 1, 3)),
		real(prim.StackP{Axis: 0}, dims(), dims(), dims()),
		real(prim.StackP{Axis: 2}, dims(2, 3), dims(2, 3)),
		real(prim.UnstackP{Axis: 1}, dims(2, 3)),
		real(prim.UnstackP{Axis: 0}, dims(1)),
		real(prim.PadP{}, dims(), dims()),
		real(prim.PadP{Config: dims(-1, -1, 0)}, dims(4), dims()),
		real(prim.PadP{Config: dims(-1, 2, 1)}, dims(4), dims()),
		real(prim.PadP{Config: dims(2, -3, 2)}, dims(3), dims()),
		real(prim.PadP{Config: dims(0, 0, 0, 1, -1, 2)}, dims(2, 3), dims()),
		real(prim.PadP{Config: dims(1, 2, 3)}, dims(0), dims()),
		real(prim.SliceP{Start: dims(1), Limit: dims(3)}, dims(5)),
		real(prim.SliceP{}, dims()),
		real(prim.SliceP{Start: dims(1, 0), Limit: dims(1, 2), Strides: dims(3, 1)}, dims(2, 2)),
		real(prim.SliceP{Start: dims(0, 1, 0), Limit: dims(2, 6, 1), Strides: dims(1, 3, 1)}, dims(2, 7, 2)),
	)
}

// indices are integers that may lie out of any small array; inside are those that
// do not reach out of an axis on which the window has the given room.
var indices = between(-3, 6)

func inside(room int) Domain { return between(0, float64(room)) }

func dynamics() []Sample {
	var s []Sample
	x, u := dims(4, 3), dims(2, 3)
	for i, dt := range moved {
		it := integers[i%len(integers)]
		start, at := strong(it), Domain{Lo: 0, Hi: 1}
		if it.IsSigned() && it.Bits() >= 8 {
			at = indices
		}
		a := core.ShapedArray{DType: dt}
		s = append(s,
			Sample{Prim: indexed.DynamicSliceP{Sizes: u}, In: []core.ShapedArray{a.WithShape(x), start, start}, Dom: []Domain{{}, at, at}},
			Sample{Prim: indexed.DynamicUpdateSliceP{}, In: []core.ShapedArray{a.WithShape(x), a.WithShape(u), start, start}, Dom: []Domain{{}, {}, at, at}})
	}
	f, i := core.Float32, core.Aval(core.Int32)
	return append(s,
		Sample{Prim: indexed.DynamicSliceP{}, In: []core.ShapedArray{core.Aval(f)}},
		Sample{Prim: indexed.DynamicSliceP{Sizes: dims(0, 2)}, In: []core.ShapedArray{core.Aval(f, 3, 2), i, i}, Dom: []Domain{{}, indices, indices}},
		Sample{Prim: indexed.DynamicUpdateSliceP{}, In: []core.ShapedArray{core.Aval(f), core.Aval(f)}},
		Sample{Prim: indexed.DynamicUpdateSliceP{}, In: []core.ShapedArray{core.Aval(f, 3), core.Aval(f, 0), i}, Dom: []Domain{{}, {}, indices}},
	)
}

// gather returns a sample of p on an array of dtype dt and indices.
func gather(p indexed.GatherP, dt core.DType, x core.Dims, it core.DType, idx core.Dims, at Domain, noFD string) Sample {
	return Sample{Prim: p, NoFD: noFD, Dom: []Domain{{}, at},
		In: []core.ShapedArray{{Shape: x, DType: dt}, {Shape: idx, DType: it}}}
}

func gathers() []Sample {
	const i32, f32 = core.Int32, core.Float32
	rows := indexed.GatherP{OffsetDims: dims(1), CollapsedSliceDims: dims(0), StartIndexMap: dims(0), SliceSizes: dims(1, 3), Mode: indexed.Clip}
	var s []Sample
	for i, dt := range moved {
		it, at := integers[i%len(integers)], Domain{Lo: 0, Hi: 1}
		if it.IsSigned() && it.Bits() >= 8 {
			at = indices
		}
		s = append(s, gather(rows, dt, dims(4, 3), it, dims(2, 1), at, ""))
		if !dt.IsKey() {
			filled := rows
			filled.Mode = indexed.FillOrDrop
			s = append(s, gather(filled, dt, dims(2, 3), i32, dims(4, 1), indices, "fills with NaN"))
		}
	}
	// Each mode, with windows of two elements along both axes.
	windows := indexed.GatherP{OffsetDims: dims(0, 2), StartIndexMap: dims(1, 0), SliceSizes: dims(2, 2)}
	clip, fill, promise := windows, windows, windows
	clip.Mode, fill.Mode = indexed.Clip, indexed.FillOrDrop
	fill.Fill = core.IntNumber(7)
	promise.Unique, promise.Sorted = true, true
	scalar := indexed.GatherP{CollapsedSliceDims: dims(0, 1), StartIndexMap: dims(0, 1), SliceSizes: dims(1, 1)}
	// The operand's axis 1 is batched with the index array's axis 0.
	along := indexed.GatherP{CollapsedSliceDims: dims(0), StartIndexMap: dims(0), OperandBatchingDims: dims(1), StartIndicesBatchingDims: dims(0),
		SliceSizes: dims(1, 1), Mode: indexed.Clip}
	alongWindow := indexed.GatherP{OffsetDims: dims(1), StartIndexMap: dims(0), OperandBatchingDims: dims(1), StartIndicesBatchingDims: dims(1),
		SliceSizes: dims(2, 1), Mode: indexed.FillOrDrop, Fill: core.FloatNumber(-0.5)}
	nothing := indexed.GatherP{OffsetDims: dims(0), SliceSizes: dims(2)}
	return append(s,
		gather(clip, f32, dims(3, 4), i32, dims(5, 2), indices, ""),
		gather(fill, f32, dims(3, 4), i32, dims(5, 2), indices, ""),
		gather(promise, f32, dims(3, 4), i32, dims(1, 2), inside(1), ""),
		gather(scalar, f32, dims(3, 4), i32, dims(2), inside(2), ""),
		gather(along, f32, dims(4, 3), i32, dims(3, 2, 1), indices, ""),
		gather(alongWindow, f32, dims(4, 3), i32, dims(2, 3, 1), indices, ""),
		gather(nothing, f32, dims(3), i32, dims(2, 0), indices, ""),
		gather(rows, f32, dims(4, 3), i32, dims(0, 1), indices, ""),
		gather(rows, f32, dims(4, 3), core.Uint8, dims(2, 2, 1), inside(9), ""),
	)
}

// scatter returns a sample of p on an array and updates of dtype dt and indices.
func scatter(p core.Primitive, dt core.DType, x, idx, u core.Dims, at Domain) Sample {
	return Sample{Prim: p, Dom: []Domain{{}, at, {}},
		In: []core.ShapedArray{{Shape: x, DType: dt}, {Shape: idx, DType: core.Int32}, {Shape: u, DType: dt}}}
}

// placed are shapes and parameters of scatters, with indices that repeat and lie
// out of the array.
var placed = []struct {
	s         indexed.Scattering
	x, idx, u core.Dims
	at        Domain
}{
	{indexed.Scattering{UpdateWindowDims: dims(1), InsertedWindowDims: dims(0), ScatterDimsToOperandDims: dims(0), Mode: indexed.Clip},
		dims(3, 2), dims(4, 1), dims(4, 2), indices},
	{indexed.Scattering{UpdateWindowDims: dims(1), InsertedWindowDims: dims(0), ScatterDimsToOperandDims: dims(0), Mode: indexed.FillOrDrop},
		dims(3, 2), dims(5, 1), dims(5, 2), indices},
	{indexed.Scattering{InsertedWindowDims: dims(0), ScatterDimsToOperandDims: dims(0)},
		dims(3), dims(4, 1), dims(4), inside(2)},
	// Windows that overlap in part, with their axes around those of the positions.
	{indexed.Scattering{UpdateWindowDims: dims(0, 2), ScatterDimsToOperandDims: dims(1, 0), Mode: indexed.FillOrDrop},
		dims(3, 4), dims(4, 2), dims(2, 4, 2), between(-1, 3)},
	{indexed.Scattering{InsertedWindowDims: dims(0), ScatterDimsToOperandDims: dims(0), OperandBatchingDims: dims(1), ScatterIndicesBatchingDims: dims(0), Mode: indexed.Clip},
		dims(2, 3), dims(3, 2, 1), dims(3, 2), indices},
	{indexed.Scattering{UpdateWindowDims: dims(0), Mode: indexed.Clip}, dims(3), dims(0), dims(2), indices},
	{indexed.Scattering{InsertedWindowDims: dims(0, 1), ScatterDimsToOperandDims: dims(1, 0), Mode: indexed.FillOrDrop}, dims(2, 2), dims(2), dims(), between(-1, 2)},
	{indexed.Scattering{InsertedWindowDims: dims(0), ScatterDimsToOperandDims: dims(0), Mode: indexed.FillOrDrop}, dims(3), dims(0, 1), dims(0), indices},
}

func scatters() []Sample {
	var s []Sample
	for i, c := range placed {
		for _, dt := range pick(i, moved) {
			s = append(s, scatter(indexed.ScatterP{Scattering: c.s}, dt, c.x, c.idx, c.u, c.at))
		}
		for _, dt := range pick(i, numbers) {
			s = append(s, scatter(c.s.By(indexed.CombineAdd, dt), dt, c.x, c.idx, c.u, c.at), scatter(c.s.By(indexed.CombineSub, dt), dt, c.x, c.idx, c.u, c.at))
			one := scatter(c.s.By(indexed.CombineMul, dt), dt, c.x, c.idx, c.u, c.at)
			one.NoFD = "without a promise of unique indices there is no derivative with respect to the updates"
			s = append(s, one)
		}
		for _, dt := range pick(i, everyone) {
			for _, p := range []core.Primitive{c.s.By(indexed.CombineMin, dt), c.s.By(indexed.CombineMax, dt)} {
				one := scatter(p, dt, c.x, c.idx, c.u, c.at)
				if dt.IsFloat() && dt.Bits() >= 32 {
					// No two elements that are compared are equal or near.
					one.Dom[0], one.Dom[2] = Domain{Values: steps(-10, 10), Unique: true}, Domain{Values: steps(-9.5, 9.5), Unique: true}
				} else {
					one.NoFD = "ties"
				}
				s = append(s, one)
			}
		}
	}
	// Promised unique: positions that differ.
	unique := indexed.Scattering{UpdateWindowDims: dims(1), InsertedWindowDims: dims(0), ScatterDimsToOperandDims: dims(0), Unique: true, Mode: indexed.FillOrDrop}
	differ := Domain{Values: []float64{4, 0, 2, 1, 3, 5}, Unique: true}
	for _, dt := range []core.DType{core.Float32, core.Float64, core.Complex64} {
		s = append(s, scatter(unique.By(indexed.CombineMul, dt), dt, dims(5, 2), dims(3, 1), dims(3, 2), differ),
			scatter(indexed.ScatterP{Scattering: unique}, dt, dims(5, 2), dims(3, 1), dims(3, 2), differ))
	}
	apply := indexed.ScatterApplyP{Scattering: unique, F: negation(core.Float32)}
	return append(s, scatter(apply, core.Float32, dims(5, 2), dims(3, 1), dims(3, 2), differ))
}

// steps returns lo, lo+1, …, hi.
func steps(lo, hi float64) []float64 {
	var v []float64
	for ; lo <= hi; lo++ {
		v = append(v, lo)
	}
	return v
}

// pick returns all dtypes for the first, f32 and a few others in turn for the rest.
func pick(i int, dts []core.DType) []core.DType {
	if i == 0 {
		return dts
	}
	return []core.DType{core.Float32, dts[(7*i)%len(dts)]}
}

// negation returns the program of two scalars that returns minus the first.
func negation(dt core.DType) *jaxpr.Jaxpr {
	x, y, z := jaxpr.NewVar(core.Aval(dt)), jaxpr.NewVar(core.Aval(dt)), jaxpr.NewVar(core.Aval(dt))
	return &jaxpr.Jaxpr{
		Ins:  []*jaxpr.Var{x, y},
		Eqns: []*jaxpr.Eqn{{Outs: []*jaxpr.Var{z}, Prim: prim.NegP{}, Ins: []jaxpr.Atom{x}}},
		Outs: []jaxpr.Atom{z},
	}
}

func sorts() []Sample {
	var s []Sample
	apart := Domain{Lo: -30, Hi: 30, Unique: true}
	add := func(p core.Primitive, noFD string, in ...core.ShapedArray) {
		dom := make([]Domain, len(in))
		for i := range in {
			if noFD == "" {
				dom[i] = apart
			}
		}
		s = append(s, Sample{Prim: p, In: in, Dom: dom, NoFD: noFD})
	}
	for _, dt := range join(booleans, numbers) {
		add(indexed.SortP{Dimension: 1, NumKeys: 1, Stable: true}, "ties", core.Aval(dt, 2, 5))
		if !dt.IsComplex() {
			add(indexed.TopKP{Axis: 1, K: 3}, "ties", core.Aval(dt, 2, 5))
		}
	}
	for _, dt := range []core.DType{core.Float32, core.Float64} {
		add(indexed.SortP{Dimension: 0, NumKeys: 1, Stable: true}, "", core.Aval(dt, 5))
		add(indexed.SortP{Dimension: 0, NumKeys: 1, Stable: false}, "", core.Aval(dt, 4, 2), core.Aval(dt, 4, 2))
		add(indexed.SortP{Dimension: 1, NumKeys: 2, Stable: true}, "", core.Aval(core.Float32, 2, 4), core.Aval(dt, 2, 4), core.Aval(core.Float32, 2, 4))
		add(indexed.TopKP{Axis: 0, K: 2}, "", core.Aval(dt, 5))
		if dt.IsFloat() {
			add(indexed.ApproxTopKP{K: 2, Axis: -1, Recall: "0.95", Override: "-1"}, "", core.Aval(dt, 2, 5))
			add(indexed.ApproxTopKP{K: 1, Axis: 0, Largest: true, Recall: "0.95", Override: "-1"}, "", core.Aval(dt, 4))
		}
		add(indexed.TopKP{Axis: 1, K: 0}, "", core.Aval(dt, 2, 3, 2))
		add(indexed.TopKP{Axis: 1, K: 3}, "", core.Aval(dt, 2, 3, 2))
	}
	// Equal first keys: the second decides, then the order.
	s = append(s, Sample{Prim: indexed.SortP{Dimension: 0, NumKeys: 2, Stable: true}, NoFD: "ties",
		In:  []core.ShapedArray{core.Aval(core.Int32, 8), core.Aval(core.Float32, 8), core.Aval(core.Uint8, 8)},
		Dom: []Domain{between(0, 2), values(-1, 0, 2), {}}})
	add(indexed.SortP{Dimension: 0, NumKeys: 1, Stable: true}, "", core.Aval(core.Float32, 0, 3))
	add(indexed.SortP{Dimension: 0, NumKeys: 1, Stable: true}, "", core.Aval(core.Float32, 4), core.Aval(core.Key, 4))
	return s
}

func randoms() []Sample {
	var s []Sample
	for _, dt := range integers {
		s = append(s, typed(rng.RandomSeedP{}, []core.DType{dt}, dims(3))...)
	}
	for _, width := range []int{8, 16, 32, 64} {
		s = append(s, typed(rng.RandomBitsP{BitWidth: width, Shape: dims(2, 3)}, keys, dims())...)
		s = append(s, typed(rng.RandomBitsP{BitWidth: width}, keys, dims(2))...)
	}
	key, word := core.Aval(core.Key, 2), core.Aval(core.Uint32, 2)
	s = append(s, typed(rng.RandomSeedP{}, []core.DType{core.Int32, core.Int64}, dims())...)
	s = append(s, typed(prim.RandomWrapP{}, []core.DType{core.Uint32}, dims(3, 2))...)
	s = append(s, typed(prim.RandomUnwrapP{}, keys, dims(3))...)
	s = append(s, typed(prim.RandomUnwrapP{}, keys, dims())...)
	s = append(s, typed(rng.RandomSplitP{Shape: dims(3)}, keys, dims())...)
	s = append(s, typed(rng.RandomSplitP{Shape: dims(2, 2)}, keys, dims(2))...)
	s = append(s, typed(rng.RandomSplitP{Shape: dims(0)}, keys, dims())...)
	s = append(s, typed(rng.RandomCloneP{}, keys, dims(2))...)
	for _, dt := range halfFloats {
		a := []Domain{{}, between(0.25, 3)}
		const drawn = "a sample is accepted or not"
		s = append(s,
			Sample{Prim: rng.RandomGammaP{}, In: []core.ShapedArray{core.Aval(core.Key), core.Aval(dt, 3)}, Dom: a, NoFD: drawn},
			Sample{Prim: rng.RandomGammaP{LogSpace: true}, In: []core.ShapedArray{core.Aval(core.Key, 2), core.Aval(dt, 2, 3)}, Dom: a, NoFD: drawn})
	}
	return append(s,
		Sample{Prim: rng.RandomFoldInP{}, In: []core.ShapedArray{core.Aval(core.Key), core.Aval(core.Uint32)}},
		Sample{Prim: rng.RandomFoldInP{}, In: []core.ShapedArray{key, word}},
		Sample{Prim: rng.RandomFoldInP{}, In: []core.ShapedArray{core.Aval(core.Key), word}},
		Sample{Prim: rng.Threefry2x32P{}, In: []core.ShapedArray{core.Aval(core.Uint32), core.Aval(core.Uint32), word, word}},
		Sample{Prim: rng.Threefry4x32P{}, In: []core.ShapedArray{core.Aval(core.Uint32), core.Aval(core.Uint32), word, word, word, core.Aval(core.Uint32), word, word}},
		Sample{Prim: rng.Philox2x32P{}, In: []core.ShapedArray{core.Aval(core.Uint32), word, word}},
		Sample{Prim: rng.Philox4x32P{}, In: []core.ShapedArray{word, core.Aval(core.Uint32), word, word, core.Aval(core.Uint32), word}},
		Sample{Prim: prim.IotaWordsP{Shape: dims(2, 3)}},
		Sample{Prim: prim.IotaWordsP{}},
		Sample{Prim: prim.PlatformIndexP{Platforms: "(('cuda', 'rocm'), ('tpu', 'cpu'), None)"}},
		Sample{Prim: rng.Threefry2x32P{}, In: []core.ShapedArray{core.Aval(core.Uint32, 2, 1), core.Aval(core.Uint32, 2, 1), core.Aval(core.Uint32, 1, 3), core.Aval(core.Uint32)}},
	)
}
