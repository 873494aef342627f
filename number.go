package weft

import (
	"reflect"
	"unsafe"

	"github.com/x448/float16"

	"github.com/weft-go/weft/core"
)

// Elem is a Go number or truth value. int, float64 and complex128, which is how
// untyped constants arrive, are weak: they give way to the types of the arrays beside them.
// The sized types are strong. float16.Float16 of github.com/x448/float16 is the number of
// f16.
type Elem interface {
	~bool | ~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 |
		~float32 | ~float64 | ~complex64 | ~complex128
}

// Operand is what may stand on either side of an operator.
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

// bytesOf returns the memory of a slice.
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
