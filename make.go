package weft

import (
	"reflect"
	"unsafe"

	"github.com/x448/float16"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/elem"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/internal/nd"
	"github.com/weft-go/weft/runtime"
)

// Elem is a Go number or truth value. int, float64 and complex128, the types of untyped
// constants, are weak: promotion prefers the type of an array beside them. The sized types are
// strong. float16.Float16 of github.com/x448/float16 stands for f16.
type Elem interface {
	~bool | ~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 |
		~float32 | ~float64 | ~complex64 | ~complex128
}

// Operand is an operand of an operator: an Array or a Go number.
type Operand interface{ Array | Elem }

var float16Type = reflect.TypeFor[float16.Float16]()

// elemType returns the dtype of a slice of T: Go's int and uint are 64 bits wide on
// every machine.
func elemType[T Elem]() core.DType {
	t := reflect.TypeFor[T]()
	if t == float16Type {
		return core.Float16
	}
	switch t.Kind() {
	case reflect.Bool:
		return core.Bool
	case reflect.Int8:
		return core.Int8
	case reflect.Int16:
		return core.Int16
	case reflect.Int32:
		return core.Int32
	case reflect.Int, reflect.Int64:
		return core.Int64
	case reflect.Uint8:
		return core.Uint8
	case reflect.Uint16:
		return core.Uint16
	case reflect.Uint32:
		return core.Uint32
	case reflect.Uint, reflect.Uint64:
		return core.Uint64
	case reflect.Float32:
		return core.Float32
	case reflect.Float64:
		return core.Float64
	case reflect.Complex64:
		return core.Complex64
	default:
		return core.Complex128
	}
}

func bytesOf[T Elem](v []T) []byte {
	if len(v) == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(&v[0])), len(v)*int(unsafe.Sizeof(v[0])))
}

// sameLayout reports whether a []T lies in memory as an array of its dtype does.
func sameLayout[T Elem]() bool {
	var z T
	return int(unsafe.Sizeof(z)) == elemType[T]().Size()
}

// Scalar returns v as an array without axes. An untyped constant stays weak.
func Scalar[T Elem](v T) Array {
	l, _ := nd.Number(v)
	return FromValue(nd.Fitting("Scalar", l))
}

// Of returns the elements as an array of one axis. Elements of int, float64 and complex128 get
// the default width; the other types keep theirs: see [FromSlice].
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

// AsArray converts a number or an Array to an Array. Libraries use it to accept either.
func AsArray[T Operand](v T) Array {
	if x, ok := any(v).(Array); ok {
		return x
	}
	return FromValue(nd.Operand("AsArray", v))
}

// Zeros returns an array of zeros of the default float type.
func Zeros(dims ...int) Array { return FromValue(nd.Zeros(dims...)) }

// Ones returns an array of ones of the default float type.
func Ones(dims ...int) Array { return FromValue(nd.Ones(dims...)) }

// ZerosOf returns an array of zeros of a type.
func ZerosOf(dt DType, dims ...int) Array { return FromValue(nd.ZerosOf(dt, dims...)) }

// OnesOf returns an array of ones of a type.
func OnesOf(dt DType, dims ...int) Array { return FromValue(nd.OnesOf(dt, dims...)) }

// Full returns an array of a shape filled with v, which may be an Array that broadcasts. An
// untyped constant stays weak.
func Full[T Operand](s Shape, v T) Array { return FromValue(nd.Full(s, unwrap(v))) }

// ZerosLike returns a tree of zeros of the types of p's arrays.
func ZerosLike[P any](p P) P {
	return likeTree("ZerosLike", p, func(a core.ShapedArray) core.Value { return nd.ZerosOfType(a) })
}

// OnesLike returns a tree of ones of the types of p's arrays.
func OnesLike[P any](p P) P {
	return likeTree("OnesLike", p, func(a core.ShapedArray) core.Value { return prim.Full(a, 1) })
}

func likeTree[P any](op string, p P, f func(core.ShapedArray) core.Value) P {
	vals, def := formOf[P](op).Values(op, &p)
	for i, v := range vals {
		vals[i] = f(v.Aval())
	}
	return together[P](def, vals)
}

// Arange returns the numbers from start, 0 unless given, up to but not including stop, by steps
// of 1 or of the third number. Arange(4) holds integers, Arange(4.) floats.
func Arange[T Elem](startStopStep ...T) Array { return FromValue(nd.Arange(numbers(startStopStep)...)) }

// Iota returns an array whose elements are their own positions along an axis.
func Iota(dt DType, axis int, dims ...int) Array { return FromValue(nd.Iota(dt, axis, dims...)) }

// Linspace returns n numbers from start to stop, both included, at equal distances; one number is
// start. If start or stop is an Array, the numbers for each pair of elements lie along a new axis,
// the first one unless another is given. With [HalfOpen] stop is left out:
// Linspace(0., 1, 4, weft.HalfOpen) is 0, 0.25, 0.5, 0.75.
func Linspace[A, B Operand](start A, stop B, n int, axis ...int) Array {
	return FromValue(nd.Linspace(unwrap(start), unwrap(stop), n, axis...))
}

// Eye returns the identity matrix of n rows, or of n rows and m columns: Eye(n, m). A third
// number k puts the ones on the k-th diagonal, which is above the main one if k is positive.
func Eye(n int, mk ...int) Array { return FromValue(nd.Eye(n, mk...)) }

// Tril returns x's lower triangles: zero above the k-th diagonal, the main one unless
// given.
func Tril(x Array, k ...int) Array { return FromValue(nd.Tril(x.value(), k...)) }

