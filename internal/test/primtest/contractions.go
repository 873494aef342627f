package primtest

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/core/prim/hostcall"
	"github.com/weft-go/weft/core/prim/matrices"
	"github.com/weft-go/weft/core/prim/windows"
)

func dots() []Sample {
	matmul := prim.DotGeneralP{LhsContract: dims(1), RhsContract: dims(0)}
	s := withDom(typed(matmul, everyone, dims(2, 3), dims(3, 2)), usual)
	for _, c := range []struct {
		p    prim.DotGeneralP
		x, y core.Dims
	}{
		{prim.DotGeneralP{}, dims(), dims(2)},
		{prim.DotGeneralP{LhsContract: dims(0), RhsContract: dims(0)}, dims(3), dims(3)},
		{prim.DotGeneralP{LhsContract: dims(0), RhsContract: dims(0)}, dims(300), dims(300)},
		{prim.DotGeneralP{LhsContract: dims(0), RhsContract: dims(1)}, dims(3, 2), dims(4, 3)},
		{prim.DotGeneralP{LhsContract: dims(0, 1), RhsContract: dims(1, 0)}, dims(2, 3), dims(3, 2)},
		{prim.DotGeneralP{LhsContract: dims(2), RhsContract: dims(1), LhsBatch: dims(0), RhsBatch: dims(0)}, dims(2, 1, 3), dims(2, 3, 2)},
		{prim.DotGeneralP{LhsContract: dims(3, 1), RhsContract: dims(1, 3), LhsBatch: dims(2, 0), RhsBatch: dims(2, 0)}, dims(2, 2, 1, 3), dims(2, 3, 1, 2)},
		{prim.DotGeneralP{LhsBatch: dims(1), RhsBatch: dims(0), Precision: "(Precision.HIGHEST, Precision.HIGHEST)"}, dims(2, 3), dims(3, 2)},
		{matmul, dims(2, 0), dims(0, 3)},
		{matmul, dims(0, 2), dims(2, 3)},
	} {
		s = append(s, withDom([]Sample{real(c.p, c.x, c.y)}, usual)...)
	}
	for _, c := range []struct{ x, y, preferred core.DType }{
		{core.BFloat16, core.BFloat16, core.Float32},
		{core.Float16, core.Float32, core.Invalid},
		{core.Int8, core.Int8, core.Int32},
		{core.Uint8, core.Int8, core.Float32},
		{core.Int32, core.Float32, core.Invalid},
		{core.Complex64, core.Float32, core.Invalid},
		{core.Float32, core.Float32, core.Float64},
	} {
		p := matmul
		p.Preferred = c.preferred
		s = append(s, withDom([]Sample{{Prim: p, In: []core.ShapedArray{core.Aval(c.x, 2, 3), core.Aval(c.y, 3, 2)}}}, usual)...)
	}
	return s
}

// conv returns a convolution over spatial axes in the usual order.
func conv(spatial int) windows.ConvP {
	one := make([]int, spatial)
	for i := range one {
		one[i] = 1
	}
	return windows.ConvP{
		Strides: dims(one...), LhsDilation: dims(one...), RhsDilation: dims(one...),
		Padding:       dims(make([]int, 2*spatial)...),
		LhsSpec:       core.Range(0, spatial+2),
		RhsSpec:       core.Range(0, spatial+2),
		OutSpec:       core.Range(0, spatial+2),
		FeatureGroups: 1, BatchGroups: 1,
	}
}

func ragged() []Sample {
	var s []Sample
	for _, dt := range []core.DType{core.Float32, core.Float64, core.BFloat16} {
		s = append(s, Sample{Prim: prim.RaggedDotP{}, In: []core.ShapedArray{core.Aval(dt, 5, 3), core.Aval(dt, 2, 3, 4), core.Aval(core.Int32, 2)}},
			Sample{Prim: prim.RaggedDotP{Form: prim.RaggedTurns}, In: []core.ShapedArray{core.Aval(dt, 5, 3), core.Aval(dt, 2, 4, 3), core.Aval(core.Int32, 2)}},
			Sample{Prim: prim.RaggedDotP{Form: prim.RaggedSums}, In: []core.ShapedArray{core.Aval(dt, 5, 3), core.Aval(dt, 5, 4), core.Aval(core.Int32, 2)}})
	}
	return s
}

