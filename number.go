package weft

import (
	"reflect"
	"unsafe"

	"github.com/weft-go/weft/core"
)

// Elem is a Go number or truth value. int, float64 and complex128, which is how
// untyped constants arrive, are weak: they give way to the arrays that they meet.
// The sized types are strong.
type Elem interface {
	~bool | ~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 |
		~float32 | ~float64 | ~complex64 | ~complex128
}

// Operand is what may stand on either side of an operator.
type Operand interface{ Array | Elem }

// number is a Go number as a literal. An untyped constant has the default width
// and is weak. ok is false if v is something else.
func number(v any) (l core.Literal, ok bool) {
	switch v := v.(type) {
	case int:
		return core.Literal{Num: core.IntNumber(int64(v)), Type: defaultInt(), Weak: true}, true
	case float64:
		return core.Literal{Num: core.FloatNumber(v), Type: defaultFloat(), Weak: true}, true
	case complex128:
		return core.Literal{Num: core.ComplexNumber(v), Type: defaultComplex(), Weak: true}, true
	case bool:
		return core.Lit(core.BoolNumber(v), core.Bool), true
	case float32:
		return core.Lit(core.FloatNumber(float64(v)), core.Float32), true
	case int32:
		return core.Lit(core.IntNumber(int64(v)), core.Int32), true
	case int64:
		return core.Lit(core.IntNumber(v), core.Int64), true
	case int8:
		return core.Lit(core.IntNumber(int64(v)), core.Int8), true
	case int16:
		return core.Lit(core.IntNumber(int64(v)), core.Int16), true
	case uint8:
		return core.Lit(core.UintNumber(uint64(v)), core.Uint8), true
	case uint16:
		return core.Lit(core.UintNumber(uint64(v)), core.Uint16), true
	case uint32:
		return core.Lit(core.UintNumber(uint64(v)), core.Uint32), true
	case uint64:
		return core.Lit(core.UintNumber(v), core.Uint64), true
	case uint:
		return core.Lit(core.UintNumber(uint64(v)), core.Uint64), true
	case complex64:
		return core.Lit(core.ComplexNumber(complex128(v)), core.Complex64), true
	case nil:
		return core.Literal{}, false
	}
	// A type of the user's whose kind is a number.
	r := reflect.ValueOf(v)
	if base := baseTypes[r.Kind()]; base != nil && r.Type() != base {
		return number(r.Convert(base).Interface())
	}
	return core.Literal{}, false
}

var baseTypes = [...]reflect.Type{
	reflect.Bool: reflect.TypeFor[bool](), reflect.Int: reflect.TypeFor[int](),
	reflect.Int8: reflect.TypeFor[int8](), reflect.Int16: reflect.TypeFor[int16](),
	reflect.Int32: reflect.TypeFor[int32](), reflect.Int64: reflect.TypeFor[int64](),
	reflect.Uint: reflect.TypeFor[uint](), reflect.Uint8: reflect.TypeFor[uint8](),
	reflect.Uint16: reflect.TypeFor[uint16](), reflect.Uint32: reflect.TypeFor[uint32](),
	reflect.Uint64: reflect.TypeFor[uint64](), reflect.Float32: reflect.TypeFor[float32](),
	reflect.Float64: reflect.TypeFor[float64](), reflect.Complex64: reflect.TypeFor[complex64](),
	reflect.Complex128: reflect.TypeFor[complex128](), reflect.UnsafePointer: nil,
}

// elemType is the dtype of a slice of T: Go's int and uint are 64 bits wide on
// every machine.
func elemType[T Elem]() core.DType {
	switch reflect.TypeFor[T]().Kind() {
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

// bytesOf is the memory of a slice.
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
