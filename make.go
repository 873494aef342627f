package weft

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/elem"
	"github.com/weft-go/weft/internal/nd"
	"github.com/weft-go/weft/runtime"
)

// Scalar returns v as an array without axes. An untyped constant stays weak.
func Scalar[T Elem](v T) Array {
	l, _ := nd.Number(v)
	return FromValue(nd.Fitting("Scalar", l))
}

// Of returns the elements as an array of one axis. int, float64 and complex128 give
// arrays of the default width; the other types keep theirs: see [FromSlice].
func Of[T Elem](v ...T) Array {
	l, _ := nd.Number(*new(T))
	if !l.Weak {
		return FromSlice(v)
	}
	a := runtime.NewData(core.Aval(l.Type, len(v)))
	w, data := l.Type.Size(), a.Tensor().Data
	for i, x := range v {
		e, _ := nd.Number(x)
		elem.Put(data[i*w:], nd.Fitting("Of", e).Num, l.Type)
	}
	return wrap(a)
}

// FromSlice returns a copy of data as an array of the given shape, or of one axis if
// there is none. One size may be −1: the data decide it. The array has the slice's
// type, 64 bits for int and float64.
func FromSlice[T Elem](data []T, dims ...int) Array {
	t := core.ShapedArray{Shape: nd.FillDims("FromSlice", len(data), dims), DType: elemType[T]()}
	a := runtime.NewData(t)
	if sameLayout[T]() {
		copy(a.Tensor().Data, bytesOf(data))
		return wrap(a)
	}
	w := t.DType.Size()
	for i, v := range data {
		l, _ := nd.Number(v)
		elem.Put(a.Tensor().Data[i*w:], l.Num, t.DType)
	}
	return wrap(a)
}

// AsArray returns a number or an Array as an Array: how a library takes either.
func AsArray[T Operand](v T) Array {
	if x, ok := any(v).(Array); ok {
		return x
	}
	return FromValue(nd.Operand("AsArray", v))
}
