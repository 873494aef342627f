package leaves

import (
	"reflect"
	"sync"
)

type sharedKey struct{ leaf, typ reflect.Type }

var sharedTypes sync.Map // sharedKey → bool

// HoldsShared reports whether a value of type t is or contains something that a function shares
// with its caller: a pointer, slice or map, or an interface, which may hold one.
func HoldsShared[L any](t reflect.Type) bool {
	key := sharedKey{reflect.TypeFor[L](), t}
	if v, ok := sharedTypes.Load(key); ok {
		return v.(bool)
	}
	shared := false
	if t != key.leaf {
		switch t.Kind() {
		case reflect.Pointer, reflect.Interface, reflect.Slice, reflect.Map:
			shared = true
		case reflect.Array:
			shared = HoldsShared[L](t.Elem())
		case reflect.Struct: // a recursive struct contains itself behind one of the kinds above
			for i := range t.NumField() {
				shared = shared || HoldsShared[L](t.Field(i).Type)
			}
		}
	}
	sharedTypes.Store(key, shared)
	return shared
}