func convolutions() []Sample {
	plain := conv(1)
	s := withDom(typed(plain, everyone, dims(2, 3, 5), dims(2, 3, 2)), usual)
	add := func(p windows.ConvP, x, w core.Dims) {
		s = append(s, withDom([]Sample{real(p, x, w)}, usual)...)
	}
	add(conv(0), dims(2, 3), dims(4, 3))
	add(plain, dims(1, 1, 1), dims(1, 1, 2))
	add(plain, dims(1, 90, 4), dims(1, 90, 2))
	add(plain, dims(2, 0, 4), dims(3, 0, 2))

	p := conv(2)
	p.Strides, p.Padding = dims(2, 1), dims(1, 2, 0, 1)
	p.LhsDilation, p.RhsDilation = dims(1, 2), dims(2, 1)
	add(p, dims(2, 2, 5, 4), dims(3, 2, 2, 3))
	p.Padding = dims(-1, 2, 1, -1)
	add(p, dims(2, 2, 5, 4), dims(3, 2, 2, 3))
	p.LhsSpec, p.RhsSpec, p.OutSpec = dims(0, 3, 1, 2), dims(3, 2, 0, 1), dims(2, 0, 3, 1)
	add(p, dims(2, 5, 4, 2), dims(2, 3, 2, 3))
	p.FeatureGroups = 2
	add(p, dims(2, 5, 4, 4), dims(2, 3, 2, 6))
	p.FeatureGroups, p.BatchGroups = 1, 2
	add(p, dims(4, 5, 4, 2), dims(2, 3, 2, 6))

	groups := plain
	groups.FeatureGroups, groups.Padding = 3, dims(1, 1)
	add(groups, dims(2, 6, 4), dims(3, 2, 3))
	groups.FeatureGroups, groups.BatchGroups = 1, 3
	add(groups, dims(6, 2, 4), dims(6, 2, 3))

	wide := plain
	wide.Preferred = core.Float32
	return append(s, withDom(typed(wide, []core.DType{core.BFloat16}, dims(1, 2, 4), dims(2, 2, 2)), usual)...)
}

// depthwise returns convolutions of each feature by itself: with one output and several, over a
// dilated array, with windows longer than a chain.
func depthwise() []Sample {
	p := conv(1)
	p.FeatureGroups, p.Padding = 2, dims(1, 1)
	s := []Sample{real(p, dims(2, 2, 5), dims(2, 1, 3)), real(p, dims(1, 2, 5), dims(6, 1, 2))}
	p.LhsDilation, p.Padding = dims(2), dims(2, 1)
	s = append(s, real(p, dims(1, 2, 4), dims(2, 1, 3)))
	p.LhsDilation, p.Padding = dims(1), dims(90, 3)
	return withDom(append(s, real(p, dims(1, 2, 40), dims(2, 1, 130))), usual)
}

// regular draws matrices that are far from singular, symmetric ones positive definite.
var regular = Domain{Lo: -1, Hi: 1, Diag: 4}

func solving() []Sample {
	full := []core.DType{core.Float32, core.Float64, core.Complex64, core.Complex128, core.Float16, core.BFloat16}
	var s []Sample
	for _, shape := range []core.Dims{dims(3, 3), dims(2, 3, 3), dims(1, 1), dims(0, 0), dims(2, 1, 2, 2)} {
		for _, x := range withDom(typed(matrices.CholeskyP{}, full, shape), regular) {
			x.NoFD = "the derivative is that along Hermitian matrices, and half of the matrix is not read"
			s = append(s, x)
		}
	}
	for i := range 32 {
		p := matrices.TriangularSolveP{LeftSide: i&1 > 0, Lower: i&2 > 0, TransposeA: i&4 > 0, ConjugateA: i&8 > 0, UnitDiagonal: i&16 > 0}
		b := dims(2, 3)
		if p.LeftSide {
			b = dims(3, 2)
		}
		for _, dt := range []core.DType{core.Float32, core.Complex128} {
			x := typed(p, []core.DType{dt}, dims(3, 3), b)
			x[0].Dom = []Domain{regular, usual}
			s = append(s, x...)
		}
	}
	left, right := matrices.TriangularSolveP{LeftSide: true, Lower: true}, matrices.TriangularSolveP{}
	for _, c := range []struct {
		p    matrices.TriangularSolveP
		a, b core.Dims
	}{
		{left, dims(2, 2, 2), dims(2, 2, 3)}, {right, dims(2, 2, 2), dims(2, 3, 2)},
		{left, dims(2, 2), dims(2, 1)}, {right, dims(2, 2), dims(4, 2)}, {left, dims(3, 3), dims(3, 0)}, {left, dims(0, 0), dims(0, 2)},
	} {
		x := real(c.p, c.a, c.b)
		x.Dom = []Domain{regular, usual}
		s = append(s, x)
	}
	for _, x := range typed(left, full, dims(2, 2), dims(2, 2)) {
		x.Dom = []Domain{regular, usual}
		s = append(s, x)
	}
	return s
}

// AxisName and AxisSize are the named axis of the samples that name one: they mean
// something within a batch of that name and size only.
const (
	AxisName = "i"
	AxisSize = 4
)

