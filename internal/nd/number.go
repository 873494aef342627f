package nd

import (
	"reflect"

	"github.com/x448/float16"

	"github.com/weft-go/weft/core"
)

// Number returns a Go number as a literal. An untyped constant has the default width
// and is weak. ok is false if v is something else.
func Number(v any) (l core.Literal, ok bool) {
	switch v := v.(type) {
	case int:
		return core.Literal{Num: core.IntNumber(int64(v)), Type: DefaultInt(), Weak: true}, true
	case float64:
		return core.Literal{Num: core.FloatNumber(v), Type: DefaultFloat(), Weak: true}, true
	case complex128:
		return core.Literal{Num: core.ComplexNumber(v), Type: DefaultComplex(), Weak: true}, true
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
	case float16.Float16:
		return core.Lit(core.FloatNumber(float64(v.Float32())), core.Float16), true
	case nil:
		return core.Literal{}, false
	}
	// A type of the user's whose kind is a number.
	r := reflect.ValueOf(v)
	if base := BaseType(r.Type()); base != nil && r.Type() != base {
		return Number(r.Convert(base).Interface())
	}
	return core.Literal{}, false
}

var float16Type = reflect.TypeFor[float16.Float16]()

// BaseType returns the type of the Go number to which values of type t are converted: t's kind,
// or float16.Float16, which has the kind of uint16. It returns nil if t is no number.
func BaseType(t reflect.Type) reflect.Type {
	if t == float16Type {
		return t
	}
	if k := int(t.Kind()); k < len(baseTypes) {
		return baseTypes[k]
	}
	return nil
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
