package runtime

import "github.com/weft-go/weft/core"

// An Allocator is an executor that allocates large arrays in the memory of the host itself.
type Allocator interface {
	Executor

	// Allocate returns an array of type t with any elements.
	Allocate(t core.ShapedArray) *Array
}

// leastAllocated is the size in bytes from which an [Allocator] allocates the data of users: a
// large page of memory. Programs that read such arrays depend on the pages: with small ones,
// memory is read at half of its speed.
const leastAllocated = 2 << 20

// NewData returns an array for data from outside of programs, with any elements: the caller
// writes all of them. Large arrays are allocated by the first [Allocator] of the executors that
// may be the default.
func NewData(t core.ShapedArray) *Array {
	if bytes(t) >= leastAllocated {
		registered.RLock()
		list := registered.preferred
		registered.RUnlock()
		for _, e := range list {
			if e, ok := e.(Allocator); ok {
				return e.Allocate(t)
			}
		}
	}
	return NewUncleared(t)
}
