package runtime

import "github.com/weft-go/weft/core"

// An Allocator is an executor with its own allocator for large arrays in host memory.
type Allocator interface {
	Executor

	// Allocate returns an array of type t with arbitrary elements.
	Allocate(t core.ShapedArray) *Array
}

// leastAllocated is the size in bytes from which an [Allocator] allocates the data of users: a
// large page. Programs read data faster from large pages.
const leastAllocated = 2 << 20

// NewData returns an array for data from outside of programs, with arbitrary elements: the
// caller must write all of them. Large arrays are allocated by the first [Allocator] of the
// executors that may be the default.
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
