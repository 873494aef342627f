package block

import (
	"unsafe"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/internal/pages"
)

// Tensor is an array in memory: row-major, dense, in the host's byte order. Types narrower than a
// byte take one byte an element (signed ones sign-extended), bool is 0 or 1, complex numbers are
// real and imaginary part, keys are uint32 words: two for a key of the default kind.
type Tensor struct {
	core.ShapedArray
	Data []byte // Size() * DType.Size() bytes, aligned to 16
}

// NewTensor allocates an array of zeros of the given type.
func NewTensor(a core.ShapedArray) *Tensor {
	n := a.Size() * a.DType.Size()
	if n < 0 || a.Size() < 0 {
		core.Failf(core.ErrShape, "an array of type %v does not fit in memory; use a smaller one", a.Full())
	}
	pages.Need(n)
	// Backing by 16-byte words aligns every element type.
	words := make([][2]uint64, (n+15)/16)
	t := &Tensor{ShapedArray: a}
	if n > 0 {
		t.Data = unsafe.Slice((*byte)(unsafe.Pointer(&words[0])), n)
	}
	return t
}

// View returns t's elements as a slice of T, whose size must be that of the dtype.
func View[T any](t *Tensor) []T {
	var z T
	if len(t.Data) == 0 {
		return nil
	}
	if int(unsafe.Sizeof(z)) != t.DType.Size() {
		panic("BUG: view of " + t.String() + " with elements of another size")
	}
	return unsafe.Slice((*T)(unsafe.Pointer(&t.Data[0])), len(t.Data)/int(unsafe.Sizeof(z)))
}

// Func computes the results of p. The tensors of out have p's result types and arbitrary contents, and overlap
// none of in. Func must not retain in or out.
type Func func(p core.Primitive, in, out []*Tensor)
