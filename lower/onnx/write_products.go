package onnx

import (
	"math"
	"slices"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/core/prim/windows"
)

// limit returns the largest number of a type, or the smallest: of floats an infinity.
func (b *block) limit(largest bool, dt core.DType) value {
	n := core.FloatNumber(math.Inf(-1))
	switch {
	case dt.IsBool():
		n = core.BoolNumber(largest)
	case dt.IsSigned() && largest:
		n = core.IntNumber(math.MaxInt64 >> (64 - dt.Bits()))
	case dt.IsSigned():
		n = core.IntNumber(math.MinInt64 >> (64 - dt.Bits()))
	case dt.IsUnsigned() && largest:
		n = core.UintNumber(math.MaxUint64 >> (64 - dt.Bits()))
	case dt.IsUnsigned():
		n = core.UintNumber(0)
	case largest:
		n = core.FloatNumber(math.Inf(1))
	}
	return b.literal(n, dt)
}

// products writes contractions and convolutions; nil if p is another operation.
func (b *block) products(p core.Primitive, in []value, out []core.ShapedArray) []value {
	switch p := p.(type) {
	case prim.DotGeneralP:
		return []value{b.dot(p, in[0], in[1], out[0])}
	case windows.ConvP:
		return []value{b.conv(p, in[0], in[1], out[0])}
	}
	return nil
}

// dot writes a contraction as products of matrices. Operands whose axes are in the operator's order are not
// transposed.
func (b *block) dot(p prim.DotGeneralP, x, y value, out core.ShapedArray) value {
	dt := out.DType
	if out.Size() == 0 || x.Size() == 0 {
		return b.expand(b.number(0, dt), out.Shape)
	}
	bytes := func(v value) bool { return v.DType == core.Int8 || v.DType == core.Uint8 }
	op, sum := "MatMul", dt
	switch {
	case dt == core.Int32 && bytes(x) && bytes(y):
		op = "MatMulInteger"
	case dt.IsBool():
		sum = core.Int32
		x, y = b.cast(x, sum), b.cast(y, sum)
	default:
		if !operandTypes[op][dt] || dt.IsFloat() && dt.Bits() < 32 { // weft adds up in f32
			sum = wider(dt)[0]
		}
		x, y = b.cast(x, sum), b.cast(y, sum)
	}
	free := func(rank int, used ...core.Dims) (axes []int) {
		for i := range rank {
			if !slices.ContainsFunc(used, func(d core.Dims) bool { return d.Has(i) }) {
				axes = append(axes, i)
			}
		}
		return axes
	}
	rows, cols := free(x.Rank(), p.LhsContract, p.LhsBatch), free(y.Rank(), p.RhsContract, p.RhsBatch)
	batch := make([]int, p.LhsBatch.Len())
	for i, axis := range p.LhsBatch.All() {
		batch[i] = x.Shape.At(axis)
	}
	x = b.transpose(x, slices.Concat(p.LhsBatch.Ints(), rows, p.LhsContract.Ints()))
	y = b.transpose(y, slices.Concat(p.RhsBatch.Ints(), p.RhsContract.Ints(), cols))
	k, m, n := 1, 1, 1
	for i := range p.LhsContract.Len() {
		k *= x.Shape.At(len(batch) + len(rows) + i)
	}
	for i := range rows {
		m *= x.Shape.At(len(batch) + i)
	}
	for i := range cols {
		n *= y.Shape.At(len(batch) + p.RhsContract.Len() + i)
	}
	left := slices.Concat(batch, []int{m, k})
	if len(batch) == 0 && len(rows) > 0 { // MatMul takes several axes of rows
		left = append(x.Shape.Slice(0, len(rows)).Ints(), k)
	}
	x, y = b.reshape(x, core.MakeDims(left...)), b.reshape(y, core.MakeDims(slices.Concat(batch, []int{k, n})...))
	shape := append(slices.Clone(left[:len(left)-1]), n)
	z := b.node(op, []core.ShapedArray{out.WithDType(sum).WithShape(core.MakeDims(shape...))}, nil, x, y)[0]
	if dt.IsBool() {
		return b.reshape(b.convert(z, dt), out.Shape)
	}
	return b.cast(b.reshape(z, out.Shape), dt)
}

