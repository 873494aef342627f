package reference

import (
	"encoding/binary"

	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/lower/reference/internal/block"
)

// movedRows contains the operations that copy bits but are not elementwise: their result has
// another shape, or they have several results.
var movedRows = []block.Row{
	block.On(func(_ prim.BitcastConvertTypeP, in, out []*block.Tensor) { bitcastConvert(in, out) }),
	block.On(func(_ prim.OptimizationBarrierP, in, out []*block.Tensor) {
		for i, t := range out {
			copy(t.Data, in[i].Data)
		}
	}),
}

// bitcastConvert reads bits as another type, the lowest first where elements are
// taken apart or put together. Types narrower than a byte lie in bytes of their own.
func bitcastConvert(in, out []*block.Tensor) {
	a, r := in[0], out[0]
	from, to := a.DType, r.DType
	if from.Bits() == to.Bits() {
		copy(r.Data, a.Data)
		extend(r)
		return
	}
	if from.Bits() >= 8 && to.Bits() >= 8 && hostLittle {
		copy(r.Data, a.Data)
		return
	}
	n := from.Bits() / to.Bits()
	if n > 0 {
		for i := range a.Size() {
			bits := loadBits(a, i)
			for k := range n {
				storeBits(r, i*n+k, bits>>(k*to.Bits()))
			}
		}
	} else {
		n = to.Bits() / from.Bits()
		for i := range r.Size() {
			bits := uint64(0)
			for k := range n {
				bits |= loadBits(a, i*n+k) << (k * from.Bits())
			}
			storeBits(r, i, bits)
		}
	}
	extend(r)
}

var hostLittle = binary.NativeEndian.Uint16([]byte{1, 0}) == 1

// loadBits returns element i of t. The bits above the width of its type are zero.
func loadBits(t *block.Tensor, i int) uint64 {
	b := t.Data[i*t.DType.Size():]
	switch t.DType.Size() {
	case 1:
		return uint64(b[0]) & (1<<t.DType.Bits() - 1)
	case 2:
		return uint64(binary.NativeEndian.Uint16(b))
	case 4:
		return uint64(binary.NativeEndian.Uint32(b))
	}
	return binary.NativeEndian.Uint64(b)
}

func storeBits(t *block.Tensor, i int, bits uint64) {
	b := t.Data[i*t.DType.Size():]
	switch t.DType.Size() {
	case 1:
		b[0] = byte(bits & (1<<t.DType.Bits() - 1))
	case 2:
		binary.NativeEndian.PutUint16(b, uint16(bits))
	case 4:
		binary.NativeEndian.PutUint32(b, uint32(bits))
	case 8:
		binary.NativeEndian.PutUint64(b, bits)
	}
}

// extend converts bytes that hold fewer bits to the form in which they are stored: signed
// integers sign-extended, others zero above.
func extend(t *block.Tensor) {
	n := t.DType.Bits()
	if n >= 8 {
		return
	}
	for i, b := range t.Data {
		if t.DType.IsSigned() {
			t.Data[i] = byte(int8(b<<(8-n)) >> (8 - n))
		} else {
			t.Data[i] = b & (1<<n - 1)
		}
	}
}
