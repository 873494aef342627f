package core

import (
	"errors"
	"reflect"
	"testing"
	"unsafe"
)

// A type has 16 bytes, which the compiler keeps in registers: it does so only with structs of at
// most four fields, each of which it keeps in registers too.
func TestTypeInRegisters(t *testing.T) {
	if n := unsafe.Sizeof(ShapedArray{}); n > 16 {
		t.Errorf("a type takes %d bytes, want at most 16", n)
	}
	var check func(s reflect.Type)
	check = func(s reflect.Type) {
		if s.Kind() != reflect.Struct {
			return
		}
		if s.NumField() > 4 {
			t.Errorf("%v has %d fields, want at most 4", s, s.NumField())
		}
		for i := range s.NumField() {
			check(s.Field(i).Type)
		}
	}
	check(reflect.TypeFor[ShapedArray]())
}

// The number of sets of axes is bounded: a type has two bytes for it.
func TestManySetsOfAxes(t *testing.T) {
	before := meshAxesTable.names
	defer func() { meshAxesTable.names = before }()
	meshAxesTable.names = append(before, make([][]string, 1<<16-len(before))...)
	err := Catch(func() { MakeAxes("an axis that no other test has") })
	if !errors.Is(err, ErrAxis) {
		t.Errorf("the set after %d others: got %v, want an error", 1<<16-1, err)
	}
	if MakeAxes() != 0 {
		t.Error("the empty set is not 0")
	}
}
