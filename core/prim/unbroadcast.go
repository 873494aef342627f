package prim

import "github.com/weft-go/weft/core"

// SpreadTo broadcasts v to the shape to which an elementwise operation spreads it.
func SpreadTo(v Value, shape core.Dims) Value {
	s := v.Aval().Shape
	if s == shape {
		return v
	}
	dims := core.Dims{}
	if s.Len() > 0 {
		dims = core.Range(0, s.Len())
	}
	return BroadcastInDim(v, shape, dims)
}

// unbroadcast transposes the spreading of an operand of type av: it sums the
// cotangent of the result over the axes along which the operand was spread.
func unbroadcast(ct Value, av ShapedArray) Value {
	from, to := ct.Aval().Shape, av.Shape
	switch {
	case from == to:
		return ct
	case to.Len() == 0:
		return ReduceSum(ct, core.Range(0, from.Len()))
	}
	var axes []int
	for i, n := range from.All() {
		if n != to.At(i) {
			axes = append(axes, i)
		}
	}
	return Reshape(ReduceSum(ct, core.MakeDims(axes...)), to)
}

// SumTangents adds the contributions of the operands to the tangent of out; nil
// contributes nothing.
func SumTangents(out Value, terms ...Value) []Value {
	var sum Value
	for _, t := range terms {
		if t == nil {
			continue
		}
		t = SpreadTo(t, out.Aval().Shape)
		if sum == nil {
			sum = t
		} else {
			sum = AddAny(sum, t)
		}
	}
	return []Value{sum}
}