// Triu returns x's upper triangles: zero below the k-th diagonal.
func Triu(x Array, k ...int) Array { return FromValue(nd.Triu(x.value(), k...)) }

// OneHot returns for each index a row of n numbers, 1 at the index and 0 elsewhere. For an
// index out of range all are 0.
func OneHot(x Array, n int) Array { return FromValue(nd.OneHot(x.value(), n)) }

// FullLike returns an array of x's shape and type filled with v.
func FullLike[T Operand](x Array, v T) Array { return FromValue(nd.FullLike(x.value(), unwrap(v))) }

// Logspace returns n numbers from 10^start to 10^stop, at equal distances on a logarithmic scale.
func Logspace(start, stop float64, n int) Array { return FromValue(nd.Logspace(start, stop, n)) }

func numbers[T Elem](v []T) []any {
	out := make([]any, len(v))
	for i, x := range v {
		out[i] = x
	}
	return out
}

// From converts nested slices and arrays of numbers to an Array with an axis for each level. It
// has the numbers' own type, f64 for float64, or dt if it is given. A number without a value in
// dt is an error; conversion to an integer truncates. Slices of Arrays are stacked and then
// converted as by [Array.AsType]; the result is strong, as for all slices. Rows of different
// lengths are an error.
func From(data any, dt ...DType) Array {
	if len(dt) > 1 {
		core.FailOp(core.ErrDType, "From", nil, "too many dtypes (got %d, want at most 1); pass one", len(dt))
	}
	if len(dt) == 0 {
		return from(reflect.ValueOf(data), core.Invalid)
	}
	return from(reflect.ValueOf(data), dt[0]).AsType(dt[0])
}

var arrayType = reflect.TypeFor[Array]()

// from returns nested data as an array of its own type. Numbers must have a value in the type
// into, unless that is Invalid.
func from(v reflect.Value, into DType) Array {
	if !v.IsValid() {
		core.FailOp(core.ErrDType, "From", nil, "nil is no data; pass nested slices of numbers")
	}
	t, dims := v.Type(), []int{}
	for at := v; t.Kind() == reflect.Slice || t.Kind() == reflect.Array; t = t.Elem() {
		n := t.Kind()
		switch {
		case n == reflect.Array:
			dims = append(dims, t.Len())
		case at.IsValid():
			dims = append(dims, at.Len())
		default:
			dims = append(dims, 0)
		}
		if at.IsValid() && at.Len() > 0 {
			at = at.Index(0)
		} else {
			at = reflect.Value{}
		}
	}
	if t == arrayType {
		x := stacked(v)
		if v.Type() == arrayType {
			return x
		}
		return FromValue(nd.Strong("From", x.Value()))
	}
	base := nd.BaseType(t)
	if base == nil {
		core.FailOp(core.ErrDType, "From", nil, "%s contains no numbers; pass nested slices of numbers or truth values", core.WithArticle(v.Type()))
	}
	l, _ := nd.Number(reflect.Zero(base).Interface())
	e := l.Type
	switch t.Kind() { // in slices the Go types keep their width
	case reflect.Int:
		e = core.Int64
	case reflect.Float64:
		e = core.Float64
	case reflect.Complex128:
		e = core.Complex128
	}
	a := runtime.NewData(core.Aval(e, dims...))
	f := &filler{dims: dims, dt: e, into: into, base: base, data: a.Tensor().Data}
	f.fill(v, 0)
	return wrap(a)
}

// stacked joins a slice of Arrays, or slices of them.
func stacked(v reflect.Value) Array {
	if v.Type() == arrayType {
		return v.Interface().(Array)
	}
	xs := make([]Array, v.Len())
	for i := range xs {
		xs[i] = stacked(v.Index(i))
	}
	return Stack(0, xs...)
}

// filler writes the numbers of nested slices one after the other.
type filler struct {
	dims []int
	dt   core.DType
	into core.DType // the type that the user converts to, or Invalid
	base reflect.Type
	data []byte
}

func (f *filler) fill(v reflect.Value, axis int) {
	if axis == len(f.dims) {
		l, _ := nd.Number(v.Convert(f.base).Interface())
		if f.into != core.Invalid {
			nd.RequireFits("From", l, f.into)
		}
		elem.Put(f.data, l.Num, f.dt)
		f.data = f.data[f.dt.Size():]
		return
	}
	if v.Len() != f.dims[axis] {
		core.FailOp(core.ErrShape, "From", nil, "the rows are ragged: along axis %d one has %s and another %d; make them equally long, or pad them", axis, core.Count(f.dims[axis], "element"), v.Len())
	}
	for i := range v.Len() {
		f.fill(v.Index(i), axis+1)
	}
}

// GridOrder is the order of the first two axes of a grid.
type GridOrder uint8

// The orders.
const (
	GridXY GridOrder = iota // the second vector varies along the first axis, as on paper
	GridIJ                  // the i-th axis is the i-th vector's
)

// Meshgrid returns the coordinates of a grid: for each vector, an array that has an axis for every
// vector.
func Meshgrid(order GridOrder, xs ...Array) []Array {
	if order > GridIJ {
		core.FailOp(core.ErrStatic, "Meshgrid", nil, "there is no order %d; use weft.GridXY or weft.GridIJ", order)
	}
	return arraysOf(nd.Meshgrid(order == GridIJ, values(xs)...))
}

// Tri returns a matrix of ones on and below the k-th diagonal, the main one unless given,
// and zeros above.
func Tri(n, m int, k ...int) Array { return FromValue(nd.Tri(n, m, k...)) }
