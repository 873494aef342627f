package simteval

import (
	"encoding/binary"
	"math"

	"github.com/x448/float16"

	"github.com/weft-go/weft/lower/simt"
)

// Number returns the number that a tensor core reads from the bits of an operand's element of a kind.
func Number(k simt.TensorKind, bits uint32) float64 {
	switch k {
	case simt.BF16:
		return float64(math.Float32frombits(bits << 16))
	case simt.F16:
		return float64(float16.Frombits(uint16(bits)).Float32())
	}
	if bits<<1 < 0xff000000 {
		bits += 1 << 12 // to nearest, halves away from 0
	}
	return float64(math.Float32frombits(bits &^ (1<<13 - 1)))
}

// Bits returns the bits of x rounded to a format of 16 bits.
func Bits(k simt.TensorKind, x float32) uint16 {
	if k == simt.F16 {
		return float16.Fromfloat32(x).Bits()
	}
	if x != x {
		return 0x7fc0
	}
	b := math.Float32bits(x)
	return uint16((b + 0x7fff + b>>16&1) >> 16)
}

// tensor evaluates a product on tensor cores: the tiles of the group, with sums in f64.
func (v *evaluator) tensor(t *simt.Tensor) {
	if t.Windows != nil {
		v.convolution(t)
		return
	}
	tm, tn := t.Tiles()
	for i := v.group; i < tm*tn*t.Batches() && v.err == nil; i += v.groups {
		batch, m0, n0 := i/(tm*tn), i%(tm*tn)/tn*t.Tile[0], i%tn*t.Tile[1]
		atA, atB := t.A.Offset, t.B.Offset
		for d, rest := len(t.Batch)-1, batch; d >= 0; d-- {
			b := t.Batch[d]
			atA, atB, rest = atA+rest%b.N*b.A, atB+rest%b.N*b.B, rest/b.N
		}
		for m := m0; m < min(m0+t.Tile[0], t.M); m++ {
			for n := n0; n < min(n0+t.Tile[1], t.N); n++ {
				sum := 0.
				for k := range t.K {
					sum += v.number(t.Kind, 0, atA+m*t.A.Outer+k*t.A.K) * v.number(t.Kind, 1, atB+n*t.B.Outer+k*t.B.K)
				}
				v.result(t.Kind, t.Narrow, 2, (batch*t.M+m)*t.N+n, float32(sum))
			}
		}
	}
}

// bytesAt returns the bytes of an element of a buffer, nil if it has none.
func (v *evaluator) bytesAt(buffer, at, size int) []byte {
	b := v.buffers[buffer]
	if at < 0 || (at+1)*size > len(b) {
		v.fail("element %d of buffer %d, which has %d", at, buffer, len(b)/size)
		return nil
	}
	return b[at*size:][:size]
}

// number returns an element of an operand in a format.
func (v *evaluator) number(k simt.TensorKind, buffer, at int) float64 {
	b := v.bytesAt(buffer, at, k.Size())
	switch {
	case b == nil:
		return 0
	case k.Size() == 4:
		return Number(k, binary.LittleEndian.Uint32(b))
	}
	return Number(k, uint32(binary.LittleEndian.Uint16(b)))
}

// result stores an element of a result in f32 or, narrow, in a format.
func (v *evaluator) result(k simt.TensorKind, narrow bool, buffer, at int, x float32) {
	if narrow {
		if b := v.bytesAt(buffer, at, 2); b != nil {
			binary.LittleEndian.PutUint16(b, Bits(k, x))
		}
		return
	}
	if b := v.bytesAt(buffer, at, 4); b != nil {
		binary.LittleEndian.PutUint32(b, math.Float32bits(x))
	}
}
