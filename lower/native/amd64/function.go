package amd64

import (
	"slices"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/irpass"
	"github.com/weft-go/weft/lower/scalar"
)

// A function is a scalar program whose code stands once behind the kernel's and is
// jumped to. Operands and results are in the vector registers from 0 on, the address to
// return to in the model's link register. What it overwrites is known before the kernel gets registers.
type function struct {
	functionKey
	label   label
	params  []vreg
	results []vreg
	list    []minst
	temps   [3]Reg
	clobber [numClasses]uint32
}

// functionKey distinguishes the forms of a program.
type functionKey struct {
	index int // in ir.Kernel.Funcs
	lanes int
	u     int
}

// invocation is one use of a function.
type invocation struct {
	fn            int // index in code.functions
	args, results []vreg
}

// apply uses a function.
func (g *gen) apply(s *ir.Apply) {
	if g.listing {
		g.comment("apply f%d", s.Func)
	}
	p := g.k.Funcs[s.Func]
	args := make([]vreg, 0, 8)
	for _, a := range s.Args {
		args = append(args, g.get(a).r...)
	}
	if len(args) > maxParams || !inVectors(p) {
		g.inline(s)
		return
	}
	i := g.functionOf(s.Func, p)
	call := invocation{fn: i, args: args}
	for _, d := range s.Dst {
		v := g.newValue(g.k.Types[d])
		parts, length := g.layout(v.t.Size())
		for range parts * g.cx.u {
			v.r = append(v.r, g.newV(length))
		}
		call.results = append(call.results, v.r...)
		g.bindRef(d, v)
	}
	g.calls = append(g.calls, call)
	g.put(minst{kind: kindCall, imm: int64(len(g.calls) - 1)})
}

// inVectors reports whether operands and results are in vector registers: none is a bool.
func inVectors(p *scalar.Prog) bool {
	return !slices.Contains(p.In, core.Bool) && !slices.Contains(p.Out, core.Bool)
}

// maxParams bounds the registers of a function's operands.
const maxParams = 8

// inline writes a function's code in place.
func (g *gen) inline(s *ir.Apply) {
	p := g.k.Funcs[s.Func]
	args := make([]value, len(s.Args))
	for i, a := range s.Args {
		args[i] = g.get(a)
	}
	for i, v := range g.program(p, args) {
		g.bindRef(s.Dst[i], v)
	}
}

// program writes a scalar program for the present lanes.
func (g *gen) program(p *scalar.Prog, args []value) []value {
	k, vals, deferred, rares := g.k, g.vals, g.deferred, g.rares
	turns, extremes, roundings, turned, used := g.turns, g.extremes, g.roundings, g.turned, g.used
	g.k = &ir.Kernel{Types: make([]scalar.Type, len(p.Code)), Tables: p.Tables}
	g.vals, g.deferred, g.rares = make([]binding, len(p.Code)), nil, irpass.RareFinder{}
	g.turns, g.extremes, g.roundings, g.turned, g.used = nil, nil, nil, nil, make([]int32, len(p.Code))
	body := make(ir.Block, 0, len(p.Code))
	lets := make([]ir.Let, len(p.Code))
	for i, in := range p.Code {
		g.k.Types[i] = in.Type
		if in.Op == scalar.OpParam {
			g.bindRef(ir.Ref(i), args[ir.ParamIndex(p, in.Imm)])
			continue
		}
		lets[i] = ir.Let{Dst: ir.Ref(i), Inst: in}
		body = append(body, &lets[i])
		ir.Reads(&lets[i], func(r ir.Ref) { g.used[r]++ })
	}
	for _, r := range p.Results {
		g.used[r]++
	}
	g.block(body, p.Results...)
	out := make([]value, len(p.Results))
	for i, r := range p.Results {
		out[i] = g.get(r)
	}
	g.k, g.vals, g.deferred, g.rares = k, vals, deferred, rares
	g.turns, g.extremes, g.roundings, g.turned, g.used = turns, extremes, roundings, turned, used
	return out
}

// functionOf returns the index of a program's code for the present lanes, which it
// writes when it is first used.
func (g *gen) functionOf(index int, p *scalar.Prog) int {
	key := functionKey{index, g.cx.n, g.cx.u}
	for i := range g.functions {
		if g.functions[i].functionKey == key {
			return i
		}
	}
	f := function{functionKey: key, label: g.newLabel()}
	list, scopes, vecScope, cx := g.list, g.scopes, g.vecScope, g.cx
	g.list, g.scopes, g.vecScope, g.cx = nil, nil, 0, &lanes{n: cx.n, u: cx.u}
	args := make([]value, 0, 4)
	for _, t := range ir.ParamTypes(p) {
		v := g.newValue(t)
		parts, length := g.layout(t.Size())
		for range parts * g.cx.u {
			v.r = append(v.r, g.newV(length))
		}
		f.params = append(f.params, v.r...)
		args = append(args, v)
	}
	at := len(g.functions)
	g.functions = append(g.functions, f)
	g.put(minst{kind: kindParams, imm: int64(at)})
	g.enter()
	for _, v := range g.program(p, args) {
		f.results = append(f.results, v.r...)
	}
	g.leave()
	g.put(minst{kind: kindReturn, imm: int64(at)})
	f.list = g.list
	g.functions[at] = f
	g.list, g.scopes, g.vecScope, g.cx = list, scopes, vecScope, cx
	return at
}

