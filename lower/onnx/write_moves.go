package onnx

import (
	"math"
	"slices"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
)

// moves writes operations that move elements and make arrays; nil if p is another operation.
func (b *block) moves(p core.Primitive, in []value, out []core.ShapedArray) []value {
	one := func(x value) []value { return []value{x} }
	switch p := p.(type) {
	case prim.StopGradientP, prim.CopyP, prim.NameP, prim.OptimizationBarrierP, prim.DevicePutP, prim.ReshardP:
		return slices.Clone(in)
	case prim.IotaP:
		return one(b.iota(p.DType, p.Shape, p.Dimension))
	case prim.EmptyP, prim.Empty2P:
		return one(b.expand(b.number(0, out[0].DType), out[0].Shape))
	case prim.BroadcastInDimP:
		shape := slices.Repeat([]int{1}, out[0].Rank())
		for i, axis := range p.Dims.All() {
			shape[axis] = in[0].Shape.At(i)
		}
		return one(b.expand(b.reshape(in[0], core.MakeDims(shape...)), out[0].Shape))
	case prim.ReshapeP, prim.SqueezeP:
		return one(b.reshape(in[0], out[0].Shape))
	case prim.TransposeP:
		return one(b.transpose(in[0], p.Perm.Ints()))
	case prim.RevP:
		x := in[0]
		if p.Dims.Len() == 0 || x.Size() == 0 {
			return one(x)
		}
		n := p.Dims.Len()
		return one(b.slice(x, out[0], slices.Repeat([]int{-1}, n), slices.Repeat([]int{math.MinInt >> 1}, n), p.Dims.Ints(), slices.Repeat([]int{-1}, n)))
	case prim.ConcatenateP:
		return one(b.concat(p.Dimension, in...))
	case prim.StackP:
		rows := make([]value, len(in))
		for i, x := range in {
			shape := x.Shape.Ints()
			rows[i] = b.reshape(x, core.MakeDims(slices.Insert(shape, p.Axis, 1)...))
		}
		return one(b.concat(p.Axis, rows...))
	case prim.SplitP:
		return b.split(in[0], p.Axis, p.Sizes.Ints(), out)
	case prim.UnstackP:
		n := in[0].Shape.At(p.Axis)
		rows := make([]core.ShapedArray, n)
		for i := range rows {
			shape := in[0].Shape.Ints()
			shape[p.Axis] = 1
			rows[i] = in[0].WithShape(core.MakeDims(shape...))
		}
		xs := b.split(in[0], p.Axis, slices.Repeat([]int{1}, n), rows)
		for i, x := range xs {
			xs[i] = b.reshape(x, out[i].Shape)
		}
		return xs
	case prim.TileP:
		if in[0].Rank() == 0 {
			return slices.Clone(in)
		}
		return one(b.op("Tile", out[0], nil, in[0], b.longs(p.Reps.Ints())))
	case prim.SliceP:
		if in[0].Rank() == 0 {
			return slices.Clone(in)
		}
		var start, end, axes, steps []int
		for i, n := range in[0].Shape.All() {
			if step := p.Stride(i); p.Start.At(i) != 0 || p.Limit.At(i) != n || step != 1 {
				start, end, axes, steps = append(start, p.Start.At(i)), append(end, p.Limit.At(i)), append(axes, i), append(steps, step)
			}
		}
		if len(axes) == 0 {
			return slices.Clone(in)
		}
		return one(b.slice(in[0], out[0], start, end, axes, steps))
	case prim.PadP:
		return one(b.pad(in[0], in[1], p, out[0]))
	}
	return nil
}

func (b *block) reshape(x value, shape core.Dims) value {
	if x.Shape == shape {
		return x
	}
	var attrs []*Attr
	if shape.Has(0) {
		attrs = []*Attr{attrInt("allowzero", 1)}
	}
	return b.op("Reshape", x.WithShape(shape), attrs, x, b.longs(shape.Ints()))
}

// expand broadcasts a value to a shape. A result without elements is written as a constant: in ONNX Runtime,
// an axis that is expanded to size 0 keeps size 1.
func (b *block) expand(x value, shape core.Dims) value {
	switch {
	case x.Shape == shape:
		return x
	case shape.Has(0):
		return b.constant(x.WithShape(shape), nil)
	}
	return b.op("Expand", x.WithShape(shape), nil, x, b.longs(shape.Ints()))
}

