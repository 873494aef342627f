package arm64

import "github.com/weft-go/weft/lower/native"

// Permutes reports that elements of every size are moved within registers.
func (g *neon) Permutes(int) bool { return true }

func (g *neon) Permute(size int, x native.VReg, from []byte) native.VReg {
	index := make([]byte, vectorBytes)
	for i := range index {
		index[i] = 0xff // out of range: vTbl sets the byte to 0
	}
	for i, f := range from {
		for j := range size {
			index[i*size+j] = f*byte(size) + byte(j)
		}
	}
	return g.Op2(vTbl, 0, x, g.VBytes(index))
}

func (g *neon) Blend(size int, a, b native.VReg, second []bool) native.VReg {
	mask := make([]byte, vectorBytes)
	for i, s := range second {
		for j := range size {
			if s {
				mask[i*size+j] = 0xff
			}
		}
	}
	d := g.NewV(0)
	g.Put(native.Inst{Kind: native.KindFMA, Op: vBsl, D: d, A: b, B: a, C: g.VBytes(mask)})
	return d
}
