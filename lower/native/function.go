package native

import (
	"slices"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/irpass"
	"github.com/weft-go/weft/lower/scalar"
)

// A function is a scalar program whose code is placed once, behind the code of the kernel, and called. Operands
// and results are in the vector registers from 0 on, the return address in the model's link register. The
// registers that it overwrites are known before the kernel's are allocated.
type function struct {
	functionKey
	label   Label
	params  []VReg
	results []VReg
	list    []Inst
	temps   [3]Reg
	clobber [NumClasses]uint32
}

// functionKey identifies a function: a scalar program for values of some lanes and copies.
type functionKey struct {
	index int // in ir.Kernel.Funcs
	lanes int
	u     int
}

type invocation struct {
	Fn            int // number of the function
	Args, Results []VReg
}

// apply writes the use of a function: a call, or its code in place.
func (g *Gen) apply(s *ir.Apply) {
	if g.listing {
		g.comment("apply f%d", s.Func)
	}
	p := g.k.Funcs[s.Func]
	args := make([]VReg, 0, 8)
	for _, a := range s.Args {
		args = append(args, g.get(a).R...)
	}
	if len(args) > maxParams || !inVectors(p) {
		g.inline(s)
		return
	}
	i := g.functionOf(s.Func, p)
	call := invocation{Fn: i, Args: args}
	for _, d := range s.Dst {
		v := g.NewValue(g.k.Types[d])
		parts, length := g.Layout(v.T.Size())
		for range parts * g.Lanes.U {
			v.R = append(v.R, g.NewV(length))
		}
		call.Results = append(call.Results, v.R...)
		g.bindRef(d, v)
	}
	g.Calls = append(g.Calls, call)
	g.Put(Inst{Kind: KindCall, Imm: int64(len(g.Calls) - 1)})
}

// inVectors reports whether operands and results are in vector registers: none is a bool.
func inVectors(p *scalar.Prog) bool {
	return !slices.Contains(p.In, core.Bool) && !slices.Contains(p.Out, core.Bool)
}

const maxParams = 8

func (g *Gen) inline(s *ir.Apply) {
	p := g.k.Funcs[s.Func]
	args := make([]Value, len(s.Args))
	for i, a := range s.Args {
		args[i] = g.get(a)
	}
	for i, v := range g.program(p, args) {
		g.bindRef(s.Dst[i], v)
	}
}

// program writes a scalar program for the present lanes.
func (g *Gen) program(p *scalar.Prog, args []Value) []Value {
	k, vals, defs, deferred, rares, before := g.k, g.vals, g.defs, g.deferred, g.rares, g.found
	g.k = &ir.Kernel{Types: make([]scalar.Type, len(p.Code)), Tables: p.Tables}
	g.vals, g.defs, g.deferred, g.rares = make([]binding, len(p.Code)), make([]definition, len(p.Code)), nil, irpass.RareFinder{}
	g.found = found{reads: make([]int32, len(p.Code))}
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
		ir.Reads(&lets[i], func(r ir.Ref) { g.reads[r]++ })
	}
	for _, r := range p.Results {
		g.reads[r]++
	}
	g.block(body, p.Results...)
	out := make([]Value, len(p.Results))
	for i, r := range p.Results {
		out[i] = g.get(r)
	}
	g.k, g.vals, g.defs, g.deferred, g.rares, g.found = k, vals, defs, deferred, rares, before
	return out
}

// functionOf returns the index of a program's code for the present lanes, which it
// writes when it is first used.
func (g *Gen) functionOf(index int, p *scalar.Prog) int {
	key := functionKey{index, g.Lanes.N, g.Lanes.U}
	for i := range g.functions {
		if g.functions[i].functionKey == key {
			return i
		}
	}
	f := function{functionKey: key, label: g.newLabel()}
	list, scopes, vecScope, cx := g.List, g.scopes, g.vecScope, g.Lanes
	g.List, g.scopes, g.vecScope, g.Lanes = nil, nil, 0, &lanes{N: cx.N, U: cx.U}
	args := make([]Value, 0, 4)
	for _, t := range ir.ParamTypes(p) {
		v := g.NewValue(t)
		parts, length := g.Layout(t.Size())
		for range parts * g.Lanes.U {
			v.R = append(v.R, g.NewV(length))
		}
		f.params = append(f.params, v.R...)
		args = append(args, v)
	}
	at := len(g.functions)
	g.functions = append(g.functions, f)
	g.Put(Inst{Kind: KindParams, Imm: int64(at)})
	g.enter()
	for _, v := range g.program(p, args) {
		f.results = append(f.results, v.R...)
	}
	g.leave()
	g.Put(Inst{Kind: KindReturn, Imm: int64(at)})
	f.list = g.List
	g.functions[at] = f
	g.List, g.scopes, g.vecScope, g.Lanes = list, scopes, vecScope, cx
	return at
}

