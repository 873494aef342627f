package amd64

import (
	"fmt"
	"math/bits"
	"strings"
)

// An emitter turns intermediate instructions into bytes once registers are known: what follows
// from where they are, while the target's assembler writes the instructions.
type emitter struct {
	*code
	asm        assembly
	temps      [3]Reg // vector registers for spilled operands
	nv, ng, nk int    // how many temporaries the instruction uses
	listing    *strings.Builder
	shuffle    []regMove
}

// vectorTemps returns the registers that serve spilled vectors: the last three.
func vectorTemps(registers uint32) [3]Reg {
	top := Reg(bits.Len32(registers) - 1)
	return [3]Reg{top, top - 1, top - 2}
}

// assemble allocates registers and encodes the list. It returns the code with its
// constants, the length of the code alone, and the bytes of scratch memory.
func (g *gen) assemble(listing *strings.Builder) ([]byte, int, int) {
	c := g.code
	c.slots = (c.scratch + 63) &^ 63
	for i := range c.regs {
		c.regs[i].start, c.regs[i].end, c.regs[i].weight = -1, -1, 0
	}
	g.combineLoads(c)
	list := c.list
	c.allocateFunctions()
	c.list = list
	c.inRegisters(c.intervals(), c.model.registers, [numClasses]bool{})
	if len(c.calls) > 0 {
		c.swapSlot()
	}
	e := &emitter{code: c, listing: listing}
	e.asm = g.assembly(e)
	e.temps = vectorTemps(c.model.registers[classV])
	e.asm.begin(c.labels, c.slots > 0)
	for i := range c.list {
		e.inst(&c.list[i])
	}
	e.asm.end(c.streamed)
	for i := range c.functions {
		f := &c.functions[i]
		e.temps = f.temps
		e.asm.bind(f.label)
		for k := range f.list {
			e.inst(&f.list[k])
		}
	}
	out, n := e.asm.finish(c.pool)
	return out, n, int(c.slots)
}

func (e *emitter) inst(in *minst) {
	e.again()
	switch in.kind {
	case kindLabel:
		if e.listing != nil {
			fmt.Fprintf(e.listing, "L%d:\n", in.label)
		}
		e.asm.bind(in.label)
	case kindJump:
		e.asm.jump(in.label)
	case kindComment:
		if e.listing != nil {
			fmt.Fprintf(e.listing, "\t\t; %s\n", e.text[in.imm])
		}
	case kindConst:
		if v := &e.regs[in.d]; v.slot == 0 && v.start >= 0 {
			e.asm.loadConst(v.reg, v)
		}
	case kindCall:
		e.invoke(&e.calls[in.imm])
	case kindParams:
		e.fromFirst(e.functions[in.imm].params)
	case kindReturn:
		e.toFirst(e.functions[in.imm].results)
		e.asm.ret()
	case kindMove:
		e.move(in)
	case kindOp, kindFMA, kindBranch:
		e.asm.inst(in)
	}
}

// fixed returns the register of r where it has one.
func (e *emitter) fixed(r vreg) (Reg, bool) {
	switch r {
	case argsReg:
		return e.model.args, true
	case scratchReg:
		return e.model.scratch, true
	}
	v := &e.regs[r]
	if v.start < 0 {
		panic("BUG: register without a definition")
	}
	return v.reg, v.slot == 0
}

// temp returns a register that holds spilled values of a class for one instruction.
func (e *emitter) temp(cl class) Reg {
	switch cl {
	case classV:
		e.nv++
		return e.temps[e.nv-1]
	case classG:
		e.ng++
		return e.model.generalTemps[e.ng-1]
	}
	e.nk++
	return e.model.maskTemps[e.nk-1]
}

// read returns a register with the value of r, loaded if it is spilled.
func (e *emitter) read(r vreg) Reg {
	if reg, ok := e.fixed(r); ok {
		return reg
	}
	v := &e.regs[r]
	t := e.temp(v.class)
	e.load(t, v)
	return t
}

func (e *emitter) load(t Reg, v *vinfo) {
	if v.konst {
		e.asm.loadConst(t, v)
		return
	}
	e.asm.loadSlot(v.class, v.len, t, v.slot-1)
}

func (e *emitter) store(v *vinfo, t Reg) {
	e.asm.storeSlot(v.class, v.len, t, v.slot-1)
}

func (e *emitter) move(in *minst) {
	d, s := &e.regs[in.d], in.b
	if d.start < 0 {
		return
	}
	dr, dok := e.fixed(in.d)
	sr, sok := Reg(0), true
	if s > 0 {
		sr, sok = e.fixed(s)
	} else {
		sr, _ = e.fixed(s)
	}
	switch {
	case dok && sok:
		if dr != sr {
			e.asm.copyReg(d.class, d.len, dr, sr)
		}
	case dok:
		e.load(dr, &e.regs[s])
	case sok:
		e.store(d, sr)
	default:
		e.store(d, e.read(s))
	}
}

// again makes all temporaries free for another instruction.
func (e *emitter) again() { e.nv, e.ng, e.nk = 0, 0, 0 }
