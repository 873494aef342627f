package arm64

import "github.com/weft-go/weft/lower/native"

// part loads or stores the first elements of a vector. Usually these are all of them; the code for
// fewer elements is out of line, behind the code of the function.
func (e *writer) part(in *native.Inst) {
	count, full := e.Read(in.K), uint8(native.Log2(vectorBytes/int(in.Imm)))
	p := part{writer: e, count: count, whole: Inst{Op: vLdrQ}}
	if in.Op == opLoadPart {
		p.whole.D = e.Read(in.D)
	} else {
		p.whole.Op, p.whole.D = vStrQ, e.Read(in.A)
	}
	e.address(&p.whole, in)
	stub := e.enc.newLabel()
	p.back = e.enc.newLabel()
	e.putTo(&Inst{Op: gTbz, D: count, Bit: full}, stub)
	e.put(&p.whole)
	e.enc.bind(p.back)
	e.stubs = append(e.stubs, func() {
		e.enc.bind(stub)
		if in.Op == opLoadPart {
			e.put(&Inst{Op: vZero, D: p.whole.D})
		}
		at := p.pointer()
		if in.Imm == 8 {
			p.unless(0, p.back)
			p.move(vLdrD, vStrD, at)
		} else {
			p.words(at)
		}
		e.Jump(native.Label(p.back))
	})
}

// A part writes the code of an access to the first elements of a vector.
type part struct {
	*writer
	count Reg
	whole Inst // the access to all elements
	back  int32
}

// unless jumps where a bit of the number of elements is 0.
func (p *part) unless(bit uint8, to int32) { p.putTo(&Inst{Op: gTbz, D: p.count, Bit: bit}, to) }

// move writes the load, or the store if the access is one, of some bytes.
func (p *part) move(load, store Op, at Reg) {
	op := load
	if p.whole.Op == vStrQ {
		op = store
	}
	p.put(&Inst{Op: op, D: p.whole.D, N: at})
}

// words accesses up to three elements of 4 bytes.
func (p *part) words(at Reg) {
	one := p.enc.newLabel()
	p.unless(1, one)
	p.move(vLdrD, vStrD, at)
	p.unless(0, p.back)
	op := vLd1
	if p.whole.Op == vStrQ {
		op = vSt1
	}
	p.put(&Inst{Op: gAddI, D: constReg, N: at, Imm: 8})
	p.put(&Inst{Op: ofSize(op, 4), D: p.whole.D, N: constReg, Imm: 2})
	p.Jump(native.Label(p.back))
	p.enc.bind(one)
	p.unless(0, p.back)
	p.move(vLdrS, vStrS, at)
}

// pointer returns a register with the address. It changes no register that the code may read later.
func (p *part) pointer() Reg {
	switch w := &p.whole; {
	case w.Index:
		shift := int64(0)
		if w.Shift {
			shift = int64(opTable[w.Op].size)
		}
		p.put(&Inst{Op: gAdd, D: constReg, N: w.N, M: w.M, Imm: shift})
	case w.Imm != 0:
		p.addConst(constReg, w.N, w.Imm)
	default:
		return w.N
	}
	return constReg
}