func axes() []Sample {
	i := prim.MakeNames(AxisName)
	over := prim.NamedAxes{Names: i}
	pairs := prim.MakeGroups([]int{0, 2}, []int{3, 1})
	var s []Sample
	for _, shape := range []core.Dims{dims(), dims(3), dims(2, 1)} {
		s = append(s, withDom([]Sample{real(prim.PsumP{Axes: over}, shape)}, usual)...)
		s = append(s, withDom([]Sample{real(prim.PmaxP{Axes: over}, shape), real(prim.PminP{Axes: over}, shape)}, spaced)...)
		s = append(s, withDom([]Sample{
			real(prim.AllGatherP{Axis: i, Size: AxisSize}, shape),
			real(prim.AllGatherP{Axis: i, Size: 2, Dimension: shape.Len(), Groups: pairs}, shape),
			real(prim.PpermuteP{Axis: i, Perm: dims(0, 1, 1, 2, 2, 3, 3, 0)}, shape),
			real(prim.PpermuteP{Axis: i, Perm: dims(3, 0, 1, 1)}, shape),
			real(prim.PsumP{Axes: over, Groups: pairs}, shape),
		}, usual)...)
		s = append(s, withDom([]Sample{real(prim.PmaxP{Axes: over, Groups: pairs}, shape), real(prim.PminP{Axes: over, Groups: pairs}, shape)}, spaced)...)
	}
	s = append(s, withDom(typed(prim.PsumP{Axes: over}, numbers, dims(2)), usual)...)
	both := prim.NamedAxes{Names: i, Positions: dims(1)}
	s = append(s, withDom([]Sample{
		real(prim.PsumP{Axes: prim.NamedAxes{Positions: dims(0)}}, dims(3, 2)),
		real(prim.PsumP{Axes: both}, dims(3, 2)),
		real(prim.PsumInvariantP{}, dims(2)), // over axes of a mesh: see the tests of shard_map
		real(prim.AllGatherP{Axis: i, Size: AxisSize, Dimension: 1, Tiled: true}, dims(2, 3)),
		real(prim.ReduceScatterP{Axis: i, Size: AxisSize, Dimension: 1}, dims(2, AxisSize)),
		real(prim.ReduceScatterP{Axis: i, Size: AxisSize, Tiled: true}, dims(2*AxisSize, 3)),
		real(prim.ReduceScatterP{Axis: i, Size: 2, Dimension: 1, Groups: pairs}, dims(3, 2)),
		real(prim.ReduceScatterP{Axis: i, Size: 2, Tiled: true, Groups: pairs}, dims(4)),
		real(prim.AllToAllP{Axis: i, Size: AxisSize, Concat: 1}, dims(AxisSize, 2)),
		real(prim.AllToAllP{Axis: i, Size: AxisSize, Tiled: true}, dims(AxisSize, 3)),
	}, usual)...)
	s = append(s, withDom([]Sample{
		real(prim.PmaxP{Axes: both}, dims(3, 2)),
		real(prim.PminP{Axes: prim.NamedAxes{Positions: dims(0)}}, dims(3, 2)),
	}, spaced)...)
	return append(s, Sample{Prim: prim.AxisIndexP{Axis: AxisName}})
}

func callbacks() []Sample {
	echo := &hostcall.HostFunc{Name: "echo", Call: func(in []core.Value) []core.Value { return in }}
	look := &hostcall.HostFunc{Name: "look", Call: func([]core.Value) []core.Value { return nil }}
	x := core.Aval(core.Float32, 3)
	n := core.Aval(core.Int32)
	avals := hostcall.MakeAvals(x, n)
	in := []core.ShapedArray{x, n}
	s := []Sample{
		{Prim: hostcall.IOCallbackP{Fn: echo, Results: avals}, In: in},
		{Prim: hostcall.IOCallbackP{Fn: echo, Results: avals, Ordered: true}, In: in},
		{Prim: hostcall.DebugCallbackP{Fn: look}, In: in},
		{Prim: hostcall.DebugCallbackP{Fn: look, Ordered: true}, In: in},
		{Prim: hostcall.DebugPrintP{Format: "x is {} of {n}", Positional: 1, Keywords: prim.MakeNames("n")}, In: in},
		{Prim: hostcall.DebugPrintP{Format: "hello", Ordered: true}},
	}
	for _, method := range []string{"", "sequential", "sequential_unrolled", "broadcast_all"} {
		s = append(s, Sample{Prim: hostcall.PureCallbackP{Fn: echo, Results: avals, Vmap: method}, In: in})
	}
	return append(s, Sample{Prim: hostcall.PureCallbackP{Fn: echo, Results: hostcall.MakeAvals(x), Vmap: "expand_dims"}, In: in[:1]})
}
