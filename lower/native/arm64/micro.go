package arm64

import (
	"github.com/weft-go/weft/lower/native"
	"github.com/weft-go/weft/lower/schedule"
)

// micro implements [native.MicroPatterns].
type micro struct {
	native.LoadStore
	nans native.Mem // a vector of canonical NaNs; not in the pool: none yet
}

func (g *neon) Micro(w *native.Micro) native.MicroPatterns {
	return &micro{LoadStore: native.LoadStore{Micro: w}}
}

// General registers besides the registers of package native.
const (
	ownGeneral = 13
	ownMasks   = 17 // register 17 + i has the number of lanes of mask i
)

func (w *micro) op(op Op, d, x, y native.VReg) { w.Put(native.Inst{Op: op, D: d, A: x, B: y}) }

// add writes d = op(d, x, y) of an instruction that overwrites d.
func (w *micro) add(op Op, d, x, y native.VReg) { w.Put(native.Inst{Op: op, D: d, A: x, B: y, C: d}) }

func (w *micro) Zero(d native.VReg) { w.Put(native.Inst{Op: vZero, D: d}) }

func (w *micro) Same(d native.VReg, m native.Mem) {
	w.Put(m.Of(native.Inst{Op: ofSize(vLd1r, w.Size), D: d}))
}

func (w *micro) FMA(d, x, y native.VReg) { w.add(ofFloat(vFmla, w.Size), d, x, y) }

func (w *micro) FMASame(d, x native.VReg, m native.Mem, temp native.VReg) {
	w.LoadOne(temp, m)
	w.add(ofFloat(vFmlaE, w.Size), d, x, temp)
}

func (w *micro) Plus(d, x, y native.VReg) {
	if w.Type.Float() {
		w.op(ofFloat(vFadd, w.Size), d, x, y)
	} else {
		w.op(ofSize(vAdd, w.Size), d, x, y)
	}
}

func (w *micro) NaNs(d native.VReg) {
	if !w.nans.Pool {
		w.nans = w.Constant(w.NaN(), vectorBytes)
	}
	w.LoadV(d, w.nans)
}

func (w *micro) Canonical(d, nan, temp native.VReg) {
	w.op(ofFloat(vFcmeq, w.Size), temp, d, d)
	w.add(vBif, d, nan, temp)
}

func (w *micro) Magnitudes(d native.VReg) {
	w.LoadV(d, w.Constant(w.UpperMagnitude(), vectorBytes))
}

func (w *micro) Largest(most, bits, x native.VReg) {
	w.op(vAnd, x, bits, x)
	w.op(ofSize(vUmax, 4), most, most, x)
}

// Masks are numbers of lanes in general registers.

// lanes returns the register with the number of lanes of a mask.
func (w *micro) lanes(k native.Mask) native.VReg { return w.G(ownMasks + k.Number) }

func (w *micro) ArgMask(k native.Mask, m native.Mem) { w.Load(w.lanes(k), m) }

func (w *micro) FirstMask(k native.Mask, n, temp native.VReg) {
	w.Put(native.Inst{Op: native.Const, D: temp, Imm: int64(vectorBytes / w.Size)})
	w.Do(native.Min, temp, n)
	w.Move(w.lanes(k), temp)
}

func (w *micro) LoadMask(d native.VReg, m native.Mem, k native.Mask) {
	w.Put(m.Of(native.Inst{Op: opLoadPart, D: d, K: w.lanes(k), Imm: int64(w.Size)}))
}

func (w *micro) StoreMask(m native.Mem, s native.VReg, k native.Mask) {
	w.Put(m.Of(native.Inst{Op: opStorePart, A: s, K: w.lanes(k), Imm: int64(w.Size)}))
}

func (w *micro) Transposed(in, temp native.VReg) native.VReg {
	even, odd := ofSize(vTrn1, w.Size), ofSize(vTrn2, w.Size)
	for i := native.VReg(0); i < native.VReg(vectorBytes/w.Size); i += 2 {
		w.op(even, temp+i, in+i, in+i+1)
		w.op(odd, temp+i+1, in+i, in+i+1)
	}
	if w.Size == 8 {
		return temp
	}
	for i := range native.VReg(2) {
		w.op(ofSize(vTrn1, 8), in+i, temp+i, temp+i+2)
		w.op(ofSize(vTrn2, 8), in+i+2, temp+i, temp+i+2)
	}
	return in
}

// integer reports whether there is no instruction that multiplies a vector by an element of another one and adds:
// see integers.
func integer(e schedule.Element) bool { return e == schedule.I64 || e == schedule.I16Pair }
