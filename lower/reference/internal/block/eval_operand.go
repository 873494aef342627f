package block

import (
	"unsafe"

	"github.com/weft-go/weft/core"
)

// An operand brings one component of an operand's elements into a block: it is read where it
// lies, or spread and picked apart into the frame's buffer.
type operand struct {
	base  unsafe.Pointer // the operand's first element
	buf   unsafe.Pointer // the frame's buffer
	place paramPlace
	mode  operandMode
	// For modeSpread: the axes of the result, merged, and the operand's stride
	// along each, in elements; 0 where it is spread.
	dims, strides [maxAxes]int
	rank          int
}

// maxAxes bounds the axes that remain after merging neighbours that are both
// spread or both not.
const maxAxes = 32

type operandMode uint8

const (
	modeDirect operandMode = iota // element i is at i
	modeScalar                    // one element, already in the buffer
	modePick                      // one component of element i
	modeSpread                    // size-1 axes repeat
)

// bind prepares the operand for blocks of at most n elements of a result.
func (o *operand) bind(f *frame, q paramPlace, t *Tensor, shape core.Dims, n int) {
	o.place, o.buf = q, f.At(q.buf)
	o.base = nil
	if len(t.Data) > 0 {
		o.base = unsafe.Pointer(&t.Data[0])
	}
	size := t.Size()
	switch {
	case size == 1:
		o.mode = modeScalar
		o.spread(0, n)
	case t.Shape == shape:
		o.mode = modeDirect
		if q.components > 1 {
			o.mode = modePick
		}
	default:
		o.mode = modeSpread
		o.merge(t.Shape, shape)
	}
}

// merge finds the strides of an operand of shape s in a result of shape `out`, and
// joins neighbouring axes where one stride walks both.
func (o *operand) merge(s, out core.Dims) {
	if s.Len() != out.Len() {
		panic("BUG: elementwise operand of shape " + s.String() + " for a result of shape " + out.String())
	}
	o.rank = 0
	stride := 1
	// From the minor axis out; dims[0] is the minor one.
	for i := s.Len() - 1; i >= 0; i-- {
		d, n := out.At(i), s.At(i)
		if d == 1 {
			continue
		}
		st := stride
		if n == 1 {
			st = 0
		} else if n != d {
			panic("BUG: elementwise operand of shape " + s.String() + " for a result of shape " + out.String())
		}
		stride *= n
		if k := o.rank - 1; k >= 0 && st == o.strides[k]*o.dims[k] {
			o.dims[k] *= d
			continue
		}
		if o.rank == maxAxes {
			panic("BUG: too many axes")
		}
		o.dims[o.rank], o.strides[o.rank] = d, st
		o.rank++
	}
}

// load returns the address of n elements from element `at` on, which it may first copy to the buffer.
func (o *operand) load(at, n int) unsafe.Pointer {
	switch o.mode {
	case modeDirect:
		return unsafe.Add(o.base, at*o.place.size)
	case modeScalar:
		return o.buf
	case modePick:
		o.copy(0, at, 1, n)
		return o.buf
	}
	// The position of element `at` along each axis, and where that is.
	var pos [maxAxes]int
	from, rest := 0, at
	for k := range o.rank {
		pos[k] = rest % o.dims[k]
		rest /= o.dims[k]
		from += pos[k] * o.strides[k]
	}
	for done := 0; done < n; {
		run := min(n-done, o.dims[0]-pos[0])
		o.copy(done, from, o.strides[0], run)
		done += run
		pos[0] += run
		from += run * o.strides[0]
		for k := 0; k < o.rank-1 && pos[k] == o.dims[k]; k++ {
			from += o.strides[k+1] - pos[k]*o.strides[k]
			pos[k] = 0
			pos[k+1]++
		}
	}
	return o.buf
}

// copy writes n elements of the buffer, from position d on: the operand's elements
// from element `a` on, with stride 0 or 1.
func (o *operand) copy(d, a, stride, n int) {
	size := o.place.size
	dst := unsafe.Add(o.buf, d*size)
	src := unsafe.Add(o.base, (a*o.place.components+o.place.component)*size)
	if stride == 0 {
		o.fillFrom(dst, src, n)
		return
	}
	gather(dst, src, size, o.place.components, n)
}

func (o *operand) spread(a, n int) {
	o.fillFrom(o.buf, unsafe.Add(o.base, (a*o.place.components+o.place.component)*o.place.size), n)
}

func (o *operand) fillFrom(dst, src unsafe.Pointer, n int) {
	switch o.place.size {
	case 1:
		fillWith(vec[uint8](dst, n), *(*uint8)(src))
	case 2:
		fillWith(vec[uint16](dst, n), *(*uint16)(src))
	case 4:
		fillWith(vec[uint32](dst, n), *(*uint32)(src))
	case 8:
		fillWith(vec[uint64](dst, n), *(*uint64)(src))
	}
}

// gather copies n values that are `step` values apart to dense memory.
func gather(dst, src unsafe.Pointer, size, step, n int) {
	if step == 1 {
		copy(vec[uint8](dst, n*size), vec[uint8](src, n*size))
		return
	}
	switch size {
	case 4:
		gatherOf[uint32](dst, src, step, n)
	case 8:
		gatherOf[uint64](dst, src, step, n)
	}
}

func gatherOf[T any](dst, src unsafe.Pointer, step, n int) {
	D, S := vec[T](dst, n), vec[T](src, (n-1)*step+1)
	for i := range D {
		D[i] = S[i*step]
	}
}

// store copies a block of values to a component of the result's elements.
func (o *outPlace) store(from, base unsafe.Pointer, at, n int) {
	dst := unsafe.Add(base, (at*o.components+o.component)*o.size)
	if o.components == 1 {
		copy(vec[uint8](dst, n*o.size), vec[uint8](from, n*o.size))
		return
	}
	switch o.size {
	case 4:
		scatterOf[uint32](dst, from, o.components, n)
	case 8:
		scatterOf[uint64](dst, from, o.components, n)
	}
}

func scatterOf[T any](dst, src unsafe.Pointer, step, n int) {
	D, S := vec[T](dst, (n-1)*step+1), vec[T](src, n)
	for i := range S {
		D[i*step] = S[i]
	}
}
