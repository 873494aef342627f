package runtime

import (
	"testing"
	"unsafe"

	"github.com/weft-go/weft/core"
)

// A slab returns arrays of zeros that share no memory, small ones from few allocations.
func TestSlab(t *testing.T) {
	types := []core.ShapedArray{core.Aval(core.Float32, 16), core.Aval(core.Float32), core.Aval(core.Float64, 100), core.Aval(core.Int8, 0), core.Aval(core.Bool, 64),
		core.Aval(core.Complex128, 4), core.Aval(core.Float32, 17), core.Aval(core.BFloat16, 3), core.Aval(core.Float64, 8), core.Aval(core.Int32, 2)}
	small := 0
	for _, a := range types {
		if IsSmall(a) {
			small++
		}
	}
	if small != 7 {
		t.Errorf("small arrays: got %d, want 7", small)
	}
	s := Slab{Small: small}
	var as []*Array
	for _, typ := range types {
		a := s.New(typ)
		if a.Aval() != typ || len(a.t.Data) != typ.Size()*typ.DType.Size() || *a.Box() != core.Value(a) {
			t.Fatalf("got an array of type %v with %d bytes, want %v", a.Aval().Full(), len(a.t.Data), typ.Full())
		}
		if d := a.t.Data; len(d) > 0 && uintptr(unsafe.Pointer(&d[0]))%16 != 0 {
			t.Errorf("%v: the elements are not aligned to 16 bytes", typ.Full())
		}
		for i, b := range a.t.Data {
			if b != 0 {
				t.Fatalf("%v: byte %d is %d, want 0", typ.Full(), i, b)
			}
			a.t.Data[i] = byte(len(as) + 1)
		}
		as = append(as, a)
	}
	for k, a := range as {
		for i, b := range a.t.Data {
			if b != byte(k+1) {
				t.Fatalf("%v: byte %d was overwritten by array %d", a.Aval().Full(), i, b-1)
			}
		}
	}
	if s.Small != small-slabArrays || len(s.room) != 0 {
		t.Errorf("got %d small arrays to come and room for %d, want %d and 0", s.Small, len(s.room), small-slabArrays)
	}
	s = Slab{Small: 8}
	if n := testing.AllocsPerRun(10, func() {
		s.Small = 8
		for range 8 {
			s.New(types[0])
		}
	}); n != 2 {
		t.Errorf("allocations for 8 small arrays: got %v, want 2", n)
	}
}