// conv writes a convolution, whose operator wants the channels before the spatial axes. Dilation of the input and negative
// padding, which the operator lacks, become a pad before it.
func (b *block) conv(p windows.ConvP, x, w value, out core.ShapedArray) value {
	dt := out.DType
	if out.Size() == 0 || x.Size() == 0 || w.Size() == 0 {
		return b.expand(b.number(0, dt), out.Shape)
	}
	if !dt.IsFloat() {
		core.Failf(core.ErrDType, "ONNX %d has no convolutions of %v; convert to f32", writtenOpset, dt)
	}
	sum := dt
	if dt.Bits() < 32 {
		sum = core.Float32
	}
	x, w = b.transpose(b.cast(x, sum), p.LhsSpec.Ints()), b.transpose(b.cast(w, sum), p.RhsSpec.Ints())
	n := p.Strides.Len()
	if n == 0 { // the operator needs a spatial axis
		p.Strides, p.RhsDilation, p.LhsDilation, p.Padding = core.MakeDims(1), core.MakeDims(1), core.MakeDims(1), core.MakeDims(0, 0)
		x, w = b.reshape(x, x.Shape.Append(1)), b.reshape(w, w.Shape.Append(1))
		n = 1
	}
	config := make([]int, 3*(n+2))
	around := make([]int, 2*n)
	for i := range n {
		lo, hi := p.Padding.At(2*i), p.Padding.At(2*i+1)
		config[3*(i+2)+2] = p.LhsDilation.At(i) - 1
		if lo < 0 || hi < 0 {
			config[3*(i+2)], config[3*(i+2)+1] = lo, hi
			lo, hi = 0, 0
		}
		around[i], around[n+i] = lo, hi
	}
	zero := b.number(0, sum)
	if apart := (prim.PadP{Config: core.MakeDims(config...)}); slices.ContainsFunc(config, func(v int) bool { return v != 0 }) {
		x = b.pad(x, zero, apart, core.AbstractOf(apart, []core.ShapedArray{x.ShapedArray, zero.ShapedArray})[0])
	}
	groups := p.FeatureGroups
	if g := p.BatchGroups; g > 1 { // groups of the batch become groups of channels
		shape := x.Shape.Ints()
		split := slices.Concat([]int{g, shape[0] / g}, shape[1:])
		perm := []int{1, 0}
		for i := 2; i < len(split); i++ {
			perm = append(perm, i)
		}
		shape[0], shape[1] = shape[0]/g, shape[1]*g
		x = b.reshape(b.transpose(b.reshape(x, core.MakeDims(split...)), perm), core.MakeDims(shape...))
		groups = g
	}
	attrs := []*Attr{
		attrInts("kernel_shape", w.Shape.Slice(2, n+2).Ints()), attrInts("strides", p.Strides.Ints()), attrInts("dilations", p.RhsDilation.Ints()),
		attrInts("pads", around), attrInt("group", groups),
	}
	shape := make([]int, n+2)
	for i, axis := range p.OutSpec.All() {
		shape[i] = out.Shape.At(axis)
	}
	if p.OutSpec.Len() < n+2 {
		shape[2] = 1
	}
	y := b.op("Conv", core.ShapedArray{Shape: core.MakeDims(shape...), DType: sum}, attrs, x, w)
	if p.OutSpec.Len() < n+2 {
		y = b.reshape(y, y.Shape.Slice(0, 2))
	}
	back := make([]int, p.OutSpec.Len())
	for i, axis := range p.OutSpec.All() {
		back[axis] = i
	}
	return b.cast(b.transpose(y, back), dt)
}
