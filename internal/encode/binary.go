package encode

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/elem"
	"github.com/weft-go/weft/internal/nd"
	"github.com/weft-go/weft/lower/reference"
	"github.com/weft-go/weft/runtime"
)

// Binary returns type, shape and elements as bytes; for nil it returns a zero byte.
func Binary(x core.Value) (b []byte, err error) {
	if x == nil {
		return []byte{0}, nil
	}
	err = core.Catch(func() {
		a := nd.Look("MarshalBinary", x)
		t := a.Aval()
		flags := byte(1)
		if t.Weak {
			flags |= 2
		}
		name := t.DType.String()
		b = append(b, flags, byte(len(name)))
		b = append(b, name...)
		b = binary.AppendUvarint(b, uint64(t.Rank()))
		for _, n := range t.Shape.All() {
			b = binary.AppendUvarint(b, uint64(n))
		}
		a.Read("MarshalBinary", func(e *reference.Tensor) { b = append(b, LittleEndian(e.Data, t.DType)...) })
	})
	return b, err
}

// FromBinary reads what [Binary] wrote.
func FromBinary(b []byte) (core.Value, error) {
	short := fmt.Errorf("weft: an Array in binary form ends early: %w", io.ErrUnexpectedEOF)
	if len(b) == 0 {
		return nil, short
	}
	if b[0] == 0 {
		if len(b) > 1 {
			return nil, fmt.Errorf("weft: %d bytes follow the zero Array in binary form; pass what MarshalBinary returned, and no more", len(b)-1)
		}
		return nil, nil
	}
	if len(b) < 2 || len(b) < 2+int(b[1]) {
		return nil, short
	}
	name := b[2 : 2+int(b[1])]
	dt, ok := core.ParseDType(string(name))
	if !ok || dt == core.Token {
		return nil, fmt.Errorf("weft: no element type %q; pass what MarshalBinary returned", name)
	}
	weak := b[0]&2 != 0
	if b[0] > 3 || weak && !dt.IsNumber() && !dt.IsBool() {
		return nil, fmt.Errorf("weft: an Array of type %v in binary form begins with byte %d, which MarshalBinary does not write; pass what it returned", dt, b[0])
	}
	b = b[2+len(name):]
	next := func() (int, bool) {
		n, k := binary.Uvarint(b)
		if k <= 0 || n > math.MaxInt {
			return 0, false
		}
		b = b[k:]
		return int(n), true
	}
	rank, ok := next()
	if !ok || rank > len(b) {
		return nil, short
	}
	dims := make([]int, rank)
	for i := range dims {
		if dims[i], ok = next(); !ok {
			return nil, short
		}
	}
	return catch(func() core.Value {
		t := core.ShapedArray{Shape: core.MakeDims(dims...), DType: dt, Weak: weak}
		if n := t.Size(); n < 0 || dt.Size() > 0 && n != len(b)/dt.Size() || n*dt.Size() != len(b) {
			core.FailOp(core.ErrShape, "UnmarshalBinary", []core.ShapedArray{t}, "%d bytes cannot be decoded as %v; the data is damaged or of another type", len(b), t.Full())
		}
		if i := foreign(b, dt); i >= 0 {
			core.FailOp(core.ErrParse, "UnmarshalBinary", []core.ShapedArray{t}, "element %d is byte %d, which no %v has; the data is damaged or of another type", i, b[i], dt)
		}
		a := runtime.NewData(t)
		copy(a.Tensor().Data, LittleEndian(b, dt))
		return a
	})
}

// foreign returns the index of the first byte that is no element of a type, -1 if there is none.
// Truth values and types of fewer than 8 bits use only some of the 256 bytes.
func foreign(b []byte, dt core.DType) int {
	if !dt.IsBool() && dt.Bits() >= 8 {
		return -1
	}
	var unused [256]bool
	for n := range unused {
		var stored [1]byte
		x, _ := elem.Get([]byte{byte(n)}, dt)
		elem.Put(stored[:], x, dt)
		unused[n] = stored[0] != byte(n)
	}
	return slices.IndexFunc(b, func(x byte) bool { return unused[x] })
}

// LittleEndian returns elements of the host's byte order in little-endian order, and the
// other way round.
func LittleEndian(b []byte, dt core.DType) []byte {
	w := dt.Real().Size()
	if dt.IsKey() {
		w = 4
	}
	if w < 2 || binary.NativeEndian.Uint16([]byte{1, 0}) == 1 {
		return b
	}
	out := make([]byte, len(b))
	for i := range b {
		out[i] = b[i-i%w+w-1-i%w]
	}
	return out
}

// WordsOf returns the type that an array has in files: for keys, the type of their words.
func WordsOf(t core.ShapedArray) core.ShapedArray {
	if t.DType.IsKey() {
		return core.Aval(core.Uint32, append(t.Shape.Ints(), t.DType.Size()/4)...)
	}
	return t
}
