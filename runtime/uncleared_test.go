package runtime

import (
	"testing"
	"unsafe"

	"github.com/weft-go/weft/core"
)

// Memory that was not cleared is aligned, all of the array's own, and kept by the array.
func TestNewUncleared(t *testing.T) {
	for _, n := range []int{0, 1, 16, 127, 128, 129, 255, 300, 1000, 4096, 5000} {
		var all []*Array
		for i := range 50 {
			a := NewUncleared(core.Aval(core.Complex128, n))
			data := a.Tensor().Data
			if len(data) != 16*n {
				t.Fatalf("got %d bytes, want %d", len(data), 16*n)
			}
			if n > 0 && uintptr(unsafe.Pointer(unsafe.SliceData(data)))%16 != 0 {
				t.Fatalf("%d bytes begin at %#x, want a multiple of 16", len(data), uintptr(unsafe.Pointer(unsafe.SliceData(data))))
			}
			for j := range data {
				data[j] = byte(i)
			}
			all = append(all, a)
		}
		for i, a := range all {
			for _, b := range a.Tensor().Data {
				if b != byte(i) {
					t.Fatalf("array %d of %d elements was overwritten", i, n)
				}
			}
		}
	}
}
