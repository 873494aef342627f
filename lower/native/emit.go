package native

import (
	"fmt"
	"math/bits"
	"strings"
)

// An Emitter turns intermediate instructions into bytes once registers are assigned. It loads
// and stores spilled operands; the target's assembler encodes the instructions.
type Emitter struct {
	*Draft
	asm        Assembler
	Temps      [3]Reg // vector registers for spilled operands
	nv, ng, nk int    // how many temporaries the instruction uses
	Listing    *strings.Builder
	shuffle    []regMove
}

// vectorTemps returns the registers that serve spilled vectors: the last three.
func vectorTemps(registers uint32) [3]Reg {
	top := Reg(bits.Len32(registers) - 1)
	return [3]Reg{top, top - 1, top - 2}
}

// assemble allocates registers and encodes the list. It returns the code with its
// constants, the length of the code alone, and the bytes of scratch memory.
func (g *Gen) assemble(listing *strings.Builder) ([]byte, int, int) {
	c := g.Draft
	if w, ok := g.Target.(DraftWriter); ok {
		code, size := w.WriteDraft(c, listing)
		return code, size, int(c.scratch)
	}
	c.slots = (c.scratch + 63) &^ 63
	for i := range c.Regs {
		c.Regs[i].start, c.Regs[i].end, c.Regs[i].weight = -1, -1, 0
	}
	target := g.Target.(RegisterTarget)
	target.CombineLoads(c)
	list := c.List
	c.allocateFunctions()
	c.List = list
	c.inRegisters(c.intervals(), c.model.Registers, [NumClasses]bool{})
	if len(c.Calls) > 0 {
		c.swapSlot()
	}
	e := &Emitter{Draft: c, Listing: listing}
	e.asm = target.Assembler(e)
	e.Temps = vectorTemps(c.model.Registers[ClassV])
	e.asm.Begin(c.labels, c.slots > 0)
	for i := range c.List {
		e.inst(&c.List[i])
	}
	e.asm.End(c.streamed)
	for i := range c.functions {
		f := &c.functions[i]
		e.Temps = f.temps
		e.asm.Bind(f.label)
		for k := range f.list {
			e.inst(&f.list[k])
		}
	}
	out, n := e.asm.Finish(c.Pool)
	return out, n, int(c.slots)
}

func (e *Emitter) inst(in *Inst) {
	e.Again()
	switch in.Kind {
	case KindLabel:
		if e.Listing != nil {
			fmt.Fprintf(e.Listing, "L%d:\n", in.Label)
		}
		e.asm.Bind(in.Label)
	case KindJump:
		e.asm.Jump(in.Label)
	case KindComment:
		if e.Listing != nil {
			fmt.Fprintf(e.Listing, "\t\t; %s\n", e.text[in.Imm])
		}
	case KindConst:
		if v := &e.Regs[in.D]; v.Slot == 0 && v.start >= 0 {
			e.asm.LoadConst(v.reg, v)
		}
	case KindCall:
		e.invoke(&e.Calls[in.Imm])
	case KindParams:
		e.fromFirst(e.functions[in.Imm].params)
	case KindReturn:
		e.toFirst(e.functions[in.Imm].results)
		e.asm.Ret()
	case KindMove:
		e.move(in)
	case KindOp, KindFMA, KindBranch:
		e.asm.Inst(in)
	}
}

// Fixed returns the register that r was assigned. It reports false if r has none, being spilled or a constant that is
// loaded for each use.
func (e *Emitter) Fixed(r VReg) (Reg, bool) {
	switch r {
	case ArgsReg:
		return e.model.Args, true
	case ScratchReg:
		return e.model.Scratch, true
	}
	v := &e.Regs[r]
	if v.start < 0 {
		panic("BUG: register without a definition")
	}
	return v.reg, v.Slot == 0
}

// temp returns a register that holds spilled values of a class for one instruction.
func (e *Emitter) temp(cl Class) Reg {
	switch cl {
	case ClassV:
		e.nv++
		return e.Temps[e.nv-1]
	case ClassG:
		e.ng++
		return e.model.GeneralTemps[e.ng-1]
	}
	e.nk++
	return e.model.MaskTemps[e.nk-1]
}

// Read returns a register with the value of r, loaded if it is spilled.
func (e *Emitter) Read(r VReg) Reg {
	if reg, ok := e.Fixed(r); ok {
		return reg
	}
	v := &e.Regs[r]
	t := e.temp(v.Class)
	e.Load(t, v)
	return t
}

func (e *Emitter) Load(t Reg, v *RegInfo) {
	if v.Const {
		e.asm.LoadConst(t, v)
		return
	}
	e.asm.LoadSlot(v.Class, v.Len, t, v.Slot-1)
}

func (e *Emitter) Store(v *RegInfo, t Reg) {
	e.asm.StoreSlot(v.Class, v.Len, t, v.Slot-1)
}

func (e *Emitter) move(in *Inst) {
	d, s := &e.Regs[in.D], in.B
	if d.start < 0 {
		return
	}
	dr, dok := e.Fixed(in.D)
	sr, sok := Reg(0), true
	if s > 0 {
		sr, sok = e.Fixed(s)
	} else {
		sr, _ = e.Fixed(s)
	}
	switch {
	case dok && sok:
		if dr != sr {
			e.asm.CopyReg(d.Class, d.Len, dr, sr)
		}
	case dok:
		e.Load(dr, &e.Regs[s])
	case sok:
		e.Store(d, sr)
	default:
		e.Store(d, e.Read(s))
	}
}

// Again makes all temporaries free for another instruction.
func (e *Emitter) Again() { e.nv, e.ng, e.nk = 0, 0, 0 }
