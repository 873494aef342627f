package amd64

import "github.com/weft-go/weft/lower/native"

// Permutes reports whether there is code that moves elements of a size within a register.
func (g *x86) Permutes(size int) bool { return size >= 4 || g.PerPart(size)*size <= 16 }

func (g *x86) Permute(size int, x native.VReg, from []byte) native.VReg {
	bytes := len(from) * size
	if bytes <= 16 {
		index := make([]byte, 16)
		for i := range index {
			index[i] = 0x80 // vpshufb sets the byte to 0
		}
		for i, f := range from {
			for j := range size {
				index[i*size+j] = f*byte(size) + byte(j)
			}
		}
		return g.Op2(Vpshufb, L128, x, g.VBytes(index))
	}
	length := native.VectorLen(bytes)
	if words := inWords(size, from); length == L256 && words != nil {
		imm := int64(0)
		for i, w := range words {
			imm |= int64(w) << (2 * i)
		}
		return g.Op1I(VpermqI, L256, x, imm)
	}
	index := make([]byte, bytes)
	for i, f := range from {
		index[i*size] = f
	}
	op := Vpermd
	if size == 8 {
		op = Vpermq
	}
	return g.Op2(op, length, g.VBytes(index), x)
}

// inWords returns a permutation of elements as a permutation of words of 8 bytes, nil if words do not stay
// whole.
func inWords(size int, from []byte) []byte {
	if size == 8 {
		return from
	}
	words := make([]byte, len(from)/2)
	for i := range words {
		if from[2*i]%2 != 0 || from[2*i+1] != from[2*i]+1 {
			return nil
		}
		words[i] = from[2*i] / 2
	}
	return words
}

func (g *x86) Blend(size int, a, b native.VReg, second []bool) native.VReg {
	length := native.VectorLen(len(second) * size)
	if g.isa == AVX512 {
		bits := int64(0)
		for i, s := range second {
			if s {
				bits |= 1 << i
			}
		}
		k := g.NewK()
		g.Put(native.Inst{Op: KmovqG, D: k, B: g.GConst(bits)})
		return g.Masked(blendOps[size], length, k, a, b)
	}
	if size >= 4 {
		imm, per := int64(0), size/4
		for i, s := range second {
			if s {
				imm |= (1<<per - 1) << (i * per)
			}
		}
		return g.Op2I(Vblendps, length, a, b, imm)
	}
	mask := make([]byte, 16)
	for i, s := range second {
		for j := range size {
			if s {
				mask[i*size+j] = 0xff
			}
		}
	}
	d := g.NewV(length)
	g.Put(native.Inst{Op: Vpblendvb, Len: length, D: d, A: a, B: b, C: g.VBytes(mask), Third: true})
	return d
}
