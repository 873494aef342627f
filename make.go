package weft

import (
	"reflect"
	"strconv"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/elem"
	"github.com/weft-go/weft/runtime"
)

// Scalar is v as an array without axes. An untyped constant stays weak.
func Scalar[T Elem](v T) Array {
	l, _ := number(v)
	return FromValue(fitting("Scalar", l))
}

// fitting is l if its number is one of its type's: an untyped constant of the
// default width may not be.
func fitting(op string, l core.Literal) core.Literal {
	if l.Type.IsInteger() && !l.Num.Fits(l.Type) {
		core.FailOp(core.ErrDType, op, nil, "the constant %v does not fit %v, the default width; write int64(…), or run under weft.DefaultBits(64)",
			l.Num.BigInt(), l.Type)
	}
	return l
}

// Of is the elements as an array of one axis. int, float64 and complex128 give
// arrays of the default width; the other types keep theirs: see [FromSlice].
func Of[T Elem](v ...T) Array {
	l, _ := number(*new(T))
	if !l.Weak {
		return FromSlice(v)
	}
	a := runtime.New(core.Aval(l.Type, len(v)))
	w, data := l.Type.Size(), a.Tensor().Data
	for i, x := range v {
		e, _ := number(x)
		elem.Put(data[i*w:], fitting("Of", e).Num, l.Type)
	}
	return wrap(a)
}

// FromSlice is a copy of data as an array of the given shape, or of one axis if
// there is none. One size may be −1: the data decide it. The array has the slice's
// type, 64 bits for int and float64.
func FromSlice[T Elem](data []T, dims ...int) Array {
	t := core.ShapedArray{Shape: fillDims("FromSlice", len(data), dims), DType: elemType[T]()}
	a := runtime.New(t)
	if sameLayout[T]() {
		copy(a.Tensor().Data, bytesOf(data))
		return wrap(a)
	}
	w := t.DType.Size()
	for i, v := range data {
		l, _ := number(v)
		elem.Put(a.Tensor().Data[i*w:], l.Num, t.DType)
	}
	return wrap(a)
}

// sizes is a shape that a user gives, none of whose sizes may be negative.
func sizes(op string, dims []int) core.Dims {
	d := core.MakeDims(dims...)
	for _, n := range dims {
		if n < 0 {
			core.FailOp(core.ErrShape, op, nil, "a shape cannot be %v: %d is negative; make all sizes 0 or more", d, n)
		}
	}
	return d
}

// count is how many elements the shape d has, as messages say it.
func count(d core.Dims) string {
	if d.Size() < 0 {
		return "more than can be counted"
	}
	return strconv.Itoa(d.Size())
}

// fillDims is the shape of n elements, with a size of −1 filled in.
func fillDims(op string, n int, dims []int) core.Dims {
	if len(dims) == 0 {
		return core.MakeDims(n)
	}
	hole := -1
	var others []int
	for i, d := range dims {
		switch {
		case d == -1 && hole < 0:
			hole = i
		case d < 0:
			core.FailOp(core.ErrShape, op, nil, "a shape cannot be %v: write one -1 at most, and no other negative size", core.MakeDims(dims...))
		default:
			others = append(others, d)
		}
	}
	d, known := core.MakeDims(dims...), core.MakeDims(others...).Size()
	if hole >= 0 && known > 0 && n%known == 0 {
		filled := d.Ints()
		filled[hole] = n / known
		return core.MakeDims(filled...)
	}
	if hole >= 0 || d.Size() != n {
		core.FailOp(core.ErrShape, op, nil, "%s cannot fill the shape %v; make its size %d, or write -1 for one axis", core.Count(n, "element"), d, n)
	}
	return d
}

// AsArray is a number or an Array as an Array: how a library takes either.
func AsArray[T Operand](v T) Array {
	if x, ok := any(v).(Array); ok {
		return x
	}
	return operand("AsArray", v)
}

// operand is anything that an operator takes as an Array.
func operand(op string, v any) Array {
	if x, ok := v.(Array); ok {
		if x.v == nil {
			core.FailOp(core.ErrTree, op, nil, "the zero Array holds no value: was a field or a variable not set? Give it one")
		}
		return x
	}
	l, ok := number(v)
	if !ok {
		notAnOperand(op, v)
	}
	return FromValue(fitting(op, l))
}

// notAnOperand says what is wrong with v.
func notAnOperand(op string, v any) {
	switch t := reflect.TypeOf(v); {
	case t == nil:
		core.FailOp(core.ErrDType, op, nil, "nil is not an operand: pass an Array or a number")
	case t.Kind() == reflect.Func:
		core.FailOp(core.ErrDType, op, nil, "the operand is a function, %v; call it, with parentheses behind", t)
	case t.Kind() == reflect.Pointer && t.Elem() == reflect.TypeFor[Array]():
		core.FailOp(core.ErrDType, op, nil, "the operand is a pointer to an Array: put * before it")
	case t.Kind() == reflect.Slice || t.Kind() == reflect.Array:
		core.FailOp(core.ErrDType, op, nil, "the operand is %s: make an Array of it with weft.From or weft.FromSlice", core.A(t))
	default:
		core.FailOp(core.ErrDType, op, nil, "the operand is %s: pass an Array or a number", core.A(t))
	}
}
