package runtime

import (
	"unsafe"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/lower/reference"
)

// slabArrays is the number of small arrays that one allocation makes. All of them stay as long as
// one is reachable: 512 bytes.
const slabArrays = 4

// A Slab allocates arrays for the results of one call, small ones slabArrays at a time. A program
// that keeps one small result of each call thus keeps up to 512 bytes for it.
type Slab struct {
	Small int // arrays of at most 64 bytes that are still to be allocated
	room  []array64
}

// IsSmall reports whether an array and its elements are one piece of memory.
func IsSmall(t core.ShapedArray) bool { n := bytes(t); return n > 0 && n <= len(array64{}.buf) }

// New returns an array as [New] does.
func (s *Slab) New(t core.ShapedArray) *Array {
	if len(s.room) == 0 {
		if s.Small < slabArrays {
			return New(t)
		}
		s.room = new([slabArrays]array64)[:]
	}
	n := bytes(t)
	if n == 0 || n > len(s.room[0].buf) {
		return New(t)
	}
	a := &s.room[0]
	s.room = s.room[1:]
	s.Small--
	a.t = reference.Tensor{ShapedArray: t, Data: a.buf[:n:n]}
	return boxed(&a.Array)
}

// Compile-time checks: the elements of each array of a slab are aligned to 16 bytes, and slabArrays
// arrays have at most 512 bytes.
const (
	_ = -(unsafe.Sizeof(array64{}) % 16)
	_ = 512 - slabArrays*unsafe.Sizeof(array64{})
)
