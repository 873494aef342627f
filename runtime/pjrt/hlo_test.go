package pjrt

import (
	"testing"

	"github.com/weft-go/weft/jaxpr"
)

// packed appends a packed list of numbers to a message.
func packed(b []byte, number int, list ...byte) []byte { return message(b, number, list) }

// A sharding of XLA has a spec if whole axes of the mesh cut each axis of the array.
func TestShardings(t *testing.T) {
	line := jaxpr.Mesh{Axes: []jaxpr.MeshAxis{{Name: "x", Size: 4}}}
	square := jaxpr.Mesh{Axes: []jaxpr.MeshAxis{{Name: "x", Size: 2}, {Name: "y", Size: 2}}}
	other := field(nil, 1, shardOther)
	turned := packed(packed(nil, 9, 2, 2), 10, 1, 0) // devices 0, 2, 1, 3
	tiles := func(list ...byte) []byte { return packed(other[:len(other):len(other)], 3, list...) }
	join := func(a, b []byte) []byte { return append(a[:len(a):len(a)], b...) }
	none := jaxpr.Spec{{"none"}}
	for _, c := range []struct {
		what string
		cut  []byte
		mesh jaxpr.Mesh
		rank int
		want jaxpr.Spec
	}{
		{"whole", field(nil, 1, shardReplicated), line, 2, nil},
		{"of one device", field(nil, 1, 1), line, 2, none},
		{"rows", packed(tiles(4, 1), 4, 0, 1, 2, 3), line, 2, jaxpr.Spec{{"x"}, nil}},
		{"rows, not packed", field(field(packed(packed(field(field(other, 3, 4), 3, 1), 4, 0, 1), 8), 4, 2), 4, 3), line, 2, jaxpr.Spec{{"x"}, nil}},
		{"both axes", packed(tiles(2, 2), 4, 0, 1, 2, 3), square, 2, jaxpr.Spec{{"x"}, {"y"}}},
		{"both axes, turned", join(tiles(2, 2), turned), square, 2, jaxpr.Spec{{"y"}, {"x"}}},
		{"one axis by two", packed(tiles(4), 4, 0, 1, 2, 3), square, 1, jaxpr.Spec{{"x", "y"}}},
		{"one axis by two, turned", join(tiles(4), turned), square, 1, jaxpr.Spec{{"y", "x"}}},
		{"copies", field(join(tiles(1, 2, 2), turned), 6, 1), square, 2, jaxpr.Spec{nil, {"y"}}},
		{"copies, newer form", packed(join(tiles(1, 2, 2), turned), 8, 0), square, 2, jaxpr.Spec{nil, {"y"}}},
		{"a part of an axis", field(packed(tiles(2, 2), 4, 0, 1, 2, 3), 6, 1), line, 1, none},
		{"another order", packed(tiles(4), 4, 1, 0, 2, 3), line, 1, none},
		{"too few devices", packed(tiles(2), 4, 0, 1), line, 1, none},
		{"a device twice", packed(tiles(4), 4, 0, 0, 1, 2), line, 1, none},
		{"too many axes", packed(tiles(4, 1), 4, 0, 1, 2, 3), line, 1, none},
		{"a newer field", packed(packed(tiles(4), 4, 0, 1, 2, 3), 14), line, 1, none},
	} {
		module := message(nil, 1, message(nil, 12, c.cut))
		s, ok, err := resultSharding(module)
		if !ok || err != nil {
			t.Errorf("%s: found: %t, error %v", c.what, ok, err)
			continue
		}
		got, ok := s.spec(c.mesh, c.rank)
		if !ok {
			got = none
		}
		if got.String() != c.want.String() {
			t.Errorf("%s: got %v, want %v", c.what, got, c.want)
		}
		for n := 1; n < len(module); n++ {
			if _, _, err := resultSharding(module[:n]); err == nil {
				t.Errorf("%s: the first %d bytes of %d are read", c.what, n, len(module))
			}
		}
	}
	if _, ok, err := resultSharding(message(nil, 1, message(nil, 1, []byte("name")))); ok || err != nil {
		t.Errorf("a module without a sharding: found: %t, error %v", ok, err)
	}
}
