package stablehlo

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/trace"
)

var dynamicOps map[string]operation

func dynamicTable() {
	dynamicOps = map[string]operation{
		"stablehlo.get_dimension_size":       dimensionSizeOp,
		"stablehlo.set_dimension_size":       setDimensionSizeOp,
		"stablehlo.dynamic_reshape":          dynamicReshapeOp,
		"chlo.dynamic_reshape":               dynamicReshapeOp,
		"stablehlo.dynamic_broadcast_in_dim": dynamicBroadcastOp,
		"stablehlo.dynamic_iota":             dynamicIotaOp,
		"stablehlo.dynamic_pad":              dynamicPadOp,
		"stablehlo.dynamic_gather":           dynamicGatherOp,
		"stablehlo.dynamic_conv":             dynamicConvOp,
		"stablehlo.real_dynamic_slice":       realDynamicSliceOp,
	}
}

// known reads the elements of a value that decides a shape. The value must not depend on
// arguments of the program.
func (f *frame) known(v core.Value, what string) []int {
	a := v.Aval()
	if !a.DType.IsInteger() || a.Rank() > 1 || a.Size() > maxRank*3 {
		f.invalid(core.ErrShape, "the %s must be a short list of integers, got %s", what, typeText(a))
	}
	if l, ok := v.(core.Literal); ok {
		return []int{int(l.Num.Int64())}
	}
	if !trace.Known(v) {
		f.fail(core.ErrConcrete, "the %s is computed from arguments; weft needs shapes when a program is made", what)
	}
	c, err := trace.Look(v)
	if err != nil {
		f.fail(core.ErrConcrete, "the %s cannot be computed: %v; export with fixed shapes", what, err)
	}
	out := make([]int, a.Size())
	core.Suspended(func() []core.Value {
		c := prim.Reshape(c, dims([]int{a.Size()}))
		for i := range out {
			one := prim.Reshape(prim.Slice(c, dims([]int{i}), dims([]int{i + 1}), core.Dims{}), core.Dims{})
			if x, ok := one.(core.Concrete); ok {
				n, _ := x.Scalar()
				out[i] = int(n.Int64())
			}
		}
		return nil
	})
	return out
}

// shape returns the elements of a list, which must be known, as a shape.
func (f *frame) shape(v core.Value) core.Dims {
	list := f.known(v, "shape")
	if v.Aval().Rank() != 1 {
		f.invalid(core.ErrShape, "the shape must be a list, got %s", typeText(v.Aval()))
	}
	for _, n := range list {
		if n < 0 {
			f.fail(core.ErrShape, "the shape %v has a negative size; correct what it is computed from", list)
		}
	}
	return dims(list)
}

func dimensionSizeOp(f *frame, o *op, in []core.Value) []core.Value {
	f.want(in, 1)
	a, axis := in[0].Aval(), f.int(o, f.either(o, "dim", "dimension"))
	if axis < 0 || axis >= a.Rank() {
		f.invalid(core.ErrShape, "axis %d is not an axis of %s", axis, typeText(a))
	}
	return []core.Value{core.Lit(core.IntNumber(int64(a.Shape.At(axis))), core.Int32)}
}

// setDimensionSizeOp takes the first elements of an axis.
func setDimensionSizeOp(f *frame, o *op, in []core.Value) []core.Value {
	f.want(in, 2)
	a, axis := in[0].Aval(), f.int(o, f.either(o, "dim", "dimension"))
	n := f.known(in[1], "size")
	if axis < 0 || axis >= a.Rank() || len(n) != 1 || n[0] < 0 || n[0] > a.Shape.At(axis) {
		f.fail(core.ErrShape, "axis %d of %s cannot be cut to %v; take a size from 0 to that of the axis", axis, typeText(a), n)
	}
	return []core.Value{firstOf(in[0], axis, n[0])}
}

func dynamicReshapeOp(f *frame, o *op, in []core.Value) []core.Value {
	f.want(in, 2)
	return []core.Value{prim.Reshape(in[0], f.shape(in[1]))}
}

func dynamicBroadcastOp(f *frame, o *op, in []core.Value) []core.Value {
	f.want(in, 2)
	return []core.Value{f.broadcast(in[0], f.shape(in[1]), f.ints(o, f.either(o, "dims", "broadcast_dimensions")))}
}

func dynamicIotaOp(f *frame, o *op, in []core.Value) []core.Value {
	f.want(in, 1)
	return []core.Value{counting(f, core.ShapedArray{Shape: f.shape(in[0]), DType: f.resultElem(o)}, f.int(o, f.either(o, "dim", "iota_dimension")))}
}

func dynamicPadOp(f *frame, o *op, in []core.Value) []core.Value {
	f.want(in, 5)
	return []core.Value{f.pad(in[0], in[1], f.known(in[2], "padding"), f.known(in[3], "padding"), f.known(in[4], "padding"))}
}

func dynamicGatherOp(f *frame, o *op, in []core.Value) []core.Value {
	f.want(in, 3)
	return []core.Value{f.gather(o, in[0], in[1], f.known(in[2], "slice sizes"))}
}

func dynamicConvOp(f *frame, o *op, in []core.Value) []core.Value {
	f.want(in, 3)
	n := in[2].Aval().Size()
	if n > 2*maxRank || n < 0 {
		f.invalid(core.ErrShape, "the padding must be a pair for each spatial axis, got %s", typeText(in[2].Aval()))
	}
	return []core.Value{f.convolution(o, in[0], in[1], f.known(prim.Reshape(in[2], dims([]int{n})), "padding"))}
}

func realDynamicSliceOp(f *frame, o *op, in []core.Value) []core.Value {
	f.want(in, 4)
	return []core.Value{prim.Slice(in[0], dims(f.known(in[1], "start")), dims(f.known(in[2], "limit")), dims(f.known(in[3], "strides")))}
}

func firstOf(x core.Value, axis, n int) core.Value {
	s := x.Aval().Shape
	hi := s.Ints()
	hi[axis] = n
	return prim.Slice(x, dims(make([]int, s.Len())), dims(hi), core.Dims{})
}
