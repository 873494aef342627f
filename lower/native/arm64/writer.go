package arm64

import (
	"fmt"
	"slices"

	"github.com/weft-go/weft/lower/native"
)

// A writer encodes the instructions of a kernel once registers are known.
type writer struct {
	*native.Emitter
	enc *encoder

	sum    [2]Reg // base and index whose sum is in sumReg
	scale  uint8
	hasSum bool

	last access // to pair the next one with

	hasPool bool // poolReg is set

	stubs []func() // write the code that is seldom reached, behind the rest
}

// Begin prepares labels, and loads the scratch pointer, the first argument, where it is used.
func (e *writer) Begin(labels int, scratch bool) {
	e.enc.reset(labels)
	if scratch {
		e.put(&Inst{Op: gLdrX, D: scratchReg, N: argsReg})
	}
	if e.hasPool = slices.ContainsFunc(e.Regs, func(v native.RegInfo) bool { return v.Pooled }); e.hasPool {
		e.putPool(&Inst{Op: gAdr, D: poolReg}, 0)
	}
}

// End writes the return to the caller, and behind it the code that is seldom reached.
func (e *writer) End(bool) {
	e.put(&Inst{Op: gRet})
	for _, write := range e.stubs {
		write()
	}
}

// Finish returns the bytes of code and constants, and the length of the code alone.
func (e *writer) Finish(pool []byte) ([]byte, int) {
	code, size, ok := e.enc.finish(pool)
	if !ok {
		native.Refuse("code of more than a megabyte")
	}
	return code, size
}

// note counts an instruction and adds it to the listing. The register that it writes may have been part of the
// sum in sumReg.
func (e *writer) note(in *Inst, place string) {
	if e.Listing != nil {
		fmt.Fprintf(e.Listing, "%6x\t%s\n", len(e.enc.buf), in.text(place))
	}
	e.Emitted++
	switch opTable[in.Op].form {
	case formGE, formGV, formLoadG, formWide, formGGG, formGGS, formGGI, formGGM, formGGL, formGGR, formGGC, formAdr:
		if in.D == sumReg || in.D == e.sum[0] || in.D == e.sum[1] {
			e.hasSum = false
		}
	}
}

func (e *writer) put(in *Inst) {
	if pair, ok := e.pairOf(in); ok {
		e.takeBack()
		in = &pair
	}
	from := e.listed()
	e.note(in, "")
	e.enc.emit(in)
	if in.Op == vLdrQ || in.Op == vStrQ {
		e.last = access{*in, len(e.enc.buf), from, e.listed()}
	}
}

func (e *writer) putTo(in *Inst, to int32) {
	e.note(in, fmt.Sprintf("L%d", to))
	e.enc.emitTo(in, to)
}

// putPool appends an instruction with the distance to an offset in the pool.
func (e *writer) putPool(in *Inst, offset int32) {
	e.note(in, fmt.Sprintf("pool+%d", offset))
	e.enc.emitPool(in, offset)
}

func (e *writer) Bind(l native.Label) {
	e.hasSum = false
	e.enc.bind(int32(l))
}

func (e *writer) Jump(to native.Label) { e.putTo(&Inst{Op: gB}, int32(to)) }

// Call jumps to a function, which returns to the address in linkReg.
func (e *writer) Call(to native.Label) {
	back := e.enc.newLabel()
	e.putTo(&Inst{Op: gAdr, D: linkReg}, back)
	e.Jump(to)
	e.Bind(native.Label(back))
}

func (e *writer) Ret() { e.put(&Inst{Op: gBr, N: linkReg}) }

func (e *writer) CopyReg(c native.Class, _ uint8, d, s Reg) {
	if c == native.ClassV {
		e.put(&Inst{Op: vOrr, D: d, N: s, M: s})
		return
	}
	e.put(&Inst{Op: gOrr, D: d, N: zr, M: s})
}

