package wasm

import "github.com/weft-go/weft/lower/native"

// Permutes reports that elements of every size are moved within registers.
func (g *simd) Permutes(int) bool { return true }

func (g *simd) Permute(size int, x native.VReg, from []byte) native.VReg {
	bytes := make([]byte, vectorBytes)
	for i, f := range from {
		for j := range size {
			bytes[i*size+j] = f*byte(size) + byte(j)
		}
	}
	return g.shuffled(x, x, bytes)
}

func (g *simd) Blend(size int, a, b native.VReg, second []bool) native.VReg {
	bytes := make([]byte, vectorBytes)
	for i := range bytes {
		bytes[i] = byte(i)
		if i/size < len(second) && second[i/size] {
			bytes[i] += vectorBytes
		}
	}
	return g.shuffled(a, b, bytes)
}
