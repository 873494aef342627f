package data

import (
	"fmt"
	"math"
	"reflect"
	"strconv"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
)

var arrayType = reflect.TypeFor[weft.Array]()

// Len returns the number of examples in a data set: the length of the first axis of every array and
// slice in it, which must be the same for all. Fields tagged data:"-", and fields that are neither,
// are the same for all examples.
func Len[T any](set T) int { return length("Len", set) }

func length[T any](op string, set T) int {
	n, where := -1, ""
	walk(op, reflect.ValueOf(&set).Elem(), "", func(path string, v reflect.Value) reflect.Value {
		m := lengthOf(op, path, v)
		if n >= 0 && n != m {
			core.FailOp(core.ErrShape, op, nil, "a data set has one number of examples: %s has %d, %s has %d; make them equal, or tag what is the same for all data:\"-\"", name(where), n, name(path), m)
		}
		n, where = m, path
		return v
	})
	if n < 0 {
		core.FailOp(core.ErrTree, op, nil, "%T contains no array and no slice of examples; export a field that does", set)
	}
	return n
}

// Slice returns the examples from lo up to, not including, hi.
func Slice[T any](set T, lo, hi int) T {
	n := length("Slice", set)
	if lo < 0 || hi < lo || hi > n {
		core.FailOp(core.ErrIndex, "Slice", nil, "there are no examples from %d to %d in %d; give bounds within", lo, hi, n)
	}
	return rows(set, func(path string, v reflect.Value) reflect.Value {
		if x, ok := v.Interface().(weft.Array); ok {
			return reflect.ValueOf(x.Index(weft.R(lo, hi)))
		}
		return v.Slice3(lo, hi, hi)
	})
}

// Take returns the examples with the given indices, in their order.
func Take[T any](set T, indices []int) T {
	n := length("Take", set)
	at := make([]int, len(indices))
	for i, k := range indices {
		if k < 0 || k >= n {
			core.FailOp(core.ErrIndex, "Take", nil, "there is no example %d among %d; name those from 0 on", k, n)
		}
		at[i] = k
	}
	if len(at) == 0 { // also where the set is empty: Index refuses an axis without elements
		return Slice(set, 0, 0)
	}
	places := weft.FromSlice(at)
	if n <= math.MaxInt32 {
		places = places.AsType(weft.Int32)
	}
	return rows(set, func(path string, v reflect.Value) reflect.Value {
		if x, ok := v.Interface().(weft.Array); ok {
			return reflect.ValueOf(x.Index(places))
		}
		out := reflect.MakeSlice(v.Type(), len(indices), len(indices))
		for i, k := range indices {
			out.Index(i).Set(v.Index(k))
		}
		return out
	})
}

// rows returns set with every array and slice of examples replaced.
func rows[T any](set T, f func(path string, v reflect.Value) reflect.Value) T {
	var out T
	reflect.ValueOf(&out).Elem().Set(walk("data", reflect.ValueOf(&set).Elem(), "", f))
	return out
}

// walk returns a copy of v in which f has replaced the arrays and the slices of examples. It
// descends into structs, Go arrays, maps, and slices whose elements are or hold arrays. Other values
// are kept.
func walk(op string, v reflect.Value, path string, f func(path string, v reflect.Value) reflect.Value) reflect.Value {
	t := v.Type()
	if t == arrayType {
		return f(path, v)
	}
	switch t.Kind() {
	case reflect.Struct:
		out := reflect.New(t).Elem()
		out.Set(v)
		for i := range t.NumField() {
			if !t.Field(i).IsExported() {
				if holdsArrays(t.Field(i).Type) {
					core.FailOp(core.ErrTree, op, nil, "the field %s%s.%s contains arrays and is not exported; export it", t.Name(), path, t.Field(i).Name)
				}
				continue
			}
			if t.Field(i).Tag.Get("data") == "-" {
				continue
			}
			out.Field(i).Set(walk(op, v.Field(i), path+"."+t.Field(i).Name, f))
		}
		return out
	case reflect.Slice:
		if !isTree(t.Elem()) {
			for i := range v.Len() {
				if e := v.Index(i); e.Kind() == reflect.Interface && !e.IsNil() && holdsArrays(e.Elem().Type()) {
					refuse(op, path, t)
				}
			}
			return f(path, v)
		}
		out := reflect.MakeSlice(t, v.Len(), v.Len())
		for i := range v.Len() {
			out.Index(i).Set(walk(op, v.Index(i), path+"["+strconv.Itoa(i)+"]", f))
		}
		return out
	case reflect.Array:
		out := reflect.New(t).Elem()
		for i := range v.Len() {
			out.Index(i).Set(walk(op, v.Index(i), path+"["+strconv.Itoa(i)+"]", f))
		}
		return out
	case reflect.Map:
		if v.IsNil() {
			return v
		}
		out := reflect.MakeMapWithSize(t, v.Len())
		for _, k := range v.MapKeys() {
			out.SetMapIndex(k, walk(op, v.MapIndex(k), path+fmt.Sprintf("[%v]", k), f))
		}
		return out
	case reflect.Interface:
		if !v.IsNil() && (holdsArrays(v.Elem().Type()) || v.Elem().Kind() == reflect.Slice) {
			refuse(op, path, v.Elem().Type())
		}
	default:
		if holdsArrays(t) {
			refuse(op, path, t)
		}
	}
	return v
}

func refuse(op, path string, t reflect.Type) {
	core.FailOp(core.ErrTree, op, nil, "%s is of type %v, which a data set cannot hold; use structs, slices, arrays and maps, or tag the field data:\"-\" to leave it as it is", name(path), t)
}

// isTree reports whether a slice of t is a part of the tree and not a list of examples: its
// elements are or hold arrays.
func isTree(t reflect.Type) bool { return holdsArrays(t) }

func holdsArrays(t reflect.Type) bool { return holds(t, map[reflect.Type]bool{}) }

func holds(t reflect.Type, seen map[reflect.Type]bool) bool {
	if t == arrayType {
		return true
	}
	if seen[t] {
		return false
	}
	seen[t] = true
	switch t.Kind() {
	case reflect.Struct:
		for i := range t.NumField() {
			if holds(t.Field(i).Type, seen) {
				return true
			}
		}
	case reflect.Slice, reflect.Array, reflect.Map, reflect.Pointer:
		return holds(t.Elem(), seen)
	}
	return false
}

func lengthOf(op, path string, v reflect.Value) int {
	x, ok := v.Interface().(weft.Array)
	if !ok {
		return v.Len()
	}
	if x.IsZero() {
		core.FailOp(core.ErrTree, op, nil, "%s is the zero Array, which has no value (was it not set?); set it", name(path))
	}
	if x.Rank() == 0 {
		core.FailOp(core.ErrShape, op, []core.ShapedArray{x.Value().Aval()}, "%s has no axis of examples; what is the same for all stands outside of the data set", name(path))
	}
	return x.Dim(0)
}

func name(path string) string {
	if path == "" {
		return "the data set"
	}
	return path
}