// LoadConst loads a constant into a register. If poolReg is set, it loads relative to that, because a load relative to
// the program counter takes two steps on Neoverse V2.
func (e *writer) LoadConst(d Reg, v *native.RegInfo) {
	for _, b := range e.Pool[v.Off:][:vectorBytes] {
		if b != 0 {
			if in := (Inst{Op: vLdrQ, D: d, N: poolReg, Imm: int64(v.Off)}); e.hasPool && fitsOffset(vLdrQ, in.Imm) {
				e.put(&in)
			} else {
				e.putPool(&Inst{Op: vLiteral, D: d}, v.Off)
			}
			return
		}
	}
	e.put(&Inst{Op: vZero, D: d})
}

// destination returns the register that an instruction writes. It reports false if that is not the register of D but
// a temporary one, which must be stored.
func (e *writer) destination(in *native.Inst) (d Reg, ok bool) {
	if d, ok = e.Fixed(in.D); ok {
		return d, true
	}
	if e.Regs[in.D].Class == native.ClassV {
		return e.Temps[2], false
	}
	return generalTemps[2], false
}

func (e *writer) Inst(in *native.Inst) {
	switch {
	case in.Kind == native.KindBranch:
		e.branch(in)
	case in.Kind == native.KindFMA:
		e.choose(in)
	case in.Op == opLoadPart || in.Op == opStorePart:
		e.part(in)
	case in.Op == native.Align:
		for len(e.enc.buf)%int(in.Imm) != 0 {
			e.put(&Inst{Op: gNop})
		}
	case in.Op == native.Prefetch:
		out := Inst{Op: gPrfm}
		e.address(&out, in)
		e.put(&out)
	case in.D == 0:
		e.store(in)
	default:
		d, ok := e.destination(in)
		switch {
		case in.Op >= native.NumOps:
			e.vector(in, d)
		case in.Pool && in.Op == native.Address:
			e.putPool(&Inst{Op: gAdr, D: d}, in.Disp)
		case in.Pool:
			e.putPool(&Inst{Op: vLiteral, D: d}, in.Disp)
		case in.Mem && loads[in.Op] != native.NoOp:
			out := Inst{Op: loads[in.Op], D: d}
			e.address(&out, in)
			e.put(&out)
		default:
			e.general(in, d)
		}
		if !ok {
			e.Store(&e.Regs[in.D], d)
		}
	}
}

func (e *writer) vector(in *native.Inst, d Reg) {
	out := Inst{Op: in.Op, D: d, Imm: in.Imm}
	if in.Op == gAdr {
		e.putPool(&out, int32(in.Imm))
		return
	}
	switch {
	case in.Mem:
		out.N = e.pointer(in)
	case in.A != 0:
		out.N, out.M = e.Read(in.A), e.Read(in.B)
	case in.B != 0:
		out.N = e.Read(in.B)
	}
	if in.C != 0 { // the result starts from it
		e.start(d, in.C)
	}
	e.put(&out)
}

// start makes d the value of r. Constants are loaded even if a register has them: loads have units of their own.
func (e *writer) start(d Reg, r native.VReg) {
	c, ok := e.Fixed(r)
	switch {
	case ok && c == d:
	case !ok || e.Regs[r].Const:
		e.Load(d, &e.Regs[r])
	default:
		e.CopyReg(native.ClassV, 0, d, c)
	}
}

// choose writes d = c ? a : b by bits, in the form that overwrites the register of the destination.
func (e *writer) choose(in *native.Inst) {
	d, ok := e.destination(in)
	a, b := e.Read(in.A), e.Read(in.B)
	switch d {
	case a:
		e.put(&Inst{Op: vBif, D: d, N: b, M: e.Read(in.C)})
	case b:
		e.put(&Inst{Op: vBit, D: d, N: a, M: e.Read(in.C)})
	default:
		e.start(d, in.C)
		e.put(&Inst{Op: vBsl, D: d, N: a, M: b})
	}
	if !ok {
		e.Store(&e.Regs[in.D], d)
	}
}
