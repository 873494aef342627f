package tree

import (
	"reflect"
	"testing"
	"unsafe"
)

// Leaves that other code may reach have places, the same for the same leaf however one comes
// there; what is the value's own has none.
func TestPlaces(t *testing.T) {
	type pair struct{ A, B float32 }
	type all struct {
		Own   float32
		Slice []float32
		Ptr   *pair
		Map   map[string]pair
		Any   any
		Deep  map[string]*[]float32
		Grid  map[string][12][12]float32
	}
	p, err := For[float32](reflect.TypeFor[all]())
	if err != nil {
		t.Fatal(err)
	}
	rows := []float32{1, 2, 3}
	v := all{1, rows[:2], &pair{1, 2}, map[string]pair{"k": {3, 4}, "l": {5, 6}}, pair{7, 8}, map[string]*[]float32{"m": {9}}, map[string][12][12]float32{"g": {}}}
	w := all{2, rows[1:], v.Ptr, v.Map, v.Any, v.Deep, v.Grid}
	places := p.Places(p.Places(nil, unsafe.Pointer(&v)), unsafe.Pointer(&w))
	leaves := func(v *all) (n int) { return len(p.Paths(unsafe.Pointer(v))) }
	if len(places) != leaves(&v)+leaves(&w) {
		t.Fatalf("%d places for %d leaves", len(places), leaves(&v)+leaves(&w))
	}
	a, b := places[:leaves(&v)], places[leaves(&v):]
	for i, path := range p.Paths(unsafe.Pointer(&v)) {
		for k, other := range p.Paths(unsafe.Pointer(&w)) {
			same := a[i] != Place{} && a[i] == b[k]
			want := path == other
			switch path {
			case ".Own", ".Any.A", ".Any.B": // copies of their own
				want = false
			case ".Slice[0]":
				want = false
			case ".Slice[1]":
				want = other == ".Slice[0]"
			}
			if same != want {
				t.Errorf("%s of one and %s of the other: one place is %v, want %v", path, other, same, want)
			}
		}
	}
}