// allocateFunctions assigns registers to the functions and notes what they overwrite.
func (c *Draft) allocateFunctions() {
	for i := range c.functions {
		f := &c.functions[i]
		free := c.model.Registers
		free[ClassG] &^= 1 << c.model.Link
		free[ClassV] = c.model.FunctionVectors
		f.temps = vectorTemps(free[ClassV])
		c.List = f.list
		c.shortConstants()
		order := c.intervals()
		c.inRegisters(order, free, [NumClasses]bool{ClassV: true})
		f.clobber = c.used
		f.clobber[ClassV] |= 1<<f.temps[0] | 1<<f.temps[1] | 1<<f.temps[2]
		f.clobber[ClassV] |= 1<<max(len(f.params), len(f.results)) - 1
		f.clobber[ClassG] |= 1 << c.model.Link
		f.clobber[ClassK] |= 1<<c.model.MaskTemps[0] | 1<<c.model.MaskTemps[1]
		for k := range c.clobber {
			c.clobber[k] |= f.clobber[k]
		}
	}
}

// shortConstants makes each constant of a function a memory operand: a function has no loops, in which a
// register would save loads.
func (c *Draft) shortConstants() {
	for i := range c.List {
		if in := &c.List[i]; in.Kind == KindConst {
			c.Regs[in.D].Pooled = true
		}
	}
}

// swapSlot returns the place in scratch memory where a cycle of moves keeps a register.
func (c *Draft) swapSlot() int32 {
	if c.swap == 0 {
		c.slots = (c.slots + 63) &^ 63
		c.swap = 1 + c.slots
		c.slots += 64
	}
	return c.swap - 1
}

type regMove struct {
	to, from Reg
	len      uint8
}

// moves performs moves as if at the same time.
func (e *Emitter) moves(ms []regMove) {
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
				e.asm.CopyReg(ClassV, m.len, m.to, m.from)
				done = true
			}
		}
		ms = rest
		if !done && len(ms) > 0 { // only cycles are left: one of the sources goes through memory
			m := ms[0]
			e.asm.StoreSlot(ClassV, m.len, m.from, e.swapSlot())
			ms = ms[1:]
			for free := m.from; free != m.to; {
				i := slices.IndexFunc(ms, func(o regMove) bool { return o.to == free })
				e.asm.CopyReg(ClassV, ms[i].len, free, ms[i].from)
				free = ms[i].from
				ms = slices.Delete(ms, i, i+1)
			}
			e.asm.LoadSlot(ClassV, m.len, m.to, e.swapSlot())
		}
	}
}

// invoke emits the call of a function, with the moves of the operands to the function's registers before it and
// of the results from these registers behind it.
func (e *Emitter) invoke(c *invocation) {
	f := &e.functions[c.Fn]
	e.toFirst(c.Args)
	e.asm.Call(f.label)
	e.fromFirst(c.Results)
}

// toFirst moves values to the registers from 0 on.
func (e *Emitter) toFirst(rs []VReg) {
	ms := e.shuffle[:0]
	for i, r := range rs {
		if reg, ok := e.Fixed(r); ok {
			ms = append(ms, regMove{Reg(i), reg, e.Regs[r].Len})
		}
	}
	e.shuffle = ms
	e.moves(ms)
	for i, r := range rs {
		if _, ok := e.Fixed(r); !ok {
			e.Load(Reg(i), &e.Regs[r])
		}
	}
}

// fromFirst defines values as the registers from 0 on.
func (e *Emitter) fromFirst(rs []VReg) {
	ms := e.shuffle[:0]
	for i, r := range rs {
		if reg, ok := e.Fixed(r); ok {
			ms = append(ms, regMove{reg, Reg(i), e.Regs[r].Len})
		} else {
			e.Store(&e.Regs[r], Reg(i))
		}
	}
	e.shuffle = ms
	e.moves(ms)
}
