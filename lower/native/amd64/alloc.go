package amd64

import (
	"math/bits"
)

// intervals finds where each register is live. Reads happen at even positions, writes at
// the odd ones that follow.
func (c *code) intervals() []vreg {
	type loop struct{ start, end int32 }
	// Ends of loops, in the order of their starts.
	ends := c.ends[:0]
	var open []int
	at := int32(0)
	for i := range c.list {
		switch in := &c.list[i]; in.kind {
		case kindLoopStart:
			open = append(open, len(ends))
			ends = append(ends, 0)
		case kindLoopEnd:
			ends[open[len(open)-1]] = at
			open = open[:len(open)-1]
		}
		at += c.list[i].positions()
	}
	order := c.order[:0]
	c.callsAt = c.callsAt[:0]
	var loops []loop
	next := 0
	weight := float32(1)
	touch := func(r vreg, at int32) {
		if r <= 0 {
			return
		}
		v := &c.regs[r]
		if v.start < 0 {
			v.start = at
			order = append(order, r)
		}
		v.weight += weight
		v.end = max(v.end, at)
		for _, l := range loops {
			if l.start > v.start {
				v.end = max(v.end, l.end)
				break
			}
		}
	}
	at, after := int32(0), int32(0)
	for i := range c.list {
		in := &c.list[i]
		at = after
		after += in.positions()
		switch in.kind {
		case kindLoopStart:
			loops = append(loops, loop{at, ends[next]})
			next++
			weight *= 8
			continue
		case kindLoopEnd:
			loops = loops[:len(loops)-1]
			weight /= 8
			continue
		case kindRareStart:
			weight /= 64
			continue
		case kindRareEnd:
			weight *= 64
			continue
		case kindLabel, kindJump, kindComment:
			continue
		case kindCall:
			call := &c.calls[in.imm]
			c.callsAt = append(c.callsAt, at)
			for _, r := range call.args {
				touch(r, at)
			}
			for _, r := range call.results {
				touch(r, at+1)
			}
			continue
		case kindParams:
			for _, r := range c.functions[in.imm].params {
				touch(r, at+1)
			}
			continue
		case kindReturn:
			for _, r := range c.functions[in.imm].results {
				touch(r, at)
			}
			continue
		}
		if in.op == Min || in.op == Max { // a comparison, then a move
			touch(in.c, at)
			touch(in.b, at)
			at += 2
		}
		// Operands that a copy into a tied destination would overwrite live on through the write.
		late := at
		if in.c != 0 && in.kind == kindOp && !in.third && in.c != in.d {
			late = at + 1
		}
		touch(in.c, at)
		touch(in.a, late)
		touch(in.b, late)
		touch(in.k, late)
		touch(in.base, late)
		touch(in.index, late)
		if in.slow {
			touch(in.index, at+1)
			touch(in.k, at+1)
		}
		touch(in.d, at+1)
	}
	c.order, c.ends = order, ends
	return order
}

// positions returns how far behind an instruction the next one stands: two for each instruction of
// the machine.
func (in *minst) positions() int32 {
	if in.kind == kindBranch || in.kind == kindOp && (in.op == Min || in.op == Max) {
		return 4
	}
	return 2
}

// inRegisters allocates registers for the list, with some kept for spilled operands where
// there are any. reserve states of which classes to keep them in any case.
func (c *code) inRegisters(order []vreg, free [numClasses]uint32, reserve [numClasses]bool) {
	base := c.slots
	spilled := c.allocate(order, free, reserve)
	for k := range spilled {
		spilled[k] = spilled[k] || reserve[k]
	}
	if spilled == reserve {
		return
	}
	reserve = spilled
	c.slots = base
	spilled = c.allocate(order, free, reserve)
	for k := range spilled {
		if spilled[k] && !reserve[k] {
			c.slots = base
			c.allocate(order, free, [numClasses]bool{true, true, true})
			return
		}
	}
}

// crosses reports whether a register is live across a call.
func (c *code) crosses(v *vinfo) bool {
	lo, hi := 0, len(c.callsAt) // the first call at or behind start
	for lo < hi {
		if m := (lo + hi) / 2; c.callsAt[m] < v.start {
			lo = m + 1
		} else {
			hi = m
		}
	}
	return lo < len(c.callsAt) && c.callsAt[lo] < v.end
}

// allocate assigns registers to virtual registers, and slots to those that get none. It
// reports which classes have any. free are the registers that there are. reserve states of
// which classes to keep registers that serve spilled operands.
func (c *code) allocate(order []vreg, free [numClasses]uint32, reserve [numClasses]bool) (spilled [numClasses]bool) {
	if reserve[classV] {
		free[classV] &= free[classV] >> 3
	}
	if reserve[classK] {
		free[classK] &^= 1<<c.model.maskTemps[0] | 1<<c.model.maskTemps[1]
	}
	c.used = [numClasses]uint32{}
	var active [numClasses][32]vreg
	var used [numClasses]uint32
	for _, r := range order {
		v := &c.regs[r]
		cl := v.class
		for u := used[cl]; u != 0; u &= u - 1 {
			n := trailing(u)
			if c.regs[active[cl][n]].end < v.start {
				used[cl] &^= 1 << n
			}
		}
		allowed := free[cl]
		if len(c.callsAt) > 0 && c.crosses(v) {
			allowed &^= c.clobber[cl]
		}
		avail := allowed &^ used[cl]
		v.slot = 0
		if v.pooled {
			v.slot = -1
			continue
		}
		if avail == 0 {
			spilled[cl] = true
			// The one with the least to lose goes: few uses for a long time.
			worst, score := r, c.score(r)
			for u := used[cl] & allowed; u != 0; u &= u - 1 {
				if a := active[cl][trailing(u)]; c.score(a) < score {
					worst, score = a, c.score(a)
				}
			}
			w := &c.regs[worst]
			if !w.konst {
				w.slot = c.newSlot(w)
			} else {
				w.slot = -1
			}
			if worst == r {
				continue
			}
			v.reg = w.reg
		} else {
			n := Reg(trailing(avail))
			for _, h := range [...]vreg{v.hint, v.hint2} {
				if hv := &c.regs[max(h, 0)]; h > 0 && hv.slot == 0 && hv.start >= 0 && hv.class == cl && hv.start <= v.start && avail&(1<<hv.reg) != 0 {
					n = hv.reg
					break
				}
			}
			v.reg = n
		}
		active[cl][v.reg] = r
		used[cl] |= 1 << v.reg
		c.used[cl] |= 1 << v.reg
	}
	return spilled
}

// score returns higher for registers that are used often for their lifetime.
func (c *code) score(r vreg) float32 {
	v := &c.regs[r]
	w := v.weight
	if v.konst {
		w /= 4 // costs a memory operand, no store
	}
	return w / float32(v.end-v.start+2)
}

// newSlot returns 1 + the offset of a spill slot.
func (c *code) newSlot(v *vinfo) int32 {
	n := int32(8)
	if v.class == classV {
		n = 16 << v.len
		c.slots = (c.slots + n - 1) &^ (n - 1)
	}
	c.slots += n
	return c.slots - n + 1
}

func trailing(x uint32) int { return bits.TrailingZeros32(x) }
