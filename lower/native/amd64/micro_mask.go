package amd64

import "github.com/weft-go/weft/lower/native"

// laneMask returns the argument that a tile reads as the mask of its last vector, of which it uses the first n lanes:
// with AVX-512 a bit for each of these, with AVX2 −1 in each.
func (i ISA) laneMask(size, n int) (words [4]uint64) {
	switch {
	case i == AVX512:
		words[0] = 1<<n - 1
	case size == 8:
		for i := range n {
			words[i] = ^uint64(0)
		}
	default:
		for i := range n {
			words[i/2] |= 0xffffffff << (32 * (i % 2))
		}
	}
	return words
}

// StartMasks makes 32 bytes of ones before 32 of zeros, which AVX2 loads masks from.
func (w *micro) StartMasks(table native.VReg) {
	if w.isa == AVX512 {
		return
	}
	w.table = table
	at := len(w.Pool)
	for i := range 64 {
		w.Pool = append(w.Pool, byte(-(1 - i/32)))
	}
	w.Address(table, native.Mem{Pool: true, Disp: int32(at)})
}

func (w *micro) ArgMask(k native.Mask, m native.Mem) {
	if w.isa == AVX512 {
		w.Put(m.Of(native.Inst{Op: Kmovq, D: w.K(k.Number)}))
		return
	}
	w.LoadV(k.Vector, m)
}

func (w *micro) FirstMask(k native.Mask, n, temp native.VReg) {
	if w.isa == AVX512 {
		w.Put(native.Inst{Op: MovI, D: temp, Imm: -1})
		w.Put(native.Inst{Op: Bzhiq, D: temp, B: temp, A: n})
		w.Put(native.Inst{Op: KmovqG, D: w.K(k.Number), B: temp})
		return
	}
	w.Move(temp, n)
	w.Put(native.Inst{Op: Neg, D: temp, C: temp})
	w.LoadV(k.Vector, native.Indexed(w.table, temp, uint8(2+w.i()), 32))
}

func (w *micro) LoadMask(d native.VReg, m native.Mem, k native.Mask) { w.loadMask(w.Len(), d, m, k) }

func (w *micro) loadMask(length uint8, d native.VReg, m native.Mem, k native.Mask) {
	in := native.Inst{Op: [2]Op{Vmovups, Vmovupd}[w.i()], Len: length, D: d, K: w.K(k.Number), Zero: true}
	if w.isa == AVX2 {
		in = native.Inst{Op: [2]Op{VmaskmovpsL, VmaskmovpdL}[w.i()], Len: length, D: d, A: k.Vector}
	}
	w.Put(m.Of(in))
}

func (w *micro) StoreMask(m native.Mem, s native.VReg, k native.Mask) {
	in := native.Inst{Op: [2]Op{VmovupsS, VmovupdS}[w.i()], Len: w.Len(), A: s, K: w.K(k.Number)}
	if w.isa == AVX2 {
		in = native.Inst{Op: [2]Op{VmaskmovpsS, VmaskmovpdS}[w.i()], Len: L256, A: k.Vector, C: s}
	}
	w.Put(m.Of(in))
}
