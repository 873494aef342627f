package simt

import (
	"encoding/binary"
	"math"
	"reflect"

	"github.com/weft-go/weft/lower/ir"
)

// Key returns a text that is the same for functions with the same code.
func (f *Func) Key() string {
	g, k := *f, f.Kernel
	g.Kernel = &ir.Kernel{Name: k.Name, Buffers: k.Buffers, Symbols: k.Symbols, Tables: k.Tables}
	g.Pos, g.Values, g.extents = "", nil, nil
	return string(appendKey(make([]byte, 0, 4096), reflect.ValueOf(&g)))
}

// appendKey appends all that a value contains. Lists are preceded by their lengths, and what an interface contains by its type.
func appendKey(b []byte, v reflect.Value) []byte {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			return append(b, 0)
		}
		if b = append(b, 1); v.Kind() == reflect.Interface {
			b = appendKey(b, reflect.ValueOf(v.Elem().Type().String()))
		}
		return appendKey(b, v.Elem())
	case reflect.Struct:
		for i := range v.NumField() {
			b = appendKey(b, v.Field(i))
		}
		return b
	case reflect.Slice, reflect.Array:
		b = binary.AppendVarint(b, int64(v.Len()))
		for i := range v.Len() {
			b = appendKey(b, v.Index(i))
		}
		return b
	case reflect.String:
		return append(binary.AppendVarint(b, int64(v.Len())), v.String()...)
	case reflect.Bool:
		if v.Bool() {
			return append(b, 1)
		}
		return append(b, 0)
	}
	switch {
	case v.CanInt():
		return binary.AppendVarint(b, v.Int())
	case v.CanFloat():
		return binary.AppendUvarint(b, math.Float64bits(v.Float()))
	}
	return binary.AppendUvarint(b, v.Uint())
}
