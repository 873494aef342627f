package runtime

import (
	"fmt"
	"strings"
	"unsafe"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/elem"
	"github.com/weft-go/weft/internal/pages"
	"github.com/weft-go/weft/lower/reference"
)

// An Array is a concrete array: its elements exist, or are being computed. They lie in
// the memory of the host unless the array has a [Buffer]. An array is immutable once it
// has been handed out.
type Array struct {
	t   reference.Tensor // first: a list of arrays is a list of tensors
	box core.Value       // the array itself: see Box
	// What follows in a small array is aligned to 16 bytes. An empty field must not be last.
	_     [(16 - (unsafe.Sizeof(reference.Tensor{})+unsafe.Sizeof(core.Value(nil))+8)%16) % 16]byte
	refs  int32  // holders within a run; 0: not counted; isView
	state uint32 // readers and death: see hold
}

// isView, as the refs of an array, marks a view: an array that shows other elements later, as a
// row of a loop's operand does in the next iteration.
const isView = -1

// NewView returns an array without memory, for operands and results of a [Step] that
// keeps none of them. Before each run Show sets its memory.
func NewView(t core.ShapedArray) *Array {
	return boxed(&Array{t: reference.Tensor{ShapedArray: t}, refs: isView})
}

// Show makes a view show memory, aligned to 16 bytes.
func (a *Array) Show(data []byte) { a.t.Data, a.refs = data, isView }

func tensors(as []*Array) []*reference.Tensor {
	return unsafe.Slice((**reference.Tensor)(unsafe.Pointer(unsafe.SliceData(as))), len(as))
}

// clone returns a copy of an array in host memory.
func (a *Array) clone() *Array {
	c := New(a.t.ShapedArray)
	copy(c.t.Data, a.t.Data)
	return c
}

// Box returns a pointer to a Value that is the array and never changes. It allocates only if the
// array was made by other means than the functions of this package.
func (a *Array) Box() *core.Value {
	if a.box == nil {
		v := core.Value(a)
		return &v
	}
	return &a.box
}

// boxed sets a.box and returns a, to which nothing else refers yet.
func boxed(a *Array) *Array {
	a.box = a
	return a
}

// Small arrays and their elements are one piece of memory.
type (
	array16 struct {
		Array
		buf [16]byte
	}
	array32 struct {
		Array
		buf [32]byte
	}
	array64 struct {
		Array
		buf [64]byte
	}
)

// New returns an array of zeros that may be filled until it is handed out. A type that no
// memory can hold is an error.
func New(a core.ShapedArray) *Array {
	n := bytes(a)
	switch {
	case n == 0:
		return boxed(&Array{t: reference.Tensor{ShapedArray: a}})
	case n <= 16:
		s := &array16{}
		s.t = reference.Tensor{ShapedArray: a, Data: s.buf[:n:n]}
		return boxed(&s.Array)
	case n <= 32:
		s := &array32{}
		s.t = reference.Tensor{ShapedArray: a, Data: s.buf[:n:n]}
		return boxed(&s.Array)
	case n <= 64:
		s := &array64{}
		s.t = reference.Tensor{ShapedArray: a, Data: s.buf[:n:n]}
		return boxed(&s.Array)
	}
	pages.Need(n)
	// Backing by words of 16 bytes aligns every element type.
	words := make([][2]uint64, (n+15)/16)
	return boxed(&Array{t: reference.Tensor{ShapedArray: a, Data: unsafe.Slice((*byte)(unsafe.Pointer(&words[0])), n)}, state: counted})
}

// leastUncleared is the size in bytes from which clearing memory takes a noticeable part of a call.
const leastUncleared = 512

// NewUncleared returns an array of type a with arbitrary elements: the caller must write all of
// them.
func NewUncleared(a core.ShapedArray) *Array {
	n := bytes(a)
	if n < leastUncleared {
		return New(a)
	}
	// A strings.Builder allocates memory that Go does not clear. Memory of this size is aligned for
	// every element type.
	pages.Need(n)
	var b strings.Builder
	b.Grow(n)
	b.WriteByte(0)
	data := unsafe.Slice(unsafe.StringData(b.String()), n)
	return boxed(&Array{t: reference.Tensor{ShapedArray: a, Data: data}, state: counted})
}

// fewElements is a number of elements that fits in any memory.
const fewElements = 1024

// bytes returns the size of an array of type a. It panics if no memory can hold the array.
func bytes(a core.ShapedArray) int {
	if n := a.Size(); uint(n) <= fewElements && a.DType.IsElement() {
		return n * a.DType.Size()
	}
	if why := TooLarge(a); why != "" {
		core.Failf(core.ErrShape, "%s", why)
	}
	return a.Size() * a.DType.Size()
}

