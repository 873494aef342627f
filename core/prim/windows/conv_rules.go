package windows

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/core/prim/internal/rule"
)

func (p ConvP) JVP(in, out, t []core.Value) []core.Value {
	var dx, dw core.Value
	if t[0] != nil {
		dx = ConvGeneralDilated(t[0], in[1], p)
	}
	if t[1] != nil {
		dw = ConvGeneralDilated(in[0], t[1], p)
	}
	return prim.SumTangents(out[0], dx, dw)
}

// Transpose convolves the cotangent: with the reversed kernel to get x̄, with x to get w̄. For x̄ the
// strides and the dilation of x are exchanged, for w̄ the strides and the dilation of w.
func (p ConvP) Transpose(ct, in []core.Value, lin []bool, av []core.ShapedArray) []core.Value {
	out := make([]core.Value, 2)
	if ct[0].Aval().Size() == 0 {
		return out
	}
	if lin[0] {
		out[0] = cotangentAs(p.transposeLhs(ct[0], in[1], av[0]), av[0])
	}
	if lin[1] {
		out[1] = cotangentAs(p.transposeRhs(ct[0], in[0], av[1]), av[1])
	}
	return out
}

func cotangentAs(v core.Value, a core.ShapedArray) core.Value {
	if v.Aval().DType != a.DType {
		v = prim.Convert(v, a.DType, a.Weak)
	}
	return v
}

// extents returns the dilated sizes of spatial axis i of x, w and z.
func (p ConvP) extents(i int, x, w, z core.Dims) (in, window, out int) {
	return dilated(x.At(p.LhsSpec.At(i+2)), p.LhsDilation.At(i)),
		dilated(w.At(p.RhsSpec.At(i+2)), p.RhsDilation.At(i)),
		dilated(z.At(p.OutSpec.At(i+2)), p.Strides.At(i))
}

func crossed(spec core.Dims) core.Dims {
	v := spec.Ints()
	v[0], v[1] = v[1], v[0]
	return core.MakeDims(v...)
}

func (p ConvP) transposeLhs(z, w core.Value, x core.ShapedArray) core.Value {
	ws, zs := w.Aval().Shape, z.Aval().Shape
	padding := make([]int, p.Padding.Len())
	for i := range p.Strides.Len() {
		in, window, out := p.extents(i, x.Shape, ws, zs)
		padding[2*i] = window - p.Padding.At(2*i) - 1
		padding[2*i+1] = in + window - 1 - out - padding[2*i]
	}
	groups := max(p.FeatureGroups, p.BatchGroups)
	if groups > 1 {
		w = prim.MergeAxis(prim.SplitFront(w, p.RhsSpec.At(0), groups), p.RhsSpec.At(1))
	}
	q := p
	q.Strides, q.LhsDilation, q.Padding = p.LhsDilation, p.Strides, core.MakeDims(padding...)
	q.LhsSpec, q.RhsSpec, q.OutSpec = p.OutSpec, crossed(p.RhsSpec), p.LhsSpec
	q.FeatureGroups, q.BatchGroups = groups, 1
	v := ConvGeneralDilated(z, prim.Rev(w, p.RhsSpec.Slice(2, p.RhsSpec.Len())), q.preferring(z))
	if p.BatchGroups > 1 {
		v = prim.MergeAxis(prim.SplitFront(v, p.LhsSpec.At(1), groups), p.LhsSpec.At(0))
	}
	return v
}

func (p ConvP) transposeRhs(z, x core.Value, w core.ShapedArray) core.Value {
	xs, zs := x.Aval().Shape, z.Aval().Shape
	padding := p.Padding.Ints()
	for i := range p.Strides.Len() {
		in, window, out := p.extents(i, xs, w.Shape, zs)
		padding[2*i+1] = out - in + window - padding[2*i] - 1
	}
	q := p
	q.Strides, q.RhsDilation, q.Padding = p.RhsDilation, p.Strides, core.MakeDims(padding...)
	q.LhsSpec, q.RhsSpec, q.OutSpec = crossed(p.LhsSpec), crossed(p.OutSpec), crossed(p.RhsSpec)
	q.FeatureGroups, q.BatchGroups = p.BatchGroups, p.FeatureGroups
	return ConvGeneralDilated(x, z, q.preferring(z))
}

// preferring makes z's dtype the preferred one, if p prefers any: then z and the other operand may differ in dtype.
func (p ConvP) preferring(z core.Value) ConvP {
	if p.Preferred != core.Invalid {
		p.Preferred = z.Aval().DType
	}
	return p
}

// Batch returns one convolution: the batch goes into the batch axis of x, or the output
// features of w, or, where both have it, into groups.
func (p ConvP) Batch(n int, in []core.Value, mapped []bool) ([]core.Value, []bool) {
	x, w := in[0], in[1]
	if n == 0 {
		z := core.AbstractOf(p, []core.ShapedArray{rule.UnmappedAval(x, mapped[0]), rule.UnmappedAval(w, mapped[1])})[0]
		return []core.Value{prim.Zeros(z.WithShape(z.Shape.Prepend(0)))}, []bool{true}
	}
	switch {
	case mapped[0] && mapped[1]:
		w = prim.MergeAxis(w, p.RhsSpec.At(0))
		q := p
		if p.BatchGroups > 1 {
			x = prim.MergeAxis(x, p.LhsSpec.At(0))
			q.BatchGroups *= n
		} else {
			x = prim.MergeAxis(x, p.LhsSpec.At(1))
			q.FeatureGroups *= n
		}
		return []core.Value{prim.SplitFront(ConvGeneralDilated(x, w, q), p.OutSpec.At(1), n)}, []bool{true}
	case mapped[0]:
		x = mergeInGroups(x, p.LhsSpec.At(0), p.BatchGroups)
		return []core.Value{prim.SplitFront(ConvGeneralDilated(x, w, p), p.OutSpec.At(0), n)}, []bool{true}
	default:
		groups := max(p.FeatureGroups, p.BatchGroups)
		w = mergeInGroups(w, p.RhsSpec.At(0), groups)
		return []core.Value{splitInGroups(ConvGeneralDilated(x, w, p), p.OutSpec.At(1), n, groups)}, []bool{true}
	}
}

// mergeInGroups is MergeAxis for an axis that is made of groups: the leading axis becomes the
// slower-varying index within each of them.
func mergeInGroups(v core.Value, axis, groups int) core.Value {
	if groups == 1 {
		return prim.MergeAxis(v, axis)
	}
	// [n, …, g·m, …] → [g, n, …, m, …] → [g, …, n·m, …] → […, g·n·m, …]
	v = prim.SplitFront(v, axis+1, groups)
	return prim.MergeAxis(prim.MergeSecond(v, axis), axis)
}

func splitInGroups(v core.Value, axis, n, groups int) core.Value {
	if groups == 1 {
		return prim.SplitFront(v, axis, n)
	}
	// […, g·n·m, …] → [n, …, g, m, …] → [n, …, g·m, …]
	s := v.Aval().Shape
	m := s.At(axis) / groups / n
	shape := append(s.Slice(0, axis).Ints(), groups, n, m)
	shape = append(shape, s.Slice(axis+1, s.Len()).Ints()...)
	v = prim.ToFront(prim.Reshape(v, core.MakeDims(shape...)), axis+1)
	out := s.Prepend(n).Ints()
	out[axis+1] = groups * m
	return prim.Reshape(v, core.MakeDims(out...))
}