// allocateFunctions assigns registers to the functions and notes what they overwrite.
func (c *code) allocateFunctions() {
	for i := range c.functions {
		f := &c.functions[i]
		free := c.model.registers
		free[classG] &^= 1 << c.model.link
		free[classV] = c.model.functionVectors
		f.temps = vectorTemps(free[classV])
		c.list = f.list
		c.shortConstants()
		order := c.intervals()
		c.inRegisters(order, free, [numClasses]bool{classV: true})
		f.clobber = c.used
		f.clobber[classV] |= 1<<f.temps[0] | 1<<f.temps[1] | 1<<f.temps[2]
		f.clobber[classV] |= 1<<max(len(f.params), len(f.results)) - 1
		f.clobber[classG] |= 1 << c.model.link
		f.clobber[classK] |= 1<<c.model.maskTemps[0] | 1<<c.model.maskTemps[1]
		for k := range c.clobber {
			c.clobber[k] |= f.clobber[k]
		}
	}
}

// shortConstants makes each constant of a function a memory operand: nothing is repeated
// within a function.
func (c *code) shortConstants() {
	for i := range c.list {
		if in := &c.list[i]; in.kind == kindConst {
			c.regs[in.d].pooled = true
		}
	}
}

// swap is where a cycle of moves keeps a register.
func (c *code) swapSlot() int32 {
	if c.swap == 0 {
		c.slots = (c.slots + 63) &^ 63
		c.swap = 1 + c.slots
		c.slots += 64
	}
	return c.swap - 1
}

// A regMove copies a vector register.
type regMove struct {
	to, from Reg
	len      uint8
}

// moves performs moves at the same time.
func (e *emitter) moves(ms []regMove) {
	for len(ms) > 0 {
		rest := ms[:0]
		done := false
		for i, m := range ms {
			blocked := false
			for _, o := range ms[i+1:] {
				blocked = blocked || o.from == m.to
			}
			for _, o := range rest {
				blocked = blocked || o.from == m.to
			}
			switch {
			case m.to == m.from:
				done = true
			case blocked:
				rest = append(rest, m)
			default:
				e.asm.copyReg(classV, m.len, m.to, m.from)
				done = true
			}
		}
		ms = rest
		if !done && len(ms) > 0 { // cycles: a source of one goes through memory
			m := ms[0]
			e.asm.storeSlot(classV, m.len, m.from, e.swapSlot())
			ms = ms[1:]
			for free := m.from; free != m.to; {
				i := slices.IndexFunc(ms, func(o regMove) bool { return o.to == free })
				e.asm.copyReg(classV, ms[i].len, free, ms[i].from)
				free = ms[i].from
				ms = slices.Delete(ms, i, i+1)
			}
			e.asm.loadSlot(classV, m.len, m.to, e.swapSlot())
		}
	}
}

// invoke emits the jump to a function: operands to their registers, results from theirs.
func (e *emitter) invoke(c *invocation) {
	f := &e.functions[c.fn]
	e.toFirst(c.args)
	e.asm.call(f.label)
	e.fromFirst(c.results)
}

// toFirst moves values to the registers from 0 on.
func (e *emitter) toFirst(rs []vreg) {
	ms := e.shuffle[:0]
	for i, r := range rs {
		if reg, ok := e.fixed(r); ok {
			ms = append(ms, regMove{Reg(i), reg, e.regs[r].len})
		}
	}
	e.shuffle = ms
	e.moves(ms)
	for i, r := range rs {
		if _, ok := e.fixed(r); !ok {
			e.load(Reg(i), &e.regs[r])
		}
	}
}

// fromFirst defines values as the registers from 0 on.
func (e *emitter) fromFirst(rs []vreg) {
	ms := e.shuffle[:0]
	for i, r := range rs {
		if reg, ok := e.fixed(r); ok {
			ms = append(ms, regMove{reg, Reg(i), e.regs[r].len})
		} else {
			e.store(&e.regs[r], Reg(i))
		}
	}
	e.shuffle = ms
	e.moves(ms)
}
