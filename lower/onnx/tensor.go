package onnx

import (
	"encoding/binary"
	"math"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/weft-go/weft/core"
)

// maxElements bounds the elements of a tensor, so that sizes in bytes cannot overflow.
const maxElements = 1 << 40

// littleEndian is true where numbers lie in memory as in the file.
var littleEndian = binary.NativeEndian.Uint16([]byte{1, 0}) == 1

type payload struct {
	raw      []byte
	hasRaw   bool
	packed   []byte // float_data in one piece, as it lies in the file
	floats   []uint32
	ints     []int64 // int32_data
	longs    []int64
	doubles  []uint64
	ulongs   []int64
	external map[string]string
	outside  bool
}

// unpacked returns the float_data read so far as numbers, to which further numbers can be appended.
func (p *payload) unpacked() []uint32 {
	for b := p.packed; len(b) >= 4; b = b[4:] {
		p.floats = append(p.floats, binary.LittleEndian.Uint32(b))
	}
	p.packed = nil
	return p.floats
}

func (r *reader) tensor(msg []byte) *Tensor {
	t := &Tensor{}
	var p payload
	r.fields(msg, func(f field) {
		switch f.num {
		case 1:
			t.Dims = f.ints(t.Dims)
		case 2:
			t.Elem = Elem(f.int())
		case 4:
			if littleEndian && f.kind == protowire.BytesType && p.packed == nil && p.floats == nil && len(f.data)%4 == 0 {
				p.packed = f.data
				break
			}
			p.floats = f.words32(p.unpacked())
		case 5:
			p.ints = f.ints(p.ints)
		case 6:
			t.Strings = append(t.Strings, f.text())
		case 7:
			p.longs = f.ints(p.longs)
		case 8:
			t.Name = f.text()
		case 9:
			p.raw, p.hasRaw = f.bytes(), true
		case 10:
			p.doubles = f.words64(p.doubles)
		case 11:
			p.ulongs = f.ints(p.ulongs)
		case 13:
			if p.external == nil {
				p.external = map[string]string{}
			}
			r.within("external_data").pair(f.bytes(), p.external)
		case 14:
			p.outside = f.int() == 1
		}
	})
	r.name = t.Name
	n := r.count(t.Dims)
	switch {
	case t.Elem == String:
		if len(t.Strings) != n {
			r.fail("%d texts for a tensor of %d elements; export the model again", len(t.Strings), n)
		}
		return t
	case t.Elem.DType() == core.Invalid:
		r.fail("the element type %d does not exist; this reader knows types up to %d", t.Elem, len(elems)-1)
	}
	t.Data = r.data(&p, t.Elem.DType(), n)
	return t
}

func (r *reader) count(dims []int64) int {
	n := int64(1)
	for _, d := range dims {
		if d < 0 {
			r.fail("the tensor has a negative size (%v); export the model again", dims)
		}
		if d == 0 {
			return 0
		}
		if n > maxElements/d {
			r.fail("a tensor of shape %v has more than 2⁴⁰ elements; export the model again", dims)
		}
		n *= d
	}
	return int(n)
}

func (r *reader) data(p *payload, dt core.DType, n int) []byte {
	bits := dt.Bits()
	if dt == core.Bool {
		bits = 8
	}
	if bits == 6 { // each element has a byte
		bits = 8
	}
	size := (n*bits + 7) / 8 // bytes in the file
	if p.outside {
		p.raw, p.hasRaw = r.external(p.external, size), true
	}
	if p.hasRaw {
		if len(p.raw) != size {
			r.fail("raw_data has %d bytes, %d elements of type %v take %d; export the model again", len(p.raw), n, dt, size)
		}
		return r.fromRaw(p.raw, dt, bits, n)
	}
	out := make([]byte, 0, min(n, 8*(len(p.floats)+len(p.ints)+len(p.longs)+len(p.doubles)+len(p.ulongs)))*dt.Size())
	need := func(field string, k, per int) {
		if k != n*per {
			r.fail("%s has %d numbers, a tensor of %d elements of type %v has %d; export the model again", field, k, n, dt, n*per)
		}
	}
	le := binary.NativeEndian
	switch dt {
	case core.Float32, core.Complex64:
		if p.packed != nil {
			need("float_data", len(p.packed)/4, dt.Size()/4)
			return p.packed
		}
		need("float_data", len(p.floats), dt.Size()/4)
		for _, w := range p.floats {
			out = le.AppendUint32(out, w)
		}
	case core.Float64, core.Complex128:
		need("double_data", len(p.doubles), dt.Size()/8)
		for _, w := range p.doubles {
			out = le.AppendUint64(out, w)
		}
	case core.Int64:
		need("int64_data", len(p.longs), 1)
		for _, v := range p.longs {
			out = le.AppendUint64(out, uint64(v))
		}
	case core.Uint64, core.Uint32:
		need("uint64_data", len(p.ulongs), 1)
		for _, v := range p.ulongs {
			if dt == core.Uint64 {
				out = le.AppendUint64(out, uint64(v))
				continue
			}
			if v < 0 || v > math.MaxUint32 {
				r.fail("uint64_data has %d for an element of type %v", uint64(v), dt)
			}
			out = le.AppendUint32(out, uint32(v))
		}
	default: // the other types, in int32_data; elements of 2 or 4 bits are packed as in raw_data
		if bits < 8 {
			packed := make([]byte, 0, len(p.ints))
			for _, v := range p.ints {
				packed = append(packed, byte(v))
			}
			if len(packed) != size {
				r.fail("int32_data has %d numbers, a tensor of %d elements of type %v has %d; export the model again", len(packed), n, dt, size)
			}
			return r.fromRaw(packed, dt, bits, n)
		}
		need("int32_data", len(p.ints), 1)
		for _, v := range p.ints {
			switch dt.Size() {
			case 1:
				out = append(out, byte(v))
			case 2:
				out = le.AppendUint16(out, uint16(v))
			default:
				out = le.AppendUint32(out, uint32(v))
			}
		}
	}
	return truths(out, dt)
}

// fromRaw returns elements as they lie in an array, from elements as they lie in the file. Where
// both are the same it returns a part of the file, except for booleans.
func (r *reader) fromRaw(raw []byte, dt core.DType, bits, n int) []byte {
	switch {
	case bits < 8:
		out := make([]byte, n)
		per := 8 / bits
		for i := range out {
			v := raw[i/per] >> (i % per * bits) & (1<<bits - 1)
			if dt.IsSigned() && dt.IsInteger() { // the sign fills the byte
				v = byte(int8(v<<(8-bits)) >> (8 - bits))
			}
			out[i] = v
		}
		return out
	case littleEndian || bits == 8:
		return truths(raw, dt)
	}
	out := make([]byte, len(raw))
	word := dt.Size()
	if dt == core.Complex64 || dt == core.Complex128 {
		word /= 2
	}
	for i := range raw {
		out[i] = raw[i/word*word+word-1-i%word]
	}
	return out
}

// truths makes each truth value 0 or 1; other types it returns as they are.
func truths(data []byte, dt core.DType) []byte {
	if dt != core.Bool {
		return data
	}
	out := make([]byte, len(data))
	for i, b := range data {
		if b != 0 {
			out[i] = 1
		}
	}
	return out
}
