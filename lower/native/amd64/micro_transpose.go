package amd64

import "github.com/weft-go/weft/lower/native"

// depth returns the number of elements of each row of a block: as many vectors come out.
func (w *micro) depth() int { return w.Model.Block / w.Size }

// rowOf returns the rows of which register i takes its lower and its upper half, in the
// order in which the shuffles need them.
func (w *micro) rowOf(i int) (low, high int) {
	n := 16 / w.Size // rows whose elements share 16 bytes in the end
	if w.isa == AVX2 {
		return i, i + n
	}
	return i/n*2*n + i%n, i/n*2*n + i%n + n
}

func (w *micro) Block(place func(i int) native.Mem, in, temp native.VReg, part *native.Mask) native.VReg {
	half, insert := L256, Vinserti64x4
	if w.isa == AVX2 {
		half, insert = L128, Vinserti128
	}
	for i := range w.depth() {
		low, high := w.rowOf(i)
		r := in + native.VReg(i)
		if part == nil {
			w.Put(place(low).Of(native.Inst{Op: Vmovups, Len: half, D: r}))
			w.Put(place(high).Of(native.Inst{Op: insert, Len: w.Len(), D: r, A: r, Imm: 1}))
			continue
		}
		w.loadMask(half, r, place(low), *part)
		w.loadMask(half, temp, place(high), *part)
		w.opI(insert, w.Len(), r, r, temp, 1)
	}
	return w.Transposed(in, temp)
}

// ahead is the distance, in bytes, of the lines that are requested in advance.
const ahead = 128

// TwoBlocks is for AVX-512 only. It reads a whole line of the cache at a time, since lines whose
// distance is a power of two displace each other from the cache.
func (w *micro) TwoBlocks(place func(i int) native.Mem, in, second, temp native.VReg) {
	for i := range w.depth() {
		low, high := w.rowOf(i)
		a, b := temp+native.VReg(i%2*2), temp+native.VReg(i%2*2+1)
		w.line(a, place(low))
		w.line(b, place(high))
		w.opI(Vinserti64x4, L512, in+native.VReg(i), a, b, 1)
		w.opI(Vshufi64x2, L512, second+native.VReg(i), a, b, 0xee)
	}
}

// line loads a vector and requests the line that lies `ahead` bytes further on.
func (w *micro) line(d native.VReg, m native.Mem) {
	w.LoadV(d, m)
	m.Disp += ahead
	w.Request(m)
}

func (w *micro) Transposed(in, temp native.VReg) native.VReg {
	d := native.VReg(w.depth())
	from, to := in, temp
	if w.Size == 4 { // pairs of rows, by element
		for i := native.VReg(0); i < d; i += 2 {
			w.op(Vpunpckldq, to+i, from+i, from+i+1)
			w.op(Vpunpckhdq, to+i+1, from+i, from+i+1)
		}
		from, to = to, from
		for g := native.VReg(0); g < d; g += 4 { // four rows
			for i := range native.VReg(2) {
				w.op(Vpunpcklqdq, to+g+2*i, from+g+i, from+g+i+2)
				w.op(Vpunpckhqdq, to+g+2*i+1, from+g+i, from+g+i+2)
			}
		}
	} else {
		for i := native.VReg(0); i < d; i += 2 {
			w.op(Vpunpcklqdq, to+i, from+i, from+i+1)
			w.op(Vpunpckhqdq, to+i+1, from+i, from+i+1)
		}
	}
	if w.isa == AVX2 {
		return to
	}
	from, to = to, from
	n := d / 2
	for j := range n { // register j has elements j and n+j of the first half of the rows, register n+j those of the second
		w.opI(Vshufi32x4, L512, to+j, from+j, from+n+j, 0x88)
		w.opI(Vshufi32x4, L512, to+n+j, from+j, from+n+j, 0xdd)
	}
	return to
}