// TooLarge returns why no memory holds an array of type a, "" if one may.
func TooLarge(a core.ShapedArray) string {
	n, w := a.Size(), a.DType.Size()
	if why := a.DType.NoArray(); why != "" {
		return why
	}
	if n >= 0 && (w == 0 || n <= memoryLimit()/w) {
		return ""
	}
	for _, d := range a.Shape.All() {
		if d < 0 {
			return fmt.Sprintf("an array cannot have the shape %v: %d is negative", a.Shape, d)
		}
	}
	return fmt.Sprintf("an array of type %v does not fit in memory; make it smaller", a.Full())
}

// FromTensor returns an array with the tensor's elements, which it shares.
func FromTensor(t *reference.Tensor) *Array { return boxed(&Array{t: *t, state: stateOf(t)}) }

// Shared returns an array with memory that others may read: no call takes it, even where the
// array is donated. The memory must be aligned to 16 bytes unless elements are bytes, and must not change.
func Shared(a core.ShapedArray, data []byte) *Array {
	x := FromTensor(&reference.Tensor{ShapedArray: a, Data: data})
	x.state |= aliased
	return x
}

// stateOf returns the state of an array that has the tensor's memory.
func stateOf(t *reference.Tensor) uint32 {
	if len(t.Data) > smallBytes {
		return counted
	}
	return 0
}

// FromLiteral returns the literal as an array: its number, rounded to its dtype.
func FromLiteral(l core.Literal) *Array {
	a := New(l.Aval())
	if len(a.t.Data) > 0 {
		elem.Put(a.t.Data, l.Num, l.Type)
	}
	return a
}

// Aval returns the array's type.
func (a *Array) Aval() core.ShapedArray { return a.t.ShapedArray }

// Tensor returns the array in host memory. It waits for the elements, and copies them if
// they are elsewhere. They must not be written after the array has been handed out, and not
// be read while another goroutine may donate it: see [Array.Read].
func (a *Array) Tensor() *reference.Tensor { return &a.here("").t }

// Read calls f with the array in host memory. Nothing takes the memory while f runs. A
// donated array is an error that names op.
func (a *Array) Read(op string, f func(t *reference.Tensor)) {
	a.Live(op)
	if !a.hold() {
		a.Live(op)
	}
	defer a.drop()
	f(&a.here(op).t)
}

// Scalar returns the number of an array without axes; ok is false for other arrays, and for dtypes
// without numbers.
func (a *Array) Scalar() (n core.Number, ok bool) {
	if a.t.Rank() != 0 {
		return core.Number{}, false
	}
	return a.At(0)
}

// At returns the i-th element in row-major order; ok is false for dtypes without numbers.
func (a *Array) At(i int) (n core.Number, ok bool) {
	if a.t.DType.Size() == 0 {
		return core.Number{}, false
	}
	if !a.hold() {
		a.Live("")
	}
	defer a.drop()
	return a.here("").at(i)
}

// at is At for an array in host memory that the caller holds.
func (a *Array) at(i int) (core.Number, bool) {
	w := a.t.DType.Size()
	if w == 0 {
		return core.Number{}, false
	}
	return elem.Get(a.t.Data[i*w:], a.t.DType)
}

// WithType returns the array with another type of the same size in bytes: another shape or
// another weak mark. The elements are shared.
func (a *Array) WithType(t core.ShapedArray) *Array {
	if t.Size()*t.DType.Size() != a.t.Size()*a.t.DType.Size() {
		core.Failf(core.ErrShape, "an array of type %v cannot have the type %v, of another number of bytes; pass a type of as many", a.t.ShapedArray.Full(), t.Full())
	}
	if !a.hold() {
		a.Live("")
	}
	b := a.successor(false)
	a.drop()
	b.t.ShapedArray = t
	return b
}

// marked returns the array with the weak mark of t. A dead array stays as it is: it is a donated
// argument that the call returns, and commit makes the new array with the right mark.
func (a *Array) marked(t core.ShapedArray) *Array {
	if a.t.ShapedArray == t || a.Dead() {
		return a
	}
	return a.WithType(t)
}

// Live refuses an array that was donated.
func (a *Array) Live(op string) {
	if a.Dead() {
		core.FailOp(core.ErrDevice, op, []core.ShapedArray{a.Aval()},
			"the array %v was donated to an earlier call, which has its memory now; use that call's result, or do not donate", a.Aval().Full())
	}
}
