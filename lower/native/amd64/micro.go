package amd64

import (
	"github.com/weft-go/weft/lower/native"
	"github.com/weft-go/weft/lower/schedule"
)

// micro implements [native.MicroPatterns].
type micro struct {
	*native.Micro
	isa   ISA
	table native.VReg // AVX2: address of the table of masks
	nans  native.Mem  // a vector of canonical NaNs; not in the pool: none yet
	temp  int         // of a tile: the number of elements of A that were loaded
}

func (g *x86) Micro(w *native.Micro) native.MicroPatterns { return &micro{Micro: w, isa: g.isa} }

// i is an index into pairs of instructions: 0 for elements of 4 bytes, 1 for elements of 8.
func (w *micro) i() int { return w.Size / 8 }

func (w *micro) op(op Op, d, x, y native.VReg) {
	w.Put(native.Inst{Op: op, Len: w.Len(), D: d, A: x, B: y})
}

func (w *micro) opLoad(op Op, d, x native.VReg, m native.Mem) {
	w.Put(m.Of(native.Inst{Op: op, Len: w.Len(), D: d, A: x}))
}

func (w *micro) opI(op Op, length uint8, d, x, y native.VReg, n int64) {
	w.Put(native.Inst{Op: op, Len: length, D: d, A: x, B: y, Imm: n})
}

func (w *micro) Zero(d native.VReg) {
	if d < w.V(16) {
		w.Put(native.Inst{Op: Vxorps, Len: L128, D: d, A: d, B: d})
		return
	}
	w.op(Vpxord, d, d, d)
}

func (w *micro) Same(d native.VReg, m native.Mem) {
	w.opLoad([2]Op{Vbroadcastss, Vbroadcastsd}[w.i()], d, 0, m)
}

func (w *micro) fma() Op {
	return [...]Op{schedule.F32: Vfmadd231ps, schedule.F64: Vfmadd231pd, schedule.BF16Pair: Vdpbf16ps, schedule.I16Dot: Vpdpwssd, schedule.ByteDot: Vpdpbusd}[w.Type]
}

func (w *micro) FMA(d, x, y native.VReg) {
	w.Put(native.Inst{Op: w.fma(), Len: w.Len(), D: d, A: x, B: y, C: d})
}

func (w *micro) FMALoad(d, x native.VReg, m native.Mem, _ native.VReg) {
	w.Put(m.Of(native.Inst{Op: w.fma(), Len: w.Len(), D: d, A: x, C: d}))
}

func (w *micro) FMASame(d, x native.VReg, m native.Mem, temp native.VReg) {
	if w.isa == AVX512 {
		w.Put(m.Of(native.Inst{Op: w.fma(), Len: L512, D: d, A: x, C: d, Bcast: true}))
		return
	}
	w.Same(temp, m)
	w.FMA(d, x, temp)
}

func (w *micro) plus() Op {
	return [...]Op{schedule.F32: Vaddps, schedule.F64: Vaddpd, schedule.I32: Vpaddd, schedule.I64: Vpaddq, schedule.BF16Pair: Vaddps, schedule.I16Pair: Vpaddd, schedule.I16Dot: Vpaddd, schedule.ByteDot: Vpaddd}[w.Type]
}

func (w *micro) Plus(d, x, y native.VReg) { w.op(w.plus(), d, x, y) }

func (w *micro) PlusLoad(d, x native.VReg, m native.Mem, _ native.VReg) { w.opLoad(w.plus(), d, x, m) }

func (w *micro) LoadOne(d native.VReg, m native.Mem) {
	w.Put(m.Of(native.Inst{Op: [2]Op{Vmovss, Vmovsd}[w.i()], D: d}))
}

func (w *micro) StoreOne(m native.Mem, s native.VReg) {
	w.Put(m.Of(native.Inst{Op: [2]Op{VmovssS, VmovsdS}[w.i()], A: s}))
}

func (w *micro) PlusOne(d, x, y native.VReg) {
	w.Put(native.Inst{Op: w.plus(), Len: L128, D: d, A: x, B: y})
}

func (w *micro) NaNs(d native.VReg) {
	if !w.nans.Pool {
		w.nans = w.Constant(w.NaN(), 64)
	}
	w.LoadV(d, w.nans)
}

func (w *micro) Canonical(d, nan, temp native.VReg) {
	const unordered = 3
	if w.isa == AVX512 {
		k := w.K(2)
		w.opI([2]Op{VcmppsK, VcmppdK}[w.i()], L512, k, d, d, unordered)
		w.Put(native.Inst{Op: [2]Op{Vmovups, Vmovupd}[w.i()], Len: L512, D: d, B: nan, C: d, K: k})
		return
	}
	w.opI([2]Op{Vcmpps, Vcmppd}[w.i()], L256, temp, d, d, unordered)
	w.Put(native.Inst{Op: [2]Op{Vblendvps, Vblendvpd}[w.i()], Len: L256, D: d, A: d, B: nan, C: temp, Third: true})
}

func (w *micro) CountDown(m native.Mem, temp native.VReg, to native.Label) {
	w.Load(temp, m)
	w.DoI(SubI, temp, 1)
	w.BranchOp(native.Ne, m.Of(native.Inst{Op: MovS, A: temp}), to) // a store leaves the flags
}

func (w *micro) Magnitudes(d native.VReg) {
	w.LoadV(d, w.Constant(w.UpperMagnitude(), 64))
}

func (w *micro) and() Op {
	if w.isa == AVX512 {
		return Vpandd
	}
	return Vpand
}

func (w *micro) LargestLoad(most, bits native.VReg, m native.Mem, temp native.VReg) {
	w.opLoad(w.and(), temp, bits, m)
	w.op(Vpmaxud, most, most, temp)
}

func (w *micro) Largest(most, bits, x native.VReg) {
	w.op(w.and(), x, bits, x)
	w.op(Vpmaxud, most, most, x)
}