func (b *block) transpose(x value, perm []int) value {
	shape, same := make([]int, len(perm)), true
	for i, k := range perm {
		shape[i], same = x.Shape.At(k), same && i == k
	}
	if same {
		return x
	}
	return b.op("Transpose", x.WithShape(core.MakeDims(shape...)), []*Attr{attrInts("perm", perm)}, x)
}

func (b *block) slice(x value, out core.ShapedArray, start, end, axes, steps []int) value {
	return b.op("Slice", out, nil, x, b.longs(start), b.longs(end), b.longs(axes), b.longs(steps))
}

func (b *block) part(x value, axis, lo, hi int) value {
	shape := x.Shape.Ints()
	if lo == 0 && hi == shape[axis] {
		return x
	}
	shape[axis] = hi - lo
	return b.slice(x, x.WithShape(core.MakeDims(shape...)), []int{lo}, []int{hi}, []int{axis}, []int{1})
}

func (b *block) concat(axis int, xs ...value) value {
	if len(xs) == 1 {
		return xs[0]
	}
	shape := xs[0].Shape.Ints()
	for _, x := range xs[1:] {
		shape[axis] += x.Shape.At(axis)
	}
	return b.op("Concat", xs[0].WithShape(core.MakeDims(shape...)), []*Attr{attrInt("axis", axis)}, xs...)
}

// split writes a node of several results, in a type that the operator takes.
func (b *block) split(x value, axis int, sizes []int, out []core.ShapedArray) []value {
	if len(out) == 0 {
		return []value{}
	}
	dt := x.DType
	if !operandTypes["Split"][dt] {
		x = b.cast(x, wider(dt)[0])
	}
	wide := make([]core.ShapedArray, len(out))
	for i, a := range out {
		wide[i] = a.WithDType(x.DType)
	}
	xs := b.node("Split", wide, []*Attr{attrInt("axis", axis)}, x, b.longs(sizes))
	for i := range xs {
		xs[i] = b.cast(xs[i], dt)
	}
	return xs
}

func (b *block) iota(dt core.DType, shape core.Dims, axis int) value {
	n := shape.At(axis)
	line := b.node("Range", []core.ShapedArray{core.Aval(core.Int64, n)}, nil, b.integer(0, core.Int64), b.integer(n, core.Int64), b.integer(1, core.Int64))[0]
	line = b.cast(line, dt)
	at := slices.Repeat([]int{1}, shape.Len())
	at[axis] = n
	return b.expand(b.reshape(line, core.MakeDims(at...)), shape)
}

// pad pads a value at its edges. Padding between elements, which the operator lacks, is composed of other operations.
func (b *block) pad(x, with value, p prim.PadP, out core.ShapedArray) value {
	n := x.Rank()
	around := make([]int, 2*n)
	some := false
	for i := range n {
		lo, hi, between := p.Axis(i)
		around[i], around[n+i] = lo, hi
		some = some || lo != 0 || hi != 0
		if size := x.Shape.At(i); between > 0 && size > 1 {
			shape := x.Shape.Ints()
			apart := slices.Insert(slices.Clone(shape), i+1, 1)
			wide := make([]int, 2*(n+1))
			wide[n+1+i+1] = between
			x = b.reshape(x, core.MakeDims(apart...))
			apart[i+1] = 1 + between
			x = b.padded(x, with, wide, core.MakeDims(apart...))
			shape[i] = size * (1 + between)
			x = b.part(b.reshape(x, core.MakeDims(shape...)), i, 0, shape[i]-between)
		}
	}
	if !some {
		return x
	}
	if slices.Min(around) < 0 { // first elements are added, then some are cut off
		var start, end, axes, steps []int
		shape := x.Shape.Ints()
		for i := range n {
			lo, hi := around[i], around[n+i]
			around[i], around[n+i] = max(lo, 0), max(hi, 0)
			shape[i] += around[i] + around[n+i]
			if lo < 0 || hi < 0 {
				start, end, axes, steps = append(start, max(-lo, 0)), append(end, shape[i]-max(-hi, 0)), append(axes, i), append(steps, 1)
			}
		}
		return b.slice(b.padded(x, with, around, core.MakeDims(shape...)), out, start, end, axes, steps)
	}
	return b.padded(x, with, around, out.Shape)
}

func (b *block) padded(x, with value, around []int, shape core.Dims) value {
	if x.Shape == shape {
		return x
	}
	if x.Size() == 0 {
		return b.expand(with, shape)
	}
	return b.op("Pad", x.WithShape(shape), nil, x, b.longs(around), with)
}
